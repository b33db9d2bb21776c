// Finds the lines of a text that are most like some other lines, for the moment when an edit does not find its text.

export interface Nearest {
  /** Counted from 1. */
  line: number;
  lines: string[];
  /** The same words are there, with other white space. */
  onlySpace: boolean;
}

const mostLines = 20_000;
const widest = 200;
const alike = 0.5;
const shown = 12;

export function nearestLines(text: string, wanted: string): Nearest | undefined {
  const lines = text.split("\n", mostLines);
  const words = wanted.replace(/^\n+|\n+$/g, "").split("\n");
  // The longest line says most about the place.
  const key = words.reduce((best, line, index) => (line.trim().length > words[best]!.trim().length ? index : best), 0);
  const pairs = pairsOf(words[key]!);
  if (pairs.size === 0) return undefined;
  let best = -1;
  let score = alike;
  for (const [index, line] of lines.entries()) {
    const found = likeness(pairs, pairsOf(line));
    if (found > score) [best, score] = [index, found];
  }
  if (best === -1) return undefined;
  const first = Math.max(0, best - Math.min(key, shown - 1));
  const part = lines.slice(first, first + Math.min(words.length, shown)).map((line) => line.replace(/\r$/, ""));
  const bare = (all: string[]) => all.join("").replace(/\s+/g, "");
  return { line: first + 1, lines: part, onlySpace: bare(lines.slice(first, first + words.length)) === bare(words) };
}

function pairsOf(line: string): Set<string> {
  const text = line.trim().slice(0, widest);
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < text.length; at++) pairs.add(text.slice(at, at + 2));
  if (text.length === 1) pairs.add(text);
  return pairs;
}

function likeness(one: Set<string>, other: Set<string>): number {
  if (other.size === 0) return 0;
  let shared = 0;
  for (const pair of one) if (other.has(pair)) shared++;
  return (2 * shared) / (one.size + other.size);
}
