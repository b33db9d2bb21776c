// The known differences between a session of ours and ipykernel. docs/conformance.md explains each by its name.

import type { Difference } from "./compare.ts";
import type { Outcome } from "./outcome.ts";

interface Rule {
  name: string;
  applies(difference: Difference, ours: Outcome, theirs: Outcome): boolean;
}

const rules: Rule[] = [];

export const reasons: readonly string[] = rules.map(({ name }) => name);

export function reasonFor(difference: Difference, ours: Outcome, theirs: Outcome): string | undefined {
  return rules.find((rule) => rule.applies(difference, ours, theirs))?.name;
}
