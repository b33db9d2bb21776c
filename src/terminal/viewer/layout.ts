// Which columns of a page are on the screen, and how wide they are. A column never gets narrower again while it is looked at,
// so that nothing jumps about while the rows move.

import type { Table } from "../../messages/index.ts";
import { cellText, type Placed, widthsOf } from "../tables/cells.ts";

export interface Page {
  table: Table;
  /** The number of its first column that is data. */
  from: number;
  /** The number of its first row. */
  top: number;
}

export interface Layout {
  placed: Placed[];
  /** The first column on the screen. */
  left: number;
}

const widest = 40;
const gap = 2;

/** So many columns are asked for: more never fit. */
export const mostColumns = (room: number): number => Math.max(2, Math.ceil(room / (1 + gap)));

export class Widths {
  readonly #known = new Map<string, number>();

  /** The widths of a page's columns, with those that were seen before; the sorted one has a sign beside its name. */
  of({ table, from }: Page, sorted: number | undefined, room: number): number[] {
    const labels = labelsOf(table);
    const cells = table.rows.map((row) => row.map(cellText));
    const named = table.columns.map((column, at) =>
      at >= labels && from + at - labels === sorted ? { ...column, name: `${column.name} ↑` } : column,
    );
    return widthsOf(named, cells, widest).map((width, at) => {
      const most = Math.max(1, at < labels ? Math.floor(room / 3) : room - 4);
      const key = at < labels ? `label ${at}` : String(from + at - labels);
      const kept = Math.min(most, Math.max(width, this.#known.get(key) ?? 0));
      this.#known.set(key, kept);
      return kept;
    });
  }
}

export const labelsOf = (table: Table): number => table.columns.filter(({ index }) => index).length;

/** What names the rows comes first; then as many columns as fit, among them the one that is looked at. */
export function layOut(page: Page, widths: readonly number[], wanted: { column: number; left: number }, room: number) {
  const labels = labelsOf(page.table);
  const at = (column: number): number => column - page.from + labels;
  const sum = (from: number, to: number): number =>
    widths.slice(from, to + 1).reduce((total, width) => total + width + gap, 0);
  const free = room - sum(0, labels - 1) + gap;
  let left = Math.max(page.from, wanted.left);
  while (left < wanted.column && sum(at(left), at(wanted.column)) > free) left++;
  const placed: Placed[] = [];
  const put = (column: number, width: number): number =>
    placed.push({ column, width, right: page.table.columns[column]!.numeric === true });
  for (let label = 0; label < labels; label++) put(label, widths[label]!);
  let used = 0;
  for (let column = at(left); column < widths.length; column++) {
    const width = Math.min(widths[column]!, free - gap - used);
    // The last one may be cut, as long as something of it is to be seen.
    if (width < Math.min(widths[column]!, 6) && used > 0) break;
    put(column, Math.max(1, width));
    used += width + gap;
  }
  return { placed, left } satisfies Layout;
}
