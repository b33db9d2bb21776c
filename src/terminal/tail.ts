// The live end of the screen: the rows of what is being written, painted again only where they changed. What is finished
// belongs to the terminal and is never touched again.

import { graphemes, graphemeWidth, paintedWidth } from "./text/width.ts";
import type { Writer } from "./writer.ts";

/** What a terminal that becomes narrower does with rows that are too long: folds all, folds them as xterm.js does, or none. */
export type Folding = "all" | "xterm.js" | "none";

export interface TailOptions {
  writer: Pick<Writer, "write">;
  columns: () => number;
  rows: () => number;
  folding?: Folding;
}

export interface Cursor {
  row: number;
  column: number;
}

export class Tail {
  readonly #options: TailOptions;
  #painted: string[] = [];
  /** Where the cursor is; behind the last row when nothing is said. */
  #cursor: Cursor | undefined;
  /** So many of the painted rows have left the screen at its top, or may have. */
  #gone = 0;
  #columns = 0;

  constructor(options: TailOptions) {
    this.#options = options;
  }

  /** Whether there is something that may still change. */
  get open(): boolean {
    return this.#painted.length > 0;
  }

  /** Paints these rows in place of the ones before; the cursor stays behind the last, or where it is wanted. */
  show(rows: readonly string[], cursor?: Cursor): void {
    const painted = this.#paint(rows);
    this.#painted = [...rows];
    this.#columns = this.#options.columns();
    this.#gone = Math.max(this.#gone, rows.length - Math.max(1, this.#options.rows() - 1));
    const placed = this.#place(cursor);
    if (painted + placed !== "") this.#options.writer.write(painted + placed);
  }

  /** What is painted is finished; what comes next begins a row below. */
  commit(): void {
    if (this.#painted.length > 0) this.#options.writer.write(`${this.#place(undefined)}\n`);
    this.#forget();
  }

  /** Takes away what is painted. */
  erase(): void {
    if (this.#painted.length > 0) this.#options.writer.write(this.#back(this.#gone));
    this.#forget();
  }

  #forget(): void {
    this.#painted = [];
    this.#cursor = undefined;
    this.#gone = 0;
  }

  #paint(rows: readonly string[]): string {
    const before = this.#painted;
    if (before.length === 0) return rows.join("\n");
    let same = 0;
    while (same < before.length && same < rows.length && before[same] === rows[same]) same++;
    if (same === before.length && same === rows.length) return "";
    const last = before.length - 1;
    const atEnd = this.#cursor === undefined;
    if (atEnd && same === last && rows.length > last && rows[last]!.startsWith(before[last]!))
      return [rows[last]!.slice(before[last]!.length), ...rows.slice(last + 1)].join("\n");
    const from = Math.max(Math.min(same, this.#cursor?.row ?? last), this.#gone);
    const back = this.#back(from);
    this.#cursor = undefined;
    return back + rows.slice(from).join("\n");
  }

  /** To the beginning of a painted row, with nothing left from there on. */
  #back(from: number): string {
    const up = this.#height(from);
    return `${up > 0 ? `\x1b[${up}A` : ""}\r\x1b[J`;
  }

  /** Moves the cursor within what is painted. */
  #place(wanted: Cursor | undefined): string {
    const last = this.#painted.length - 1;
    const end = { row: last, column: paintedWidth(this.#painted[last] ?? "") };
    const [from, to] = [this.#cursor ?? end, wanted ?? end];
    this.#cursor = to.row === end.row && to.column === end.column ? undefined : to;
    if (from.row === to.row && from.column === to.column) return "";
    const rows = to.row - from.row;
    const vertical = rows === 0 ? "" : `\x1b[${Math.abs(rows)}${rows < 0 ? "A" : "B"}`;
    return vertical + toColumn(this.#painted[to.row] ?? "", to.column);
  }

  /** Rows between the beginning of a painted row and the cursor; a narrower screen has folded them. */
  #height(from: number): number {
    const columns = this.#options.columns();
    const at = this.#cursor?.row ?? this.#painted.length - 1;
    const { folding = "all" } = this.#options;
    if (columns >= this.#columns || folding === "none") return at - from;
    const folded = (row: string) => Math.max(1, Math.ceil(paintedWidth(row) / columns));
    if (folding === "xterm.js") return this.#heightInXterm(from, at, folded);
    const above = this.#painted.slice(from, at).reduce((sum, row) => sum + folded(row), 0);
    return above + (this.#cursor ? Math.floor(this.#cursor.column / columns) : folded(this.#painted[at]!) - 1);
  }

  /** xterm.js leaves the cursor's row alone, and moves the cursor down for every row it folds, those below it included. */
  #heightInXterm(from: number, at: number, folded: (row: string) => number): number {
    let cursor = at;
    for (let row = this.#painted.length - 1; row >= from; row--)
      if (row !== cursor) cursor += folded(this.#painted[row]!) - 1;
    return cursor - from;
  }
}

/** Terminals do not agree on how wide these are. */
const uncertain = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u;

/** Moves the cursor within its row; where its column is not certain, by writing what stands before it again. */
function toColumn(row: string, column: number): string {
  if (!uncertain.test(row)) return `\x1b[${column + 1}G`;
  let before = "";
  let used = 0;
  for (const piece of row.match(/\x1b\[[0-9;]*m|[^\x1b]+/g) ?? []) {
    if (piece.startsWith("\x1b")) before += piece;
    else
      for (const grapheme of graphemes(piece)) {
        if (used + graphemeWidth(grapheme) > column) return `\r${before}\x1b[0m`;
        before += grapheme;
        used += graphemeWidth(grapheme);
      }
  }
  return `\r${before}`;
}
