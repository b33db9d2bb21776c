// What a step on disk did, told from what the store has of it: with what it replaced and what it made, wherever that lies now.

import { join } from "node:path";
import { isAsPlaced } from "../undo/facts.ts";
import { readJson, type StepNode, type StepRecord, slotOf } from "../undo/record.ts";
import { type Effect, type Effects, noEffects } from "./effect.ts";
import { nameOf } from "./name.ts";
import { inOrder } from "./rank.ts";
import { findRenames } from "./renames.ts";
import { versionOf } from "./version.ts";

/** `folder` is the store's; undefined when there is no such step. Its roots are what names are told from. */
export function effectsOfStep(folder: string, number: number, roots: readonly string[]): Effects | undefined {
  const place = join(folder, "steps", String(number));
  const record = readJson<StepRecord>(join(place, "step.json"));
  if (!record) return undefined;
  const files = record.nodes.map((node, index) => effectOf(node, index, place, roots));
  return { ...noEffects, files: inOrder(findRenames(files)) };
}

function effectOf(node: StepNode, index: number, place: string, roots: readonly string[]): Effect {
  const { path, change, side, holds, modes, placed } = node;
  const other = holds ? slotOf(place, side === "after" ? "before" : "after", index) : undefined;
  const [beforePath, afterPath] = side === "after" ? [other, path] : [path, other];
  const [before, after] = [
    change === "created" || beforePath === undefined ? undefined : versionOf(beforePath),
    change === "deleted" || afterPath === undefined ? undefined : versionOf(afterPath),
  ];
  const there = side === "after" ? after : before;
  const changed = change !== "mode" && !isAsPlaced(there, placed, true);
  const kind = (after ?? before ?? placed)?.kind ?? "file";
  return {
    path,
    name: nameOf(path, kind, roots),
    change,
    kind,
    ...(before && { before: modes ? { ...before, mode: modes.before } : before, beforePath: beforePath! }),
    ...(after && { after: modes ? { ...after, mode: modes.after } : after, afterPath: afterPath! }),
    ...(changed && { warning: "It was changed since." }),
  };
}
