// Where the cursor may stand in a text: between what a reader takes for characters, and between words.

import { graphemes } from "../text/width.ts";

/** The next place to stand after `at`. */
export function after(text: string, at: number): number {
  if (at >= text.length) return text.length;
  if (text[at] === "\n" || isPlain(text, at)) return at + 1;
  for (const [start, grapheme] of inLine(text, at)) if (start + grapheme.length > at) return start + grapheme.length;
  return text.length;
}

/** The place to stand before `at`. */
export function before(text: string, at: number): number {
  if (at <= 0) return 0;
  // There are signs that join what follows them, so the one before counts too.
  if (text[at - 1] === "\n" || (isPlain(text, at - 1) && !(text.charCodeAt(at - 2) > 0x7e))) return at - 1;
  let last = lineStart(text, at - 1);
  for (const [start] of inLine(text, at - 1)) if (start < at) last = start;
  return last;
}

export const lineStart = (text: string, at: number): number => (at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1);

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

const wordLetter = /[\p{L}\p{N}\p{M}_]/u;

/** Behind the word that begins at `at` or after it. */
export function wordEnd(text: string, at: number): number {
  return behind(
    text,
    behind(text, at, (letter) => !wordLetter.test(letter)),
    (letter) => wordLetter.test(letter),
  );
}

/** The beginning of the word that ends at `at` or before it. */
export function wordStart(text: string, at: number): number {
  return ahead(
    text,
    ahead(text, at, (letter) => !wordLetter.test(letter)),
    (letter) => wordLetter.test(letter),
  );
}

/** The same for words that end only with a space. */
export function chunkStart(text: string, at: number): number {
  return ahead(
    text,
    ahead(text, at, (letter) => /\s/.test(letter)),
    (letter) => !/\s/.test(letter),
  );
}

function behind(text: string, at: number, wanted: (letter: string) => boolean): number {
  let end = at;
  while (end < text.length && wanted(text.slice(end, after(text, end)))) end = after(text, end);
  return end;
}

function ahead(text: string, at: number, wanted: (letter: string) => boolean): number {
  let start = at;
  while (start > 0 && wanted(text.slice(before(text, start), start))) start = before(text, start);
  return start;
}

/** Whether the character here stands alone, so that nobody needs to look further. */
function isPlain(text: string, at: number): boolean {
  const [here, next] = [text.charCodeAt(at), text.charCodeAt(at + 1)];
  return here >= 0x20 && here < 0x7f && (Number.isNaN(next) || next < 0x7f);
}

/** The characters of the line around a place, with where they start. */
function* inLine(text: string, at: number): Generator<[number, string]> {
  let start = lineStart(text, at);
  for (const grapheme of charactersOf(text.slice(start, lineEnd(text, at)))) {
    yield [start, grapheme];
    start += grapheme.length;
  }
}

/** What a reader takes for characters; what stands for folded text is always one of its own. */
export function* charactersOf(line: string): Generator<string> {
  if (line.isWellFormed()) yield* graphemes(line);
  else
    for (const part of line.match(/(?:[\ud800-\udbff][\udc00-\udfff]|[^\udc00-\udfff])+|[\udc00-\udfff]/g)!)
      yield* graphemes(part);
}
