// What lies in a layer between two steps while the real tree has something else there by now: a step was undone, or somebody
// changed it.

import type { Stats } from "node:fs";
import { join } from "node:path";
import type { Version } from "../effects/effect.ts";
import { sameVersion, versionOf } from "../effects/version.ts";
import { factsOf } from "../undo/facts.ts";
import { namesIn, visibleNamesIn } from "../undo/names.ts";
import { opened } from "./access.ts";
import { isUnchanged, type LeftInside } from "./left.ts";
import { isWithin } from "./mounts.ts";
import { isSameThing } from "./same.ts";
import { isWhiteout } from "./upper.ts";

export interface OutdatedRequest {
  root: string;
  upper: string;
  left: LeftInside;
  /** When the last step was settled, in milliseconds. */
  settled: number;
}

export interface Outdated {
  /** The real one counts. What lies in a folder among them is not listed. */
  gone: string[];
  /** The same thing, with other permissions. */
  modes: { path: string; mode: number }[];
  /** Real things that a blind folder does not show. */
  missing: string[];
}

/** What processes wrote into the layer since counts as well, and stays. */
export function findOutdated({ root, upper, left, settled }: OutdatedRequest): Outdated {
  const found: Outdated = { gone: [], modes: [], missing: [] };
  const { things, blind } = left;

  function look(path: string, inUpper: string, isShown: boolean): void {
    const names = opened(inUpper, 0o500, () => namesIn(inUpper));
    for (const name of names) entry(join(path, name), join(inUpper, name), isShown);
    if (isShown) return;
    const there = new Set(names);
    for (const name of visibleNamesIn(path)) if (!there.has(name)) found.missing.push(join(path, name));
  }

  function entry(path: string, inUpper: string, isShown: boolean): void {
    const now = factsOf(inUpper);
    if (!now) return;
    const [known, real] = [things.get(path), versionOf(path)];
    if (isOutdated(path, inUpper, now, real)) {
      found.gone.push(path);
      return;
    }
    if (known?.version && real && known.version.mode !== real.mode && !sameVersion(real, known.real))
      found.modes.push({ path, mode: real.mode });
    if (now.isDirectory() && real?.kind === "folder") look(path, inUpper, isShown && !blind.has(path));
  }

  function isOutdated(path: string, inUpper: string, now: Stats, real: Version | undefined): boolean {
    const known = things.get(path);
    if (!known) return !now.isDirectory() && real !== undefined && isOldCopy(path, now);
    if (!known.version || sameVersion(real, known.real)) return false;
    if (now.isDirectory()) return real?.kind !== "folder" && isUntouched(path, inUpper);
    const facts = factsOf(path);
    return isUnchanged(known.version, now) && !(facts && isSameThing(path, facts, inUpper, now));
  }

  /** Opened for writing and never written to: it is older than the layer's copy of it. And the real one was changed since. */
  const isOldCopy = (path: string, now: Stats): boolean =>
    now.isFile() && !isWhiteout(now) && now.mtimeMs < now.birthtimeMs && (factsOf(path)?.ctimeMs ?? 0) > settled;

  function isUntouched(path: string, inUpper: string): boolean {
    const [known, now] = [things.get(path)?.version, factsOf(inUpper)];
    if (!known || !now) return false;
    if (!now.isDirectory()) return isUnchanged(known, now);
    return opened(inUpper, 0o500, () =>
      namesIn(inUpper).every((name) => isUntouched(join(path, name), join(inUpper, name))),
    );
  }

  look(root, upper, true);
  return { ...found, missing: found.missing.filter((path) => !found.gone.some((folder) => isWithin(path, folder))) };
}
