// How large a picture is drawn: as large as it is, where the screen has room for that, and never out of shape.

import type { PictureFacts } from "../../pictures/index.ts";

/** What a character is taken to measure. Terminals differ, but few are far from twice as high as wide. */
export const cell = { width: 8, height: 16 };

export interface Room {
  columns: number;
  rows: number;
}

/** In characters. */
export function sizeFor({ width, height }: Pick<PictureFacts, "width" | "height">, room: Room): Room {
  const scale = Math.min(1, (room.columns * cell.width) / width, (room.rows * cell.height) / height);
  return {
    columns: Math.max(1, Math.min(room.columns, Math.round((width * scale) / cell.width))),
    rows: Math.max(1, Math.min(room.rows, Math.floor((height * scale) / cell.height + 0.01))),
  };
}

/**
 * Draws over rows that were made for it first, so that nothing scrolls under the picture, and ends on the line below. Where
 * the terminal itself leaves the cursor makes no difference.
 */
export function roomBelow(drawing: string, rows: number): string {
  return `${"\n".repeat(rows)}\x1b[${rows}A\x1b7${drawing}\x1b8\x1b[${rows}B\r`;
}
