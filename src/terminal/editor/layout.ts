// Where everything stands on the screen: a prompt and the text behind it, broken into rows between words, and the place of each
// character in them.

import { graphemes, graphemeWidth, widthOf } from "../text/width.ts";
import { charactersOf } from "./graphemes.ts";

export interface Spot {
  /** Index in the text. */
  readonly at: number;
  readonly row: number;
  readonly column: number;
}

export interface Layout {
  /** As they are painted; none fills the last column, so that the cursor can stand behind it. */
  readonly rows: string[];
  /** Every place the cursor can stand, in order. */
  readonly spots: readonly Spot[];
}

export interface LayoutOptions {
  /** May have our colours in it. */
  prompt: string;
  text: string;
  columns: number;
  /** How a character is shown that stands for more. */
  chip?: (character: string) => string | undefined;
  paintChip?: (chip: string) => string;
  /** Stands out. */
  marked?: { from: number; to: number; paint: (text: string) => string } | undefined;
}

const colours = /\x1b\[[0-9;]*m/y;

export function layOut({ prompt, text, columns, chip, paintChip = same, marked }: LayoutOptions): Layout {
  const room = Math.max(1, columns - 1);
  const page = new Page(room);
  for (const { shown, paint, broken } of promptPieces(prompt)) {
    if (broken) page.breakRow();
    else page.put(shown, widthOf(shown), paint, shown === " ");
  }
  page.beginText();

  const spots: Spot[] = [];
  const lines = text.split("\n");
  let at = 0;
  for (const [index, line] of lines.entries()) {
    if (index > 0) page.breakRow();
    for (const grapheme of charactersOf(line)) {
      const folded = chip?.(grapheme);
      const shown = folded ?? visible(grapheme);
      const paint = folded ? paintChip : marked && at >= marked.from && at < marked.to ? marked.paint : same;
      page.put(shown, shown === grapheme ? graphemeWidth(grapheme) : widthOf(shown), paint, grapheme === " ", at);
      at += grapheme.length;
    }
    page.note(at);
    at += 1;
  }
  return page.end(spots);
}

/** The spot of the cursor: the last one that is not behind it. */
export function spotAt(spots: readonly Spot[], at: number): Spot {
  return spots.findLast((spot) => spot.at <= at) ?? spots[0]!;
}

const same = (text: string): string => text;

/** A character that a terminal would act upon is shown in a way that it does not. */
function visible(grapheme: string): string {
  if (grapheme === "\t") return "    ";
  const code = grapheme.charCodeAt(0);
  if (code < 0x20) return `^${String.fromCharCode(code + 64)}`;
  if (code === 0x7f) return "^?";
  return /[\x80-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/.test(grapheme) && grapheme.length === 1
    ? "\ufffd"
    : grapheme;
}

interface Piece {
  shown: string;
  paint: (text: string) => string;
  broken: boolean;
}

/** The characters of the prompt, each with the colours that hold there. */
function* promptPieces(prompt: string): Generator<Piece> {
  let open: string[] = [];
  let plain = "";
  const pieces = function* (): Generator<Piece> {
    const before = open.join("");
    const paint = (text: string): string => (before && text !== "" ? `${before}${text}\x1b[0m` : text);
    for (const grapheme of graphemes(plain)) {
      if (grapheme === "\n" || grapheme === "\r\n") yield { shown: "", paint, broken: true };
      else yield { shown: visible(grapheme), paint, broken: false };
    }
    plain = "";
  };
  for (let index = 0; index < prompt.length; ) {
    colours.lastIndex = index;
    const sequence = colours.exec(prompt)?.[0];
    if (sequence === undefined) {
      plain += prompt[index++];
      continue;
    }
    yield* pieces();
    index += sequence.length;
    // Each of our styles is closed by a code of its own, in the order of brackets.
    if (/\[(0?|2[2-9]|39|49)m$/.test(sequence)) open = open.slice(0, -1);
    else open.push(sequence);
  }
  yield* pieces();
}

interface Cell {
  shown: string;
  width: number;
  paint: (text: string) => string;
  space: boolean;
  at: number | undefined;
}

/** Rows as they fill up. */
class Page {
  readonly #room: number;
  readonly #rows: { indent: number; cells: Cell[]; end: number | undefined }[] = [];
  #cells: Cell[] = [];
  #used = 0;
  #indent = 0;
  #hanging = 0;
  #endAt: number | undefined;

  constructor(room: number) {
    this.#room = room;
  }

  /** What follows is the text: its further rows begin below its first character, where that leaves enough room. */
  beginText(): void {
    const width = this.#used + this.#indent;
    this.#hanging = width <= Math.min(12, this.#room / 3) ? width : 0;
  }

  put(shown: string, width: number, paint: Cell["paint"], space: boolean, at?: number): void {
    const cell = { shown, width, paint, space, at };
    while (this.#indent + this.#used + width > this.#room && this.#cells.length > 0) {
      if (space) {
        // A space that does not fit is where the row ends: it takes no place.
        this.#cells.push({ ...cell, shown: "", width: 0 });
        return;
      }
      this.#foldRow();
    }
    // A chip may be wider than a row is.
    if (width > this.#room - this.#indent && shown.length > 2) {
      const pieces = [...graphemes(shown)];
      for (const [index, piece] of pieces.entries()) {
        if (this.#indent + this.#used + graphemeWidth(piece) > this.#room && this.#cells.length > 0) this.#foldRow();
        this.#add({ shown: piece, width: graphemeWidth(piece), paint, space: false, at: index === 0 ? at : undefined });
      }
    } else this.#add(cell);
  }

  /** The cursor may stand here, at the end of a line. */
  note(at: number): void {
    this.#endAt = at;
  }

  breakRow(): void {
    this.#rows.push({ indent: this.#indent, cells: this.#cells, end: this.#endAt });
    this.#endAt = undefined;
    this.#cells = [];
    this.#used = 0;
    this.#indent = this.#hanging;
  }

  #add(cell: Cell): void {
    this.#cells.push(cell);
    this.#used += cell.width;
  }

  /** Ends the row behind its last space or wide character, or here when there is none. */
  #foldRow(): void {
    const last = this.#cells.findLastIndex((cell) => cell.space || cell.width === 2);
    // The text stays behind a short prompt; a long question may end its row alone.
    const first = this.#hanging > 0 ? this.#cells.findIndex((cell) => cell.at !== undefined) : 0;
    const moved = last >= Math.max(0, first) ? this.#cells.splice(last + 1) : [];
    this.breakRow();
    for (const cell of moved) this.#add(cell);
  }

  end(spots: Spot[]): Layout {
    this.breakRow();
    const rows = this.#rows.map(({ indent, cells, end }, row) => {
      let column = indent;
      for (const { at, width } of cells) {
        if (at !== undefined) spots.push({ at, row, column });
        column = Math.min(this.#room, column + width);
      }
      if (end !== undefined) spots.push({ at: end, row, column });
      return " ".repeat(cells.length > 0 ? indent : 0) + paintCells(cells);
    });
    return { rows, spots };
  }
}

/** Neighbours that look alike are painted together. */
function paintCells(cells: readonly Cell[]): string {
  let painted = "";
  for (let index = 0; index < cells.length; ) {
    const { paint } = cells[index]!;
    let run = "";
    while (index < cells.length && cells[index]!.paint === paint) run += cells[index++]!.shown;
    painted += paint(run);
  }
  return painted;
}
