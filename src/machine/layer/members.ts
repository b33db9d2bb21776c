// The processes that live in a layer, and what they hold of it.

import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { dirname } from "node:path";
import type { LeftRunning } from "../effects/effect.ts";
import { textOf } from "../undo/names.ts";
import { childOf } from "./numbers.ts";

/** The number the system gave to its newest process; when it has not changed, none was started. */
export function newestProcess(): number {
  return Number(readFileSync("/proc/loadavg", "latin1").trim().split(" ").at(-1));
}

/**
 * Everything that sees the files as the holder does, without the holder. Nobody becomes such a one later but the sessions' own
 * processes, so that each stranger is looked at once.
 */
export function openMembers(holder: number, own: ReadonlySet<number>): () => number[] {
  let strangers = new Set<number>();
  let last = newestProcess();
  return () => {
    const place = linkOf(`/proc/${holder}/ns/mnt`);
    const newest = newestProcess();
    // Numbers begin anew when they have all been used.
    if (newest < last) strangers = new Set();
    last = newest;
    if (place === undefined) return [];
    const all = readdirSync("/proc")
      .map(Number)
      .filter((pid) => pid > 0 && pid !== holder);
    const members = all.filter((pid) => !strangers.has(pid) && linkOf(`/proc/${pid}/ns/mnt`) === place);
    const inside = new Set(members);
    strangers = new Set(all.filter((pid) => !inside.has(pid) && !own.has(pid)));
    return members;
  };
}

/**
 * Those that are alive, with the words they were started with. A copy of one of our own sessions that is not its child is what
 * ends it when we are gone.
 */
export function describeProcesses(pids: readonly number[], own: ReadonlySet<number>): LeftRunning[] {
  if (pids.length === 0) return [];
  // Where processes count for themselves, what was started waits for the session.
  const sessions = new Set([...own].flatMap((pid) => [pid, childOf(pid) ?? pid]));
  const ours = new Set([...sessions].map(wordsOf));
  return pids.flatMap((pid) => {
    const words = wordsOf(pid);
    const { state, parent } = statOf(pid);
    if (words === "" || /^[ZX]?$/.test(state) || (ours.has(words) && !sessions.has(parent))) return [];
    return [{ pid, command: words.length > 120 ? `${words.slice(0, 119)}…` : words }];
  });
}

/** Whether it was started by one of these, or by one that was. */
export function descendsFrom(pid: number, ancestors: ReadonlySet<number>): boolean {
  for (let at = statOf(pid).parent; at > 1; at = statOf(at).parent) if (ancestors.has(at)) return true;
  return false;
}

function statOf(pid: number): { state: string; parent: number } {
  const [state = "", parent = ""] = wordsIn(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [];
  return { state, parent: Number(parent) };
}

const wordsOf = (pid: number): string => wordsIn(`/proc/${pid}/cmdline`).split("\0").join(" ").trim();

export interface Held {
  /** Below the roots. */
  paths: Set<string>;
  /** Those of them that some process has open or in its memory. */
  open: Set<string>;
  /** Those of them that some process writes to through its memory, and those that are sockets. */
  mapped: Set<string>;
  sockets: Set<string>;
}

/**
 * What some process stands in, has open or has in its memory. As long as it does, the kernel finds by that name what the
 * process holds, whatever is put in its place behind the layer's back.
 */
export function pathsHeld(pids: readonly number[], roots: readonly string[]): Held {
  const held: Held = { paths: new Set(), open: new Set(), mapped: new Set(), sockets: new Set() };
  const take = (path: string | undefined, ...among: Set<string>[]): void => {
    if (path === undefined || !roots.some((root) => path === root || path.startsWith(`${root}/`))) return;
    for (const set of [held.paths, ...among]) set.add(path);
    // The kernel says so of what has no name any more: then it holds the folder that it was in.
    if (path.endsWith(" (deleted)")) held.paths.add(dirname(path));
  };
  for (const pid of pids) {
    take(linkOf(`/proc/${pid}/cwd`));
    take(linkOf(`/proc/${pid}/exe`));
    for (const descriptor of listOf(`/proc/${pid}/fd`)) take(linkOf(`/proc/${pid}/fd/${descriptor}`), held.open);
    for (const line of wordsIn(`/proc/${pid}/maps`).split("\n")) {
      const at = line.indexOf("/");
      if (at !== -1)
        take(line.slice(at).replace(/\\012/g, "\n"), held.open, ...(/^\S+ .w.s/.test(line) ? [held.mapped] : []));
    }
  }
  return held;
}

/** The names under which programs listen, as they gave them: the kernel does not let go of those either. */
export function socketNames(pids: readonly number[], roots: readonly string[]): string[] {
  const networks = new Map(pids.map((pid) => [linkOf(`/proc/${pid}/ns/net`), pid]));
  return [...networks.values()].flatMap((pid) =>
    wordsIn(`/proc/${pid}/net/unix`)
      .split("\n")
      .flatMap((line) => /^(?:\S+\s+){7}(\S.*)$/.exec(line)?.[1] ?? [])
      .filter((name) => !/^[/@]/.test(name) || roots.some((root) => name.startsWith(`${root}/`))),
  );
}

/** Whether the path itself, or something in it, is among them. */
export function isHeld(path: string, held: ReadonlySet<string>): boolean {
  if (held.has(path)) return true;
  for (const each of held) if (each.startsWith(`${path}/`)) return true;
  return false;
}

function linkOf(path: string): string | undefined {
  try {
    return textOf(readlinkSync(path, { encoding: "buffer" }));
  } catch {
    return undefined; // It has ended, or it is not ours to look at.
  }
}

function listOf(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function wordsIn(path: string): string {
  try {
    return textOf(readFileSync(path));
  } catch {
    return "";
  }
}
