// The output of a step under its code: the first lines as they come, then a count, and the last lines at the end.
// However much is printed, it costs the terminal only what a person can read.

import { bytesIn } from "../models/index.ts";
import { createHolder, sanitize } from "./sanitize.ts";
import type { Style } from "./style.ts";
import type { Tail } from "./tail.ts";
import { clip, widthOf } from "./text/width.ts";
import { type Span, wrap } from "./text/wrap.ts";
import type { Writer } from "./writer.ts";

const shownFirst = 60;
const shownLast = 8;
const longestLine = 2_000;

export interface OutputViewOptions {
  writer: Writer;
  style: Style;
  /** Stands before each row. */
  gutter: string;
  /** Where rows can be painted again; without it they are written once. */
  tail?: Tail | undefined;
  columns: () => number;
  /** How to see what was left out. */
  more?: string | undefined;
}

export class OutputView {
  readonly #options: OutputViewOptions;
  readonly #hold = createHolder();
  #lines = 0;
  #length = 0;
  #partial = "";
  #isError = false;
  #tail: string[] = [];
  #drawn = false;
  /** Rows of wide tables that end at the edge of the screen. */
  #cut = 0;

  constructor(options: OutputViewOptions) {
    this.#options = options;
  }

  add(text: string, isError: boolean): void {
    const pieces = this.#hold(text).split("\n");
    this.#length += text.length;
    const hidden = this.#lines >= shownFirst;
    for (let index = 0; index < pieces.length; index++) {
      if (index > 0) this.#newLine();
      // Lines that scroll past unseen are only counted; the last ones are kept.
      if (hidden && index > 0 && index < pieces.length - shownLast - 1) continue;
      this.#append(pieces[index]!, isError);
    }
  }

  /** Rows that are drawn already, such as those of a table. */
  addDrawn(rows: readonly string[]): void {
    this.settle();
    for (const row of rows) {
      if (this.#lines < shownFirst) this.#options.writer.write(`${this.#gutter()}${row}\n`);
      else this.#keepLast(row);
      this.#lines++;
    }
  }

  /** Ends a line that is still open, so that something else can be printed. */
  settle(): void {
    if (this.#partial !== "" || this.#drawn) this.#newLine();
  }

  /** Draws what was held back. */
  end(file?: string): void {
    this.settle();
    const { writer, style, more } = this.#options;
    const left = this.#lines - shownFirst - this.#tail.length;
    if (left > 0) {
      const where = more ?? (file ? `The whole output: ${file}` : "");
      const count = `${left.toLocaleString("en")} of ${this.#lines.toLocaleString("en")} lines`;
      writer.write(`${style.dim(`  … ${count} not shown (${bytesIn(this.#length)} in all). ${where}`.trimEnd())}\n`);
    }
    for (const line of this.#tail) this.#write(line, false);
    if (this.#cut > 0)
      writer.write(
        `${style.dim(`  … ${this.#cut === 1 ? "1 line is" : `${this.#cut} lines are`} wider than the screen. ${more}`)}\n`,
      );
    this.#tail = [];
    this.#cut = 0;
    this.#lines = 0;
    this.#length = 0;
  }

  #append(piece: string, isError: boolean): void {
    if (piece === "" || this.#partial.length > longestLine) return;
    let text = sanitize(piece);
    // A carriage return starts the line again, as a progress bar does.
    const back = text.lastIndexOf("\r");
    if (back !== -1) {
      text = text.slice(back + 1);
      this.#partial = "";
      if (this.#drawn && !this.#options.tail) this.#options.writer.write("\n");
      if (!this.#options.tail) this.#drawn = false;
    }
    if (this.#partial.length + text.length > longestLine)
      text = `${text.slice(0, longestLine - this.#partial.length)}…`;
    this.#partial += text;
    this.#isError = isError;
    if (this.#lines >= shownFirst) return;
    const { tail, writer, style } = this.#options;
    if (tail) tail.show(this.#rows(this.#partial, isError));
    else writer.write(`${this.#drawn ? "" : this.#gutter()}${isError ? style.red(text) : text}`);
    this.#drawn = true;
  }

  #newLine(): void {
    const { tail, writer } = this.#options;
    if (this.#lines >= shownFirst) this.#keepLast(this.#partial);
    else if (tail) {
      tail.show(this.#finished(this.#partial, this.#isError));
      tail.commit();
    } else writer.write(this.#drawn ? "\n" : `${this.#gutter()}\n`);
    this.#lines++;
    this.#partial = "";
    this.#drawn = false;
  }

  #write(line: string, isError: boolean): void {
    const { tail, writer } = this.#options;
    writer.write(tail ? `${this.#finished(line, isError).join("\n")}\n` : `${this.#gutter()}${line}\n`);
  }

  /** Of a table that is printed, and wider than the screen, each line is one row: broken, nobody could read it. */
  #finished(line: string, isError: boolean): string[] {
    const { columns, gutter, more } = this.#options;
    const text = line.trimEnd();
    const room = columns() - gutter.length;
    if (more === undefined || widthOf(text) <= room || !isTableLine(text)) return this.#rows(text, isError);
    this.#cut++;
    return this.#rows(clip(text, room), isError);
  }

  /** A line that is longer than the screen is broken, and each of its rows has the gutter. */
  #rows(line: string, isError: boolean): string[] {
    const { columns, style } = this.#options;
    const gutter = this.#gutter();
    const span: Span = isError ? { text: line, looks: ["red"] } : { text: line };
    const room = columns() - this.#options.gutter.length;
    return wrap([span], { columns: room, style, words: false }).map((row) => gutter + row);
  }

  #keepLast(line: string): void {
    this.#tail.push(line);
    if (this.#tail.length > shownLast) this.#tail.shift();
  }

  #gutter(): string {
    return this.#options.style.dim(this.#options.gutter);
  }
}

/** Cells with two spaces or more between them, or with lines; or a line of a frame. */
function isTableLine(line: string): boolean {
  const gaps = line.match(/\S {2,}(?=\S)/g)?.length ?? 0;
  const lines = line.match(/\S ?[|│┃]/g)?.length ?? 0;
  return gaps >= 3 || lines >= 3 || /^[\s+|=─━┄│┃┌┐└┘├┤┬┴┼╭╮╯╰╞╡╪═-]+$/.test(line);
}
