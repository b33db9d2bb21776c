// A result as people and models read it: a table of text, and the same as HTML. Both show the first rows and say how many
// there are.

import { type Cell, type MimeBundle, type Table, tableIn, tableType } from "../../messages/index.ts";

const widest = 60;
const mostColumns = 40;

/** The bundle of a result, which our drivers send as data alone; any other bundle as it is. */
export function withTable(bundle: MimeBundle): MimeBundle {
  const table = tableIn(bundle);
  if (!table) return bundle;
  return { "text/plain": textTable(table), "text/html": htmlTable(table), [tableType]: table };
}

export function textTable(table: Table): string {
  const { columns, rows } = narrowed(table);
  const cells = [columns, ...rows.map((row) => row.map(shown))].map((row) => row.map(cut));
  const numeric = columns.map((_, index) => {
    const values = rows.flatMap((row) => row[index] ?? []);
    return values.length > 0 && values.every((value) => typeof value === "number");
  });
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => row[index]!.length)));
  const lines = cells.map((row) =>
    row
      .map((cell, index) => (numeric[index] ? cell.padStart(widths[index]!) : cell.padEnd(widths[index]!)))
      .join("  ")
      .trimEnd(),
  );
  lines.splice(1, 0, widths.map((width) => "-".repeat(width)).join("  "));
  return [...lines, summary(table)].join("\n");
}

export function htmlTable(table: Table): string {
  const { columns, rows } = narrowed(table);
  const head = columns.map((name) => `<th>${escaped(name)}</th>`).join("");
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${escaped(cut(shown(cell)))}</td>`).join("")}</tr>`);
  return `<table><thead><tr>${head}</tr></thead><tbody>${body.join("")}</tbody></table><p>${escaped(summary(table))}</p>`;
}

function narrowed({ columns, rows }: Table): { columns: string[]; rows: Cell[][] } {
  const names = columns.map(({ name }) => name);
  if (names.length <= mostColumns) return { columns: names, rows };
  return {
    columns: [...names.slice(0, mostColumns), `… ${names.length - mostColumns} more`],
    rows: rows.map((row) => [...row.slice(0, mostColumns), "…"]),
  };
}

function summary({ rows, total, remark }: Table): string {
  const count = `${total} ${total === 1 ? "row" : "rows"}`;
  const shownRows = rows.length < total ? `(${count}, the first ${rows.length} shown)` : `(${count})`;
  return remark ? `${shownRows} ${remark}` : shownRows;
}

function shown(value: Cell): string {
  return value === null ? "NULL" : String(value);
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > widest ? `${line.slice(0, widest - 1)}…` : line;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
