// Files that could not be taken back if they were changed, said before that happens.

import { statfsSync, statSync } from "node:fs";
import { basename } from "node:path";

/** `beside` is on the disk that changed files are copied to. */
export function tooBigFor(paths: readonly string[], limit: number, beside: string): string[] {
  return paths.flatMap((path) => {
    const facts = statSync(path, { throwIfNoEntry: false });
    if (!facts?.isFile() || facts.size < mostFree) return [];
    // A file with holes takes only what is in it.
    const bytes = Math.min(facts.size, facts.blocks * 512);
    const name = basename(path);
    if (bytes > freeBeside(beside))
      return [
        `${name} has ${inWords(bytes)}, and there is no room on the disk for a changed copy: a block cannot change it.`,
      ];
    if (bytes > limit)
      return [
        `${name} has ${inWords(bytes)}, more than undo may keep (${inWords(limit)}): changing it could not be undone.`,
      ];
    return [];
  });
}

/** Nobody asks the disk because of a small file. */
const mostFree = 10 * 1024 * 1024;

function freeBeside(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

const inWords = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.max(1, Math.round(bytes / 1e6))} MB`;
