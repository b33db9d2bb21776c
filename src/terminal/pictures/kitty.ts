// A picture in the graphics protocol of kitty, which Ghostty, Konsole and others speak too: a PNG in pieces of base64.

import { type Room, roomBelow } from "./fit.ts";

const piece = 4_096;

/**
 * The height is given in rows and the width follows from the picture, whatever a character really measures. Nothing is
 * answered (q=2), and the cursor is left where it was (C=1): we know better where it belongs.
 */
export function kitty(png: Buffer, { columns, rows }: Room): string {
  const data = png.toString("base64");
  const parts: string[] = [];
  for (let at = 0; at < data.length; at += piece) {
    const more = at + piece < data.length ? 1 : 0;
    // One row is a strip: it would be wider than the screen if its width were its own.
    const size = rows === 1 ? `c=${columns},r=1` : `r=${rows}`;
    const keys = at === 0 ? `a=T,f=100,q=2,C=1,${size},m=${more}` : `m=${more}`;
    parts.push(`\x1b_G${keys};${data.slice(at, at + piece)}\x1b\\`);
  }
  return roomBelow(parts.join(""), rows);
}
