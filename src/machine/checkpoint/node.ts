// The tree as it was seen: what each thing in it was, and which saved copy has its content.

import type { Stats } from "node:fs";
import type { Version } from "../effects/effect.ts";

/** A copy of a file's content in the mirror. */
export interface Saved {
  readonly id: number;
  /** What it takes on the disk. */
  readonly bytes: number;
  /** How many names in the tree it is the content of: more than one for hard links. */
  uses: number;
}

/** Why the content of a file is not saved. */
export type Unsaved = "no room" | "unreadable" | "busy";

export interface Node {
  kind: Version["kind"];
  size: number;
  mode: number;
  mtime: number;
  ctime: number;
  inode: number;
  links: number;
  uid: number;
  gid: number;
  /** What it takes on the disk: less than its size when it has holes. */
  bytes: number;
  /** Of a link. */
  target: string | undefined;
  /** Of a folder. */
  entries: Map<string, Node> | undefined;
  /** Of a folder: what is in there could not be read. */
  closed: boolean;
  /** Of a file. */
  saved: Saved | undefined;
  unsaved: Unsaved | undefined;
}

const holesAreKnown = process.platform !== "win32";

export function nodeFrom(facts: Stats, target?: string): Node {
  const kind = kindOf(facts);
  const file = kind === "file";
  return {
    kind,
    size: file ? facts.size : 0,
    mode: facts.mode & 0o7777,
    mtime: facts.mtimeMs,
    ctime: facts.ctimeMs,
    inode: facts.ino,
    links: facts.nlink,
    uid: facts.uid,
    gid: facts.gid,
    bytes: !file ? 0 : holesAreKnown ? Math.min(facts.size, facts.blocks * 512) : facts.size,
    target,
    entries: kind === "folder" ? new Map() : undefined,
    closed: false,
    saved: undefined,
    unsaved: undefined,
  };
}

/** Whether nothing at all was done to a thing that is no folder, its facts included. */
export const isUntouched = (node: Node, facts: Stats): boolean =>
  node.ctime === facts.ctimeMs &&
  node.mtime === facts.mtimeMs &&
  node.inode === facts.ino &&
  node.mode === (facts.mode & 0o7777) &&
  (node.kind === "file" ? facts.isFile() && node.size === facts.size : node.kind === kindOf(facts));

const kindOf = (facts: Stats): Node["kind"] =>
  facts.isFile() ? "file" : facts.isDirectory() ? "folder" : facts.isSymbolicLink() ? "link" : "other";

/** The facts of another look, without forgetting what is saved of it and what is in it. */
export function takeFacts(node: Node, now: Node): void {
  const { mode, mtime, ctime, inode, links, uid, gid } = now;
  Object.assign(node, { mode, mtime, ctime, inode, links, uid, gid });
}

export const versionFromNode = (node: Node): Version => ({
  kind: node.kind,
  size: node.size,
  mode: node.mode,
  modified: node.mtime,
  inode: node.inode,
  ...(node.target !== undefined && { target: node.target }),
});

export function countFiles(node: Node): number {
  if (!node.entries) return 1;
  let count = 0;
  for (const inner of node.entries.values()) count += countFiles(inner);
  return count;
}
