// The order in which a person wants to read effects: what was lost or overwritten first, what is merely new last.

import type { Effect } from "./effect.ts";

const ranks: Record<Effect["change"], number> = { deleted: 0, changed: 1, renamed: 2, mode: 3, created: 4 };

/** Deletions, then overwritten files, then the rest; in each of these what lies in hidden folders and environments comes last. */
export function inOrder(effects: readonly Effect[]): Effect[] {
  const keyed = effects.map((effect) => ({ effect, rank: ranks[effect.change] * 2 + (isAside(effect.name) ? 1 : 0) }));
  keyed.sort((one, other) => one.rank - other.rank || compare(one.effect.name, other.effect.name));
  return keyed.map(({ effect }) => effect);
}

/** Whether it lies in a folder that programs keep for themselves. */
export const isAside = (name: string): boolean => asideFolder(name) !== undefined;

/** The outermost such folder around it, as its name begins. */
export function asideFolder(name: string): string | undefined {
  const parts = name.split(/[\\/]/);
  const index = parts.slice(0, -1).findIndex(isAsideFolder);
  return index === -1 ? undefined : name.slice(0, parts.slice(0, index + 1).join("/").length);
}

/** By its name: a hidden folder, an environment, a cache, where nobody looks for results. */
export const isAsideFolder = (folder: string): boolean =>
  /^(\.(?!\.?$).*|node_modules|__pycache__|venv|env|site-packages|bower_components)$/.test(folder);

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
