// Breaks styled text into rows that fit: between words where there are any, within them where there are none.

import type { Look, Style } from "../style.ts";
import { graphemes, graphemeWidth, widthOf } from "./width.ts";

/** A piece of text that looks the same all along. */
export interface Span {
  text: string;
  looks?: readonly Look[];
}

export interface WrapOptions {
  columns: number;
  /** Stands before the first row, and before the others. */
  first?: string;
  rest?: string;
  style: Style;
  /** Whether to break between words; otherwise wherever the row is full. */
  words?: boolean;
}

export function wrap(spans: readonly Span[], options: WrapOptions): string[] {
  const { columns, first = "", rest = "", style, words = true } = options;
  const rows: string[] = [];
  let row: Span[] = [];
  let used = 0;
  const indent = () => (rows.length === 0 ? first : rest);
  const room = () => Math.max(1, columns - widthOf(indent()));

  function breakRow(): void {
    rows.push(indent() + paint(row, style));
    row = [];
    used = 0;
  }

  function add(text: string, looks: readonly Look[] | undefined): void {
    const last = row.at(-1);
    if (last && last.looks === looks) last.text += text;
    else row.push(looks ? { text, looks } : { text });
    used += widthOf(text);
  }

  for (const word of words ? wordsOf(spans) : [[...spans]]) {
    const space = words && word.every(({ text }) => text.trim() === "");
    const width = word.reduce((sum, { text }) => sum + widthOf(text), 0);
    if (used + width <= room()) {
      // A row never begins with the space that broke the one before.
      if (!(space && used === 0 && rows.length > 0)) for (const { text, looks } of word) add(text, looks);
      continue;
    }
    if (space) {
      breakRow();
      continue;
    }
    if (used > 0) breakRow();
    for (const { text, looks } of word)
      for (const grapheme of graphemes(text)) {
        if (used + graphemeWidth(grapheme) > room() && used > 0) breakRow();
        add(grapheme, looks);
      }
  }
  breakRow();
  return rows;
}

/** Words and the spaces between them; a word may look different in its parts. Wide characters may be parted anywhere. */
function wordsOf(spans: readonly Span[]): Span[][] {
  const words: Span[][] = [];
  let open: Span[] | undefined;
  for (const { text, looks } of spans) {
    for (const piece of text.match(/ +|[^ ]+/g) ?? []) {
      const span = (part: string): Span => (looks ? { text: part, looks } : { text: part });
      if (piece.startsWith(" ")) {
        words.push([span(piece)]);
        open = undefined;
        continue;
      }
      for (const part of piece.match(wideRun) ?? [piece]) {
        if (isWide.test(part)) {
          words.push([span(part)]);
          open = undefined;
        } else if (open) open.push(span(part));
        else {
          open = [span(part)];
          words.push(open);
        }
      }
    }
  }
  return words;
}

const isWide = /^[\u2e80-\u9fff\uac00-\ud7a3\uff00-\uff60]/;
/** One wide character with the punctuation that must not begin a row, or a run of others. */
const wideRun =
  /[\u2e80-\u9fff\uac00-\ud7a3\uff00-\uff60][、。，．！？）」』】]*|[^\u2e80-\u9fff\uac00-\ud7a3\uff00-\uff60]+/g;

function paint(row: readonly Span[], style: Style): string {
  return row
    .map(({ text, looks = [] }) => looks.reduce((painted, look) => style[look](painted), text))
    .join("")
    .trimEnd();
}
