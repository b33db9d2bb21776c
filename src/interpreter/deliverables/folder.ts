// What is in a folder and when each file was last changed: read level by level, in small bites, up to a bound.

import { type Dir, type Dirent, lstatSync, opendirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as others } from "node:timers/promises";

/** What tells that a file is another one than before. */
export interface Stamp {
  size: number;
  changed: number;
  inode: number;
}

export interface Snapshot {
  /** By path from the folder. */
  files: Map<string, Stamp>;
  /** So many levels were read whole; all there are when it is infinite. */
  levels: number;
}

export interface Bounds {
  /** No more files and folders than this are looked at. */
  files: number;
  /** And no more levels. */
  levels: number;
}

export const usualBounds: Bounds = { files: 5_000, levels: 12 };

/** Folders that nobody looks for results in: hidden ones, environments, caches. */
export const isIgnored = (folder: string): boolean =>
  /^(\..*|node_modules|__pycache__|venv|env|site-packages|bower_components)$/.test(folder);

/** Milliseconds at a time; others get their turn in between. */
const bite = 4;

/** Undefined when already the folder itself has more files than that. Hidden folders, environments and caches are left out. */
export async function readFolder(root: string, bounds: Bounds, signal: AbortSignal): Promise<Snapshot | undefined> {
  const files = new Map<string, Stamp>();
  let level = [""];
  let since = performance.now();
  let whole = 0;
  let looked = 0;
  for (; level.length > 0; whole++) {
    if (whole === bounds.levels) return { files, levels: whole };
    const next: string[] = [];
    const found: [string, Stamp][] = [];
    for (const folder of level) {
      for (const entry of entriesOf(join(root, folder))) {
        if (performance.now() - since > bite) {
          await others();
          since = performance.now();
          if (signal.aborted) return undefined;
        }
        if (++looked > bounds.files) return whole === 0 ? undefined : { files, levels: whole };
        const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
        if (entry.isDirectory()) {
          if (!isIgnored(entry.name)) next.push(path);
          continue;
        }
        if (!entry.isFile() && !entry.isSymbolicLink()) continue;
        const stamp = stampOf(join(root, path));
        if (stamp) found.push([path, stamp]);
      }
    }
    for (const [path, stamp] of found) files.set(path, stamp);
    level = next;
  }
  return { files, levels: Number.POSITIVE_INFINITY };
}

/** Of a file or a link; undefined for everything else, and where there is nothing. */
export function stampOf(path: string): Stamp | undefined {
  try {
    const facts = lstatSync(path);
    if (!facts.isFile() && !facts.isSymbolicLink()) return undefined;
    return { size: facts.size, changed: facts.mtimeMs, inode: facts.ino };
  } catch {
    return undefined;
  }
}

export const isSame = (one: Stamp, other: Stamp): boolean =>
  one.size === other.size && one.changed === other.changed && one.inode === other.inode;

/** Read a part at a time: a folder may have a million. */
function* entriesOf(path: string): Generator<Dirent> {
  let folder: Dir;
  try {
    folder = opendirSync(path, { bufferSize: 512 });
  } catch {
    return;
  }
  try {
    for (let entry = folder.readSync(); entry; entry = folder.readSync()) yield entry;
  } catch {
    // It went away while it was read.
  } finally {
    folder.closeSync();
  }
}
