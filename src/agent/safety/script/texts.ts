// Texts that are made by a script while it runs, as far as they can be told before: joined, turned around, decoded.

import { gunzipSync, inflateSync } from "node:zlib";
import { gap, isKnown, joined, outOf, type Value, withSource } from "../value.ts";
import type { Call } from "./evaluate.ts";

const decoded = { type: "decoded" } as const;
const listing = { type: "listing" } as const;

/** The text with its encoding taken off where it is a constant; the mark that it had one in any case. */
export function decodedValue(value: Value | undefined, how: "base64" | "hex" | "zlib" | "other"): Value {
  const from = [...outOf(value).from, decoded];
  const text = isKnown(value?.text) ? unwrap(value.text, how) : undefined;
  return text === undefined ? { from } : { text, from };
}

function unwrap(text: string, how: "base64" | "hex" | "zlib" | "other"): string | undefined {
  try {
    if (how === "base64") return asText(Buffer.from(text.replace(/\s/g, ""), "base64"));
    if (how === "hex") return asText(Buffer.from(text.replace(/\s/g, ""), "hex"));
    const bytes = Buffer.from(text, "latin1");
    if (how === "zlib") return asText((bytes[0] === 0x1f ? gunzipSync : inflateSync)(bytes, { maxOutputLength: 1e6 }));
  } catch {
    // Not what it says it is: nothing can be read from it.
  }
  return undefined;
}

/** Text where it is text; bytes stay bytes, for the next layer. */
function asText(bytes: Buffer): string | undefined {
  if (bytes.length === 0) return undefined;
  const text = bytes.toString("utf8");
  return text.includes("\ufffd") ? bytes.toString("latin1") : text;
}

/** What a method of a text gives, in Python or JavaScript; nothing where it is not one. */
export function textMethod({ name, receiver, values }: Call): Value | undefined {
  const method = name.slice(name.lastIndexOf(".") + 1);
  const text = receiver.text;
  const [first, second] = values;
  const same = (changed: string): Value => ({ text: changed, from: receiver.from });
  if (method === "join") {
    const list = receiver.items ? receiver : first;
    const between = receiver.items ? (first?.text ?? ",") : (text ?? "");
    if (!list?.items) return list && text !== undefined ? { text: gap, from: outOf(list).from } : undefined;
    return withSource(joined(list.items, between), ...(list.items.length > 1 ? [{ type: "pieces" } as const] : []));
  }
  if (method === "reverse" && receiver.items) return { items: receiver.items.toReversed(), from: receiver.from };
  if (text === undefined) return undefined;
  switch (method) {
    case "strip":
    case "trim":
      return same(text.trim());
    case "lower":
    case "toLowerCase":
      return same(text.toLowerCase());
    case "upper":
    case "toUpperCase":
      return same(text.toUpperCase());
    case "encode":
    case "toString":
    case "expanduser":
    case "valueOf":
      return same(text);
    case "decode":
      return /rot|hex|base64|zip|zlib/i.test(first?.text ?? "") ? decodedValue(receiver, "other") : same(text);
    case "format":
      return formatted(text, values);
    case "concat":
      return joined([receiver, ...values]);
    case "split":
      return first?.text === ""
        ? { items: [...text].map((each) => ({ text: each, from: receiver.from })), from: receiver.from }
        : { items: text.split(first?.text ?? /\s+/).map((each) => ({ text: each, from: receiver.from })), from: [] };
    case "replace":
    case "replaceAll":
      return isKnown(first?.text) && isKnown(second?.text)
        ? { text: text.replaceAll(first.text, second.text), from: [...receiver.from, { type: "pieces" }] }
        : outOf(receiver);
    default:
      return undefined;
  }
}

/** `"{}/x".format(a)` and `"%s/x" % a`: in order, which is how most are written. */
export function formatted(template: string, values: readonly Value[]): Value {
  let at = 0;
  const fill = (): string => values[at++]?.text ?? gap;
  const text = template.replace(/%[-+ #0]*\d*(\.\d+)?[sdrfx]|\{[^{}]*\}/g, fill);
  return { text, from: outOf(...values).from };
}

export const reversed = (value: Value | undefined): Value =>
  value?.text === undefined
    ? outOf(value)
    : { text: [...value.text].reverse().join(""), from: [...value.from, { type: "pieces" }] };

/** A character by its number. */
export const character = (value: Value | undefined): Value =>
  value?.number !== undefined && value.number >= 0 && value.number <= 0x10ffff
    ? { text: String.fromCodePoint(value.number), from: [{ type: "pieces" }] }
    : outOf(value);

/** Names that a pattern or a folder gives: each is one, none is known. */
export const listed = (pattern: Value | undefined): Value => ({
  text: pattern?.text === undefined ? gap : /[*?[]/.test(pattern.text) ? pattern.text : `${pattern.text}/*`,
  from: [...outOf(pattern).from, listing],
});

/** Parts of a path, as a language's own function puts them together. */
export function pathOf(parts: readonly Value[]): Value {
  const given = parts.flatMap((part) => part.items ?? [part]);
  const start = given.findLastIndex(({ text }) => text !== undefined && /^(\/|~|[A-Za-z]:)/.test(text));
  const used = start > 0 ? given.slice(start) : given;
  const text = used
    .map((part) => part.text ?? gap)
    .join("/")
    .replace(/\/{2,}/g, "/");
  return { text, from: outOf(...used).from };
}
