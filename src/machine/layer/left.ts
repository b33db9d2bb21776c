// What stays in a layer although it was kept, because a process holds it: the kernel goes on using it from there.

import type { Stats } from "node:fs";
import type { Version } from "../effects/effect.ts";
import { isWithin } from "./mounts.ts";

export interface Left {
  /** Its number. */
  inode: number;
  /** As it was when it was kept; absent where the real tree has another one. */
  version?: Version;
  /** What the real tree had then. */
  real?: Version;
}

export interface LeftInside {
  /** By its path in the real tree. */
  things: ReadonlyMap<string, Left>;
  /** Folders among it that do not show what is new in the real ones. */
  blind: ReadonlySet<string>;
}

export const nothingLeft: LeftInside = { things: new Map(), blind: new Set() };

export const isBlind = (path: string, { blind }: LeftInside): boolean =>
  blind.size > 0 && [...blind].some((folder) => isWithin(path, folder));

/** Whether nobody has written to it since. */
export const isUnchanged = (known: Version, now: Stats): boolean =>
  known.inode === now.ino &&
  known.size === (now.isFile() ? now.size : 0) &&
  known.modified === now.mtimeMs &&
  known.mode === (now.mode & 0o7777);
