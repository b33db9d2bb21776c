// What is done to take a step back, or to put one back that was taken back: for each node, the two things change places.

import type { Pace } from "../checkpoint/pace.ts";
import { factsOf } from "./facts.ts";
import type { Hands } from "./hands.ts";
import type { Motion } from "./motion.ts";
import { openPlan } from "./plan.ts";
import { type Side, type StepRecord, slotOf } from "./record.ts";
import { removeTree } from "./remove-tree.ts";

export interface UndoPlanRequest {
  folder: string;
  record: StepRecord;
  /** Which nodes. */
  moving: readonly number[];
  to: Side;
  apart: boolean;
  hands: Hands;
  pace: Pace;
}

export async function planUndo(request: UndoPlanRequest): Promise<Motion> {
  const { folder, record, moving, to, apart, hands, pace } = request;
  const plan = openPlan(apart, new Set(record.made));
  for (const index of to === "before" ? moving.toReversed() : moving) {
    if (pace.due()) await pace.rest();
    const { path, way, holds, side, modes } = record.nodes[index]!;
    const here = factsOf(path);
    if (way === "mode") {
      if (here && modes) plan.mode(path, here.mode & 0o7777, modes[to]);
      continue;
    }
    const [slot, away] = [slotOf(folder, to, index), slotOf(folder, side, index)];
    await removeTree(away, hands, pace);
    if (way === "through" && here?.isFile() && holds) plan.through(path, { at: slot }, away);
    else plan.swap(path, holds ? { at: slot } : undefined, here && away);
  }
  if (to === "before") for (const path of record.made.toReversed()) plan.removeFolder(path);
  return plan.motion;
}
