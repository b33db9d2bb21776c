// What is to be seen of a text while it is written: never higher than the screen, with the cursor in it, and a list below.

import type { Style } from "../style.ts";
import type { Cursor } from "../tail.ts";
import { clip, clipStart, widthOf } from "../text/width.ts";
import type { Search } from "./recall.ts";

export interface Frame {
  rows: string[];
  cursor: Cursor;
}

/** As many rows as there is room for, the cursor's among them. `top` is the first that was shown before. */
export function windowOf(rows: readonly string[], cursor: number, room: number, top: number): number {
  if (rows.length <= room) return 0;
  const first = Math.min(Math.max(top, cursor - room + 1), rows.length - room);
  // The first row shown says that there are more: the cursor stays below it.
  return Math.min(first, Math.max(0, cursor - 1));
}

export function rowsFrom(rows: readonly string[], top: number, room: number, columns: number, style: Style): string[] {
  if (top === 0) return rows.slice(0, room);
  return [style.dim(clip(`↑ ${top + 1} more rows`, columns - 1)), ...rows.slice(top + 1, top + room)];
}

/** What is looked for, below what was found. */
export function searchRow({ query, found }: Search, columns: number): string {
  const label = found || query === "" ? "search: " : "nothing found: ";
  // The end of what is looked for is what one is typing.
  const safe = query.replace(/[\x00-\x1f\x7f-\x9f]/g, "\ufffd");
  return label + clipStart(safe, Math.max(1, columns - widthOf(label) - 1));
}
