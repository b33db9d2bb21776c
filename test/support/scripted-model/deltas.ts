// Cuts the pieces of a reply into deltas, the way a model's tokens arrive.

import type { Piece, Reply } from "./script.ts";

/** A piece with its place in the reply and a number of its own; a run is a call of the one tool. */
export type Item = { index: number; serial: number; text: string } & (
  | { kind: "text" }
  | { kind: "reasoning"; redacted: boolean }
  | { kind: "call"; id: string; name: string }
);

export interface Delta {
  item: Item;
  first: boolean;
  last: boolean;
  text: string;
}

let serials = 0;

export function toItems(pieces: readonly Piece[]): Item[] {
  return pieces.map((piece, index): Item => {
    const serial = ++serials;
    if (piece.type === "say") return { kind: "text", index, serial, text: piece.text };
    if (piece.type === "think")
      return { kind: "reasoning", index, serial, text: piece.text, redacted: piece.redacted === true };
    const name = piece.type === "run" ? "execute" : piece.name;
    const text =
      piece.type === "run" ? JSON.stringify({ language: piece.language, code: piece.code }) : piece.arguments;
    return { kind: "call", index, serial, id: `call_${serial}`, name, text };
  });
}

export function toDeltas(items: readonly Item[], options: Reply["options"]): Delta[] {
  const size = Math.max(1, options.chunk ?? 12);
  const rows = items.map((item) => {
    const row: Delta[] = [];
    for (let at = 0; at === 0 || at < item.text.length; at += size) {
      const text = item.text.slice(at, at + size);
      row.push({ item, first: at === 0, last: at + size >= item.text.length, text });
    }
    return row;
  });
  if (!options.interleave) return rows.flat();
  const longest = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: longest }, (_, turn) => rows.flatMap((row) => row[turn] ?? [])).flat();
}
