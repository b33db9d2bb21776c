// Finds, among things that are gone and things that are new, those that only have another name.

import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { namesIn, raw } from "../undo/names.ts";
import type { Effect, Version } from "./effect.ts";
import { versionOf } from "./version.ts";

/**
 * The same effects, with a deleted and a created one made into one `renamed` where kind, size and time of the last change are the same
 * (and, as far as both can be read, what is in them). It has the path, name and `after` of the new one, and as `from`, `before` and
 * `beforePath` the name and what was there of the old one.
 */
export function findRenames(effects: readonly Effect[]): Effect[] {
  const gone = new Map<string, Effect[]>();
  for (const effect of effects) {
    if (effect.change !== "deleted" || !effect.before || effect.before.kind === "other") continue;
    const key = keyOf(effect.before, effect);
    gone.set(key, [...(gone.get(key) ?? []), effect]);
  }
  if (gone.size === 0) return [...effects];
  const paired = new Map<Effect, Effect>();
  const taken = new Set<Effect>();
  // The surest first: a thing that is certainly the one must not be given away to one that merely looks like it.
  for (const sure of [isSameThing, hasSameName, () => true]) {
    for (const effect of effects) {
      if (effect.change !== "created" || !effect.after || paired.has(effect)) continue;
      const candidates = gone.get(keyOf(effect.after, effect)) ?? [];
      const old = candidates.find((one) => !taken.has(one) && sure(one, effect) && isSameInside(one, effect));
      if (!old) continue;
      taken.add(old);
      paired.set(effect, old);
    }
  }
  return effects.flatMap((effect) => {
    if (taken.has(effect)) return [];
    const old = paired.get(effect);
    return [old ? renamed(old, effect) : effect];
  });
}

function renamed(old: Effect, now: Effect): Effect {
  return {
    ...now,
    change: "renamed",
    from: old.name,
    ...(old.before && { before: old.before }),
    ...(old.beforePath && { beforePath: old.beforePath }),
  };
}

const keyOf = ({ kind, size, modified, target }: Version, effect: Effect): string =>
  kind === "link"
    ? `link ${target}`
    : // A time that was set from here is a little coarser than the one it was read from.
      `${kind} ${size} ${modified.toFixed(1)} ${effect.moreFiles ? "many" : (effect.files ?? "")}`;

const isSameThing = (old: Effect, now: Effect): boolean => old.before!.inode === now.after!.inode;

const hasSameName = (old: Effect, now: Effect): boolean => basename(old.path) === basename(now.path);

/** More than this is not compared: size and time have to do. */
const most = { bytes: 1_000_000, entries: 2_000 };

function isSameInside(old: Effect, now: Effect): boolean {
  if (!old.beforePath || !now.afterPath) return true;
  if (old.kind === "file") return old.before!.size > most.bytes || sameBytes(old.beforePath, now.afterPath);
  if (old.kind === "folder") return sameEntries(old.beforePath, now.afterPath, { left: most.entries });
  return true;
}

function sameEntries(one: string, other: string, budget: { left: number }): boolean {
  const names = sortedNames(one);
  const others = sortedNames(other);
  if (!names || !others) return true;
  if (names.length !== others.length || names.some((name, place) => name !== others[place])) return false;
  return names.every((name) => {
    if (--budget.left < 0) return true;
    const [a, b] = [versionOf(join(one, name)), versionOf(join(other, name))];
    if (!a || !b || a.kind !== b.kind || a.size !== b.size || a.target !== b.target) return false;
    return a.kind !== "folder" || sameEntries(join(one, name), join(other, name), budget);
  });
}

function sortedNames(folder: string): string[] | undefined {
  try {
    return namesIn(folder).sort();
  } catch {
    return undefined;
  }
}

/** Of files of the same size; what cannot be read is taken for the same. */
function sameBytes(one: string, other: string): boolean {
  try {
    return readFileSync(raw(one)).equals(readFileSync(raw(other)));
  } catch {
    return true;
  }
}
