// The cells of a table as text on one line, and how wide its columns are.

import type { Cell, TableColumn } from "../../messages/index.ts";
import { sanitize } from "../sanitize.ts";
import { clip, widthOf } from "../text/width.ts";

/** Where a column stands and how wide it is; `gap` where some are left out. */
export type Placed = { column: number; width: number; right: boolean } | "gap";

/** A value on one line: the end of a line inside of it is a sign. */
export function cellText(value: Cell): string {
  if (value === null) return "null";
  return sanitize(String(value))
    .replace(/\r?\n|\r/g, "↵")
    .replaceAll("\t", " ");
}

export function widthsOf(columns: readonly TableColumn[], cells: readonly string[][], most: number): number[] {
  return columns.map(({ name, type = "" }, column) => {
    const wanted = [cellText(name), type, ...cells.map((row) => row[column]!)].map(widthOf);
    return Math.max(1, Math.min(most, Math.max(...wanted)));
  });
}

/** One line of cells; `paint` gives each its looks after it has its width. */
export function lineOf(
  placed: readonly Placed[],
  cells: readonly string[],
  paint: (text: string, column: number) => string,
): string {
  return placed
    .map((each) => {
      if (each === "gap") return "…";
      const text = clip(cells[each.column]!, each.width);
      const space = " ".repeat(Math.max(0, each.width - widthOf(text)));
      return each.right ? space + paint(text, each.column) : paint(text, each.column) + space;
    })
    .join("  ")
    .trimEnd();
}
