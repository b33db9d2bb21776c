// Brings the mirror up to date: what is to be saved, in which order, and what has to go without.

import { sep } from "node:path";
import { isAside } from "../effects/rank.ts";
import type { Mirror } from "./mirror.ts";
import { isUntouched, type Node, nodeFrom, type Saved } from "./node.ts";
import type { Pace } from "./pace.ts";
import { factsOf } from "./walk.ts";

export interface FileAt {
  path: string;
  node: Node;
}

/** Files and links whose time of change is so near to when they were read that a further change might not be seen in it. */
export type Fresh = Map<Node, string>;

export interface SavingRequest {
  mirror: Mirror;
  limit: number;
  pace: Pace;
  /** Copies that lost their name: a file that was moved finds its own among them. They are gone afterwards. */
  released: ReadonlyMap<string, Saved>;
  fresh: Fresh;
  progress?: (done: number, total: number) => void;
}

/** What tells that two names are the same file with the same content. */
export const identityOf = ({ inode, size, mtime, ctime }: Node): string => `${inode} ${size} ${mtime} ${ctime}`;

export async function saveAll(request: SavingRequest): Promise<void> {
  const { mirror, pace, released } = request;
  const files = filesOf(mirror.trees);
  const twins = new Map<string, Saved>(released);
  for (const { node } of files) if (node.saved && node.links > 1) twins.set(identityOf(node), node.saved);
  const share = ({ node, path }: FileAt): boolean => {
    const twin = node.saved ? undefined : twins.get(identityOf(node));
    if (!twin) return false;
    twin.uses++;
    node.saved = twin;
    node.unsaved = undefined;
    if (isFresh(node, Date.now())) request.fresh.set(node, path);
    return true;
  };
  if (twins.size > 0) for (const file of files) share(file);
  for (const saved of released.values()) mirror.release(saved);
  // From here on only names of what is copied now: what nobody uses is gone.
  twins.clear();

  const wanted = chosen(files, request);
  const report = reporter(request.progress, wanted.length);
  for (const [done, file] of wanted.entries()) {
    if (pace.due()) await pace.rest();
    report(done);
    if (file.node.links > 1 && share(file)) continue;
    await save(file, request);
    if (file.node.saved && file.node.links > 1) twins.set(identityOf(file.node), file.node.saved);
  }
  report(wanted.length);
}

function filesOf(trees: ReadonlyMap<string, Node>): FileAt[] {
  const files: FileAt[] = [];
  const add = (node: Node, path: string): void => {
    if (node.kind === "file") files.push({ path, node });
    else if (node.entries) for (const [name, inner] of node.entries) add(inner, path + sep + name);
  };
  for (const [root, node] of trees) add(node, root);
  return files;
}

/** What is to be copied: a person's own files before those of programs, small ones before large ones, as far as there is room. */
function chosen(files: readonly FileAt[], { mirror, limit }: SavingRequest): FileAt[] {
  const room = Math.min(limit, mirror.room());
  const rank = new Map<Node, number>();
  const first = (one: FileAt, other: FileAt): number =>
    rankOf(one) - rankOf(other) || one.node.bytes - other.node.bytes;
  const rankOf = ({ node, path }: FileAt): number => {
    const known = rank.get(node) ?? (isAside(path) ? 1 : 0);
    rank.set(node, known);
    return known;
  };
  const unsaved = files.filter(({ node }) => !node.saved && node.unsaved !== "unreadable");
  let total = mirror.bytes;
  for (const { node } of unsaved) total += node.bytes;
  if (total <= room) return unsaved.sort(first);
  const wanted: FileAt[] = [];
  let used = 0;
  for (const file of files.filter(({ node }) => node.unsaved !== "unreadable").sort(first)) {
    const { node } = file;
    if (used + node.bytes <= room) {
      used += node.bytes;
      if (!node.saved) wanted.push(file);
      continue;
    }
    if (node.saved) mirror.release(node.saved);
    node.saved = undefined;
    node.unsaved = "no room";
  }
  return wanted;
}

async function save({ path, node }: FileAt, { mirror, pace, fresh }: SavingRequest): Promise<void> {
  for (let attempt = 1; attempt <= 2; attempt++) {
    const start = Date.now();
    let saved: Saved;
    try {
      saved = await mirror.save(path, node, pace);
    } catch (error) {
      node.unsaved = whyNot(error);
      return;
    }
    const facts = factsOf(path);
    if (facts && facts !== "hidden" && isUntouched(node, facts)) {
      node.saved = saved;
      node.unsaved = undefined;
      if (isFresh(node, start)) fresh.set(node, path);
      return;
    }
    mirror.release(saved);
    if (facts && facts !== "hidden" && facts.isFile()) Object.assign(node, nodeFrom(facts));
  }
  node.unsaved = "busy";
}

function whyNot(error: unknown): Node["unsaved"] {
  if (error instanceof Error && error.name === "AbortError") throw error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG") return "no room";
  return code === "ENOENT" || code === "EBUSY" ? "busy" : "unreadable";
}

/** File systems tell time in steps: of some milliseconds mostly, of up to two seconds where they only have whole ones. */
export function isFresh({ mtime, ctime }: Node, now: number): boolean {
  const step = mtime % 1_000 === 0 && ctime % 1_000 === 0 ? 2_100 : 20;
  return ctime > now - step;
}

/** Nothing is said of what takes less than a second. */
function reporter(progress: SavingRequest["progress"], total: number): (done: number) => void {
  const start = performance.now();
  let last = start + 800;
  return (done) => {
    const now = performance.now();
    const over = done === total && now - start > 1_000;
    if (!progress || (!over && now - last < 200)) return;
    last = now;
    progress(done, total);
  };
}
