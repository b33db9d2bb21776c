// Words for sentences, and commands as one line of words.

import type { Act } from "../act.ts";
import { gap } from "../value.ts";

/** What a command matches of a pattern over its whole line: the words that did; nothing where it is no command. */
export function commandMatches(act: Act, pattern: RegExp): string | undefined {
  if (act.type !== "command") return undefined;
  const found = pattern.exec(`${act.name} ${act.words.join(" ")}`);
  return found ? shortened((found[1] ?? found[0]).trim()) || act.name : undefined;
}

const most = 60;

/** Short enough for a sentence, in one line, with a sign where something is not known. */
export function shortened(text: string): string {
  const plain = text.replaceAll(gap, "…").replace(/\s+/g, " ");
  return plain.length > most ? `${plain.slice(0, most - 1)}…` : plain;
}
