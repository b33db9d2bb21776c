// Notices a block that starts processes without end, before they take the machine down with them.

import { readdirSync, readFileSync } from "node:fs";

/** As many as a large parallel build never needs. */
export const mostProcesses = 1_000;

const lookEvery = 150;

/**
 * Calls `onTooMany` once when the process group has more than `mostProcesses` members. Only Linux can be asked cheaply
 * enough; elsewhere nothing is watched. Returns what ends the watch.
 */
export function watchProcesses(group: number, onTooMany: () => void): () => void {
  if (process.platform !== "linux") return () => {};
  const before = tasks();
  const watch = setInterval(() => {
    // One small file tells how many tasks there are in all; only a jump is worth counting.
    if (tasks() - before <= mostProcesses || membersOf({ group }).length <= mostProcesses) return;
    clearInterval(watch);
    onTooMany();
  }, lookEvery);
  watch.unref();
  return () => clearInterval(watch);
}

/** Processes and threads of the whole system. */
function tasks(): number {
  try {
    return Number(/\/(\d+) /.exec(readFileSync("/proc/loadavg", "latin1"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

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
