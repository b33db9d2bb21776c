// Puts together, out of the mirror, the things that were there before a block: where they can be read, and moved back from.

import { chmodSync, linkSync, lstatSync, mkdirSync, renameSync, symlinkSync } from "node:fs";
import { join, sep } from "node:path";
import { raw } from "../undo/names.ts";
import { openCopy } from "./copy.ts";
import { finish, removeTree, tried } from "./finish.ts";
import type { Mirror } from "./mirror.ts";
import { type Node, nodeFrom, type Saved, takeFacts, type Unsaved } from "./node.ts";
import type { Pace } from "./pace.ts";
import type { FileAt } from "./saving.ts";

export interface Missing {
  /** From the thing itself: empty when it is the thing. */
  inner: string;
  why: Unsaved | "lost" | "unknown" | "special";
  bytes: number;
}

export interface Old {
  /** Absent when there is nothing of it. */
  path?: string;
  /** What of it cannot be brought back. */
  missing: Missing[];
}

export interface Before {
  /** The same things, each where it can be read now. What was never saved may have been moved: then it is found at its new name. */
  gather(nodes: readonly Node[], movedTo: (node: Node) => FileAt | undefined): Promise<Old[]>;
  /** Gives everything gathered its permissions, times and owners. */
  finish(): void;
  /** In these: of a file that still has a name in the tree, what was gathered becomes a name of it again. */
  relink(paths: ReadonlySet<string>, namesOf: (saved: ReadonlySet<Saved>) => ReadonlyMap<Saved, string>): void;
  /** Somebody else has it now. */
  settle(): void;
  /** Nobody wanted it: the mirror has it back. */
  takeBack(): void;
}

interface Placed {
  node: Node;
  path: string;
  /** The thing that it is in, or is. */
  top: string;
  /** Moved out of the mirror; a second name of one that was; a copy, as the mirror's is still needed; not from the mirror. */
  how: "moved" | "linked" | "copied" | "made";
  /** Another name of the file stayed in the tree. */
  stays?: boolean;
  /** It is another name of something in the tree: not ours to finish. */
  foreign?: boolean;
}

export function openBefore(mirror: Mirror, paceNow: () => Pace): Before {
  const folder = join(mirror.folder, "before");
  const copy = openCopy();
  let placed: Placed[] = [];

  async function gather(nodes: readonly Node[], movedTo: (node: Node) => FileAt | undefined): Promise<Old[]> {
    const pace = paceNow();
    const uses = usesIn(nodes);
    const first = new Map<Saved, string>();

    async function putFile(node: Node, path: string, top: string): Promise<Missing["why"] | undefined> {
      const { saved } = node;
      if (!saved) {
        const moved = movedTo(node);
        if (!moved || !tried(() => borrow(moved, path))) return node.unsaved ?? "lost";
        placed.push({ node, path, top, how: "made", foreign: true });
        return undefined;
      }
      const from = first.get(saved) ?? mirror.pathOf(saved);
      const stays = saved.uses > uses.get(saved)!;
      // A copy that was cut short by a crash of the machine is none.
      if (lstatSync(raw(from), { throwIfNoEntry: false })?.size !== node.size) return "lost";
      if (first.has(saved) && tried(() => linkSync(raw(from), raw(path)))) {
        placed.push({ node, path, top, how: "linked", stays });
      } else if (first.has(saved) || stays) {
        try {
          await copy({ path: from, size: node.size, mode: 0o600, bytes: node.bytes }, path, pace);
        } catch (error) {
          if (error instanceof Error && error.name === "AbortError") throw error;
          return "lost";
        }
        placed.push({ node, path, top, how: "copied", stays });
      } else {
        if (!tried(() => renameSync(from, raw(path)))) return "lost";
        placed.push({ node, path, top, how: "moved" });
      }
      if (!first.has(saved)) first.set(saved, path);
      return undefined;
    }

    async function put(node: Node, path: string, top: string, missing: Missing[]): Promise<boolean> {
      if (pace.due()) await pace.rest();
      const inner = path.slice(top.length + 1);
      let why: Missing["why"] | undefined;
      if (node.entries) {
        mkdirSync(raw(path), { mode: 0o700 });
        for (const [name, child] of node.entries) await put(child, path + sep + name, top, missing);
        // After what is in it: its time is the last to be set.
        placed.push({ node, path, top, how: "made" });
        if (node.closed) missing.push({ inner, why: "unknown", bytes: 0 });
        return true;
      }
      if (node.kind === "file") why = await putFile(node, path, top);
      else if (node.kind === "other") why = "special";
      else if (node.target === undefined || !tried(() => symlinkSync(raw(node.target!), raw(path)))) why = "lost";
      else placed.push({ node, path, top, how: "made" });
      if (why) missing.push({ inner, why, bytes: node.size });
      return why === undefined;
    }

    if (nodes.length > 0) mkdirSync(folder, { recursive: true, mode: 0o700 });
    const olds: Old[] = [];
    for (const [number, node] of nodes.entries()) {
      const path = join(folder, String(number));
      const missing: Missing[] = [];
      olds.push((await put(node, path, path, missing)) ? { path, missing } : { missing });
    }
    return olds;
  }

  function drop(): void {
    placed = [];
    tried(() => removeTree(folder));
  }

  return {
    gather,
    finish() {
      for (const { node, path, foreign } of placed) if (!foreign) finish(node, path);
    },
    relink(paths, namesOf) {
      const shared = placed.filter(({ node, top }) => node.saved && node.saved.uses > 1 && paths.has(top));
      if (shared.length === 0) return;
      const names = namesOf(new Set(shared.map(({ node }) => node.saved!)));
      const link = join(folder, "link");
      for (const each of shared) {
        const name = names.get(each.node.saved!);
        if (name === undefined || !tried(() => linkSync(raw(name), link))) continue;
        each.foreign = tried(() => renameSync(link, raw(each.path)));
      }
    },
    settle() {
      for (const { node, how, stays } of placed) if (!stays && (how === "moved" || how === "linked")) forget(node, how);
      drop();
    },
    takeBack() {
      for (const { node, path, how, foreign } of placed) {
        if (how !== "moved") continue;
        const object = mirror.pathOf(node.saved!);
        if (foreign || !tried(() => renameSync(raw(path), object))) forget(node, how);
        else tried(() => chmodSync(object, 0o600));
      }
      drop();
    },
  };

  function forget(node: Node, how: Placed["how"]): void {
    if (how === "moved") mirror.giveAway(node.saved!);
    node.saved = undefined;
    // No look at the file will find it untouched: it is saved anew.
    node.ctime = Number.NaN;
  }
}

function usesIn(nodes: readonly Node[]): Map<Saved, number> {
  const uses = new Map<Saved, number>();
  const count = (node: Node): void => {
    if (node.saved) uses.set(node.saved, (uses.get(node.saved) ?? 0) + 1);
    for (const inner of node.entries?.values() ?? []) count(inner);
  };
  for (const node of nodes) count(node);
  return uses;
}

/** A second name for what is in the tree. That it has one is nothing that was done to it. */
function borrow({ path, node }: FileAt, to: string): void {
  linkSync(raw(path), raw(to));
  takeFacts(node, nodeFrom(lstatSync(raw(path))));
}
