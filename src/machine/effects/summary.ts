// Everything that a step did, in one line: 3 files: 2 new, 1 changed (−2 rows) · contacted example.org.

import { countsOf, countsText } from "./counts.ts";
import type { Effects } from "./effect.ts";
import { plural } from "./plural.ts";

const mostHosts = 3;

export interface SummaryFacts {
  /** By how many rows the tables that were changed are longer, where that was counted. */
  rows?: number;
}

/** Empty when nothing happened outside of memory. Names of hosts are as programs gave them: whoever prints it makes them safe. */
export function summaryOf({ files, hosts, processes }: Effects, facts: SummaryFacts = {}): string {
  const parts = [countsText(countsOf(files), facts), contacted(hosts), running(processes.length)];
  return parts.filter((part) => part !== "").join(" · ");
}

function contacted(hosts: readonly string[]): string {
  if (hosts.length === 0) return "";
  const left = hosts.length - mostHosts;
  if (left > 0) return `contacted ${hosts.slice(0, mostHosts).join(", ")} and ${left} more`;
  const last = hosts.at(-1)!;
  return `contacted ${hosts.length === 1 ? last : `${hosts.slice(0, -1).join(", ")} and ${last}`}`;
}

const running = (count: number): string => (count === 0 ? "" : `${plural(count, "program")} left running`);
