// Reads `{language, code}` out of text that was meant to be JSON but is not: wrong quotes, no quotes, raw newlines,
// a missing end, JSON inside a JSON string, a wrapper around it. Used when strict reading has failed.

export interface LooseCall {
  language?: string;
  code: string;
}

const codeKeys = ["code", "command", "cmd", "script", "source", "input"];
const languageKeys = ["language", "lang"];

/** The call in this text, or undefined when there is none. */
export function readLooseCall(text: string): LooseCall | undefined {
  const inner = unwrap(text.trim());
  const value = parse(inner);
  return value === undefined ? fromText(inner) : fromValue(value);
}

/** Takes `functions.execute({...})` and the like off. */
export function unwrap(text: string): string {
  const match = /^(?:await\s+)?(?:[\w$]+\.)*execute\s*\(\s*([\s\S]*?)\s*\)?\s*;?\s*$/.exec(text);
  return match?.[1] ?? text;
}

export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Finds the call in a parsed value: the arguments themselves, or a call around them, or JSON in a string. */
export function fromValue(value: unknown, depth = 0): LooseCall | undefined {
  if (depth > 4 || value === undefined || value === null) return undefined;
  if (typeof value === "string") return /^\s*[{[]/.test(value) ? readLooseCall(value) : undefined;
  if (Array.isArray(value)) return value.length > 0 ? fromValue(value[0], depth + 1) : undefined;
  if (typeof value !== "object") return undefined;
  const object = value as Record<string, unknown>;
  for (const key of ["arguments", "parameters", "args", "function", "input"]) {
    const inner = object[key];
    if (typeof inner === "object" || (key === "arguments" && typeof inner === "string")) {
      const found = fromValue(inner, depth + 1);
      if (found) return found;
    }
  }
  const code = codeKeys.map((key) => textOf(object[key])).find((found) => found !== undefined);
  if (code === undefined) return undefined;
  const language = languageKeys.map((key) => object[key]).find((found) => typeof found === "string");
  return language === undefined ? { code } : { language: language as string, code };
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((line) => typeof line === "string")) return value.join("\n");
  return undefined;
}

const keyPattern = /(?:^|[{,\s])(["'`]?)code\1\s*[:=]\s*/;
const languagePattern = /(?:^|[{,\s])(["'`]?)lang(?:uage)?\1\s*[:=]\s*["'`]?([A-Za-z][\w+#.-]*)/;

function fromText(text: string): LooseCall | undefined {
  const key = keyPattern.exec(text);
  if (!key || !/^[{[("'`\s]*["'`]?(?:code|lang|name|tool|type|function|arguments|parameters)/.test(text))
    return undefined;
  const start = key.index + key[0].length;
  const { code, end } = readValue(text, start);
  const language = languagePattern.exec(text.slice(0, key.index + 1)) ?? languagePattern.exec(text.slice(end));
  return language ? { language: language[2]!, code } : { code };
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
