// A table as data, beside its text in a bundle: what an interface needs to draw it. It comes from inside a session, so it
// is checked before anybody uses it.

import type { MimeBundle } from "./types.ts";

export const tableType = "application/vnd.interpreter.table+json";

/** In a bundle: the text that the model reads instead of the one for the person, where something is hidden from it. */
export const forModelType = "application/vnd.interpreter.for-model";

export interface TableColumn {
  name: string;
  /** What its values are, in the words of where they come from: `int64`, `VARCHAR`. */
  type?: string;
  /** How many of its values are missing; absent when nobody has counted. */
  nulls?: number;
  /** Its values are numbers: they are read from the right. */
  numeric?: boolean;
  /** Not data: it names the rows. */
  index?: boolean;
}

/** As it is to be shown; null where there is none. */
export type Cell = string | number | null;

export interface Table {
  columns: TableColumn[];
  /** The first ones. */
  rows: Cell[][];
  /** How many rows there are. */
  total: number;
  /** So many columns are left out before the one with this number. */
  gap?: { at: number; count: number };
  /** What else is to be said about it. */
  remark?: string;
}

/** The table in a bundle; undefined when there is none, or none that can be drawn. */
export function tableIn(bundle: MimeBundle | undefined): Table | undefined {
  const table = bundle?.[tableType];
  return isTable(table) ? table : undefined;
}

export function isTable(value: unknown): value is Table {
  const { columns, rows, total, gap, remark } = Object(value) as Partial<Table>;
  if (!Array.isArray(columns) || !Array.isArray(rows) || typeof total !== "number") return false;
  if (remark !== undefined && typeof remark !== "string") return false;
  if (gap !== undefined && !(typeof gap?.at === "number" && typeof gap.count === "number")) return false;
  return columns.every(isColumn) && rows.every((row) => isRow(row, columns.length));
}

function isColumn(value: unknown): boolean {
  const { name, type, nulls } = Object(value) as Partial<TableColumn>;
  if (typeof name !== "string" || (nulls !== undefined && typeof nulls !== "number")) return false;
  return type === undefined || typeof type === "string";
}

function isRow(value: unknown, length: number): boolean {
  return (
    Array.isArray(value) &&
    value.length === length &&
    value.every((cell) => cell === null || typeof cell === "string" || typeof cell === "number")
  );
}
