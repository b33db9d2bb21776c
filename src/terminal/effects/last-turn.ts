// Which steps the last turn is made of: the one to be taken back next, or to be put back next.

import type { UndoStep } from "../../machine/index.ts";

/** Of the newest step that is kept: all that are kept of the same turn. */
export function lastTurn(steps: readonly UndoStep[]): readonly UndoStep[] {
  const kept = steps.filter(({ state, expired }) => state === "kept" && !expired);
  return sameTurn(kept, newest(kept, "number"));
}

/** Of the step that was taken back last: all that are taken back of the same turn. */
export function lastUndone(steps: readonly UndoStep[]): readonly UndoStep[] {
  const undone = steps.filter(({ state, expired }) => state === "undone" && !expired);
  return sameTurn(undone, newest(undone, "since"));
}

const newest = (steps: readonly UndoStep[], by: "number" | "since"): UndoStep | undefined =>
  steps.reduce<UndoStep | undefined>((best, step) => (best && best[by] >= step[by] ? best : step), undefined);

function sameTurn(steps: readonly UndoStep[], one: UndoStep | undefined): readonly UndoStep[] {
  if (!one) return [];
  const { conversation, turn } = one.facts;
  if (conversation === undefined) return [one];
  return steps.filter(({ facts }) => facts.conversation === conversation && facts.turn === turn);
}

/** Why that step cannot be taken back, or put back; undefined when it can. */
export function checkStep(steps: readonly UndoStep[], number: number, how: "undo" | "redo"): string | undefined {
  const step = steps.find((each) => each.number === number);
  if (!step) return `There is no step ${number} here.`;
  if (step.expired) return `Step ${number} cannot be ${how === "undo" ? "taken back" : "put back"}: ${step.expired}.`;
  if (how === "undo" && step.state === "undone") return `Step ${number} is taken back already.`;
  if (how === "redo" && step.state === "kept") return `Step ${number} was not taken back.`;
  return undefined;
}
