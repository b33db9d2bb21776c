// What an attack is: code that tries something inside of a sandbox, and how it would show that it got through.

export interface Attack {
  name: string;
  language: "shell" | "python" | "javascript";
  /** Prints WON where it got through and that cannot be seen from outside; written in parts, since an error shows its line. `{outside}` and the like stand for what the place has. */
  code: string;
}

type Row = readonly [name: string, code: string];

/** Rows of one language, as attacks. */
export const inLanguage = (language: Attack["language"], rows: readonly Row[]): Attack[] =>
  rows.map(([name, code]) => ({ name, language, code }));
