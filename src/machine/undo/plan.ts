// Turns "this comes here, that goes there" into moves, with copies where one of them is on another file system.

import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { newId } from "../../messages/index.ts";
import { factsOf } from "./facts.ts";
import type { Motion } from "./motion.ts";
import { raw } from "./names.ts";

export interface Incoming {
  at: string;
  /** Somebody still uses it there. */
  stays?: boolean;
  /** It is to be one file with something that is copied. */
  isCopied?: boolean;
}

export interface Plan {
  readonly motion: Motion;
  /** Folders that are missing around what comes. */
  readonly made: string[];
  swap(path: string, incoming: Incoming | undefined, away: string | undefined): void;
  through(path: string, incoming: Incoming, away: string): void;
  mode(path: string, from: number, to: number): void;
  removeFolder(path: string): void;
}

/** `apart`: nothing is taken to be on the same file system as anything else. `leaving`: folders that are to be removed. */
export function openPlan(apart: boolean, leaving: ReadonlySet<string> = new Set()): Plan {
  const motion: Motion = { phase: "moving", copies: [], moves: [], litter: [] };
  const made: string[] = [];
  const isTogether = openTogether();
  const areApart = (one: string, other: string): boolean => apart || !isTogether(one, other);

  /** A name that nothing has, near a path and on its file system. Short, whatever the path is. */
  function besides(path: string): string {
    let folder = folderAround(path);
    while (leaving.has(folder)) folder = dirname(folder);
    return join(folder, `.interpreter-${newId(12)}`);
  }

  function copy(from: string, to: string): string {
    motion.phase = "copying";
    motion.copies.push({ from, to });
    return to;
  }

  function bring(path: string, { at, stays = false, isCopied = false }: Incoming): string {
    if (!stays && !isCopied && !areApart(at, path)) return at;
    if (!stays) motion.litter.push(at);
    return copy(at, besides(path));
  }

  function sendOff(path: string, away: string): string {
    if (!areApart(path, away)) return away;
    copy(path, away);
    const aside = besides(path);
    motion.litter.push(aside);
    return aside;
  }

  function makeFoldersAround(path: string): void {
    const missing: string[] = [];
    for (let folder = dirname(path); !factsOf(folder) && !made.includes(folder); folder = dirname(folder))
      missing.unshift(folder);
    for (const folder of missing) motion.moves.push({ way: "folder", path: folder, to: "there" });
    made.push(...missing);
  }

  return {
    motion,
    made,
    swap(path, incoming, away) {
      if (!incoming && away === undefined) return;
      if (incoming) makeFoldersAround(path);
      const comes = incoming && bring(path, incoming);
      const goes = away === undefined ? undefined : sendOff(path, away);
      motion.moves.push({
        way: "swap",
        path,
        ...(comes !== undefined && { comes }),
        ...(goes !== undefined && { goes }),
      });
    },
    through(path, { at, stays = false }, away) {
      copy(path, away);
      motion.moves.push({ way: "through", path, comes: at, was: away });
      if (!stays) motion.litter.push(at);
    },
    mode(path, from, to) {
      if (from !== to) motion.moves.push({ way: "mode", path, from, to });
    },
    removeFolder: (path) => void motion.moves.push({ way: "folder", path, to: "gone" }),
  };
}

/** The next one that is there. */
function folderAround(path: string): string {
  let folder = dirname(path);
  while (!factsOf(folder) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}

/**
 * Tells whether what is to be at both paths can be renamed from one to the other, as far as the file systems' numbers tell. Folders
 * are looked at once.
 */
export function openTogether(): (one: string, other: string) => boolean {
  const devices = new Map<string, number>();
  const deviceOf = (path: string): number => {
    const folder = dirname(path);
    const device = devices.get(folder) ?? statSync(raw(folderAround(path))).dev;
    devices.set(folder, device);
    return device;
  };
  return (one, other) => deviceOf(one) === deviceOf(other);
}
