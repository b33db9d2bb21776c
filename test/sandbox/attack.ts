// What an attack is: code that tries something inside of a sandbox, and how it would show that it got through.

import type { Place } from "./place.ts";

export interface Attack {
  name: string;
  language: "shell" | "python" | "javascript";
  /** Prints WON where it got through and that cannot be seen from outside. `{outside}` and the like stand for what the place has. */
  code: string;
  /** Seen from outside, besides what is looked at after every attack: what it got, in words. */
  got?(place: Place, output: string): string | undefined;
}

type Row = readonly [name: string, code: string];

/** Rows of one language, as attacks. */
export const inLanguage = (language: Attack["language"], rows: readonly Row[]): Attack[] =>
  rows.map(([name, code]) => ({ name, language, code }));

/** No line of code has the word itself: an error shows the line that it happened in. */
export const won = "WON";
