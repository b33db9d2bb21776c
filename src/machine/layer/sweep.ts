// Empties the upper folder of a layer of whatever the real tree has as well. What is only in it stays, and what a process holds.

import { chmodSync, rmdirSync, rmSync, type Stats } from "node:fs";
import { join } from "node:path";
import { versionOf } from "../effects/version.ts";
import { factsOf } from "../undo/facts.ts";
import { namesIn, raw } from "../undo/names.ts";
import { opened, openedAll } from "./access.ts";
import { isUnchanged, type Left, type LeftInside } from "./left.ts";
import { isHeld } from "./members.ts";
import { looksSame } from "./same.ts";
import { hidesWhatIsBelow, isWhiteout } from "./upper.ts";

export interface SweepRequest {
  root: string;
  upper: string;
  /** Where this process sees what the sessions see of it. */
  view: string;
  /** What processes hold. */
  held: ReadonlySet<string>;
  /** What lay in it before. */
  left: LeftInside;
}

export interface Swept extends LeftInside {
  /** What was taken out, because the real tree has it. */
  gone: readonly string[];
}

/** Returns what is left in it. */
export function sweepUpper({ root, upper, view, held, left }: SweepRequest): Swept {
  const things = new Map<string, Left>();
  const blind = new Set<string>();
  const gone: string[] = [];

  function folder(path: string, inUpper: string, inView: string): void {
    for (const name of namesIn(inUpper)) entry(join(path, name), join(inUpper, name), join(inView, name));
  }

  function entry(path: string, inUpper: string, inView: string): void {
    const now = factsOf(inUpper);
    if (!now) return;
    const real = factsOf(path);
    if (!now.isDirectory()) {
      if (isHeld(path, held)) stay(path, inUpper, real);
      else if (isKept(path, inUpper)) {
        rmSync(raw(inUpper), { force: true });
        gone.push(path);
      }
    } else if (real?.isDirectory()) mergedFolder(path, inUpper, inView);
  }

  function mergedFolder(path: string, inUpper: string, inView: string): void {
    const holds = isHeld(path, held);
    if (left.blind.has(path)) {
      if (holds || !isKept(path, inUpper)) stayBlind(path, inUpper);
      else {
        removeTree(inUpper);
        gone.push(path);
      }
      return;
    }
    if (holds && !isSeenThrough(path, inUpper, inView)) {
      stayBlind(path, inUpper);
      return;
    }
    openedAll([path, inView, inUpper], 0o700, () => folder(path, inUpper, inView));
    // The kernel goes on writing into a folder that somebody stands in.
    if (holds) stay(path, inUpper, factsOf(path));
    else rmdirIfEmpty(inUpper);
  }

  const isSeenThrough = (path: string, inUpper: string, inView: string): boolean =>
    openedAll([path, inView, inUpper], 0o500, () => {
      const names = new Set(namesIn(inUpper));
      return hidesWhatIsBelow(path, inView, names, Number.POSITIVE_INFINITY) === false;
    });

  /** Of a folder that hides the real one all stays, or nothing. */
  function stayBlind(path: string, inUpper: string): void {
    blind.add(path);
    const all = (path: string, inUpper: string): void => {
      stay(path, inUpper, factsOf(path));
      if (factsOf(inUpper)?.isDirectory())
        opened(inUpper, 0o500, () => {
          for (const name of namesIn(inUpper)) all(join(path, name), join(inUpper, name));
        });
    };
    all(path, inUpper);
  }

  function stay(path: string, inUpper: string, real: Stats | undefined): void {
    // A socket is never kept, as long as somebody listens on it.
    const now = factsOf(inUpper);
    if (!now) return;
    const version = now.isSocket() || isKept(path, inUpper, "itself") ? versionOf(inUpper) : undefined;
    things.set(path, { inode: now.ino, ...(version && { version }), ...(real && { real: versionOf(path)! }) });
  }

  /** Whether the real tree has it: all that is in it, or only the folder itself. */
  function isKept(path: string, inUpper: string, how?: "itself"): boolean {
    const [now, real] = [factsOf(inUpper), factsOf(path)];
    if (!now) return true;
    if (isWhiteout(now)) return !real;
    if (!now.isDirectory()) {
      const known = left.things.get(path)?.version;
      return (known && isUnchanged(known, now)) || (real !== undefined && looksSame(path, real, inUpper, now));
    }
    if (!real?.isDirectory()) return false;
    if (how === "itself") return true;
    return opened(inUpper, 0o500, () =>
      namesIn(inUpper).every((name) => isKept(join(path, name), join(inUpper, name))),
    );
  }

  openedAll([root, view, upper], 0o700, () => folder(root, upper, view));
  return { things, blind, gone };
}

function rmdirIfEmpty(path: string): void {
  try {
    rmdirSync(raw(path));
  } catch {} // There is something in it.
}

/** Also folders whose owner may not write in them. */
export function removeTree(path: string): void {
  try {
    rmSync(raw(path), { recursive: true, force: true });
  } catch {
    openUp(path);
    rmSync(raw(path), { recursive: true, force: true });
  }
}

function openUp(path: string): void {
  if (!factsOf(path)?.isDirectory()) return;
  chmodSync(raw(path), 0o700);
  for (const name of namesIn(path)) openUp(join(path, name));
}
