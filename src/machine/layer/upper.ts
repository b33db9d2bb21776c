// What a layer has caught: its upper folder, compared with the real tree below it. Cost grows with what is in the upper folder.

import { closeSync, type Dirent, lstatSync, opendirSync, openSync, readdirSync, readSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Version } from "../effects/effect.ts";
import { versionOf } from "../effects/version.ts";
import { isWithin } from "./mounts.ts";

/** One place where the tree would be another one. A folder that is new is one place, with all in it. */
export interface Caught {
  /** In the real tree. */
  path: string;
  /** Where the new thing lies; undefined when it is deleted. */
  upper?: string;
  change: "created" | "changed" | "deleted" | "mode";
  before?: Version | undefined;
  after?: Version | undefined;
  /** The real one was changed after the step began: by somebody else. */
  changedOutside?: true;
  /** The folder around it that was deleted and made anew, and so hides what the real one has. */
  hiding?: string;
}

export interface Scan {
  caught: Caught[];
  /** Files that were written anew with what they had: nothing but their time is another one. */
  touched: { path: string; upper: string }[];
  /** Whether there is anything in it at all. */
  empty: boolean;
}

export interface ScanRequest {
  /** The real folder. */
  root: string;
  upper: string;
  /** Where this process sees what the sessions see of it. */
  view: string;
  /** When the step began, in milliseconds. */
  since: number;
  left: LeftInside;
}

/** What lies in a layer although it was kept, because a process holds it. */
export interface LeftInside {
  /** All of it, by its path in the real tree, as it was then. */
  versions: ReadonlyMap<string, Version>;
  /** Folders among it that do not show what is new in the real ones. */
  blind: ReadonlySet<string>;
}

export function scanUpper({ root, upper, view, since, left }: ScanRequest): Scan {
  const scan: Scan = { caught: [], touched: [], empty: true };
  let hiding: string | undefined;
  const push = (caught: Caught) => void scan.caught.push(hiding === undefined ? caught : { ...caught, hiding });

  function folder(path: string, upperFolder: string, viewFolder: string): void {
    const entries = readdirSync(upperFolder);
    if (entries.length > 0) scan.empty = false;
    const names = new Set(entries);
    const around = hiding;
    const blind = isBlind(path, left);
    const hides = !blind && hidesWhatIsBelow(path, viewFolder, names, since);
    if (hides) hiding ??= path;
    for (const name of entries) entry(join(path, name), join(upperFolder, name), join(viewFolder, name));
    for (const { name } of hides ? entriesOf(path) : []) {
      const below = names.has(name) ? undefined : lstatSync(join(path, name), { throwIfNoEntry: false });
      if (below && below.ctimeMs < since)
        push({ path: join(path, name), change: "deleted", before: versionOf(join(path, name)) });
    }
    for (const known of blind ? left.versions.keys() : [])
      if (dirname(known) === path && !names.has(basename(known))) {
        const before = versionOf(known);
        if (before) push({ path: known, change: "deleted", before });
      }
    hiding = around;
  }

  function entry(path: string, inUpper: string, inView: string): void {
    const now = lstatSync(inUpper, { throwIfNoEntry: false });
    if (!now) return;
    const known = left.versions.get(path);
    if (known && !now.isDirectory() && isUnchanged(known, now)) return;
    const was = lstatSync(path, { throwIfNoEntry: false });
    const before = versionOf(path);
    const outside = was && was.ctimeMs >= since ? { changedOutside: true as const } : {};
    if (isWhiteout(now)) {
      if (before) push({ path, change: "deleted", before, ...outside });
      return;
    }
    const after = versionOf(inUpper);
    if (!was || !before || !after) push({ path, upper: inUpper, change: "created", after });
    else if (now.isDirectory() && was.isDirectory()) {
      if (before.mode !== after.mode) push({ path, upper: inUpper, change: "mode", before, after, ...outside });
      folder(path, inUpper, inView);
    } else if (!isSameThing(path, was, inUpper, now))
      push({ path, upper: inUpper, change: "changed", before, after, ...outside });
    else if (before.mode !== after.mode && now.isFile())
      push({ path, upper: inUpper, change: "mode", before, after, ...outside });
    else if (now.isFile() && !isSameTime(was.mtimeMs, now.mtimeMs)) scan.touched.push({ path, upper: inUpper });
  }

  folder(root, upper, view);
  return scan;
}

export const isBlind = (path: string, { blind }: LeftInside): boolean =>
  blind.size > 0 && [...blind].some((folder) => isWithin(path, folder));

/** Whether nobody has written to it since. */
export const isUnchanged = (known: Version, now: Stats): boolean =>
  known.inode === now.ino && known.modified === now.mtimeMs && known.mode === (now.mode & 0o7777);

/** The mark of a layer for "deleted". */
export const isWhiteout = (stats: Stats): boolean => stats.isCharacterDevice() && stats.rdev === 0;

/**
 * A folder that was deleted and made anew hides all that was in it. That is written in an attribute that we cannot read, so it
 * is told by one thing that should be seen there and is not.
 */
function hidesWhatIsBelow(path: string, view: string, names: ReadonlySet<string>, since: number): boolean {
  for (const { name } of entriesOf(path)) {
    if (names.has(name)) continue;
    const below = lstatSync(join(path, name), { throwIfNoEntry: false });
    if (!below || below.ctimeMs >= since) continue;
    return lstatSync(join(view, name), { throwIfNoEntry: false }) === undefined;
  }
  return false;
}

/** One after the other: most often the first one tells. */
function* entriesOf(path: string): Generator<Dirent> {
  const folder = opendirSync(path);
  try {
    for (let entry = folder.readSync(); entry; entry = folder.readSync()) yield entry;
  } finally {
    folder.closeSync();
  }
}

/** Files larger than this are taken for the same when their size and time are. */
const mostCompared = 8 * 1024 * 1024;

function isSameThing(path: string, was: Stats, upper: string, now: Stats): boolean {
  if (was.isSymbolicLink() && now.isSymbolicLink()) return versionOf(path)?.target === versionOf(upper)?.target;
  if (!was.isFile() || !now.isFile())
    return (was.mode & 0o170000) === (now.mode & 0o170000) && was.rdev === now.rdev && !now.isDirectory();
  if (was.size !== now.size) return false;
  return now.size > mostCompared ? isSameTime(was.mtimeMs, now.mtimeMs) : hasSameBytes(path, upper);
}

/** A time that was set from here is a little coarser than the one it was read from. */
export const isSameTime = (one: number, other: number): boolean => Math.abs(one - other) < 0.002;

function hasSameBytes(one: string, other: string): boolean {
  let first: number | undefined;
  let second: number | undefined;
  try {
    first = openSync(one, "r");
    second = openSync(other, "r");
    const size = 1 << 16;
    const [left, right] = [Buffer.allocUnsafe(size), Buffer.allocUnsafe(size)];
    for (;;) {
      const read = readSync(first, left, 0, size, null);
      const also = readSync(second, right, 0, size, null);
      if (read !== also || left.compare(right, 0, also, 0, read) !== 0) return false;
      if (read === 0) return true;
    }
  } catch {
    return false; // It cannot be read: then it counts as another one.
  } finally {
    if (first !== undefined) closeSync(first);
    if (second !== undefined) closeSync(second);
  }
}
