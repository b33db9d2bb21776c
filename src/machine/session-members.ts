// The processes of a session: its group, what it started in other groups, and, where processes count for themselves, what nobody owns.

import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export interface Seen {
  pid: number;
  parent: number;
  group: number;
  leader: number;
  /** Ticks of processor time, with those of children that have ended. */
  cpu: number;
  /** Of it, what those children took. */
  ended: number;
  /** Bytes in memory. */
  rss: number;
  /** Ticks since the machine was started. */
  started: number;
}

const page = 4_096;

/** Everything that runs on this machine. */
export function everyProcess(): Seen[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (fields[0] === "Z" || fields[0] === "X") return [];
      const at = (index: number): number => Number(fields[index]);
      const ended = at(13) + at(14);
      const cpu = at(11) + at(12) + ended;
      const [parent, group, leader] = [at(1), at(2), at(3)];
      return [{ pid: Number(name), parent, group, leader, cpu, ended, rss: at(21) * page, started: at(19) }];
    } catch {
      return []; // it has just ended
    }
  });
}

export interface SessionProcess {
  pid: number;
  group: number;
}

export interface SessionMembers {
  all: readonly Seen[];
  /** Ticks of processor time of what had lost its parent and has ended, where that is known. */
  orphans: number;
}

/** Looks at who is there, each time it is called; also when the session's own process has ended meanwhile. */
export function openSessionMembers(session: SessionProcess): () => SessionMembers {
  let first: number | undefined;
  return () => {
    const all = everyProcess();
    first ??= firstBeside(session.pid, all) ?? besideOf(session.pid, all);
    const orphans = all.find(({ pid }) => pid === first)?.ended ?? 0;
    return { all: membersAmong(all, session, first), orphans };
  };
}

function membersAmong(all: readonly Seen[], { pid, group }: SessionProcess, first: number | undefined): Seen[] {
  const children = new Map<number, Seen[]>();
  for (const each of all) {
    const beside = children.get(each.parent);
    if (beside) beside.push(each);
    else children.set(each.parent, [each]);
  }
  const found = new Map<number, Seen>();
  const take = (each: Seen): void => {
    if (found.has(each.pid)) return;
    found.set(each.pid, each);
    for (const child of children.get(each.pid) ?? []) take(child);
  };
  for (const each of all) if (each.pid === pid || each.group === group || each.leader === pid) take(each);
  for (const orphan of first === undefined ? [] : (children.get(first) ?? [])) take(orphan);
  return [...found.values()];
}

/** The first process of the namespace that this one counts in, where that is not ours: it gets what has lost its parent. */
function firstBeside(pid: number, all: readonly Seen[]): number | undefined {
  const place = placeOf(pid);
  if (place === undefined || place === placeOf(process.pid)) return undefined;
  return all.find((each) => placeOf(each.pid) === place && isFirst(each.pid))?.pid;
}

/** Where code is held back by Landlock, one of ours stands beside each session, and gets what has lost its parent. */
export function besideSessions(all: readonly Seen[]): Set<number> {
  const title = `interpreter: beside a session of ${process.pid}`;
  return new Set(all.filter(({ pid }) => titleOf(pid) === title).map(({ pid }) => pid));
}

const besideOf = (pid: number, all: readonly Seen[]): number | undefined => {
  const parent = all.find((each) => each.pid === pid)?.parent;
  const around = all.filter((each) => each.pid === parent);
  return [...besideSessions(around)][0];
};

function titleOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").replace(/\0+$/, "");
  } catch {
    return undefined; // It has ended meanwhile.
  }
}

function placeOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
  }
}

function isFirst(pid: number): boolean {
  try {
    return /^NSpid:.*\s1$/m.test(readFileSync(`/proc/${pid}/status`, "latin1"));
  } catch {
    return false;
  }
}
