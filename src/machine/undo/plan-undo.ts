// What is done to take a step back, or to put one back that was taken back: for each node, the two things change places.

import type { Pace } from "../checkpoint/pace.ts";
import { factsOf } from "./facts.ts";
import type { Hands } from "./hands.ts";
import type { Motion } from "./motion.ts";
import { openPlan } from "./plan.ts";
import { type Side, type StepNode, type StepRecord, slotOf } from "./record.ts";
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

/** With the nodes as they will be known: permissions that are overwritten come back the next time. */
export async function planUndo(request: UndoPlanRequest): Promise<{ motion: Motion; nodes: StepNode[] }> {
  const { folder, record, moving, to, apart, hands, pace } = request;
  const plan = openPlan(apart, new Set(record.made));
  const nodes = [...record.nodes];
  for (const index of to === "before" ? moving.toReversed() : moving) {
    if (pace.due()) await pace.rest();
    const node = nodes[index]!;
    const { path, way, holds, side, modes } = node;
    const here = factsOf(path);
    if (way === "mode") {
      if (!here || !modes || here.isSymbolicLink()) continue;
      const now = here.mode & 0o7777;
      plan.mode(path, now, modes[to]);
      nodes[index] = { ...node, modes: { ...modes, [side]: now } };
      continue;
    }
    const [slot, away] = [slotOf(folder, to, index), slotOf(folder, side, index)];
    await removeTree(away, hands, pace);
    const isContent = way === "through" && here?.isFile() && holds && factsOf(slot)?.isFile();
    if (isContent) plan.through(path, { at: slot }, away);
    else plan.swap(path, holds ? { at: slot } : undefined, here && away);
  }
  if (to === "before") for (const path of record.made.toReversed()) plan.removeFolder(path);
  return { motion: plan.motion, nodes };
}
