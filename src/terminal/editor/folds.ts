// Long pasted text stands in the input as one character, shown as a chip such as [pasted 120 lines], and is sent whole.
// The character is half of a surrogate pair: no keyboard and no terminal can send one.

const isMark = /^[\uDC00-\uDFFF]$/;
const pairs = /[\uD800-\uDBFF][\uDC00-\uDFFF]|[\uDC00-\uDFFF]/g;

/** From this on a paste is folded. */
const manyLines = 4;
const manyCharacters = 400;

export const deservesFold = (text: string): boolean =>
  text.length > manyCharacters || text.split("\n", manyLines + 1).length >= manyLines;

export class Folds {
  readonly #hidden = new Map<string, string>();
  #next = 0;

  /** The character that stands for this text. */
  fold(text: string): string {
    const mark = String.fromCharCode(0xdc00 + (this.#next++ % 0x400));
    this.#hidden.set(mark, text);
    return mark;
  }

  /** How a character is shown, when it stands for something. */
  chip(character: string): string | undefined {
    if (!isMark.test(character)) return undefined;
    const text = this.#hidden.get(character) ?? "";
    const lines = text.replace(/\n$/, "").split("\n").length;
    return lines >= manyLines ? `[pasted ${lines} lines]` : `[pasted ${text.length} characters]`;
  }

  /** The text as it was meant. */
  unfold(text: string): string {
    return text.replace(pairs, (match) => (match.length === 1 ? (this.#hidden.get(match) ?? "") : match));
  }

  /** The text as it is shown. */
  shown(text: string): string {
    return text.replace(pairs, (match) => (match.length === 1 ? this.chip(match)! : match));
  }

  /** Where the folded parts are in the unfolded text. */
  ranges(text: string): [from: number, to: number][] {
    const found: [number, number][] = [];
    let longer = 0;
    for (const match of text.matchAll(pairs)) {
      if (match[0].length > 1) continue;
      const hidden = this.#hidden.get(match[0]) ?? "";
      found.push([match.index + longer, match.index + longer + hidden.length]);
      longer += hidden.length - 1;
    }
    return found;
  }

  /** Folds these parts of a text that comes from elsewhere. */
  foldRanges(text: string, ranges: readonly (readonly [from: number, to: number])[]): string {
    let folded = "";
    let done = 0;
    for (const [from, to] of ranges) {
      if (from < done || to <= from || to > text.length) continue;
      folded += withoutMarks(text.slice(done, from)) + this.fold(withoutMarks(text.slice(from, to)));
      done = to;
    }
    return folded + withoutMarks(text.slice(done));
  }

  /** Folds again, in a text that was edited elsewhere, what is still there of the folded parts. */
  foldAgain(edited: string, before: string): string {
    const ranges: [number, number][] = [];
    for (const [mark] of before.matchAll(pairs)) {
      const hidden = mark.length === 1 ? this.#hidden.get(mark) : undefined;
      const at = hidden ? edited.indexOf(hidden, ranges.at(-1)?.[1] ?? 0) : -1;
      if (hidden && at !== -1) ranges.push([at, at + hidden.length]);
    }
    return this.foldRanges(edited, ranges);
  }
}

/** A text from outside, which must not bring such characters along. */
export const withoutMarks = (text: string): string => (text.isWellFormed() ? text : text.toWellFormed());

/** Where a part of the whole text is when some of it is folded. */
export function foldedRange(
  folds: readonly [number, number][],
  from: number,
  to: number,
): { from: number; to: number } {
  const place = (at: number): number => {
    let shorter = 0;
    for (const [start, end] of folds) {
      if (at >= end) shorter += end - start - 1;
      else if (at > start) return start - shorter;
    }
    return at - shorter;
  };
  return { from: place(from), to: Math.max(place(to), place(from) + 1) };
}
