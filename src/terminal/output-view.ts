// The output of a step under its code: the first lines as they come, then a count, and the last lines at the end.
// However much is printed, it costs the terminal only what a person can read.

import { createHolder, sanitize } from "./sanitize.ts";
import type { Style } from "./style.ts";
import type { Writer } from "./writer.ts";

const shownFirst = 60;
const shownLast = 8;
const longestLine = 2_000;

export class OutputView {
  readonly #writer: Writer;
  readonly #style: Style;
  readonly #gutterText: string;
  #lines = 0;
  readonly #hold = createHolder();
  #partial = "";
  #tail: string[] = [];
  #drawn = false;

  constructor(writer: Writer, style: Style, gutter: string) {
    this.#writer = writer;
    this.#style = style;
    this.#gutterText = gutter;
  }

  add(text: string, isError: boolean): void {
    const pieces = this.#hold(text).split("\n");
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
      if (this.#lines < shownFirst) this.#writer.write(`${this.#gutter()}${row}\n`);
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
    const left = this.#lines - shownFirst - this.#tail.length;
    if (left > 0) {
      const where = file ? ` The whole output: ${file}` : "";
      this.#writer.write(`${this.#style.dim(`  … ${left.toLocaleString("en")} lines not shown.${where}`)}\n`);
    }
    for (const line of this.#tail) this.#writer.write(`${this.#gutter()}${line}\n`);
    this.#tail = [];
    this.#lines = 0;
  }

  #append(piece: string, isError: boolean): void {
    if (piece === "" || this.#partial.length > longestLine) return;
    let text = sanitize(piece);
    // A carriage return starts the line again, as a progress bar does.
    const back = text.lastIndexOf("\r");
    if (back !== -1) {
      text = text.slice(back + 1);
      this.#partial = "";
      if (this.#drawn) this.#writer.write(this.#style.colour ? "\r\x1b[K" : "\n");
      this.#drawn = false;
    }
    if (this.#partial.length + text.length > longestLine)
      text = `${text.slice(0, longestLine - this.#partial.length)}…`;
    const painted = isError ? this.#style.red(text) : text;
    this.#partial += text;
    if (this.#lines >= shownFirst) return;
    this.#writer.write(`${this.#drawn ? "" : this.#gutter()}${painted}`);
    this.#drawn = true;
  }

  #newLine(): void {
    if (this.#lines < shownFirst) this.#writer.write(this.#drawn ? "\n" : `${this.#gutter()}\n`);
    else this.#keepLast(this.#partial);
    this.#lines++;
    this.#partial = "";
    this.#drawn = false;
  }

  #keepLast(line: string): void {
    this.#tail.push(line);
    if (this.#tail.length > shownLast) this.#tail.shift();
  }

  #gutter(): string {
    return this.#style.dim(this.#gutterText);
  }
}
