// Reads `{language, code}` out of text that was meant to be JSON but is not: wrong quotes, no quotes, raw newlines,
// a missing end, JSON inside a JSON string, a wrapper around it. Used when strict reading has failed.

import { parseMended } from "./json-values.ts";

export interface LooseCall {
  /** The tool as the model named it. */
  name?: string;
  language?: string;
  code: string;
}

const codeKeys = ["code", "command", "cmd", "script", "source", "input", "python_code", "code_string"];
const languageKeys = ["language", "lang"];
const nameKeys = ["name", "tool", "tool_name", "function", "recipient_name", "action"];
const argumentKeys = [
  "arguments",
  "parameters",
  "args",
  "params",
  "kwargs",
  "action_input",
  "tool_input",
  "function",
  "function_call",
  "tool_call",
  "input",
];
const listKeys = ["tool_calls", "tool_uses", "calls", "actions"];

/** The call in this text, or undefined when there is none. */
export function readLooseCall(text: string): LooseCall | undefined {
  const inner = unwrap(text.trim());
  const value = parseMended(inner);
  return value === undefined ? fromText(inner) : fromValue(value);
}

/** Takes `functions.execute({...})` and the like off. */
export function unwrap(text: string): string {
  const match = /^(?:await\s+|(print)\s*\(\s*)?(?:[\w$]+\.)*execute\s*\(/.exec(text);
  if (!match) return text;
  const end = match[1] ? /(?:\)\s*){0,2};?\s*$/ : /\)?\s*;?\s*$/;
  return text.slice(match[0].length).trim().replace(end, "").trimEnd();
}

/** The first call in a parsed value. */
export const fromValue = (value: unknown): LooseCall | undefined => callsIn(value)[0];

/** The calls in a parsed value: the arguments themselves, a call around them, a list of either, or JSON in a string. */
export function callsIn(value: unknown, depth = 0): LooseCall[] {
  if (depth > 5 || value === undefined || value === null) return [];
  if (typeof value === "string") {
    const inner = /^\s*[{[]/.test(value) ? readLooseCall(value) : undefined;
    return inner ? [inner] : [];
  }
  if (Array.isArray(value)) return value.flatMap((each) => callsIn(each, depth + 1));
  if (typeof value !== "object") return [];
  const object = value as Record<string, unknown>;
  const list = listKeys.map((key) => object[key]).find(Array.isArray);
  if (list) return callsIn(list, depth + 1);
  const name = textIn(object, nameKeys);
  for (const key of argumentKeys) {
    const inner = object[key];
    if ((typeof inner === "object" && inner !== null) || (key !== "input" && key !== "function")) {
      const found = callsIn(inner, depth + 1).map((call) => withName(call, name));
      if (found.length > 0) return found;
    }
  }
  const code = codeKeys.map((key) => lines(object[key])).find((found) => found !== undefined);
  if (code === undefined) return fromOnlyKey(object, depth);
  const language = textIn(object, languageKeys);
  return [withName(language === undefined ? { code } : { language, code }, name)];
}

/** `{"execute": {…}}`: the name is the key. */
function fromOnlyKey(object: Record<string, unknown>, depth: number): LooseCall[] {
  const [entry, ...more] = Object.entries(object);
  if (!entry || more.length > 0 || typeof entry[1] !== "object") return [];
  return callsIn(entry[1], depth + 1).map((call) => withName(call, entry[0]));
}

export const withName = (call: LooseCall, name: string | undefined): LooseCall =>
  call.name !== undefined || name === undefined ? call : { name, ...call };

const textIn = (object: Record<string, unknown>, keys: readonly string[]): string | undefined =>
  keys.map((key) => object[key]).find((found) => typeof found === "string") as string | undefined;

function lines(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((line) => typeof line === "string")) return value.join("\n");
  return undefined;
}

const keyPattern = /(?:^|[{,\s])(["'`]?)code\1\s*[:=]\s*/;
const otherKeyPattern = /[{,\s](["'])(?:command|cmd|script|input)\1\s*[:=]\s*/;
const beginning =
  /^[{[("'`\s]*(?:code|command|cmd|script|lang|name|tool|type|function|arguments|parameters|action|input)/;
const languagePattern = /(?:^|[{,\s])(["'`]?)lang(?:uage)?\1\s*[:=]\s*["'`]?([A-Za-z][\w+#.-]*)/;
const namePattern = /(?:^|[{,\s])(["'`]?)(?:name|tool|function|action)\1\s*[:=]\s*["'`]([\w.:-]+)["'`]/;

function fromText(text: string): LooseCall | undefined {
  const key = keyPattern.exec(text) ?? otherKeyPattern.exec(text);
  if (!key || !beginning.test(text)) return undefined;
  const start = key.index + key[0].length;
  const { code, end } = readValue(text, start);
  const language = languagePattern.exec(text.slice(0, key.index + 1)) ?? languagePattern.exec(text.slice(end));
  const name = namePattern.exec(text.slice(0, key.index))?.[2];
  return withName(language ? { language: language[2]!, code } : { code }, name);
}

/** The value at `start`: up to the last quote of its own kind that only closers or a further key follow. */
function readValue(text: string, start: number): { code: string; end: number } {
  const quote = /^(?:"""|'''|["'`])/.exec(text.slice(start))?.[0];
  if (!quote) return readBare(text, start);
  const from = start + quote.length;
  const closing = [
    ...text.slice(from).matchAll(new RegExp(`${quote}(?=\\s*(?:[\\])}]|$|,\\s*["'\`]?\\w+["'\`]?\\s*[:=]))`, "g")),
  ];
  const further = closing.find((match) => /^\s*,\s*["'`]?lang/.test(text.slice(from + match.index + quote.length)));
  const last = further ?? closing.at(-1);
  const end = last ? from + last.index : text.length;
  const raw = text.slice(from, end);
  return { code: quote === "`" || quote.length === 3 ? unescapeRaw(raw) : unescapeText(raw), end };
}

/** A value without quotes ends at the last brace, or before a language key. */
function readBare(text: string, start: number): { code: string; end: number } {
  const rest = text.slice(start);
  const further = /,\s*["'`]?lang(?:uage)?["'`]?\s*[:=]\s*["'`]?[\w+#.-]+["'`]?\s*\}?\s*$/.exec(rest);
  const brace = rest.lastIndexOf("}");
  const end = further ? further.index : brace >= 0 && /^\}[\s})\];]*$/.test(rest.slice(brace)) ? brace : rest.length;
  return { code: unescapeRaw(rest.slice(0, end).trim()), end: start + end };
}

const escapes: Record<string, string> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  "/": "/",
  "\\": "\\",
  '"': '"',
  "'": "'",
};

export function unescapeText(text: string): string {
  return text.replace(
    /\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g,
    (whole, hex: string | undefined, letter: string | undefined) =>
      hex ? String.fromCharCode(Number.parseInt(hex, 16)) : (escapes[letter!] ?? whole),
  );
}

/** Where raw newlines are possible, `\n` is more likely part of the code; only a text all on one line was escaped. */
const unescapeRaw = (text: string): string => (text.includes("\n") ? text : unescapeText(text));
