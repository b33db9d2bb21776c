// What a person means by an answer to a question of yes or no. Only what is clearly a yes is one, and nothing unclear is taken for a no.

import type { LineReader } from "./line-reader.ts";

const yes = "y|yes|yep|yeah|yup|ok|okay|sure|of course|go ahead|do it|please do";
const no = "n|no|nope|nah|don't|do not|stop|cancel";
const polite = /^(?:please|pls) | (?:please|pls|thanks|thank you|thx)$/g;

/** Also one of `more`, which are a yes to this question; said twice, or politely, it is the same. */
export const saysYes = (written: string, more: readonly string[] = []): boolean => isMade(written, yes, more);

export const saysNo = (written: string, more: readonly string[] = []): boolean => isMade(written, no, more);

function isMade(written: string, words: string, more: readonly string[]): boolean {
  const each = [words, ...more].join("|");
  const pattern = new RegExp(`^(?:${each})(?: (?:${each}))*$`);
  const said = plainly(written);
  return pattern.test(said) || pattern.test(said.replaceAll(polite, ""));
}

/** Something that begins with a yes and goes on, or one word that is none of those known: whoever asks asks again. */
export const isUnclear = (written: string): boolean =>
  new RegExp(`^(?:${yes})\\b`).test(plainly(written)) || /^\p{Script=Latin}{1,15}$/u.test(plainly(written));

const plainly = (written: string): string =>
  written
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/[\s.!,…]+/g, " ")
    .trim();

/** Asked until it is a yes or a no; nothing at all is a no. */
export async function askYesNo(
  lines: LineReader,
  question: string,
  { signal, more }: { signal?: AbortSignal; more?: readonly string[] } = {},
): Promise<boolean> {
  for (let prompt = `${question} y/n: `; ; prompt = "y for yes, n for no: ") {
    const answer = await lines.line(prompt, { ...(signal && { signal }) });
    if (answer === undefined || answer.trim() === "" || saysNo(answer)) return false;
    if (saysYes(answer, more)) return true;
  }
}
