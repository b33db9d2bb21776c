// A picture in the protocol of iTerm2 (OSC 1337), which WezTerm, mintty and the terminal of VS Code speak too: the whole file.

import { type Room, roomBelow } from "./fit.ts";

export function iterm(file: Buffer, { columns, rows }: Room): string {
  const size = rows === 1 ? `width=${columns};height=1` : `width=auto;height=${rows}`;
  const keys = `inline=1;size=${file.length};${size};preserveAspectRatio=1`;
  return roomBelow(`\x1b]1337;File=${keys}:${file.toString("base64")}\x07`, rows);
}
