// What a program said on the terminal, as text for the record: without the screens it drew and without escape sequences.

import { withoutEscapes } from "../../messages/index.ts";

const screens = /\x1b\[\?(?:1049|47|1047)h[\s\S]*?(?:\x1b\[\?(?:1049|47|1047)l|$)/g;

export function transcript(data: string): string {
  const text = withoutEscapes(data.replace(screens, ""))
    .replace(/[^\n]*\r(?!\n)/g, "")
    .replaceAll("\r\n", "\n")
    .replace(/[\x00-\x08\x0b-\x1f\x7f]/g, "");
  return text.trim() === "" ? "" : `${text.trimEnd()}\n`;
}
