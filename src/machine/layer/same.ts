// Whether a thing in a layer is the one that the real tree has.

import { closeSync, openSync, readSync, type Stats } from "node:fs";
import { versionOf } from "../effects/version.ts";
import { raw } from "../undo/names.ts";
import { opened } from "./access.ts";

/** Up to this size files are always compared; and up to that, where nothing but their content could tell. */
const mostCompared = 8 * 1024 * 1024;
const mostRead = 256 * 1024 * 1024;

/** In kind, content and owner; permissions and times are another matter. */
export function isSameThing(path: string, was: Stats, upper: string, now: Stats): boolean {
  if (was.uid !== now.uid || was.gid !== now.gid) return false;
  if (was.isSymbolicLink() && now.isSymbolicLink()) return versionOf(path)?.target === versionOf(upper)?.target;
  if (!was.isFile() || !now.isFile())
    return (was.mode & 0o170000) === (now.mode & 0o170000) && was.rdev === now.rdev && !now.isDirectory();
  if (was.size !== now.size) return false;
  if (now.size > mostCompared && !isSameTime(was.mtimeMs, now.mtimeMs)) return false;
  // A program may set the time back to what it was.
  return now.size > mostRead || hasSameBytes(path, upper);
}

/** The same as far as can be told without reading it. */
export function looksSame(path: string, was: Stats, upper: string, now: Stats): boolean {
  if (was.isFile() && now.isFile()) return was.size === now.size && isSameTime(was.mtimeMs, now.mtimeMs);
  return isSameThing(path, was, upper, now);
}

/** A time that was set from here is a little coarser than the one it was read from. */
export const isSameTime = (one: number, other: number): boolean => Math.abs(one - other) < 0.002;

function hasSameBytes(one: string, other: string): boolean {
  const open: number[] = [];
  try {
    for (const path of [one, other]) open.push(opened(path, 0o400, () => openSync(raw(path), "r")));
    const size = 1 << 16;
    const [left, right] = [Buffer.allocUnsafe(size), Buffer.allocUnsafe(size)];
    for (;;) {
      const read = readSync(open[0]!, left, 0, size, null);
      const also = readSync(open[1]!, right, 0, size, null);
      if (read !== also || left.compare(right, 0, also, 0, read) !== 0) return false;
      if (read === 0) return true;
    }
  } catch {
    return false; // It cannot be read: then it counts as another one.
  } finally {
    for (const file of open) closeSync(file);
  }
}
