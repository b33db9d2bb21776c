// Makes text from a program or a model safe to print: no escape sequence of theirs reaches the terminal.

import { withoutEscapes } from "../messages/index.ts";

const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

export function sanitize(text: string): string {
  return withoutEscapes(text).replace(controls, "\ufffd").replaceAll("\r\n", "\n");
}
