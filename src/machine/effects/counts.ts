// How many files some changes are about: the one way of counting, whoever shows it. "3 files: 2 new, 1 changed".

import type { Effect } from "./effect.ts";
import { plural, thousands } from "./plural.ts";
import type { StepFacts } from "./protection.ts";

export const countWords: Record<Effect["change"], string> = {
  created: "new",
  changed: "changed",
  deleted: "deleted",
  renamed: "moved",
  mode: "with other permissions",
};
const order = ["created", "changed", "deleted", "renamed", "mode"] as const satisfies readonly Effect["change"][];

/** So many files, or folders as such, to which the same was done. */
export interface Count {
  change: Effect["change"];
  what: "file" | "folder";
  count: number;
  /** There are even more. */
  more?: boolean;
}

export type Counted = Pick<Effect, "change" | "kind" | "files" | "moreFiles">;

/** A folder counts as what is in it; one that is empty, or only has another name, as itself. */
export const countsOf = (changes: readonly Counted[]): Count[] =>
  addUp(
    changes.map(({ change, kind, files, moreFiles }): Count => {
      if (kind !== "folder") return { change, what: "file", count: 1 };
      if (!files || change === "renamed") return { change, what: "folder", count: 1 };
      return { change, what: "file", count: files, ...(moreFiles && { more: true }) };
    }),
  );

/** One count for each thing that was done. */
export function addUp(counts: readonly Count[]): Count[] {
  const kinds = (["file", "folder"] as const).flatMap((what) => order.map((change) => ({ what, change })));
  return kinds.flatMap(({ what, change }): Count[] => {
    const same = counts.filter((each) => each.what === what && each.change === change);
    const count = same.reduce((sum, each) => sum + each.count, 0);
    const more = same.some((each) => each.more);
    return count === 0 ? [] : [{ change, what, count, ...(more && { more: true }) }];
  });
}

/** What is written down about a step, with what is kept of it counted. */
export function withCounts(facts: StepFacts, files: readonly Effect[], only?: readonly string[]): StepFacts {
  const wanted = only && new Set(only);
  return { ...facts, counts: countsOf(wanted ? files.filter(({ path }) => wanted.has(path)) : files) };
}

/** How many files and folders these are. */
export const totalOf = (counts: readonly Count[]): number => counts.reduce((sum, { count }) => sum + count, 0);

/** 1 file new; 3 files: 2 new, 1 changed (−2 rows); 1 folder moved. Empty where nothing was changed. */
export function countsText(counts: readonly Count[], { rows = 0 }: { rows?: number } = {}): string {
  const all = addUp(counts);
  const longer = ({ change, what }: Count): string =>
    change === "changed" && what === "file" && rows !== 0 ? ` (${rowsText(rows)})` : "";
  const groups = (["file", "folder"] as const).map((what) => {
    const same = all.filter((each) => each.what === what);
    const [first] = same;
    if (!first) return "";
    const about = same.some(({ more }) => more) ? "more than " : "";
    const total = `${about}${plural(totalOf(same), what)}`;
    if (same.length === 1) return `${total} ${countWords[first.change]}${longer(first)}`;
    const parts = same.map(
      (each) => `${each.more ? "more than " : ""}${thousands(each.count)} ${countWords[each.change]}${longer(each)}`,
    );
    return `${total}: ${parts.join(", ")}`;
  });
  return groups.filter((group) => group !== "").join("; ");
}

/** +1 row, −12 rows. */
export const rowsText = (rows: number): string => `${rows < 0 ? "−" : "+"}${plural(Math.abs(rows), "row")}`;
