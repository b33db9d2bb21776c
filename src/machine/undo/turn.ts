// Takes steps back, or puts them back: several at once are checked first as if they had been done one after the other, and a list of
// them is on the disk while they are done, so that all of them are, or none.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { readExpired } from "./budget.ts";
import { type Check, type Conflict, check } from "./conflicts.ts";
import { factsOf } from "./facts.ts";
import { openHands } from "./hands.ts";
import { Stuck } from "./journal.ts";
import { whyOf } from "./plain-error.ts";
import { planUndo } from "./plan-undo.ts";
import { readJson, type Side, type StepRecord, writeJson } from "./record.ts";
import { divide, type Part } from "./split.ts";
import { openView } from "./view.ts";
import {
  beginJournal,
  type Mark,
  openApart,
  readStep,
  readSteps,
  stepFolder,
  unmark,
  type Workshop,
  withRenames,
} from "./workshop.ts";

export type ChangedSince = "refuse" | "leave" | "overwrite";

export interface UndoResult {
  done: number[];
  /** What was changed. */
  files: string[];
  /** Changed by the person or another step since. Nothing was done, or these were left, or overwritten, as was asked for. */
  conflicts: Conflict[];
  problems: string[];
}

/** Some nodes of a step. */
export interface Item {
  number: number;
  moving: number[];
}

/** What is being done to several steps. */
export interface Intent {
  to: Side;
  changedSince: "leave" | "overwrite";
  items: Item[];
}

const intentFile = ({ folder }: Workshop): string => join(folder, "intent.json");
export const readIntent = (shop: Workshop): Intent | undefined => readJson<Intent>(intentFile(shop));

export function dropIntent(shop: Workshop): void {
  shop.on?.("remove intent.json");
  rmSync(intentFile(shop), { force: true });
}

export async function turn(
  shop: Workshop,
  to: Side,
  numbers: readonly number[],
  changedSince: ChangedSince,
): Promise<UndoResult> {
  const ordered = [...new Set(numbers)].sort((one, other) => (to === "before" ? other - one : one - other));
  const nothing: UndoResult = { done: [], files: [], conflicts: [], problems: [] };
  const refusals = ordered.flatMap((number) => whyNot(shop, number, to) ?? []);
  if (refusals.length > 0) return { ...nothing, problems: refusals };
  const { items, conflicts, parts } = await checkAll(shop, to, ordered, changedSince);
  if (conflicts.length > 0 && changedSince === "refuse") return { ...nothing, conflicts };
  for (const [number, some] of parts) divide(shop, number, some);
  const problems: string[] = [];
  if (items.length > 1) {
    const intent: Intent = { to, items, changedSince: changedSince === "overwrite" ? "overwrite" : "leave" };
    writeJson(intentFile(shop), intent, shop.on);
  }
  const failure = await doAll(shop, to, items, problems);
  if (items.length > 1 && failure === undefined) dropIntent(shop);
  shop.taken = undefined;
  if (failure !== undefined) return { ...nothing, conflicts, problems: [...problems, failure] };
  const done = items.map(({ number }) => number);
  return { done, files: items.flatMap((item) => pathsOf(shop, item)), conflicts, problems };
}

export const pathsOf = (shop: Workshop, { number, moving }: Item): string[] => {
  const nodes = readStep(shop, number)?.nodes ?? [];
  return moving.flatMap((index) => nodes[index]?.path ?? []);
};

function whyNot(shop: Workshop, number: number, to: Side): string | undefined {
  const word = to === "before" ? "undone" : "redone";
  const expired = readExpired(shop.folder).find((line) => line.number === number);
  if (expired) return `Step ${number} cannot be ${word} any more: ${expired.why}.`;
  const state = readStep(shop, number)?.state;
  if (state === undefined) return `There is no step ${number}.`;
  if (to === "before" && state === "undone") return `Step ${number} is undone already.`;
  if (to === "after" && state === "kept") return `Step ${number} is not undone.`;
  if (state !== "kept" && state !== "undone")
    return `Step ${number} cannot be ${word} now: something that was begun with it is not finished.`;
  return undefined;
}

/** Those that can be done, and all that is in the way. */
export async function checkAll(
  shop: Workshop,
  to: Side,
  numbers: readonly number[],
  changedSince: ChangedSince,
): Promise<{ items: Item[]; conflicts: Conflict[]; parts: Map<number, readonly Part[]> }> {
  const isApart = openApart(shop);
  // What checkpoints put back are copies too.
  const hasMirror = factsOf(join(shop.folder, "mirror")) !== undefined;
  const view = openView((path) => hasMirror || isApart(path));
  const turned = new Set<number>();
  let all: StepRecord[] | undefined;
  const steps = (): StepRecord[] => {
    all ??= readSteps(shop);
    return all.map((step) =>
      turned.has(step.number) ? { ...step, state: to === "before" ? "undone" : "kept", since: Date.now() } : step,
    );
  };
  const items: Item[] = [];
  const conflicts: Conflict[] = [];
  const parts = new Map<number, readonly Part[]>();
  for (const number of numbers) {
    const { roots, pace } = shop;
    const record = readStep(shop, number)!;
    const folder = stepFolder(shop, number);
    const found: Check = await check({ folder, record, to, view, roots, steps, changedSince, pace });
    conflicts.push(...found.conflicts);
    if (found.parts.length > 0) parts.set(number, found.parts);
    // Where there is nothing that it could be done to, it is not done.
    if (found.moving.length > 0 || found.conflicts.length === 0) items.push({ number, moving: found.moving });
    turned.add(number);
  }
  return { items, conflicts, parts };
}

/** A sentence when it was not possible: then all is as it was. */
async function doAll(
  shop: Workshop,
  to: Side,
  items: readonly Item[],
  problems: string[],
): Promise<string | undefined> {
  const done: Item[] = [];
  const what = to === "before" ? "undone" : "redone";
  try {
    for (const item of items) {
      await doItem(shop, to, item, problems);
      done.unshift(item);
    }
    return undefined;
  } catch (error) {
    if (error instanceof Stuck)
      return `Step ${items[done.length]!.number} is only half ${what}: ${error.message}. It is tried again at the next start.`;
    if (items.length > 1) dropIntent(shop);
    try {
      for (const item of done) await doItem(shop, to === "before" ? "after" : "before", item, problems);
    } catch (worse) {
      const numbers = done.map(({ number }) => number).join(", ");
      return `Not all was ${what}: ${whyOf(error)}. Of those, ${numbers} could not be put back: ${whyOf(worse)}.`;
    }
    return `Nothing was ${what}: ${whyOf(error)}.`;
  }
}

export async function doItem(shop: Workshop, to: Side, { number, moving }: Item, problems: string[]): Promise<void> {
  const folder = stepFolder(shop, number);
  const mark: Mark = { kind: "steps", name: String(number), state: to === "before" ? "undone" : "kept" };
  await withRenames(shop, async (apart) => {
    const record = readStep(shop, number)!;
    const hands = openHands(join(folder, "opened"), shop.on);
    const journal = beginJournal(shop, mark, problems);
    const { motion, nodes } = await planUndo({ folder, record, moving, to, apart, hands, pace: shop.pace });
    const state = to === "before" ? "undoing" : "redoing";
    try {
      await journal.run({ ...record, state, nodes, motion, moving });
    } catch (error) {
      if (!(error instanceof Stuck)) unmark(shop, mark);
      throw error;
    }
  });
  unmark(shop, mark);
}
