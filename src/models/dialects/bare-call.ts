// Calls written out without any tag: an object, a list of them, a Python call, a fenced one, or the "Action:" of agents.
// They count only where a line begins, and only as the rest of the reply: anywhere else they are something to read.

import { readCalls, withoutFence } from "./call-body.ts";
import { isRunner } from "./call-name.ts";
import type { Ending } from "./dialect.ts";
import { endOfValue } from "./json-values.ts";
import type { LooseCall } from "./loose-call.ts";

type Likeness = "yes" | "maybe" | "no";

const words = [
  "execute(",
  "functions.execute(",
  "default_api.execute(",
  "print(execute(",
  "print(default_api.execute(",
  "await execute(",
  "functools[",
];
const plainKeys = ["language", "lang", "code", "arguments", "parameters", "function_call", "tool_call", "tool_calls"];
const namingKeys = ["name", "tool", "tool_name", "function", "recipient_name", "action", "type", "tool_uses"];
const fenceLabels = ["", "json", "tool_call", "tool_calls", "function_call", "tool_code", "xml"];
const elements = ["<tool_call>", "<function=", "<function_call>"];

/** Does this begin like a call? Once it does not, no more text will change that. */
export function looksLikeCall(held: string, languages: readonly string[]): Likeness {
  const text = held.trimStart();
  if (text === "") return "maybe";
  if (text[0] === "`") return likeFence(text, languages);
  if (text[0] === "{") return likeObject(text, languages);
  if (text[0] === "[") return likeList(text.slice(1), languages);
  if (text[0] === "A") return likeAction(text, languages);
  if (text[0] === ">") return likeRecipient(text, languages);
  return likeOneOf(text, words);
}

function likeOneOf(text: string, candidates: readonly string[]): Likeness {
  if (candidates.some((candidate) => text.startsWith(candidate))) return "yes";
  return candidates.some((candidate) => candidate.startsWith(text)) ? "maybe" : "no";
}

function likeObject(text: string, languages: readonly string[]): Likeness {
  const [head, quote, key] = /^\{\s*(["'`]?)(\w*)/.exec(text)! as unknown as [string, string, string];
  const rest = text.slice(head.length);
  if (rest === "") return [...plainKeys, ...namingKeys].some((known) => known.startsWith(key)) ? "maybe" : "no";
  if (plainKeys.includes(key)) return "yes";
  if (!namingKeys.includes(key)) return "no";
  const value = /^(["'`]?)\s*(?:[:=]\s*(?:(["'`])([\w.:-]*)(["'`]?)|[{[])?)?/.exec(rest)!;
  if (value[1] !== quote) return rest === value[1] ? "maybe" : "no";
  if (/[{[]$/.test(value[0])) return "yes";
  const name = value[3];
  if (value[4]) return isRunner(name!, languages) || (key === "type" && name === "function") ? "yes" : "no";
  return value[0].length === rest.length ? "maybe" : "no";
}

function likeList(inside: string, languages: readonly string[]): Likeness {
  const text = inside.trimStart();
  if (text === "") return "maybe";
  return text[0] === "{" ? likeObject(text, languages) : likeOneOf(text, words);
}

function likeFence(text: string, languages: readonly string[]): Likeness {
  const [head, marks, label] = /^(`+)([\w-]*)[ \t]*\r?/.exec(text)! as unknown as [string, string, string];
  const rest = text.slice(head.length);
  if (rest === "")
    return marks.length < 3 && label !== ""
      ? "no"
      : fenceLabels.some((known) => known.startsWith(label))
        ? "maybe"
        : "no";
  if (marks.length < 3 || rest[0] !== "\n" || !fenceLabels.includes(label)) return "no";
  const inside = rest.trimStart();
  if (label === "tool_code") return "yes";
  if (inside === "") return "maybe";
  if (inside[0] === "<") return likeOneOf(inside, elements);
  if (inside[0] === "[") return likeList(inside.slice(1), languages);
  return inside[0] === "{" ? likeObject(inside, languages) : "no";
}

/** `Action: execute`, `Action Input: {…}` on the next line; or `Action:` and a fenced list. */
function likeAction(text: string, languages: readonly string[]): Likeness {
  if (!text.startsWith("Action:")) return likeOneOf(text, ["Action:"]);
  const rest = text.slice("Action:".length).trimStart();
  if (rest === "") return "maybe";
  if (rest[0] === "`") return likeFence(rest, languages);
  return likeNamed(rest, languages);
}

function likeRecipient(text: string, languages: readonly string[]): Likeness {
  if (!text.startsWith(">>>")) return likeOneOf(text, [">>>"]);
  const rest = text.slice(3);
  return rest === "" ? "maybe" : likeNamed(rest, languages);
}

/** The name of a tool, alone on the rest of its line. */
function likeNamed(text: string, languages: readonly string[]): Likeness {
  const [head, name] = /^([\w.]*)[ \t]*\r?/.exec(text)! as unknown as [string, string];
  if (head.length === text.length) return "maybe";
  return text[head.length] === "\n" && isRunner(name, languages) ? "yes" : "no";
}

export interface BareCalls {
  calls: LooseCall[];
  /** What the model went on to say. */
  rest: string;
}

/** Reads text that looks like a call. */
export function readBareCalls(held: string, ending: Ending, languages: readonly string[]): BareCalls | undefined {
  const [called = "", ...invented] = held.trim().split(/(?=\nObservation:)/);
  const text = called.replace(/^(?:Action:\s*|functools(?=\[))/, "").trim();
  const over = ending !== "whole" || /[}\])>;"'`]$/.test(text) || text.startsWith(">>>");
  const calls = over ? readCalls(text, languages) : [];
  if (calls.length > 0) return { calls, rest: invented.join("") };
  if (/^`{3,}tool_code\b/.test(text) && over) {
    const code = withoutFence(text);
    return code === "" || /^`{3}/m.test(code) ? undefined : { calls: [{ language: "python", code }], rest: "" };
  }
  return readFirst(text, languages);
}

/** An object that is a call, and words on the lines behind it. */
function readFirst(text: string, languages: readonly string[]): BareCalls | undefined {
  const end = endOfValue(text, 0);
  if (end === undefined || !/^[ \t]*\r?\n/.test(text.slice(end))) return undefined;
  const calls = readCalls(text.slice(0, end), languages).filter(({ name }) => name !== undefined);
  return calls.length > 0 ? { calls, rest: text.slice(end).trimStart() } : undefined;
}
