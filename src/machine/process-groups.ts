// Which processes belong together.

import { readdirSync, readFileSync } from "node:fs";

/** The processes of a group, or of all the groups that began with the same process. */
export function membersOf({ group, leader }: { group?: number; leader?: number }): number[] {
  return readdirSync("/proc").flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, "latin1");
      const [, , itsGroup, itsLeader] = stat
        .slice(stat.lastIndexOf(")") + 2)
        .split(" ")
        .map(Number);
      return itsGroup === group || itsLeader === leader ? [Number(entry)] : [];
    } catch {
      return []; // it has just ended
    }
  });
}
