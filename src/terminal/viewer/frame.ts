// The lines of the viewer's screen: what is looked at, the column in words, the rows, and what the keys do.

import type { Order } from "../../languages/index.ts";
import type { Style } from "../style.ts";
import { cellText, lineOf } from "../tables/cells.ts";
import { clip, widthOf } from "../text/width.ts";
import { type Layout, labelsOf, type Page } from "./layout.ts";
import type { Place } from "./place.ts";

export interface Shown {
  /** What was asked for, what it is, and how large it is as a whole. */
  code: string;
  kind: string;
  rows: number;
  columns: number;
  place: Place;
  order: Order;
  page: Page;
  layout: Layout;
  /** Of the column that is looked at, as far as they are known. */
  facts: readonly (readonly [string, string])[];
  /** At the bottom: a question being answered, or something to tell, instead of the keys. */
  bottom: string | undefined;
}

/** Lines around the rows. */
export const around = 5;

const keys = "q close · ? keys · arrows move · s sort · / filter · : go to · i column · Enter value";
const inverse = (text: string): string => `\x1b[7m${text}\x1b[27m`;
const counted = (count: number): string => count.toLocaleString("en");

export function frame(shown: Shown, size: { columns: number; rows: number }, style: Style): string[] {
  const { page, layout, place, order, bottom } = shown;
  const { table } = page;
  const labels = labelsOf(table);
  const current = place.column - page.from + labels;
  const names = table.columns.map(
    ({ name }, at) => `${cellText(name)}${arrow(order, at - labels + page.from, at < labels)}`,
  );
  const head = lineOf(layout.placed, names, (text, at) => (at === current ? inverse(text) : style.bold(text)));
  const types = lineOf(
    layout.placed,
    table.columns.map(({ type = "" }) => type),
    (text) => style.dim(text),
  );
  const rows = table.rows.map((row, at) => {
    const here = page.top + at === place.row;
    return lineOf(layout.placed, row.map(cellText), (text, column) => {
      if (here && column === current) return inverse(text === "" ? " " : text);
      const painted = column < labels || row[column] === null ? style.dim(text) : text;
      return here ? style.bold(painted) : painted;
    });
  });
  const height = Math.max(1, size.rows - around);
  const body = [...rows, ...Array<string>(Math.max(0, height - rows.length)).fill("")].slice(0, height);
  const last = bottom === undefined ? style.dim(clip(keys, size.columns)) : clip(bottom, size.columns);
  return [title(shown, size.columns, style), aboutColumn(shown, size.columns, style), head, types, ...body, last].slice(
    -size.rows,
  );
}

function title({ code, kind, rows, columns, page, place }: Shown, room: number, style: Style): string {
  const { total } = page.table;
  const at = total === 0 ? "no rows" : `row ${counted(place.row + 1)} of ${counted(total)}`;
  const size = `${kind}, ${counted(rows)} × ${counted(columns)}`;
  const name = clip(cellText(code), Math.max(8, room - widthOf(size) - widthOf(at) - 4));
  const left = clip(`${name}  ${size}`, Math.max(1, room - widthOf(at) - 2));
  const space = " ".repeat(Math.max(1, room - widthOf(left) - widthOf(at)));
  const painted = left.startsWith(name) ? `${style.bold(name)}${style.dim(left.slice(name.length))}` : left;
  return widthOf(left) + widthOf(at) + 1 > room ? painted : `${painted}${space}${at}`;
}

function aboutColumn({ page, place, facts, order }: Shown, room: number, style: Style): string {
  const column = page.table.columns[place.column - page.from + labelsOf(page.table)];
  if (!column) return "";
  const words = facts.map(([name, value]) => (name === "type" ? cellText(value) : `${name} ${cellText(value)}`));
  const filter = order.filter && `filter: ${order.filter.text}`;
  const [type = column.type, ...rest] = words;
  const text = [cellText(column.name), type, filter, ...rest].filter(Boolean);
  return style.dim(clip(text.join(" · "), room));
}

function arrow({ sort }: Order, column: number, label: boolean): string {
  if (label || sort?.column !== column) return "";
  return sort.descending ? " ↓" : " ↑";
}
