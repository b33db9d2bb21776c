// What is at a path right now, and whether that is the same as another time.

import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { raw, textOf } from "../undo/names.ts";
import type { Version } from "./effect.ts";

/** Undefined where there is nothing, or nothing that may be looked at. Links are not followed. */
export function versionOf(path: string): Version | undefined {
  try {
    const facts = lstatSync(raw(path), { throwIfNoEntry: false });
    if (!facts?.isSymbolicLink()) return facts && versionFrom(facts);
    return versionFrom(facts, textOf(readlinkSync(raw(path), { encoding: "buffer" })));
  } catch {
    return undefined;
  }
}

export function versionFrom(facts: Stats, target?: string): Version {
  const kind = facts.isFile() ? "file" : facts.isDirectory() ? "folder" : facts.isSymbolicLink() ? "link" : "other";
  return {
    kind,
    size: kind === "file" ? facts.size : 0,
    mode: facts.mode & 0o7777,
    modified: facts.mtimeMs,
    inode: facts.ino,
    ...(target !== undefined && { target }),
  };
}

/**
 * Whether nothing was done to it meanwhile, as far as its own facts tell. A folder is the same as long as it is a folder with those
 * permissions: what is in it counts for itself.
 */
export function sameVersion(one: Version | undefined, other: Version | undefined): boolean {
  if (!one || !other) return one === other;
  if (one.kind !== other.kind) return false;
  if (one.kind === "link") return one.target === other.target;
  if (one.mode !== other.mode) return false;
  if (one.kind === "folder") return true;
  return one.size === other.size && one.modified === other.modified && one.inode === other.inode;
}
