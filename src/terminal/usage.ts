// Tokens and money, in words: one line after a turn, and the table of %tokens.

import type { Interpreter } from "../interpreter/index.ts";
import { cachedShare, costOf, count, dollars, type Totals } from "../models/index.ts";

/** 12.3k tokens · 84 % cached · $0.042 */
export function usageLine(totals: Totals): string {
  const cached = cachedShare(totals);
  return [
    `${count(totals.inputTokens + totals.outputTokens)} tokens`,
    ...(cached > 0 ? [`${cached} % cached`] : []),
    costOf(totals),
  ].join(" · ");
}

export async function tokensTable(interpreter: Interpreter): Promise<string> {
  const { usage } = interpreter;
  const { tokens, window } = await interpreter.contextUse();
  const month = interpreter.spentThisMonth;
  const rows = [
    ["requests", String(usage.requests)],
    ["read", `${count(usage.inputTokens)} tokens, ${cachedShare(usage)} % of them cached`],
    ["written", `${count(usage.outputTokens)} tokens${thinking(usage)}`],
    ["cost", usage.requests === 0 ? "$0" : costOf(usage)],
    ["next request", `about ${count(tokens)} tokens${share(tokens, window)}`],
    ...(month === undefined ? [] : [["this month", `${dollars(month)}, all conversations`]]),
  ];
  return rows.map(([name, value]) => `  ${name!.padEnd(14)}${value}\n`).join("");
}

const thinking = ({ reasoningTokens }: Totals): string =>
  reasoningTokens > 0 ? `, ${count(reasoningTokens)} of them thinking` : "";

function share(tokens: number, window: number | undefined): string {
  if (window === undefined) return "; how many it can read is not known";
  return ` of ${count(window)} (${Math.round((100 * tokens) / window)} %)`;
}
