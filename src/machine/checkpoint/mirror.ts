// A copy of the content of every file in the tree, so that what was there is still at hand when a block has changed it.

import { mkdirSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { claimMirror } from "./claim.ts";
import { openCopy } from "./copy.ts";
import { readIndex, writeIndex } from "./index-file.ts";
import type { Node, Saved } from "./node.ts";
import type { Pace } from "./pace.ts";

export interface Mirror {
  readonly folder: string;
  /** What was there when it was last looked at, by root. */
  readonly trees: Map<string, Node>;
  /** What all copies take. */
  readonly bytes: number;
  /** What an earlier process saved. Everything else comes after it. */
  load(pace: Pace): Promise<void>;
  pathOf(saved: Saved): string;
  /** Rejects with the system's error. The file must not be changed meanwhile: whoever calls looks after that. */
  save(path: string, node: Node, pace: Pace): Promise<Saved>;
  /** Its content is no longer that of one of its names; it goes with the last one. */
  release(saved: Saved): void;
  /** It was moved away, and belongs to somebody else now. */
  giveAway(saved: Saved): void;
  /** How many bytes there may be in all, were it not for any limit: the disk is never filled. */
  room(): number;
  /** So that the next start finds what is saved; of these files it is not certain that they are. */
  write(unsure: ReadonlySet<Node>, pace: Pace): Promise<void>;
  close(): void;
}

const inOneFolder = 1_000;

export function openMirror(store: string, roots: readonly string[]): Mirror {
  const claim = claimMirror(store);
  const { folder } = claim;
  const objects = join(folder, "objects");
  const shelfOf = (id: number) => join(objects, String(Math.floor(id / inOneFolder)));
  const pathOf = ({ id }: Saved) => join(shelfOf(id), String(id));
  const copy = openCopy();

  const trees = new Map<string, Node>();
  let loaded = false;
  let next = 1;
  let bytes = 0;
  const shelves = new Set<string>();

  return {
    folder,
    trees,
    pathOf,
    async load(pace) {
      if (loaded) return;
      const onDisk = idsIn(objects);
      const index = await readIndex(folder, roots, (id) => onDisk.has(id), pace);
      for (const id of onDisk) {
        if (pace.due()) await pace.rest();
        if (!index.saved.has(id)) rmSync(join(shelfOf(id), String(id)), { force: true });
      }
      next = 1 + lastOf(onDisk);
      for (const each of index.saved.values()) bytes += each.bytes;
      for (const [root, node] of index.trees) trees.set(root, node);
      loaded = true;
    },
    get bytes() {
      return bytes;
    },
    async save(path, node, pace) {
      const one: Saved = { id: next++, bytes: node.bytes, uses: 1 };
      const shelf = shelfOf(one.id);
      if (!shelves.has(shelf)) mkdirSync(shelf, { recursive: true, mode: 0o700 });
      shelves.add(shelf);
      const to = pathOf(one);
      try {
        await copy({ path, size: node.size, mode: node.mode, bytes: node.bytes }, to, pace);
      } catch (error) {
        rmSync(to, { force: true });
        throw error;
      }
      bytes += one.bytes;
      return one;
    },
    release(one) {
      if (--one.uses > 0) return;
      bytes -= one.bytes;
      rmSync(pathOf(one), { force: true });
    },
    giveAway(one) {
      bytes -= one.bytes;
      one.uses = 0;
    },
    room() {
      try {
        const { bavail, bsize } = statfsSync(folder);
        return bytes + (bavail * bsize) / 2;
      } catch {
        return Number.POSITIVE_INFINITY;
      }
    },
    async write(unsure, pace) {
      if (loaded && claim.lasting) await writeIndex(folder, trees, unsure, pace);
    },
    close: () => claim.release(),
  };
}

function idsIn(objects: string): Set<number> {
  const names = (folder: string): string[] => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  };
  return new Set(names(objects).flatMap((shelf) => names(join(objects, shelf)).map(Number)));
}

const lastOf = (ids: Iterable<number>): number => {
  let last = 0;
  for (const id of ids) if (id > last) last = id;
  return last;
};
