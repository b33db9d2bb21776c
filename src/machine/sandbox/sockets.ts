// The doors of other programs: sockets in the file system that somebody outside listens at are covered, also those that come later.

import { existsSync, readFileSync } from "node:fs";
import type { Holder } from "../layer/holder.ts";
import { isWithin } from "../layer/mounts.ts";
import { carryOut, may, type Step } from "./mounting.ts";

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

export interface Covering {
  /** For those that are there now. */
  readonly now: readonly Step[];
  /** Looks for others from now on. Returns what ends it. */
  goOn(): () => void;
}

/** `blank` is put in the place of each. A workspace keeps its own. */
export function coverSockets(holder: Holder, blank: string, roots: readonly string[]): Covering {
  let covered = new Set<string>();
  const look = (): Step[] => {
    const there = listeningSockets().filter((path) => !roots.some((root) => isWithin(path, root)));
    const added = there.filter((path) => !covered.has(path));
    covered = new Set(there);
    // One that lies where nothing is seen anyway cannot be covered.
    return added.map((at) => may({ do: "bind", from: blank, at }));
  };
  return {
    now: look(),
    goOn() {
      const timer = setInterval(() => {
        const steps = look();
        if (steps.length > 0) void carryOut(holder, steps);
      }, lookEvery);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
}
