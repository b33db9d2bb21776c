// A conversation by what a person calls it on the command line: its whole name, or the beginning of it or of its last part.

import { InputProblem } from "../settings/index.ts";
import { namesIn } from "./load.ts";

/** The part of a name that tells conversations apart: 20260801T101500-abc123 is abc123. */
export const shortId = (name: string): string => name.slice(name.lastIndexOf("-") + 1);

/** The name of the one that is meant. */
export function findConversation(conversations: string, written: string): string {
  const names = namesIn(conversations);
  if (names.includes(written)) return written;
  const wanted = written.toLowerCase();
  const found = names.filter(
    (name) => wanted !== "" && (name.toLowerCase().startsWith(wanted) || shortId(name).startsWith(wanted)),
  );
  if (found.length === 1) return found[0]!;
  const all = "interpreter conversations lists them.";
  if (found.length === 0) throw new InputProblem(`There is no conversation ${JSON.stringify(written)}.`, all);
  throw new InputProblem(
    `${found.length} conversations begin with ${JSON.stringify(written)}: ${some(found)}.`,
    `Write more of it; ${all}`,
  );
}

/** For each name, the shortest word that means it and no other. */
export function shortIds(names: readonly string[]): Map<string, string> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(shortId(name), (counts.get(shortId(name)) ?? 0) + 1);
  return new Map(names.map((name) => [name, counts.get(shortId(name)) === 1 ? shortId(name) : name]));
}

function some(names: readonly string[]): string {
  const shown = names.slice(-5).reverse().join(", ");
  return names.length > 5 ? `${shown}, …` : shown;
}
