// What several requests used together, and how that is said.

import type { Usage } from "./types.ts";

export interface Totals {
  requests: number;
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
  reasoningTokens: number;
  /** Dollars, of the requests whose price is known. */
  cost: number;
  /** Requests whose price is not known. */
  unpriced: number;
}

export const noUsage: Totals = {
  requests: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  reasoningTokens: 0,
  cost: 0,
  unpriced: 0,
};

export const addUsage = (totals: Totals, usage: Usage): Totals => ({
  requests: totals.requests + 1,
  inputTokens: totals.inputTokens + usage.inputTokens,
  outputTokens: totals.outputTokens + usage.outputTokens,
  cachedInputTokens: totals.cachedInputTokens + usage.cachedInputTokens,
  reasoningTokens: totals.reasoningTokens + usage.reasoningTokens,
  cost: totals.cost + (usage.cost ?? 0),
  unpriced: totals.unpriced + (usage.cost === undefined ? 1 : 0),
});

/** $12.30, $0.042, $0.00031: as many figures as tell something. */
export function dollars(amount: number): string {
  if (amount === 0) return "$0";
  if (amount >= 0.995) return `$${amount.toFixed(2)}`;
  return `$${Number(amount.toPrecision(2)).toFixed(Math.min(8, 1 - Math.floor(Math.log10(amount))))}`;
}

/** What it cost; what is not known is said. */
export function costOf({ requests, cost, unpriced }: Totals): string {
  if (unpriced === 0) return dollars(cost);
  return unpriced === requests ? "price unknown" : `${dollars(cost)} and ${unpriced} of unknown price`;
}

/** 950, 12.3k, 1.2M */
export function count(tokens: number): string {
  if (tokens < 1_000) return String(tokens);
  return tokens < 999_500 ? `${short(tokens / 1_000)}k` : `${short(tokens / 1_000_000)}M`;
}

const short = (value: number): string => (value < 99.95 ? value.toFixed(1).replace(/\.0$/, "") : value.toFixed(0));

/** The share of what was read that the provider had cached, in percent. */
export const cachedShare = ({ inputTokens, cachedInputTokens }: Totals): number =>
  inputTokens === 0 ? 0 : Math.round((100 * cachedInputTokens) / inputTokens);
