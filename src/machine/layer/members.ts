// The processes that live in a layer, and what they hold of it.

import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { LeftRunning } from "../effects/effect.ts";

/** The number the system gave to its newest process; when it has not changed, none was started. */
export function newestProcess(): number {
  return Number(readFileSync("/proc/loadavg", "latin1").trim().split(" ").at(-1));
}

/** Everything that sees the files as the holder does, without the holder. */
export function membersOf(holder: number): number[] {
  const place = linkOf(`/proc/${holder}/ns/mnt`);
  if (place === undefined) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== holder && linkOf(`/proc/${name}/ns/mnt`) === place)
    .map(Number);
}

/**
 * Those that are alive, with the words they were started with. A copy of one of our own sessions that is not its child is what
 * ends it when we are gone.
 */
export function describeProcesses(pids: readonly number[], own: ReadonlySet<number>): LeftRunning[] {
  const ours = new Set(pids.length > 0 ? [...own].map(wordsOf) : []);
  return pids.flatMap((pid) => {
    const words = wordsOf(pid);
    const [state = "", parent = ""] = textOf(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [];
    if (words === "" || /^[ZX]?$/.test(state) || (ours.has(words) && !own.has(Number(parent)))) return [];
    return [{ pid, command: words.length > 120 ? `${words.slice(0, 119)}…` : words }];
  });
}

const wordsOf = (pid: number): string => textOf(`/proc/${pid}/cmdline`).split("\0").join(" ").trim();

/**
 * The paths below the roots that some process stands in, has open or has in its memory. As long as it does, the kernel
 * finds by that name what the process holds, whatever is put in its place behind the layer's back.
 */
export function pathsHeld(pids: readonly number[], roots: readonly string[]): Set<string> {
  const held = new Set<string>();
  const take = (path: string | undefined): void => {
    const clean = path?.replace(/ \(deleted\)$/, "");
    if (clean && roots.some((root) => clean === root || clean.startsWith(`${root}/`))) held.add(clean);
  };
  for (const pid of pids) {
    take(linkOf(`/proc/${pid}/cwd`));
    take(linkOf(`/proc/${pid}/exe`));
    for (const descriptor of listOf(`/proc/${pid}/fd`)) take(linkOf(`/proc/${pid}/fd/${descriptor}`));
    for (const line of textOf(`/proc/${pid}/maps`).split("\n")) {
      const at = line.indexOf("/");
      if (at !== -1) take(line.slice(at).replace(/\\012/g, "\n"));
    }
  }
  return held;
}

/** Whether the path itself, or something in it, is among them. */
export function isHeld(path: string, held: ReadonlySet<string>): boolean {
  if (held.has(path)) return true;
  for (const each of held) if (each.startsWith(`${path}/`)) return true;
  return false;
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
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

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
