// What a layer has caught: its upper folder, compared with the real tree below it. Cost grows with what is in the upper folder.

import { type Dirent, opendirSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { Version } from "../effects/effect.ts";
import { versionOf } from "../effects/version.ts";
import { factsOf } from "../undo/facts.ts";
import { namesIn, raw, textOf, visibleNamesIn } from "../undo/names.ts";
import { openedAll } from "./access.ts";
import { isBlind, isUnchanged, type LeftInside } from "./left.ts";
import { isSameThing, isSameTime } from "./same.ts";

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
  /** The real one has other names (hard links). */
  otherNames?: true;
  /** The folder around it that was deleted and made anew, and so hides what the real one has. */
  hiding?: string;
  /** The folder around it of which it cannot be told whether it is such a one. */
  veiled?: string;
  /** The number of a file that has several names in the layer. */
  file?: number;
  /** Nothing was done to it but giving another name to it, which was caught: they go together, so that they stay one file. */
  along?: true;
}

export interface Scan {
  caught: Caught[];
  /** Folders that were given to somebody else. */
  owners: { path: string; uid: number; gid: number }[];
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

export function scanUpper({ root, upper, view, since, left }: ScanRequest): Scan {
  const scan: Scan = { caught: [], owners: [], empty: true };
  /** Names in the layer of files that have several, and are what the real tree has. */
  const namesake: Caught[] = [];
  let hiding: string | undefined;
  let veiled: string | undefined;
  const here = (caught: Caught): Caught => ({ ...caught, ...(hiding && { hiding }), ...(veiled && { veiled }) });
  const push = (caught: Caught) => void scan.caught.push(here(caught));

  function folder(path: string, upperFolder: string, viewFolder: string): void {
    const entries = namesIn(upperFolder);
    if (entries.length > 0) scan.empty = false;
    const names = new Set(entries);
    const around = [hiding, veiled] as const;
    const blind = isBlind(path, left);
    const hides = blind || path === root ? false : hidesWhatIsBelow(path, viewFolder, names, since);
    if (hides) hiding ??= path;
    veiled = hides === undefined ? (veiled ?? path) : undefined;
    for (const name of entries) entry(join(path, name), join(upperFolder, name), join(viewFolder, name));
    for (const name of hides || blind ? entriesOf(path) : []) {
      const below = names.has(name) ? undefined : factsOf(join(path, name));
      if (below && below.ctimeMs < since && !(blind && isSeen(join(viewFolder, name))))
        push({ path: join(path, name), change: "deleted", before: versionOf(join(path, name)) });
    }
    [hiding, veiled] = around;
  }

  function entry(path: string, inUpper: string, inView: string): void {
    const now = factsOf(inUpper);
    if (!now) return;
    const known = left.things.get(path)?.version;
    const isLeft = known !== undefined && !now.isDirectory() && isUnchanged(known, now);
    const linked = now.isFile() && now.nlink > 1 ? { file: now.ino } : {};
    if (isLeft && linked.file === undefined) return;
    const was = factsOf(path);
    const before = versionOf(path);
    const facts = {
      path,
      before,
      ...(was && was.ctimeMs >= since && { changedOutside: true as const }),
      ...(was?.isFile() && was.nlink > 1 && { otherNames: true as const }),
    };
    if (isWhiteout(now)) {
      if (before) push({ ...facts, change: "deleted" });
      return;
    }
    const after = versionOf(inUpper);
    const made = { ...facts, ...linked, upper: inUpper, after };
    if (isLeft) namesake.push(here({ ...made, change: "changed", along: true }));
    else if (!was || !before || !after) push({ ...made, change: "created" });
    else if (now.isDirectory() && was.isDirectory()) {
      if (before.mode !== after.mode) push({ ...made, change: "mode" });
      if (now.uid !== was.uid || now.gid !== was.gid) scan.owners.push({ path, uid: now.uid, gid: now.gid });
      openedAll([path, inView, inUpper], 0o500, () => folder(path, inUpper, inView));
    } else if (!isSameThing(path, was, inUpper, now)) push({ ...made, change: "changed" });
    // What was written anew with what it had is as new as that.
    else if (now.isFile() && !isSameTime(was.mtimeMs, now.mtimeMs)) push({ ...made, change: "changed" });
    else if (before.mode !== after.mode && !now.isSymbolicLink()) push({ ...made, change: "mode" });
    else if (linked.file !== undefined) namesake.push(here({ ...made, change: "changed", along: true }));
  }

  const [was, now] = [versionOf(root), versionOf(upper)];
  if (was && now && was.mode !== now.mode) {
    scan.empty = false;
    push({ path: root, upper, change: "mode", before: was, after: now });
  }
  openedAll([root, view, upper], 0o500, () => folder(root, upper, view));
  if (namesake.length > 0) {
    const several = new Set(scan.caught.flatMap(({ file, upper }) => file ?? (upper ? filesIn(upper) : [])));
    scan.caught.push(...namesake.filter(({ file }) => several.has(file!)));
  }
  return scan;
}

/** The numbers of all files in a folder that have several names. */
function filesIn(path: string): number[] {
  const facts = factsOf(path);
  if (!facts?.isDirectory()) return facts?.isFile() && facts.nlink > 1 ? [facts.ino] : [];
  return visibleNamesIn(path).flatMap((name) => filesIn(join(path, name)));
}

/** The mark of a layer for "deleted". */
export const isWhiteout = (stats: Stats): boolean => stats.isCharacterDevice() && stats.rdev === 0;

/**
 * A folder that was deleted and made anew hides all that was in it. That is written in an attribute that we cannot read, so it
 * is told by one thing that should be seen there and is not. Undefined: there is none that tells.
 */
export function hidesWhatIsBelow(
  path: string,
  view: string,
  names: ReadonlySet<string>,
  since: number,
): boolean | undefined {
  for (const name of entriesOf(path)) {
    if (names.has(name)) continue;
    const below = factsOf(join(path, name));
    if (!below || below.ctimeMs >= since) continue;
    return !isSeen(join(view, name));
  }
  return undefined;
}

/** Also where the kernel refuses to say what it is. */
function isSeen(path: string): boolean {
  try {
    return factsOf(path) !== undefined;
  } catch {
    return true;
  }
}

/** One after the other: most often the first one tells. */
function* entriesOf(path: string): Generator<string> {
  const folder = opendirSync(raw(path) as string, { encoding: "buffer" as BufferEncoding });
  try {
    for (let entry = folder.readSync(); entry; entry = folder.readSync())
      yield textOf((entry as unknown as Dirent<Buffer>).name);
  } finally {
    folder.closeSync();
  }
}
