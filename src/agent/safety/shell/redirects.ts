// Where a command's input comes from, and where its output goes.

import type { Redirection } from "unbash";
import type { Deed } from "../act.ts";
import { request } from "../script/network.ts";
import { gap, nothing, textValue, type Value } from "../value.ts";
import { type Scope, wordValues } from "./words.ts";

export interface Flow {
  input: Value;
  /** Whether what it prints goes somewhere else than to the screen. */
  quiet: boolean;
  /** The files that it goes to. */
  into: string[];
}

/** `name` is the command's; a compound command has none. */
export function redirected(
  redirects: readonly Redirection[],
  before: Value,
  scope: Scope,
  act: (deed: Deed) => void,
  name = "",
): Flow {
  const flow: Flow = { input: before, quiet: false, into: [] };
  for (const each of redirects) {
    if (each.type === "HereDoc") flow.input = hereDocument(each, scope);
    else {
      const target = each.target ? wordValues(each.target, scope)[0] : undefined;
      if (!target) continue;
      if (each.type === "HereString") flow.input = target;
      else followed(each, target, flow, act, name);
    }
  }
  return flow;
}

function hereDocument({ body, delimiter }: Extract<Redirection, { type: "HereDoc" }>, scope: Scope): Value {
  if (delimiter?.quoted || !body.parts) return textValue(body.text);
  return wordValues({ ...body, parts: body.parts, type: "Word", value: body.text }, scope)[0] ?? nothing;
}

function followed(
  { operator, descriptor }: Extract<Redirection, { type: "Redirect" }>,
  target: Value,
  flow: Flow,
  act: (deed: Deed) => void,
  name: string,
): void {
  const text = target.text ?? gap;
  const host = /^\/dev\/(?:tcp|udp)\/([^/]+)/.exec(text)?.[1];
  if (host !== undefined) {
    if (/(^|\/)(ba|z|da|k|)sh$|^exec$/.test(name)) act({ type: "remote-shell", host });
    for (const deed of request(textValue(`tcp://${host}`), { sends: [flow.input] })) act(deed);
    flow.quiet = true;
  } else if (operator === "<" || operator === "<>") {
    act({ type: "read", path: target });
    flow.input = { from: [...target.from, { type: "file", path: text }] };
  } else if (!/^(\d+|-)$/.test(text)) {
    if (descriptor?.type !== "FileDescriptor" || descriptor.value === 1) {
      flow.quiet = true;
      flow.into.push(text);
    }
    act({ type: "write", path: target, append: operator === ">>" || operator === "&>>" });
  }
}
