// Keeps a step, or drops one that is in place already.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { newId } from "../../messages/index.ts";
import { bytes as bytesInWords } from "../effects/bytes.ts";
import type { Kept, StepFacts } from "../effects/protection.ts";
import { dropOldest } from "./budget.ts";
import type { NodeChange } from "./change.ts";
import { openHands } from "./hands.ts";
import { Stuck } from "./journal.ts";
import { whyOf } from "./plain-error.ts";
import { planDiscard, planKeep } from "./plan-keep.ts";
import { bytesOf, type StepNode, type StepRecord } from "./record.ts";
import { finishCutShort } from "./recover.ts";
import {
  beginJournal,
  describeWorkspace,
  type Mark,
  nextNumber,
  readStep,
  readSteps,
  stepFolder,
  unmark,
  type Workshop,
  withRenames,
} from "./workshop.ts";

export async function keep(shop: Workshop, facts: StepFacts, changes: readonly NodeChange[]): Promise<Kept> {
  const problems = await finishCutShort(shop);
  describeWorkspace(shop);
  const number = nextNumber(shop);
  const mark: Mark = { kind: "steps", name: String(number), state: "kept" };
  let kept = false;
  const told: string[] = [];
  await orSay(shop, mark, "The step could not be kept", () =>
    withRenames(shop, async (apart) => {
      told.length = 0;
      const plan = await planKeep(stepFolder(shop, number), changes, apart, shop.pace);
      told.push(...plan.problems);
      if (plan.nodes.length === 0) return;
      const { motion, nodes, made } = plan;
      const now = Date.now();
      const moving = nodes.map((_, index) => index);
      const record: StepRecord = {
        ...{ format: 1, number, facts, when: now, since: now, state: "keeping" },
        ...{ nodes, made, motion, moving },
      };
      await beginJournal(shop, mark, told).run(record);
      kept = true;
    }),
  );
  problems.push(...told);
  if (!kept) return { problems };
  unmark(shop, mark);
  return (await isWithinLimit(shop, number, problems)) ? { number, problems } : { problems };
}

export async function discard(shop: Workshop, changes: readonly NodeChange[]): Promise<Kept> {
  const problems = await finishCutShort(shop);
  describeWorkspace(shop);
  const mark: Mark = { kind: "discards", name: newId(), state: "discarding" };
  const folder = join(shop.folder, mark.kind, mark.name);
  const told: string[] = [];
  await orSay(shop, mark, "The step could not be discarded", () =>
    withRenames(shop, async (apart) => {
      told.length = 0;
      const plan = planDiscard(folder, changes, apart);
      told.push(...plan.problems);
      if (plan.motion.moves.length === 0) return;
      const now = Date.now();
      const facts: StepFacts = { id: "", language: "", code: "" };
      const nodes = changes.map(({ path }): StepNode => {
        return { path, change: "changed", way: "swap", side: "before", holds: false, bytes: 0 };
      });
      // Before it is marked: a mark without it means that all is done.
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      await beginJournal(shop, mark, told).run({
        ...{ format: 1, number: 0, facts, when: now, since: now, state: "discarding" },
        ...{ nodes, made: [], motion: plan.motion },
      });
    }),
  );
  unmark(shop, mark);
  return { problems: [...problems, ...told] };
}

async function orSay(shop: Workshop, mark: Mark, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Stuck) throw new Error(`${what}: ${error.message}. It is tried again at the next start.`);
    unmark(shop, mark);
    throw new Error(`${what}: ${whyOf(error)}. All files are as they were.`, { cause: error });
  }
}

async function isWithinLimit(shop: Workshop, number: number, problems: string[]): Promise<boolean> {
  const bytes = bytesOf(readStep(shop, number)!);
  shop.taken = (shop.taken ?? readSteps(shop).reduce((sum, step) => sum + bytesOf(step), -bytes)) + bytes;
  if (shop.taken <= shop.limit) return true;
  if (!(await expire(shop)).includes(number)) return true;
  problems.push(
    `This step cannot be undone: what it replaced takes ${bytesInWords(bytes)}, and undo may take ` +
      `${bytesInWords(shop.limit)} of the disk.`,
  );
  return false;
}

/** Drops the oldest until all fits the limit: their numbers. */
export async function expire(shop: Workshop): Promise<number[]> {
  const { folder: store, limit, pace, on } = shop;
  const steps = readSteps(shop);
  const dropped = await dropOldest({ store, steps, limit, hands: openHands(join(store, "opened"), on), pace, on });
  const left = steps.filter(({ number }) => !dropped.includes(number));
  shop.taken = left.reduce((sum, step) => sum + bytesOf(step), 0);
  return dropped;
}
