// A text as what it has of its own, beside one that begins and ends like it.

export interface Difference {
  /** So many characters at the beginning are the same, */
  keep: number;
  /** and so many at the end. */
  end: number;
  /** What is between them. */
  body: string;
}

const step = 4_096;

export function differenceTo(before: string, text: string): Difference {
  const most = Math.min(before.length, text.length);
  let keep = 0;
  while (keep + step <= most && before.slice(keep, keep + step) === text.slice(keep, keep + step)) keep += step;
  while (keep < most && before[keep] === text[keep]) keep++;
  let end = 0;
  while (end < most - keep && before[before.length - 1 - end] === text[text.length - 1 - end]) end++;
  return { keep, end, body: text.slice(keep, text.length - end) };
}

export const joinedTo = (before: string, { keep, end, body }: Difference): string =>
  before.slice(0, keep) + body + before.slice(before.length - end);
