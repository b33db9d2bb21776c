// A table of data drawn for a person: names and types above, numbers to the right, and as many columns as fit. What is left
// out is said below, never wrapped.

import type { Table, TableColumn } from "../../messages/index.ts";
import type { Style } from "../style.ts";
import { clip } from "../text/width.ts";
import { cellText, lineOf, type Placed, widthsOf } from "./cells.ts";

/** Columns are this wide at most; narrower, if that lets all of them fit. */
const widest = [60, 40, 24] as const;
const between = 2;

export function drawTable(table: Table, room: number, style: Style): string[] {
  const cells = table.rows.map((row) => row.map(cellText));
  const placed = place(table, cells, room);
  const head = (of: (column: TableColumn) => string, paint: (text: string) => string): string =>
    lineOf(placed, table.columns.map(of), (text) => paint(text));
  const names = head(({ name }) => cellText(name), style.bold);
  const types = table.columns.some(({ type }) => type) ? [head(({ type = "" }) => type, style.dim)] : [];
  const rows = cells.map((row, number) =>
    lineOf(placed, row, (text, column) =>
      table.columns[column]!.index || table.rows[number]![column] === null ? style.dim(text) : text,
    ),
  );
  const shown = placed.filter((each) => each !== "gap").length;
  const note = remarks(table, table.columns.length + (table.gap?.count ?? 0) - shown);
  const unnamed = table.columns.every(({ name }) => name === "");
  return [...(unnamed ? [] : [names]), ...types, ...rows, ...(note ? [style.dim(clip(note, room))] : [])];
}

/** Which columns are shown, how wide, and where some are left out: the first and the last are kept. */
function place(table: Table, cells: readonly string[][], room: number): Placed[] {
  const { columns, gap } = table;
  for (const most of gap ? [] : widest) {
    const widths = widthsOf(columns, cells, Math.min(most, room));
    if (spaceOf(widths) <= room)
      return widths.map((width, column) => ({ column, width, right: isRight(table, column) }));
  }
  const widths = widthsOf(columns, cells, Math.min(widest.at(-1)!, room));
  const kept = new Set<number>(columns.flatMap(({ index }, column) => (index ? [column] : [])));
  const others = columns.flatMap(({ index }, column) => (index ? [] : [column]));
  const spaceWith = (column: number): number => spaceOf([1, ...[...kept, column].map((each) => widths[each]!)]);
  // Two from the left for each from the right, as long as there is room.
  for (let turn = 0; others.length > 0; turn++) {
    const column = turn % 3 === 2 ? others.pop()! : others.shift()!;
    if (spaceWith(column) > room && kept.size > 0 && turn > 0) break;
    kept.add(column);
  }
  const placed: Placed[] = [];
  for (const column of [...kept].sort((a, b) => a - b)) {
    const before = placed.at(-1);
    const hole = gap?.at === column || (before !== undefined && before !== "gap" && before.column !== column - 1);
    if (hole) placed.push("gap");
    placed.push({ column, width: Math.min(widths[column]!, room), right: isRight(table, column) });
  }
  const last = placed.at(-1);
  if (last !== "gap" && (last?.column !== columns.length - 1 || gap?.at === columns.length)) placed.push("gap");
  return placed;
}

const spaceOf = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, 0) + between * Math.max(0, widths.length - 1);

/** As the data says; without a word from it, columns of numbers alone. */
function isRight({ columns, rows }: Table, column: number): boolean {
  const { numeric } = columns[column]!;
  if (numeric !== undefined) return numeric;
  const values = rows.flatMap((row) => row[column] ?? []);
  return values.length > 0 && values.every((value) => typeof value === "number");
}

const counted = (count: number): string => count.toLocaleString("en");

function remarks({ columns, rows, total, remark }: Table, hidden: number): string {
  const more = total - rows.length;
  const nulls = columns
    .filter((column) => column.nulls)
    .map(({ name, nulls }) => `${cellText(name)} ${counted(nulls!)}`);
  return [
    total === 0 && "no rows",
    more > 0 && `… ${counted(more)} more ${more === 1 ? "row" : "rows"}`,
    hidden > 0 && `… ${counted(hidden)} more ${hidden === 1 ? "column" : "columns"}`,
    nulls.length > 0 && `null: ${nulls.join(", ")}`,
    remark && cellText(remark),
  ]
    .filter(Boolean)
    .join(" · ");
}
