// How many columns text takes in a terminal.

const ascii = /^[\x20-\x7e]*$/;
const sequences = /\x1b\[[0-9;]*m/g;
/** Pictures that are shown two columns wide. */
const emoji = /^[\p{Emoji_Presentation}\p{Emoji_Modifier}]$/u;
const nothing = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]$/u;

/** East Asian wide and full-width characters. */
const wide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18aff],
  [0x1b000, 0x1b2ff],
  [0x20000, 0x3fffd],
];

let segmenter: Intl.Segmenter | undefined;

/** What a reader takes for one character. */
export function* graphemes(text: string): Generator<string> {
  if (ascii.test(text)) yield* text;
  else {
    segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
    for (const { segment } of segmenter.segment(text)) yield segment;
  }
}

/** Columns of a text without colours. */
export function widthOf(text: string): number {
  if (ascii.test(text)) return text.length;
  let columns = 0;
  for (const grapheme of graphemes(text)) columns += graphemeWidth(grapheme);
  return columns;
}

/** Columns of a text that may have our colours in it. */
export const paintedWidth = (text: string): number => widthOf(text.replace(sequences, ""));

/** Terminals disagree about characters made of several; the widest that any of them draws is taken, so that rows never overflow. */
export function graphemeWidth(grapheme: string): number {
  const first = grapheme.codePointAt(0)!;
  if (first < 0x300 && grapheme.length === 1) return first >= 0x20 && first !== 0xad ? 1 : 0;
  let columns = 0;
  for (const character of grapheme) columns += characterWidth(character);
  return grapheme.includes("\uFE0F") ? Math.max(2, columns) : columns;
}

function characterWidth(character: string): number {
  if (nothing.test(character)) return 0;
  if (emoji.test(character)) return 2;
  const code = character.codePointAt(0)!;
  return wide.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}

/** The beginning of a text that fits, with a sign where something is missing. */
export function clip(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let fits = "";
  let used = 0;
  for (const grapheme of graphemes(text)) {
    const width = graphemeWidth(grapheme);
    if (used + width > columns - 1) break;
    fits += grapheme;
    used += width;
  }
  return `${fits}…`;
}

/** The end of a text that fits, with a sign where something is missing. */
export function clipStart(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let fits = "";
  let used = 0;
  for (const grapheme of [...graphemes(text)].reverse()) {
    const width = graphemeWidth(grapheme);
    if (used + width > columns - 1) break;
    fits = grapheme + fits;
    used += width;
  }
  return `…${fits}`;
}
