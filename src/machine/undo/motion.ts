// All moves of one step, carried out to the end or taken back to the beginning: the plan is on the disk before the first of them.

import { factsOf } from "./facts.ts";
import { doMove, type Move, type Mover, takeMoveBack } from "./move.ts";
import { removeTree } from "./remove-tree.ts";

export interface Motion {
  /** Nothing in the tree is touched while copies are made: they are made anew when that was cut short. */
  phase: "copying" | "moving";
  copies: { from: string; to: string }[];
  moves: Move[];
  /** What is not needed any more when all is done. */
  litter: string[];
}

/** `save` writes the plan down again. */
export async function carryOut(motion: Motion, mover: Mover, save: () => void): Promise<void> {
  const { hands, pace, copier } = mover;
  if (motion.phase === "copying") {
    await removeAll(
      motion.copies.map(({ to }) => to),
      mover,
    );
    for (const { from, to } of motion.copies) {
      if (!factsOf(from)) throw new Error(`${from} is not there any more`);
      await copier.copy(from, to);
      hands.closeUp();
    }
    motion.phase = "moving";
    save();
  }
  for (const move of motion.moves) {
    if (pace.due()) await pace.rest();
    await doMove(move, mover);
  }
}

/** The copies stay, until nobody would take them for what they were to become. */
export async function takeBack(motion: Motion, mover: Mover): Promise<void> {
  mover.hands.closeUp();
  if (motion.phase === "copying") return;
  for (const move of motion.moves.toReversed()) await takeMoveBack(move, mover);
}

export async function removeAll(paths: readonly string[], { hands, pace }: Mover): Promise<void> {
  for (const path of paths) await removeTree(path, hands, pace);
  hands.closeUp();
}
