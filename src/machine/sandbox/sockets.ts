// The doors of other programs: sockets in the file system that somebody outside listens at are covered, also those that come later.

import { existsSync, readFileSync } from "node:fs";
import type { Holder } from "../layer/holder.ts";
import { isWithin } from "../layer/mounts.ts";

const listening = 0x10000;
const datagrams = "0002";
const lookEvery = 500;

/** Of the network that this process is in: what listens inside of a sandbox is not among them. */
export function listeningSockets(): string[] {
  let table: string;
  try {
    table = readFileSync("/proc/self/net/unix", "utf8");
  } catch {
    return [];
  }
  const paths = table
    .split("\n")
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, , , flags = "0", type, , , path]) =>
        path?.startsWith("/") && (Number.parseInt(flags, 16) & listening || type === datagrams),
    )
    .map((columns) => columns.slice(7).join(" "));
  return [...new Set(paths)].filter((path) => existsSync(path));
}

/** `blank` is put in the place of each. A workspace keeps its own. Returns what ends it. */
export async function coverSockets(holder: Holder, blank: string, roots: readonly string[]): Promise<() => void> {
  let covered = new Set<string>();
  const look = async (): Promise<void> => {
    const there = listeningSockets().filter((path) => !roots.some((root) => isWithin(path, root)));
    const added = there.filter((path) => !covered.has(path));
    covered = new Set(there);
    // One that lies where nothing is seen anyway cannot be covered.
    for (const path of added) await holder.run("mount", "--bind", blank, path);
  };
  await look();
  const timer = setInterval(() => void look(), lookEvery);
  timer.unref();
  return () => clearInterval(timer);
}
