// What is done to keep a step, or to drop one that is in place already.

import type { Stats } from "node:fs";
import { sameContent } from "../checkpoint/copy.ts";
import type { Pace } from "../checkpoint/pace.ts";
import type { NodeChange } from "./change.ts";
import { factsOf } from "./facts.ts";
import type { Motion } from "./motion.ts";
import { openPlan } from "./plan.ts";
import { type StepNode, slotOf } from "./record.ts";

export interface KeepPlan {
  motion: Motion;
  nodes: StepNode[];
  made: string[];
  problems: string[];
}

/** `folder`: where the step is kept. */
export async function planKeep(
  folder: string,
  changes: readonly NodeChange[],
  apart: boolean,
  pace: Pace,
): Promise<KeepPlan> {
  const plan = openPlan(apart);
  const nodes: StepNode[] = [];
  const problems: string[] = [];
  const differing = await differingNames(changes, pace);
  const held = heldFiles(changes);
  for (const change of changes) {
    if (pace.due()) await pace.rest();
    const { path, source, old, has } = change;
    const here = factsOf(path);
    if (change.how === "mode") {
      if (!here || here.isSymbolicLink()) problems.push(`${path} was not there any more.`);
      else nodes.push(planMode(change, here, plan.mode));
      continue;
    }
    const slot = slotOf(folder, "before", nodes.length);
    const node: StepNode = { path, change: "changed", way: "swap", side: "after", holds: false, bytes: 0 };
    if (source !== undefined) {
      const coming = factsOf(source);
      if (!coming) {
        problems.push(`${path} could not be kept: it was not there any more.`);
        continue;
      }
      const incoming = { at: source, stays: change.held ?? false, isCopied: held.has(keyOf(coming)) };
      if (here && hasOtherNames(here) && coming.isFile() && !change.replaced && !differing.has(path)) {
        node.way = "through";
        plan.through(path, incoming, slot);
      } else plan.swap(path, incoming, here && slot);
      node.change = here ? "changed" : "created";
    } else {
      const saved = old === undefined ? undefined : factsOf(old);
      if (saved) plan.swap(slot, { at: old!, stays: change.oldHeld ?? false }, undefined);
      else if (has ? change.had : !here) {
        if (has) problems.push(`${path}: what was there before is not at hand, so this cannot be undone.`);
        continue;
      } else if (!has) plan.swap(path, undefined, slot);
      if (has && saved?.isFile() && here && hasOtherNames(here) && !change.replaced) node.way = "through";
      node.change = !has ? "deleted" : saved ? "changed" : "created";
    }
    nodes.push(node);
  }
  return { motion: plan.motion, nodes, made: plan.made, problems };
}

function planMode(
  { path, modeBefore, modeAfter }: NodeChange,
  here: Stats,
  setMode: (path: string, from: number, to: number) => void,
): StepNode {
  const now = here.mode & 0o7777;
  const after = modeAfter ?? now;
  setMode(path, now, after);
  const modes = { before: now === after ? (modeBefore ?? now) : now, after };
  return { path, change: "mode", way: "mode", side: "after", holds: false, bytes: 0, modes };
}

/** For changes that are in place: puts back what was there. What is there now goes into the folder, which is then deleted. */
export function planDiscard(
  folder: string,
  changes: readonly NodeChange[],
  apart: boolean,
): Pick<KeepPlan, "motion" | "problems"> {
  const plan = openPlan(apart);
  const problems: string[] = [];
  for (const [index, change] of changes.toReversed().entries()) {
    const { path, old, had, how, modeBefore, source } = change;
    const here = factsOf(path);
    if (source !== undefined) continue;
    if (how === "mode") {
      if (!here || here.isSymbolicLink()) problems.push(`${path} was not there any more.`);
      else plan.mode(path, here.mode & 0o7777, modeBefore ?? here.mode & 0o7777);
      continue;
    }
    const saved = old === undefined ? undefined : factsOf(old);
    const away = slotOf(folder, "after", index);
    const incoming = saved && { at: old!, stays: change.oldHeld ?? false };
    if (had && !incoming) problems.push(`${path} could not be brought back: what was there before is not at hand.`);
    else if (here && incoming && hasOtherNames(here) && saved.isFile() && !change.replaced)
      plan.through(path, incoming, away);
    else plan.swap(path, incoming, here && away);
  }
  return { motion: plan.motion, problems };
}

const keyOf = ({ dev, ino }: Stats): string => `${dev} ${ino}`;

/** Files with several names, one of which is held: they can be one file only if all of its names are copied. */
function heldFiles(changes: readonly NodeChange[]): Set<string> {
  const sources = changes.flatMap(({ source, held }) => (held && source !== undefined ? source : []));
  return new Set(
    sources.flatMap((source) => {
      const facts = factsOf(source);
      return facts && hasOtherNames(facts) ? keyOf(facts) : [];
    }),
  );
}

const hasOtherNames = (facts: Stats): boolean => facts.isFile() && facts.nlink > 1;

/** Names of one file that are to have contents of their own: they cannot stay names of one file. */
async function differingNames(changes: readonly NodeChange[], pace: Pace): Promise<Set<string>> {
  const groups = new Map<string, NodeChange[]>();
  for (const change of changes) {
    if (change.source === undefined) continue;
    const here = factsOf(change.path);
    if (!here || !hasOtherNames(here)) continue;
    const key = keyOf(here);
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  const differing = new Set<string>();
  for (const [first, ...others] of groups.values()) {
    for (const other of others) {
      if (await haveSameContent(first!.source!, other.source!, pace)) continue;
      for (const { path } of [first!, ...others]) differing.add(path);
      break;
    }
  }
  return differing;
}

async function haveSameContent(one: string, other: string, pace: Pace): Promise<boolean> {
  const [first, second] = [factsOf(one), factsOf(other)];
  if (!first?.isFile() || !second?.isFile() || first.size !== second.size) return false;
  return (await sameContent(one, other, first.size, pace)) === true;
}
