// What stays in a layer, because a process holds it, while the real tree has something else there by now: a step was undone, or
// somebody changed it.

import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { Version } from "../effects/effect.ts";
import { sameVersion, versionOf } from "../effects/version.ts";
import { namesIn, raw } from "../undo/names.ts";
import { opened } from "./access.ts";
import { isUnchanged, type LeftInside } from "./left.ts";
import { isWithin } from "./mounts.ts";
import { isSameThing } from "./same.ts";

export interface Outdated {
  /** The real one counts. What lies in a folder among them is not listed. */
  gone: string[];
  /** The same thing, with other permissions. */
  modes: { path: string; mode: number }[];
}

/** What processes wrote into the layer since counts as well, and stays. */
export function findOutdated({ things }: LeftInside, inUpper: (path: string) => string): Outdated {
  const found: Outdated = { gone: [], modes: [] };
  for (const [path, { version, real }] of [...things].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const now = versionOf(path);
    if (!version || sameVersion(now, real) || found.gone.some((folder) => isWithin(path, folder))) continue;
    const upper = inUpper(path);
    if (!isAsKept(path, upper, now)) found.gone.push(path);
    else if (now && now.mode !== version.mode) found.modes.push({ path, mode: now.mode });
  }
  return found;

  /** Whether what is in the layer can stay. */
  function isAsKept(path: string, upper: string, now: Version | undefined): boolean {
    const [was, young] = [factsOf(path), factsOf(upper)];
    if (!young) return true;
    if (young.isDirectory()) return now?.kind === "folder" || !isUntouched(path, upper);
    if (!isUnchanged(things.get(path)!.version!, young)) return true;
    return was !== undefined && isSameThing(path, was, upper, young);
  }

  function isUntouched(path: string, upper: string): boolean {
    const [known, young] = [things.get(path)?.version, factsOf(upper)];
    if (!known || !young) return false;
    if (!young.isDirectory()) return isUnchanged(known, young);
    return opened(upper, 0o500, () => namesIn(upper).every((name) => isUntouched(join(path, name), join(upper, name))));
  }
}

const factsOf = (path: string): Stats | undefined => lstatSync(raw(path), { throwIfNoEntry: false });
