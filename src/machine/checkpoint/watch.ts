// Where nothing can be taken back: files are compared around a block, as far as that is quick, so that at least it is known what it did.

import { join, sep } from "node:path";
import { type Effect, noEffects, type Version } from "../effects/effect.ts";
import { nameOf } from "../effects/name.ts";
import type { Pending, Protection } from "../effects/protection.ts";
import { inOrder } from "../effects/rank.ts";
import { findRenames } from "../effects/renames.ts";
import { sameVersion } from "../effects/version.ts";
import { readFolder, type Snapshot, usualBounds } from "./folder.ts";
import { openPace } from "./pace.ts";

export interface WatchRequest {
  /** The first is the working folder. */
  roots: readonly string[];
  /** Why nothing can be taken back. */
  why?: string;
}

export function openWatch({ roots, why }: WatchRequest): Protection {
  const closing = new AbortController();
  const snapshots = new Map<string, Snapshot>();

  async function pending(): Promise<Pending> {
    const effects: Effect[] = [];
    const uncovered: string[] = [];
    for (const root of roots) {
      const before = snapshots.get(root);
      if (!before) continue;
      // A little more than before may be there now; what is beyond that was not seen.
      const bounds = { files: 2 * usualBounds.files, levels: Math.min(before.levels, usualBounds.levels) };
      const after = await readFolder(root, bounds, openPace(closing.signal));
      effects.push(...compare(root, before, after, roots));
      uncovered.push(...unwatched(root, before, after, roots));
    }
    const files = inOrder(findRenames(effects));
    const problems =
      files.length > 0
        ? ["Nothing protects the files here: what the block did to them stays, and cannot be undone."]
        : [];
    const keep = async () => ({ problems: [] });
    return { effects: { ...noEffects, files, uncovered }, keep, discard: async () => ({ problems }) };
  }

  return {
    kind: "none",
    ...(why !== undefined && { why }),
    roots,
    enter: (spawn) => spawn,
    view: (path) => path,
    async begin() {
      for (const root of roots) {
        const snapshot = await readFolder(root, usualBounds, openPace(closing.signal)).catch(unlessClosed);
        if (snapshot) snapshots.set(root, snapshot);
      }
    },
    async pending() {
      const found = await pending().catch(unlessClosed);
      const nothing = async () => ({ problems: [] });
      return found ?? { effects: noEffects, keep: nothing, discard: nothing };
    },
    tooBig: () => [],
    async close() {
      closing.abort();
    },
  };

  function unlessClosed(error: unknown): undefined {
    if (!closing.signal.aborted) throw error;
  }
}

function compare(root: string, before: Snapshot, after: Snapshot, roots: readonly string[]): Effect[] {
  const effects: Effect[] = [];
  const note = (inner: string, old: Version | undefined, now: Version | undefined): void => {
    if (sameVersion(old, now)) return;
    const path = join(root, inner);
    const { kind } = (now ?? old)!;
    const onlyMode = old && now && sameVersion(old, { ...now, mode: old.mode });
    effects.push({
      path,
      name: nameOf(path, kind, roots),
      change: !old ? "created" : !now ? "deleted" : onlyMode ? "mode" : "changed",
      kind,
      ...(old && { before: old }),
      ...(now && { after: now, afterPath: path }),
    });
  };
  for (const [inner, now] of after.files) note(inner, before.files.get(inner), now);
  for (const [inner, old] of before.files) {
    if (!after.files.has(inner) && inner.split(sep).length <= after.levels) note(inner, old, undefined);
  }
  return effects;
}

function unwatched(root: string, before: Snapshot, after: Snapshot, roots: readonly string[]): string[] {
  const sentences: string[] = [];
  const levels = Math.min(before.levels, after.levels);
  const name = root === roots[0] ? "this folder" : nameOf(root, "folder", roots);
  const begun = root === roots[0] ? "This folder" : name;
  if (levels === 0) sentences.push(`There are too many files in ${name} to watch them.`);
  else if (levels < Number.POSITIVE_INFINITY) {
    const watched = levels === 1 ? "the files right in it were" : `its first ${levels} levels were`;
    sentences.push(`${begun} has many files: only ${watched} watched.`);
  }
  const touched = [...after.aside].filter(([inner, now]) => before.aside.get(inner)?.modified !== now.modified);
  for (const [inner] of touched) {
    const folder = nameOf(join(root, inner), "folder", roots);
    sentences.push(`Something in ${folder} is not what it was; what exactly was not watched.`);
  }
  return sentences;
}
