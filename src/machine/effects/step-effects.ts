// What a step on disk did, told from what the store has of it: with what it replaced and what it made, wherever that lies now.

import { join } from "node:path";
import { isAsPlaced } from "../undo/facts.ts";
import { readJson, type StepNode, type StepRecord, slotOf } from "../undo/record.ts";
import { type Effect, type Effects, noEffects } from "./effect.ts";
import { countFiles } from "./inside.ts";
import { nameOf } from "./name.ts";
import { inOrder } from "./rank.ts";
import { findRenames } from "./renames.ts";
import { versionOf } from "./version.ts";

/** `folder` is the store's; undefined when there is no such step. Its roots are what names are told from. */
export function effectsOfStep(folder: string, number: number, roots: readonly string[]): Effects | undefined {
  const place = join(folder, "steps", String(number));
  const record = readJson<StepRecord>(join(place, "step.json"));
  if (!record) return undefined;
  const files = withoutParts(record.nodes.map((node, index) => effectOf(node, index, place, roots)));
  return { ...noEffects, files: inOrder(findRenames(files)) };
}

/** What of a folder has become a step's own node, since it was taken back alone, is not counted with the folder. */
function withoutParts(effects: readonly Effect[]): Effect[] {
  return effects.map((effect) => {
    const { path, change, kind, files } = effect;
    if (kind !== "folder" || !files) return effect;
    const inside = effects.filter((each) => each.change === change && each.path.startsWith(join(path, "/")));
    const inPlace = inside.filter(({ path: at, afterPath, beforePath }) => [afterPath, beforePath].includes(at));
    return { ...effect, files: files - inPlace.reduce((sum, each) => sum + (each.files ?? 1), 0) };
  });
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
  const whole =
    kind !== "folder" ? undefined : change === "created" ? afterPath : change === "deleted" ? beforePath : undefined;
  return {
    path,
    name: nameOf(path, kind, roots),
    change,
    kind,
    ...(before && { before: modes ? { ...before, mode: modes.before } : before, beforePath: beforePath! }),
    ...(after && { after: modes ? { ...after, mode: modes.after } : after, afterPath: afterPath! }),
    ...(whole !== undefined && countFiles(whole)),
    ...(changed && { warning: "It was changed since." }),
  };
}
