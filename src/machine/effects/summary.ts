// Everything that a step did, in one line: 3 files new, 1 changed (−2 rows), 1 deleted · contacted example.org.

import type { Effect, Effects } from "./effect.ts";

const words: Record<Effect["change"], string> = {
  created: "new",
  changed: "changed",
  deleted: "deleted",
  renamed: "moved",
  mode: "with other permissions",
};
const order = ["created", "changed", "deleted", "renamed", "mode"] as const satisfies readonly Effect["change"][];

const mostHosts = 3;

export interface SummaryFacts {
  /** By how many rows the tables that were changed are longer, where that was counted. */
  rows?: number;
}

/** Empty when nothing happened outside of memory. Names of hosts are as programs gave them: whoever prints it makes them safe. */
export function summaryOf({ files, hosts, processes }: Effects, { rows = 0 }: SummaryFacts = {}): string {
  const counts = order.flatMap((change) => countsOf(files, change));
  // "file" is said once, with the first of them.
  const first = counts.findIndex(({ what }) => what === "file");
  const parts = counts.map(({ count, more, what, change }, index) => {
    const noun = what === "folder" || index === first ? ` ${what}${count === 1 ? "" : "s"}` : "";
    const longer = change === "changed" && rows !== 0 ? ` (${rowsText(rows)})` : "";
    return `${more ? "more than " : ""}${count}${noun} ${words[change]}${longer}`;
  });
  return [parts.join(", "), contacted(hosts), running(processes.length)].filter((part) => part !== "").join(" · ");
}

/** +1 row, −12 rows. */
export const rowsText = (rows: number): string =>
  `${rows < 0 ? "−" : "+"}${Math.abs(rows)} row${Math.abs(rows) === 1 ? "" : "s"}`;

interface Count {
  change: Effect["change"];
  what: "file" | "folder";
  count: number;
  more: boolean;
}

/** A folder counts as what is in it; one that is empty, or only has another name, as itself. */
function countsOf(all: readonly Effect[], change: Effect["change"]): Count[] {
  const effects = all.filter((effect) => effect.change === change);
  const isWhole = ({ kind, files }: Effect) => kind === "folder" && (!files || change === "renamed");
  const whole = effects.filter(isWhole);
  const inside = effects.filter((effect) => !isWhole(effect));
  const files = inside.reduce((sum, { kind, files: within = 0 }) => sum + (kind === "folder" ? within : 1), 0);
  const more = inside.some(({ moreFiles }) => moreFiles);
  return [
    { change, what: "file" as const, count: files, more },
    { change, what: "folder" as const, count: whole.length, more: false },
  ].filter(({ count }) => count > 0);
}

function contacted(hosts: readonly string[]): string {
  if (hosts.length === 0) return "";
  const left = hosts.length - mostHosts;
  if (left > 0) return `contacted ${hosts.slice(0, mostHosts).join(", ")} and ${left} more`;
  const last = hosts.at(-1)!;
  return `contacted ${hosts.length === 1 ? last : `${hosts.slice(0, -1).join(", ")} and ${last}`}`;
}

const running = (count: number): string =>
  count === 0 ? "" : `${count} program${count === 1 ? "" : "s"} left running`;
