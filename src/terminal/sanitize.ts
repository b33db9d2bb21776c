// Makes text from a program or a model safe to print: no escape sequence of theirs reaches the terminal.

import { withoutEscapes } from "../messages/index.ts";

/** Control characters, and those that turn the direction of what follows. */
const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

export function sanitize(text: string): string {
  return withoutEscapes(text).replace(controls, "\ufffd").replaceAll("\r\n", "\n");
}

const unfinished = /^\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*|[PX^_][^\x1b]*\x1b?|[ -/]*)$/;
const longest = 4_096;

/** For text that comes in pieces: keeps back an escape sequence until it is whole. */
export function createHolder(): (text: string) => string {
  let held = "";
  return (text) => {
    const all = held + text;
    const at = all.lastIndexOf("\x1b", all.endsWith("\x1b") ? all.length - 2 : undefined);
    const last = at !== -1 && unfinished.test(all.slice(at)) ? at : all.endsWith("\x1b") ? all.length - 1 : all.length;
    held = all.length - last <= longest ? all.slice(last) : "";
    return all.slice(0, last);
  };
}
