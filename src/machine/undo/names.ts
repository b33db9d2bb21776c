// Names of files are bytes, and need not be UTF-8. Here they are text in which each byte that is no part of a character is a lone
// surrogate (U+DC80 and up), so that nothing is lost on the way to a file system and back.

import { isUtf8 } from "node:buffer";
import { existsSync, readdirSync } from "node:fs";

/** What a call of the file system is given for a path. */
export const raw = (path: string): string | Buffer => (path.isWellFormed() ? path : bytesOf(path));

function bytesOf(path: string): Buffer {
  const pieces = path.split(/([\udc80-\udcff])/u);
  return Buffer.concat(
    pieces.map((piece, index) => (index % 2 ? Buffer.of(piece.charCodeAt(0) & 0xff) : Buffer.from(piece))),
  );
}

export function textOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  let text = "";
  for (let place = 0; place < bytes.length; ) {
    const length = [1, 2, 3, 4].find((length) => isUtf8(bytes.subarray(place, place + length)));
    text += length
      ? bytes.toString("utf8", place, place + length)
      : String.fromCharCode(0xdc00 + (bytes[place] as number));
    place += length ?? 1;
  }
  return text;
}

export function namesIn(folder: string): string[] {
  const names = readdirSync(raw(folder));
  // The mark for bytes that were no text; or a name that has it.
  if (!names.some((name) => name.includes("\ufffd"))) return names;
  return readdirSync(raw(folder), { encoding: "buffer" }).map(textOf);
}

/** Nothing where it may not be looked into. */
export function visibleNamesIn(folder: string): string[] {
  try {
    return existsSync(raw(folder)) ? namesIn(folder) : [];
  } catch {
    return [];
  }
}
