// What providers take of pictures. A little less than they say, so that nothing is refused for a byte.

import type { Limits } from "../../pictures/index.ts";

export interface PictureLimits extends Limits {
  /** Pictures in one request. */
  count: number;
  /** Characters of base64 of all of them together. */
  total: number;
}

/** Anthropic makes larger ones smaller itself, after they were paid for in time; with more than 20, 2000 pixels are the most. */
const anthropic: PictureLimits = { edge: 1_568, hardEdge: 8_000, size: 4_900_000, count: 90, total: 24_000_000 };
const openai: PictureLimits = { edge: 2_048, hardEdge: 16_000, size: 15_000_000, count: 100, total: 40_000_000 };
const google: PictureLimits = { edge: 2_048, hardEdge: 16_000, size: 14_000_000, count: 100, total: 15_000_000 };
const others: PictureLimits = { edge: 2_048, hardEdge: 8_000, size: 4_500_000, count: 20, total: 18_000_000 };

export function pictureLimits(wire: string, provider?: string): PictureLimits {
  if (/anthropic|bedrock/.test(wire)) return anthropic;
  if (wire === "openai-responses" || wire === "openai-chat" || wire === "azure") return openai;
  if (wire === "google" || wire === "vertex") return google;
  if (provider === "groq") return { ...others, count: 5 };
  return wire === "mistral" ? { ...others, count: 8 } : others;
}
