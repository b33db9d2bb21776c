// What a layer has caught, told as changes for the store.

import type { Effects } from "../effects/effect.ts";
import type { NodeChange } from "../undo/change.ts";
import { isWithin } from "./mounts.ts";
import type { Caught } from "./upper.ts";

/**
 * The paths of what was caught that belong to some effects: two of them to one that was renamed, and all names of a file to one of
 * them.
 */
export function pathsOf(effects: Effects, caught: readonly Caught[], only: readonly string[]): Set<string> {
  const wanted = new Set(only);
  for (const { path, change, beforePath } of effects.files)
    if (change === "renamed" && beforePath && wanted.has(path)) wanted.add(beforePath);
  const files = new Set(caught.flatMap(({ path, file }) => (wanted.has(path) && file !== undefined ? file : [])));
  for (const { path, along, file } of caught) if (along && files.has(file!)) wanted.add(path);
  return wanted;
}

function changeOf({ path, upper, change, before, after, file, otherNames }: Caught, held: boolean): NodeChange {
  const there = { path, had: before !== undefined, has: after !== undefined };
  if (change === "mode" && before && after && file === undefined && !otherNames)
    return { ...there, how: "mode", modeBefore: before.mode, modeAfter: after.mode };
  // Other names of the real file have not changed in the layer either.
  return { ...there, how: "whole", replaced: true, ...(upper && { source: upper }), ...(held && upper && { held }) };
}

/**
 * In an order in which each can be done: folders are opened before something is done in them, and closed afterwards. Folders that
 * would be closed to their owner, with changes in them, are left `open`: nobody but the superuser could look after those.
 */
export function changesOf(
  caught: readonly Caught[],
  isHeld: (caught: Caught) => boolean,
): { changes: NodeChange[]; open: Caught[] } {
  const open = process.getuid?.() === 0 ? [] : caught.filter((each) => isShutting(each) && hasOthersIn(each, caught));
  const all = caught.filter((each) => !open.includes(each)).map((each) => changeOf(each, isHeld(each)));
  const closing = all.filter(isClosing);
  const rest = all.filter((each) => !isOpening(each) && !isClosing(each));
  return { changes: [...all.filter(isOpening), ...rest, ...closing.reverse()], open };
}

const isShutting = ({ change, before, after }: Caught): boolean =>
  change === "mode" && before?.kind === "folder" && (after!.mode & 0o500) !== 0o500;
const hasOthersIn = ({ path }: Caught, caught: readonly Caught[]): boolean =>
  caught.some((other) => other.path !== path && isWithin(other.path, path));

const isClosing = ({ modeBefore = 0, modeAfter = 0 }: NodeChange): boolean => (modeBefore & ~modeAfter & 0o700) !== 0;
const isOpening = (change: NodeChange): boolean => change.how === "mode" && !isClosing(change);
