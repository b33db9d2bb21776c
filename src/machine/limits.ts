// What code may take of the machine while a block runs: memory, processor time, disk and processes. Who takes more is ended, with all
// that it started. Only Linux can be asked cheaply enough; elsewhere nothing is watched.

import { readFileSync, statfsSync } from "node:fs";
import { totalmem } from "node:os";
import { openSessionMembers, type Seen, type SessionMembers } from "./session-members.ts";

export interface Limits {
  /** Bytes that all processes of a session have in memory. */
  memory?: number | undefined;
  /** Seconds of processor time that a block may take. */
  cpu?: number | undefined;
  /** Bytes that the disk may get fuller by during a block. */
  disk?: number | undefined;
  /** Where what code writes comes to lie; some of them may be on the same disk. */
  places?: readonly string[] | undefined;
}

export interface LimitsRequest {
  /** The process of the session, and its group. */
  pid: number;
  group: number;
  limits: Limits;
  /** Called once; what was too much, in words that follow "it". What is to blame has been ended then. */
  onOver(why: string): void;
}

export interface LimitsWatch {
  begin(): void;
  end(): void;
  close(): void;
}

/** As many as a large parallel build never needs. */
export const mostProcesses = 1_000;

const lookEvery = 150;
/** All processes are looked at this often while a block runs; and sooner when something jumps. */
const lookAtAllEvery = 1_000;
/** Ticks of processor time in a second. */
const ticks = 100;
const [kilobyte, megabyte, gigabyte] = [1_000, 1_000_000, 1_000_000_000];

/** Without a limit of their own, sessions leave the machine a rest that it can be worked with. */
export const defaultMemory = (): number => Math.floor(0.85 * Math.min(totalmem(), constrained()));

function constrained(): number {
  return process.constrainedMemory() || Number.POSITIVE_INFINITY;
}

export function watchLimits({ pid, group, limits, onOver }: LimitsRequest): LimitsWatch {
  if (process.platform !== "linux") return { begin() {}, end() {}, close() {} };
  const { memory = defaultMemory(), cpu, disk, places = [] } = limits;
  const tasksBefore = tasks();
  let running = false;
  let startedAt = 0;
  let lastAll = 0;
  let lastFree = 0;
  let availableThen = available();
  let cpuBefore: number | undefined;
  let freeBefore = new Map<string, number>();
  const members = openSessionMembers({ pid, group });

  const timer = setInterval(() => {
    const now = Date.now();
    const manyTasks = tasks() - tasksBefore > mostProcesses;
    // Between blocks memory fills by what was left running; that is looked at less often.
    if (!running && !manyTasks && now - lastFree < lookAtAllEvery) return;
    lastFree = now;
    const free = available();
    const jumped = availableThen - free > memory / 8 || manyTasks;
    if (!jumped && (!running || now - lastAll < lookAtAllEvery)) return;
    lastAll = now;
    availableThen = free;
    const why = tooMuch();
    if (why === undefined) return;
    clearInterval(timer);
    // Most are in the group, which is ended at once.
    signal(-group, "SIGKILL");
    endAll(() => members().all.filter(isToBlame));
    onOver(`${why}, so it was ended with all that it had started`);
  }, lookEvery);
  timer.unref();

  /** What was there before the block goes on: among it may be a copy of the session that takes over. */
  const isToBlame = (each: Seen): boolean =>
    !running || each.pid === pid || each.group === group || each.started >= startedAt;

  function tooMuch(): string | undefined {
    const { all, orphans } = members();
    if (all.length > mostProcesses) return `started more than ${mostProcesses} processes`;
    if (sum(all, ({ rss }) => rss) > memory && sum(all, proportional) > memory)
      return `had more than ${size(memory)} in memory (max_memory)`;
    if (!running) return undefined;
    const used = timeOf({ all, orphans });
    cpuBefore ??= used;
    if (cpu !== undefined && used - cpuBefore > cpu) return `took more than ${cpu} s of processor time (max_cpu)`;
    return tooFull();
  }

  function tooFull(): string | undefined {
    for (const [place, before] of freeBefore) {
      const { bavail, blocks, bsize } = statfsSync(place);
      const [free, added] = [bavail * bsize, before - bavail * bsize];
      if (disk !== undefined && added > disk) return `filled the disk by more than ${size(disk)} (max_disk)`;
      const least = Math.min(gigabyte, 0.02 * blocks * bsize);
      if (free < least && added > 50 * megabyte) return `left less than ${size(least)} free on the disk`;
    }
    return undefined;
  }

  return {
    begin() {
      running = true;
      startedAt = Math.floor(Number(readFileSync("/proc/uptime", "latin1").split(" ")[0]) * ticks);
      lastAll = Date.now();
      availableThen = available();
      cpuBefore = cpu === undefined ? 0 : timeOf(members());
      freeBefore = new Map(places.flatMap((place) => freeAt(place) ?? []));
    },
    end() {
      running = false;
    },
    close: () => clearInterval(timer),
  };
}

/** Seconds of processor time. */
const timeOf = ({ all, orphans }: SessionMembers): number => (sum(all, ({ cpu }) => cpu) + orphans) / ticks;

/** Stopped first: what is stopped starts nothing any more. */
function endAll(members: () => readonly Seen[]): void {
  const stopped = new Set<number>();
  for (let round = 0; round < 50; round++) {
    const fresh = members().filter(({ pid }) => !stopped.has(pid));
    if (fresh.length === 0) break;
    for (const { pid } of fresh) {
      stopped.add(pid);
      signal(pid, "SIGSTOP");
    }
  }
  for (const pid of stopped) signal(pid, "SIGKILL");
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {} // It has ended by itself.
}

const sum = (all: readonly Seen[], of: (each: Seen) => number): number =>
  all.reduce((total, each) => total + of(each), 0);

/** What it has in memory, with its share of what it has together with others: copies of a process share most of it. */
function proportional({ pid, rss }: Seen): number {
  try {
    const found = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "latin1"))?.[1];
    return found === undefined ? rss : Number(found) * 1_024;
  } catch {
    return rss;
  }
}

function freeAt(place: string): [[string, number]] | undefined {
  try {
    const { bavail, bsize } = statfsSync(place);
    return [[place, bavail * bsize]];
  } catch {
    return undefined;
  }
}

/** Bytes that programs could still have. */
function available(): number {
  return Number(/^MemAvailable:\s+(\d+)/m.exec(readFileSync("/proc/meminfo", "latin1"))?.[1] ?? 0) * 1_024;
}

/** Processes and threads of the whole system. */
function tasks(): number {
  return Number(/\/(\d+) /.exec(readFileSync("/proc/loadavg", "latin1"))?.[1] ?? 0);
}

function size(bytes: number): string {
  const [unit, name] =
    bytes >= gigabyte ? [gigabyte, "GB"] : bytes >= megabyte ? [megabyte, "MB"] : ([kilobyte, "kB"] as const);
  return `${Number((bytes / unit).toFixed(1))} ${name}`;
}
