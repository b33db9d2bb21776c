// A list of changes to a text that keeps its lines, and remembers how far the columns moved.

/** By line (from 1): from which column on (from 0, in the new text) everything stands how much further right. */
export type Shifts = Record<number, [from: number, by: number][]>;

interface Edit {
  start: number;
  end: number;
  text: string;
  /** Of two edits at one place the tighter comes first. */
  rank: 0 | 1;
}

export class Edits {
  readonly source: string;
  #edits: Edit[] = [];
  #sorted = true;

  constructor(source: string) {
    this.source = source;
  }

  insert(at: number, text: string): void {
    this.replace(at, at, text);
  }

  /** Inserts at the end of a word: before anything else that is inserted there. */
  attach(at: number, text: string): void {
    this.#edits.push({ start: at, end: at, text, rank: 0 });
    this.#sorted = false;
  }

  /** The new text must not have more lines than the old; missing line ends are added. */
  replace(start: number, end: number, text: string): void {
    const missing = countLines(this.source.slice(start, end)) - countLines(text);
    this.#edits.push({ start, end, text: text + "\n".repeat(Math.max(0, missing)), rank: 1 });
    this.#sorted = false;
  }

  blank(start: number, end: number): void {
    this.replace(start, end, blanked(this.source.slice(start, end)));
  }

  /** The text between two places, changed. */
  render(from = 0, to = this.source.length): string {
    let text = "";
    let at = from;
    for (const edit of this.#inOrder()) {
      if (edit.start < at || edit.end > to || (edit.start === to && to < this.source.length)) continue;
      text += this.source.slice(at, edit.start) + edit.text;
      at = edit.end;
    }
    return text + this.source.slice(at, to);
  }

  shifts(): Shifts {
    const shifts: Shifts = {};
    const old = new Cursor();
    const made = new Cursor();
    let at = 0;
    for (const edit of this.#inOrder()) {
      if (edit.start < at) continue;
      const same = this.source.slice(at, edit.start);
      old.pass(same);
      made.pass(same);
      old.pass(this.source.slice(edit.start, edit.end));
      made.pass(edit.text);
      at = edit.end;
      if (made.column === old.column && !shifts[made.line]) continue;
      shifts[made.line] ??= [];
      shifts[made.line]!.push([made.column, made.column - old.column]);
    }
    return shifts;
  }

  #inOrder(): readonly Edit[] {
    // The sort is stable: of two at one place, the one added first comes first.
    if (!this.#sorted) this.#edits.sort((a, b) => a.start - b.start || a.rank - b.rank);
    this.#sorted = true;
    return this.#edits;
  }
}

/** Spaces in place of everything but line ends. */
export function blanked(text: string): string {
  return text.replace(/[^\n\r\u2028\u2029]/g, " ");
}

class Cursor {
  line = 1;
  column = 0;

  pass(text: string): void {
    const last = text.lastIndexOf("\n");
    if (last === -1) this.column += text.length;
    else {
      this.line += countLines(text);
      this.column = text.length - last - 1;
    }
  }
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
