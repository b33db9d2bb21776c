// What an answer to "Keep?" means: a letter, a word, or a sentence for the model.

import { isUnclear, saysNo, saysYes } from "../yes-no.ts";

export type EffectsAnswer =
  | { type: "keep" | "always" | "help" }
  | { type: "discard"; words?: string }
  /** All of them, or those that are named. */
  | { type: "show"; which?: string }
  | { type: "some"; which?: string };

const keep = ["keep everything", "keep all", "keep it", "keep"];
const discard = ["discard all", "discard it", "discard", "drop it", "drop", "throw it away", "throw away"];

/** Undefined when it means nothing and the question is asked again. Whatever sounds like keeping never discards. */
export function readEffectsAnswer(answer: string): EffectsAnswer | undefined {
  const text = answer.trim();
  const word = text.toLowerCase().replace(/[.!,]+$/, "");
  if (saysYes(text, keep)) return { type: "keep" };
  if (saysNo(text, discard)) return { type: "discard" };
  if (["a", "always"].includes(word)) return { type: "always" };
  if (["?", "h", "help"].includes(word)) return { type: "help" };
  const show = /^(?:d|diff|diffs|show)\s*(\d[\d\s,-]*)?$/i.exec(text);
  if (show) return { type: "show", ...(show[1] !== undefined && { which: show[1] }) };
  const some = /^(?:s|some|keep some)$/i.test(word) ? [] : /^(?:s|keep only|keep|only)\s+(.+)$/i.exec(text);
  if (some) return { type: "some", ...(some[1] !== undefined && { which: some[1] }) };
  // A command is none here, numbers alone say nothing, and something too short to be a wish is a slip.
  if (/^[%/!]/.test(text) || /^[\d\s,-]*$/.test(text) || text.length < 4) return undefined;
  if (isUnclear(text)) return undefined;
  return { type: "discard", words: /^(?:n|no|discard)[,.:;]?\s+(.+)$/is.exec(text)?.[1] ?? text };
}
