// A question about what code may do, which has the same four answers wherever it is asked: once, for the conversation, always, no.

import { openRules, type Scope, type WrittenRule } from "../../settings/index.ts";
import type { LineReader } from "../line-reader.ts";
import { sanitize } from "../sanitize.ts";
import type { Style } from "../style.ts";
import { foldWords } from "../text/fold-words.ts";
import type { View } from "../view.ts";

export type ScopeAnswer = Scope | "no";

export interface ScopeScreen {
  lines: LineReader;
  style: Style;
  print(text: string): void;
  /** Ends the line that is being shown. */
  settle(): void;
  columns(): number;
}

export const scopeScreen = (lines: LineReader, { style, print, settle }: View): ScopeScreen => ({
  lines,
  style,
  print,
  settle,
  columns: () => process.stdout.columns || 80,
});

export interface ScopeQuestion {
  /** What is allowed with a yes. */
  rule: WrittenRule;
  what: string;
  ask: string;
  /** For how long it is allowed once. */
  once: string;
  /** Said after a no. */
  no: string;
  /** The letters and what they mean. */
  short: string;
  help: readonly string[];
}

/** Never rejects; who stops what runs says no. */
export async function askScope(
  { lines, style, print, settle, columns }: ScopeScreen,
  signal: AbortSignal,
  { rule, what, ask, once, no, short, help }: ScopeQuestion,
): Promise<ScopeAnswer> {
  const { ruleWords, scopeWords } = await openRules();
  const folded = (text: string): string => foldWords(text, columns() - 1);
  const say = (text: string): void => print(style.dim(`${folded(sanitize(text))}\n`));
  const letters = `${style.dim("o c a n ?:")} `;
  const [first, second] = [sanitize(what), sanitize(ask)];
  const fits = [...`${first} ${second} o c a n ?: `].length < columns();
  settle();
  // The letters stay together, where they are answered.
  if (!fits) for (const line of [style.bold(folded(first)), style.dim(folded(second))]) print(`${line}\n`);
  const prompt = fits ? `${style.bold(first)} ${style.dim(second)} ${letters}` : letters;
  for (;;) {
    const written = await lines.line(prompt, { signal });
    if (written === undefined) return "no";
    const answer = readScopeAnswer(written);
    if (answer === "explain") for (const line of help) say(line);
    else if (answer === "no") {
      say(no);
      return "no";
    } else if (answer === "once") {
      say(`${once[0]!.toUpperCase()}${once.slice(1)}, ${ruleWords(rule)}.`);
      return answer;
    } else if (answer) {
      say(`Remembered: ${scopeWords[answer]}, ${ruleWords(rule)}.`);
      return answer;
    } else say(short);
  }
}

/** A letter or a word; undefined when it means nothing and the question is asked again. */
export function readScopeAnswer(written: string): ScopeAnswer | "explain" | undefined {
  const word = written
    .trim()
    .toLowerCase()
    .replace(/[.!,]+$/, "");
  if (["o", "once", "y", "yes", "ok", "this time"].includes(word)) return "once";
  if (["c", "conversation", "this conversation"].includes(word)) return "conversation";
  if (["a", "always"].includes(word)) return "always";
  if (["n", "no", "never", "deny", "refuse", "don't"].includes(word)) return "no";
  if (["?", "what", "why", "explain", "help"].includes(word)) return "explain";
  return undefined;
}
