// What is at a path now, and whether that is what was put there.

import { lstatSync, readlinkSync, type Stats } from "node:fs";
import type { Version } from "../effects/effect.ts";
import { versionFrom } from "../effects/version.ts";
import { raw } from "./names.ts";

/** Undefined where there is nothing. Links are not followed. */
export function factsOf(path: string): Stats | undefined {
  try {
    return lstatSync(raw(path), { throwIfNoEntry: false });
  } catch (error) {
    // A folder on the way is none any more, or a link that leads nowhere.
    if (/^(ENOTDIR|ELOOP)$/.test((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

export function versionAt(path: string): Version | undefined {
  const facts = factsOf(path);
  return facts && versionFrom(facts, facts.isSymbolicLink() ? readlinkSync(raw(path)) : undefined);
}

export const isSameNode = (one: Stats, other: Stats): boolean => one.ino === other.ino && one.dev === other.dev;

/** Milliseconds. A time that is set from here is a little coarser than the one it was read from. */
const coarseness = 0.002;

/** Whether that is what was put there. A copy of a file is another file, with the same time; of a folder only its own facts count. */
export function isAsPlaced(now: Version | undefined, placed: Version | undefined, copied: boolean): boolean {
  if (!now || !placed) return now === placed;
  if (now.kind !== placed.kind) return false;
  if (now.kind === "link") return now.target === placed.target;
  if (now.mode !== placed.mode) return false;
  if (now.kind !== "file") return true;
  if (now.size !== placed.size || Math.abs(now.modified - placed.modified) > coarseness) return false;
  return copied || now.inode === placed.inode;
}
