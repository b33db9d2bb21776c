// What a request cost, in dollars.

import type { SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { Prices, Usage } from "./types.ts";

/** What a model on one's own machine asks for its work. */
export const free: Prices = { input: 0, output: 0 };

const million = 1_000_000;

/** What was cached has prices of its own; where they are not known it is taken to cost as much as the rest. */
export function requestCost(usage: Usage, prices: Prices): number {
  const { inputTokens, outputTokens, cachedInputTokens: read, cacheWriteTokens: kept = 0 } = usage;
  const fresh = Math.max(0, inputTokens - read - kept);
  const { input, output, cachedInput = input, cacheWrite = input } = prices;
  return (fresh * input + read * cachedInput + kept * cacheWrite + outputTokens * output) / million;
}

/** What the provider itself says that it charged; few do. */
export function chargedCost(metadata: SharedV4ProviderMetadata | undefined): number | undefined {
  const usage = metadata?.openrouter?.usage;
  const cost = typeof usage === "object" && usage !== null && "cost" in usage ? usage.cost : undefined;
  return typeof cost === "number" ? cost : undefined;
}
