// Asks whether to go on when a budget is used up.

import type { OverBudget } from "../agent/index.ts";
import { dollars } from "../models/index.ts";
import type { LineReader } from "./line-reader.ts";
import { saysNo, saysYes } from "./yes-no.ts";

/** The new limit, or nothing to stop. */
export async function raiseBudget(
  { of, spent, limit }: OverBudget,
  lines: LineReader,
  signal: AbortSignal,
): Promise<number | undefined> {
  const what = of === "month" ? "this month's conversations have" : "this conversation has";
  const twice = spent + limit;
  const question = `Budget: ${what} cost ${dollars(spent)} of ${dollars(limit)}. Go on, up to ${dollars(twice)}? y, n, or another amount: `;
  for (let prompt = question; ; ) {
    const answer = (await lines.line(prompt, { signal }))?.trim();
    if (answer === undefined || answer === "" || saysNo(answer)) return undefined;
    if (saysYes(answer)) return twice;
    const amount = Number(answer.replace(/^\$/, ""));
    if (amount > spent) return amount;
    prompt = `y, n, or an amount above ${dollars(spent)}: `;
  }
}
