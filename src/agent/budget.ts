// Money: what a conversation and its month have cost, and whether there is some left.

import type { Chunk } from "../messages/index.ts";
import { addUsage, dollars, noUsage, type Totals, type Usage } from "../models/index.ts";
import { failure } from "./notice.ts";

export interface OverBudget {
  of: "conversation" | "month";
  /** Dollars. */
  spent: number;
  limit: number;
}

export interface BudgetLimits {
  maxBudget?: number | undefined;
  monthlyBudget?: number | undefined;
}

export interface Budget {
  readonly totals: Totals;
  add(usage: Usage): void;
  /** Which budget is used up, if one is. */
  over(): OverBudget | undefined;
  raise(of: OverBudget["of"], limit: number): void;
}

/** `month` gives the dollars of this calendar month, with those of other conversations. */
export function createBudget(limits: BudgetLimits, month: () => number, before: Totals = noUsage): Budget {
  let totals = before;
  let { maxBudget, monthlyBudget } = limits;
  return {
    get totals() {
      return totals;
    },
    add(usage) {
      totals = addUsage(totals, usage);
    },
    over() {
      if (maxBudget !== undefined && totals.cost >= maxBudget)
        return { of: "conversation", spent: totals.cost, limit: maxBudget };
      const spent = monthlyBudget === undefined ? 0 : month();
      if (monthlyBudget !== undefined && spent >= monthlyBudget) return { of: "month", spent, limit: monthlyBudget };
      return undefined;
    },
    raise(of, limit) {
      if (of === "month") monthlyBudget = limit;
      else maxBudget = limit;
    },
  };
}

export function usedUp({ of, spent, limit }: OverBudget): Chunk {
  const what = of === "month" ? "This month's conversations have" : "This conversation has";
  return failure(
    "budget",
    `${what} cost ${dollars(spent)}, and the budget is ${dollars(limit)}.`,
    `Raise ${of === "month" ? "--monthly_budget" : "--max_budget"} to go on.`,
  );
}
