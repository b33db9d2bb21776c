// Which keys were pressed, out of the bytes a terminal sends. A sequence may be cut anywhere; one that means nothing to us is
// dropped, never typed.

import { StringDecoder } from "node:string_decoder";
import { pressOf } from "./key-names.ts";

export type Key =
  | { type: "text"; text: string }
  /** Pasted: whatever it holds, none of it is a key. Lines end with "\n". */
  | { type: "paste"; text: string }
  /** For example "enter", "ctrl-a", "alt-b", "ctrl-left", "shift-enter". */
  | { type: "press"; name: string };

const pasteBegin = "\x1b[200~";
const pasteEnd = "\x1b[201~";
/** A string that the terminal sends without being asked is never longer. */
const longestString = 4_096;

/** Everything that is a key of its own; other characters are text. */
const special = /[\x00-\x1f\x7f-\x9f]/;

export class KeyDecoder {
  readonly #bytes = new StringDecoder("utf8");
  /** The beginning of a sequence whose end has not come yet. */
  #held = "";
  /** What has been pasted so far, while a paste goes on. */
  #pasted: string[] | undefined;

  /** What is held back: nothing, an escape that may be the key itself, or part of a sequence. When nothing follows, `flush`. */
  get held(): "nothing" | "escape" | "sequence" {
    if (this.#pasted !== undefined || this.#held === "") return "nothing";
    return this.#held === "\x1b" ? "escape" : "sequence";
  }

  push(bytes: Uint8Array): Key[] {
    return this.#take(this.#bytes.write(Buffer.from(bytes)));
  }

  /** Nothing more comes: what is held is a key, or the rest of something broken. */
  flush(): Key[] {
    if (this.held === "nothing") return [];
    const held = this.#held;
    this.#held = "";
    if (held === "\x1b") return [{ type: "press", name: "escape" }];
    if (held === "\x1b\x1b") return [press("escape"), press("escape")];
    // Alt with a letter that could have begun something longer.
    return held.length === 2 ? pressOf(held).map(press) : [];
  }

  #take(text: string): Key[] {
    const keys: Key[] = [];
    let rest = this.#held + text;
    this.#held = "";
    while (rest !== "") {
      if (this.#pasted) {
        rest = this.#paste(rest, keys);
        continue;
      }
      const plain = rest.search(special);
      if (plain !== 0) {
        keys.push({ type: "text", text: plain === -1 ? rest : rest.slice(0, plain) });
        rest = plain === -1 ? "" : rest.slice(plain);
        continue;
      }
      const sequence = readSequence(rest);
      if (sequence === undefined) {
        this.#held = rest;
        break;
      }
      rest = rest.slice(sequence.length);
      if (sequence === pasteBegin) this.#pasted = [];
      else if (sequence.length > 1 || !/[\x80-\x9f]/.test(sequence)) keys.push(...keysOf(sequence));
    }
    return keys;
  }

  /** Takes pasted text up to the mark that ends it; returns what comes after. */
  #paste(text: string, keys: Key[]): string {
    const end = text.indexOf(pasteEnd);
    if (end === -1) {
      const kept = partial(text, pasteEnd);
      this.#pasted!.push(text.slice(0, text.length - kept));
      this.#held = text.slice(text.length - kept);
      return "";
    }
    this.#pasted!.push(text.slice(0, end));
    keys.push({ type: "paste", text: this.#pasted!.join("").replace(/\r\n?/g, "\n") });
    this.#pasted = undefined;
    return text.slice(end + pasteEnd.length);
  }
}

const press = (name: string): Key => ({ type: "press", name });

function keysOf(sequence: string): Key[] {
  return pressOf(sequence).map(
    (name): Key => (name.startsWith("=") ? { type: "text", text: name.slice(1) } : press(name)),
  );
}

/** The sequence a text begins with; undefined when its end is missing. */
function readSequence(text: string): string | undefined {
  if (text[0] !== "\x1b") return text[0];
  // An escape before a sequence is how some terminals say Alt.
  const start = text[1] === "\x1b" && (text.length === 2 || text[2] === "[" || text[2] === "O") ? 2 : 1;
  switch (text[start]) {
    case undefined:
      return undefined;
    case "[":
      return readControl(text, start + 1);
    case "O":
      return readUntil(text, start + 1, /[0-9;]/);
    case "]":
    case "P":
    case "_":
    case "^":
    case "X":
      return readString(text);
    case "\x1b":
      return "\x1b";
    default:
      return text.slice(0, start + (text.codePointAt(start)! > 0xffff ? 2 : 1));
  }
}

/** Parameters, intermediates and the letter that ends them. What cannot stand there breaks the sequence off. */
function readControl(text: string, from: number): string | undefined {
  // The Linux console names its function keys with a second bracket, rxvt some with a dollar sign.
  if (text[from] === "[") return text.length > from + 1 ? text.slice(0, from + 2) : undefined;
  const short = /^[0-9]+\$/.exec(text.slice(from, from + 8));
  if (short) return text.slice(0, from + short[0].length);
  return readUntil(text, from, /[\x20-\x3f]/);
}

function readUntil(text: string, from: number, inside: RegExp): string | undefined {
  let end = from;
  while (end < text.length && inside.test(text[end]!)) end++;
  if (end === text.length) return end - from > longestString ? text : undefined;
  return text.slice(0, /[\x40-\x7e]/.test(text[end]!) ? end + 1 : end);
}

/** An answer of the terminal: up to the sign that ends it. */
function readString(text: string): string | undefined {
  const end = /\x07|\x1b\\|[\x18\x1a]/.exec(text.slice(2));
  if (end) return text.slice(0, 2 + end.index + end[0].length);
  return text.length > longestString ? text : undefined;
}

/** How much of the end of a text may be the beginning of `mark`. */
function partial(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(mark.slice(0, length))) return length;
  }
  return 0;
}
