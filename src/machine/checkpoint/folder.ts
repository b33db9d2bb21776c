// What is in a folder and when each file was last changed: read level by level, in small bites, up to a bound.

import { type Dir, type Dirent, opendirSync } from "node:fs";
import { join } from "node:path";
import type { Version } from "../effects/effect.ts";
import { isAsideFolder } from "../effects/rank.ts";
import { versionOf } from "../effects/version.ts";
import type { Pace } from "./pace.ts";

export interface Snapshot {
  /** Files and links, by path from the folder. */
  files: Map<string, Version>;
  /** Hidden folders, environments and caches: nobody looked into them. */
  aside: Map<string, Version>;
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

/** With no level at all when already the folder itself has more files than that. */
export async function readFolder(root: string, bounds: Bounds, pace: Pace): Promise<Snapshot> {
  const files = new Map<string, Version>();
  const aside = new Map<string, Version>();
  let level = [""];
  let whole = 0;
  let looked = 0;
  for (; level.length > 0; whole++) {
    if (whole === bounds.levels) return { files, aside, levels: whole };
    const next: string[] = [];
    const found: [string, Version][] = [];
    for (const folder of level) {
      for (const entry of entriesOf(join(root, folder))) {
        if (pace.due()) await pace.rest();
        if (++looked > bounds.files) return { files, aside, levels: whole };
        const path = join(folder, entry.name);
        if (entry.isDirectory() && !isAsideFolder(entry.name)) {
          next.push(path);
          continue;
        }
        const version = versionOf(join(root, path));
        if (version?.kind === "folder") aside.set(path, version);
        else if (version && version.kind !== "other") found.push([path, version]);
      }
    }
    for (const [path, version] of found) files.set(path, version);
    level = next;
  }
  return { files, aside, levels: Number.POSITIVE_INFINITY };
}

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
