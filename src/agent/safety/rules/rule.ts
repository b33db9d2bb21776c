// A rule: what it looks for in what a block would do, and what it tells a person.

import type { Act } from "../act.ts";
import type { FindingKind, Severity } from "../finding.ts";
import type { Place } from "../place.ts";

export interface Rule {
  kind: FindingKind;
  severity: Severity;
  /** Told to the person; `%` stands for what `sees` returns. */
  sentence: string;
  /** A word for the sentence, or true when it needs none; nothing where the rule has nothing to say. */
  sees(act: Act, place: Place): string | boolean | undefined;
}

/** Keeps the ids, so that examples can be asked for each of them. */
export const rules = <Id extends string>(table: Record<Id, Rule>): Record<Id, Rule> => table;

/** Blocks that a rule must speak about, and blocks that it must leave alone; shell, unless they say otherwise. */
export type Example = string | { python: string } | { javascript: string } | { sql: string };
export interface Examples {
  finds: readonly Example[];
  leaves: readonly Example[];
}
export type ExamplesOf<Table> = Record<keyof Table, Examples>;
