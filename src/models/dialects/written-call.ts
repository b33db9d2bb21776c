// Local models often write a tool call out as text instead of making it. A tagged call is recognised anywhere; a bare
// one only when it is the whole reply.

import type { Ending } from "./dialect.ts";
import { fromValue, type LooseCall, parse, readLooseCall } from "./loose-call.ts";
import { overlap } from "./think-tags.ts";

export interface WrittenCallSink {
  text(text: string): void;
  call(call: LooseCall, complete: boolean): void;
}

export interface WrittenCallStage {
  write(text: string): void;
  end(ending: Ending): void;
}

const openers = [
  "{",
  "[{",
  "[TOOL_CALLS]",
  "execute(",
  "functions.execute(",
  "```json",
  "```tool_call",
  "```tool_code",
];
const firstKeys = ["language", "lang", "code", "name", "arguments", "parameters", "function", "tool", "type", "action"];

/** Holds back a reply that begins like a call until it is over; lets everything else pass. */
export function createWholeReplyGate(sink: WrittenCallSink): WrittenCallStage {
  let held: string | undefined = "";
  let sure = false;
  return {
    write(text) {
      if (held === undefined) return sink.text(text);
      held += text;
      const verdict = sure ? "yes" : judge(held);
      sure = verdict === "yes";
      if (verdict !== "no") return;
      sink.text(held);
      held = undefined;
    },
    end(ending) {
      if (!held) return;
      const calls = readWrittenCalls(held, ending);
      for (const call of calls) sink.call(call, ending === "whole");
      if (calls.length === 0) sink.text(held);
      held = undefined;
    },
  };
}

/** Does this begin like a call? */
function judge(held: string): "yes" | "no" | "maybe" {
  const text = held.trimStart();
  const opener = openers.find((candidate) => text.startsWith(candidate) || candidate.startsWith(text));
  if (opener === undefined) return "no";
  if (text.length < opener.length) return "maybe";
  const object = /^(?:```\w*)?\s*(?:\[TOOL_CALLS\])?\s*\[?\s*(?:\{\s*["'`]?(\w*))?/.exec(text)!;
  const begun = object[0].length === text.length;
  const key = object[1];
  if (key === undefined) return begun ? "maybe" : opener.endsWith("(") || opener.startsWith("[TOOL") ? "yes" : "no";
  if (!begun) return firstKeys.includes(key) ? "yes" : "no";
  return firstKeys.some((word) => word.startsWith(key)) ? "maybe" : "no";
}

function readWrittenCalls(held: string, ending: Ending): LooseCall[] {
  let text = held.trim();
  text = text
    .replace(/^```\w*\s*\n?/, "")
    .replace(/\n?```$/, "")
    .trim();
  const named = /^(?:\[TOOL_CALLS\]|functions\.execute|execute)/.test(text);
  text = text.replace(/^\[TOOL_CALLS\]\s*(?:execute\s*)?/, "");
  if (ending === "whole" && !/[}\])>;]$/.test(text)) return [];
  const lines = text.split("\n").filter((line) => line.trim());
  const values = [parse(text)].flat();
  const found = values.map((value) => fromValue(value)).filter((call) => call !== undefined);
  const each = lines.map((line) => fromValue(parse(line)));
  const several = each.length > 1 && each.every((call) => call !== undefined);
  const calls = found.length > 0 ? found : several ? each : [readLooseCall(text)];
  return calls.filter((call): call is LooseCall => call !== undefined && (named || isCall(call, text)));
}

/** An object with code and no language is a call only when it says that it is one. */
const isCall = (call: LooseCall, text: string): boolean =>
  call.language !== undefined || /["'](?:name|tool|function)["']\s*:\s*["'](?:functions\.)?execute/.test(text);

const tags = [
  { open: "<tool_call>", close: "</tool_call>" },
  { open: "<function_call>", close: "</function_call>" },
];

/** Finds tagged calls in running text. */
export function createTaggedCalls(sink: WrittenCallSink): WrittenCallStage {
  let held = "";
  let tag: (typeof tags)[number] | undefined;

  const finish = (body: string, complete: boolean): void => {
    const call = readTagged(body);
    if (call) sink.call(call, complete);
    else sink.text(tag!.open + body + (complete ? tag!.close : ""));
    tag = undefined;
  };

  const advance = (): void => {
    while (held) {
      if (tag) {
        const end = held.indexOf(tag.close);
        if (end < 0) return;
        const body = held.slice(0, end);
        held = held.slice(end + tag.close.length);
        finish(body, true);
        continue;
      }
      const next = tags
        .map((candidate) => ({ candidate, at: held.indexOf(candidate.open) }))
        .filter(({ at }) => at >= 0);
      const first = next.sort((a, b) => a.at - b.at)[0];
      const keep = first ? 0 : Math.max(...tags.map(({ open }) => overlap(held, open)));
      const ready = held.slice(0, first ? first.at : held.length - keep);
      if (ready) sink.text(ready);
      held = held.slice(ready.length + (first ? first.candidate.open.length : 0));
      tag = first?.candidate;
      if (!first) return;
    }
  };

  return {
    write(text) {
      held += text;
      advance();
    },
    end(ending) {
      if (tag) finish(held, ending === "whole");
      else if (held) sink.text(held);
      held = "";
    },
  };
}

function readTagged(body: string): LooseCall | undefined {
  const parameters = [...body.matchAll(/<parameter=(\w+)>\n?([\s\S]*?)\n?<\/parameter>/g)];
  const code = parameters.find(([, name]) => name === "code")?.[2];
  if (code !== undefined) {
    const language = parameters.find(([, name]) => name === "language")?.[2]?.trim();
    return language ? { language, code } : { code };
  }
  return readLooseCall(body);
}
