// Works in folders that are closed to their own owner, by opening them for the moment.

import { chmodSync, lstatSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { factsOf } from "../undo/facts.ts";
import { raw } from "../undo/names.ts";

const me = process.getuid?.();

/** With at least these permissions of its owner; they are taken away again afterwards. */
export function opened<T>(path: string, bits: number, work: () => T): T {
  const facts = me === 0 ? undefined : factsOf(path);
  if (!facts || facts.isSymbolicLink() || facts.uid !== me || (facts.mode & bits) === bits) return work();
  chmodSync(raw(path), (facts.mode & 0o7777) | bits);
  try {
    return work();
  } finally {
    if (factsOf(path)?.ino === facts.ino) chmodSync(raw(path), facts.mode & 0o7777);
  }
}

/** One within the other. */
export const openedAll = <T>(paths: readonly string[], bits: number, work: () => T): T =>
  paths.reduceRight<() => T>((inside, path) => () => opened(path, bits, inside), work)();

/** With all folders between `top` and what is at the path opened. */
export const reaching = <T>(top: string, path: string, work: () => T): T =>
  openedAll(foldersTo(top, path), 0o700, work);

/** Opens the folders between `top` and these paths, and returns what closes them again. */
export function openAround(top: string, paths: readonly string[]): () => void {
  const closed: { path: string; mode: number }[] = [];
  const seen = new Set<string>();
  for (const path of me === 0 ? [] : paths)
    for (const folder of foldersTo(top, path)) {
      if (seen.has(folder)) continue;
      seen.add(folder);
      const mode = lstatSync(raw(folder)).mode & 0o7777;
      if ((mode & 0o700) === 0o700) continue;
      closed.unshift({ path: folder, mode });
      chmodSync(raw(folder), mode | 0o700);
    }
  return () => {
    for (const { path, mode } of closed) if (factsOf(path)) chmodSync(raw(path), mode);
  };
}

function foldersTo(top: string, path: string): string[] {
  const folders = [top];
  for (const name of relative(top, dirname(path)).split(sep).filter(Boolean)) folders.push(join(folders.at(-1)!, name));
  return folders;
}
