// The seals that a scripted model puts on its thinking, and looks for when the thinking comes back.

import { createHash } from "node:crypto";
import type { Item } from "./deltas.ts";

/** The same for the same text, and nobody else's. */
export const seal = (text: string): string => `seal-${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;

/** What one reply was made of. */
export type Issued = readonly Item[];

/** The thinking that stood before a call, of which only the arguments are known. */
export function thinkingBefore(issued: readonly Issued[], callArguments: string): Item[] {
  for (const items of issued) {
    const at = items.findIndex((item) => item.kind === "call" && ordered(item.text) === ordered(callArguments));
    if (at >= 0) return items.slice(0, at).filter(({ kind }) => kind === "reasoning");
  }
  return [];
}

/** Some clients put the names of an object in an order of their own. */
function ordered(text: string): string {
  try {
    return JSON.stringify(Object.entries(JSON.parse(text)).sort());
  } catch {
    return text;
  }
}
