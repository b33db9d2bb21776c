// Gives things their permissions, times and owners, and takes things away whatever permissions they have.

import { chmodSync, lchownSync, lstatSync, lutimesSync, rmdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { namesIn, raw } from "../undo/names.ts";
import type { Node } from "./node.ts";

const me = process.getuid?.();
const myGroup = process.getgid?.();

/** As far as that is allowed. */
export function finish(node: Node, path: string): void {
  const at = raw(path);
  if (me !== undefined && (node.uid !== me || node.gid !== myGroup)) {
    if (!tried(() => lchownSync(at, node.uid, node.gid))) tried(() => lchownSync(at, me, node.gid));
  }
  if (node.kind !== "link") tried(() => chmodSync(at, node.mode));
  setTime(path, node.mtime);
}

/** Milliseconds. Where it is allowed. */
export function setTime(path: string, time: number): void {
  // In whole microseconds, and rounded down: so that one that is set again and again does not become earlier each time.
  const seconds = (Math.floor(time * 1_000 + 0.01) + 0.5) / 1e6;
  tried(() => lutimesSync(raw(path), seconds, seconds));
}

export function removeTree(path: string): void {
  const facts = lstatSync(raw(path), { throwIfNoEntry: false });
  if (!facts) return;
  if (!facts.isDirectory()) {
    unlinkSync(raw(path));
    return;
  }
  if ((facts.mode & 0o700) !== 0o700) chmodSync(raw(path), 0o700);
  for (const name of namesIn(path)) removeTree(join(path, name));
  rmdirSync(raw(path));
}

/** Whether it could be done. */
export function tried(action: () => unknown): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}
