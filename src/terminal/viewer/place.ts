// Where in a table the person is, and where each key takes them.

import type { Key } from "../keys.ts";

/** The cell that is looked at, and the first row and column on the screen. */
export interface Place {
  row: number;
  column: number;
  top: number;
  left: number;
}

export interface Extent {
  /** Of the table as it is shown. */
  rows: number;
  columns: number;
  /** Rows on the screen. */
  height: number;
}

/** The place a key leads to; undefined when it leads nowhere. */
export function moved(place: Place, key: Key, { rows, columns, height }: Extent): Place | undefined {
  const { row, column } = place;
  switch (key.name === "character" ? key.character : key.name) {
    case "up":
    case "k":
      return { ...place, row: row - 1 };
    case "down":
    case "j":
      return { ...place, row: row + 1 };
    case "left":
    case "h":
      return { ...place, column: column - 1 };
    case "right":
    case "l":
      return { ...place, column: column + 1 };
    case "pageup":
    case "b":
      return { ...place, row: row - height, top: place.top - height };
    case "pagedown":
    case " ":
      return { ...place, row: row + height, top: place.top + height };
    case "g":
      return { ...place, row: 0 };
    case "G":
      return { ...place, row: rows - 1 };
    case "home":
    case "^":
      return { ...place, column: 0 };
    case "end":
    case "$":
      return { ...place, column: columns - 1 };
  }
  return undefined;
}

/** The nearest place that exists, with its row on the screen. */
export function settled(place: Place, { rows, columns, height }: Extent): Place {
  const within = (value: number, count: number): number => Math.max(0, Math.min(count - 1, value));
  const row = within(place.row, rows);
  const lowest = Math.max(0, Math.min(place.top, rows - height, row));
  const top = row >= lowest + height ? row - height + 1 : lowest;
  const column = within(place.column, columns);
  return { row, column, top, left: Math.min(place.left, column) };
}
