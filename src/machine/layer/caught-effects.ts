// What a layer has caught, told as effects.

import type { Effect } from "../effects/effect.ts";
import { countFiles } from "../effects/inside.ts";
import { nameOf } from "../effects/name.ts";
import { inOrder } from "../effects/rank.ts";
import { findRenames } from "../effects/renames.ts";
import type { Caught } from "./upper.ts";

export function effectsOf(caught: readonly Caught[], roots: readonly string[]): Effect[] {
  const own = caught.filter(({ along }) => !along);
  return inOrder(findRenames(own.map((each) => effectOf(each, roots))));
}

function effectOf(caught: Caught, roots: readonly string[]): Effect {
  const { path, upper, change, before, after } = caught;
  const kind = (after ?? before)?.kind ?? "other";
  const whole = kind === "folder" && change !== "mode" && change !== "changed";
  const warning = warningOf(caught);
  return {
    path,
    name: nameOf(path, kind, roots),
    change,
    kind,
    ...(before && { before, beforePath: path }),
    ...(after && upper && { after, afterPath: upper }),
    ...(whole && countFiles(upper ?? path)),
    ...(warning && { warning }),
  };
}

function warningOf({ change, changedOutside, otherNames }: Caught): string | undefined {
  if (changedOutside) return "It was changed from outside while the block ran; undo brings that version back.";
  const isOnly = otherNames && (change === "changed" || change === "mode");
  return isOnly ? "It has other names (hard links): those stay as they are." : undefined;
}
