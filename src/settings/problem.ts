// Bad input from the person: one plain sentence, a hint, and nothing changed.

export class InputProblem extends Error {
  override name = "InputProblem";
  readonly hint: string;

  constructor(message: string, hint = "") {
    super(message);
    this.hint = hint;
  }
}

/** The candidate most like a word, when one is close enough to be worth naming. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best && best.distance <= Math.max(word.length > 3 ? 2 : 1, Math.floor(word.length / 3))
    ? best.candidate
    : undefined;
}

/** Letters to put in, take out, change, or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? before[j - 2]! + 1 : changed;
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, changed, swapped);
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
}
