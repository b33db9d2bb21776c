// The accounts of one conversation: what its requests used and cost, and whether more may be spent.

import { type Budget, type BudgetLimits, createBudget, type OverBudget } from "../agent/index.ts";
import type { Spending } from "../conversations/index.ts";
import type { Chunk } from "../messages/index.ts";
import type { Totals, Usage } from "../models/index.ts";

/** Asked when a budget is used up: the new limit in dollars, or nothing to stop. */
export type AskBudget = (over: OverBudget, signal: AbortSignal) => Promise<number | undefined>;

export interface AccountsOptions extends BudgetLimits {
  /** Where the month is added up; opened when it is first needed. */
  spending?: (() => Spending) | undefined;
  /** What the conversation used before. */
  before?: Totals | undefined;
  ask?: AskBudget | undefined;
}

export class Accounts {
  readonly #options: AccountsOptions;
  readonly #budget: Budget;
  #spending: Spending | undefined;
  #warned = false;

  constructor(options: AccountsOptions) {
    this.#options = options;
    this.#budget = createBudget(options, () => this.#ledger?.month() ?? 0, options.before);
  }

  get totals(): Totals {
    return this.#budget.totals;
  }

  /** Dollars of this calendar month, with other conversations; undefined when nobody adds them up. */
  month(): number | undefined {
    return this.#ledger?.month();
  }

  /** Which budget is used up, after the person was asked about it. */
  async over(signal: AbortSignal): Promise<OverBudget | undefined> {
    for (;;) {
      const over = this.#budget.over();
      if (!over) return undefined;
      const limit = await this.#options.ask?.(over, signal);
      if (limit === undefined || limit <= over.spent) return over;
      this.#budget.raise(over.of, limit);
    }
  }

  /** Takes a request into account; what comes back is told instead of the plain usage. */
  add(usage: Usage, conversation: string, model: string): Chunk[] {
    this.#budget.add(usage);
    this.#ledger?.add(conversation, model, usage);
    const told: Chunk = { role: "server", type: "usage", content: { ...usage, model, total: this.totals } };
    const { maxBudget, monthlyBudget } = this.#options;
    if (usage.cost !== undefined || this.#warned || (maxBudget ?? monthlyBudget) === undefined) return [told];
    this.#warned = true;
    const warning: Chunk = {
      role: "server",
      type: "notice",
      code: "unknown-price",
      content: `The price of ${model} is not known, so the budget does not count it.`,
      hint: "interpreter models lists prices; --max_steps limits a turn in another way.",
    };
    return [told, warning];
  }

  get #ledger(): Spending | undefined {
    this.#spending ??= this.#options.spending?.();
    return this.#spending;
  }
}
