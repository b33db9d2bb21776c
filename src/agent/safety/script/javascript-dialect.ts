// JavaScript as a look understands it: what its names stand for, and what calling them does.

import { outOf } from "../value.ts";
import type { Call, Dialect } from "./evaluate.ts";
import { followed, javascriptCode } from "./javascript-code.ts";
import { javascriptFiles, overNetwork, reached } from "./javascript-files.ts";
import { javascriptName, javascriptThing } from "./javascript-names.ts";
import { type Meaning, variable } from "./meaning.ts";
import { started } from "./programs.ts";
import { textMethod } from "./texts.ts";

const meanings = new Map<string, Meaning>([...javascriptCode, ...javascriptFiles]);

const requests =
  /^(fetch|node-fetch|undici\.(fetch|request|stream)|axios(\.(get|post|put|patch|delete|request|head))?|got(\.(get|post|put|stream))?|ky(\.\w+)?|superagent\.\w+|https?\.(get|request)|http2\.connect)$/;
const programs =
  /^(child_process\.(exec|execFile|spawn|fork)|execa(\.\w+)?|Bun\.(spawn|\$)|Deno\.(Command|run)|shelljs\.exec|zx\.\$|\$)$/;
const queries = /\.(query|execute|exec|run|prepare)$/;

export const javascriptDialect: Dialect = {
  global: javascriptThing,
  knows: () => false,
  member(of, name) {
    if (of.name === "process.env") return variable(name);
    if (of.name === undefined || of.name.includes("(") || of.text !== undefined) return undefined;
    const full = javascriptName(`${of.name}.${name}`);
    const special = full !== `${of.name}.${name}` || /^process\.(env|execPath)$/.test(full);
    return special ? { ...javascriptThing(full), ...(of.hidden && { hidden: true }) } : undefined;
  },
  call(written) {
    const call = plain(written);
    const { name, values, act } = call;
    act({ type: "call", name, values, endless: call.endless });
    const meaning = meanings.get(name);
    if (meaning) return meaning(call);
    if (requests.test(name)) return reached(call, values[0]);
    if (programs.test(name)) {
      started(call);
      return { name: "child_process", from: outOf(...values).from };
    }
    const text = values[0]?.text;
    if (queries.test(name) && text !== undefined && /^\s*(drop|delete|truncate|update|alter)\b/i.test(text))
      act({ type: "block", language: "sql", code: text });
    if (name.endsWith(".pipe")) for (const deed of overNetwork(call)) act(deed);
    if (/\.(then|forEach|map|on|once|catch|finally)$/.test(name)) return followed(call);
    return textMethod(call);
  },
};

/** The call that is meant where a function is called by way of another. */
function plain(call: Call): Call {
  const { name, receiver, values } = call;
  // `[].filter.constructor("…")` is `Function`; `this.constructor(…)` is a class.
  if (name.endsWith(".constructor") && (receiver.made || /^\?\.\w+$|constructor/.test(receiver.name ?? ""))) {
    call.act({ type: "hidden-name", name: "Function" });
    return { ...call, name: "Function" };
  }
  const inner = /^(?!Reflect\.)(.+)\.(call|apply|bind)$/.exec(name)?.[1];
  if (inner === undefined) return call;
  return { ...call, name: inner, values: values.slice(1).flatMap((each) => each.items ?? [each]) };
}
