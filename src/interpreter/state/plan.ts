// Finds the fewest blocks that make something again.

import type { BlockFacts } from "../../languages/index.ts";

export interface PlanRequest {
  /** The blocks that ran, oldest first. */
  facts: readonly BlockFacts[];
  /** The names to make again; absent for everything that the blocks make. */
  wanted?: readonly string[] | undefined;
  /** Names that are there already. */
  there: readonly string[];
  /** So many of the last blocks ran after the names that are there were saved: they are needed in any case. */
  later: number;
}

/**
 * Their places, in order. Read from the last block to the first: a block is needed when it writes or changes a name that is needed
 * after it; then so is what it reads.
 */
export function planAgain({ facts, wanted, there, later }: PlanRequest): number[] {
  const modules = new Set(facts.flatMap((block) => block.modules));
  const needed = new Set(wanted ?? facts.flatMap(({ written }) => written));
  const has = new Set(there.filter((name) => !needed.has(name)));
  const places: number[] = [];
  for (const [place, { written, changed, read }] of [...facts.entries()].reverse()) {
    const isLater = place >= facts.length - later;
    const changes = new Set(changed.filter((name) => !modules.has(name)));
    if (!isLater && ![...written, ...changes].some((name) => needed.has(name))) continue;
    places.unshift(place);
    for (const name of written) if (!changes.has(name)) needed.delete(name);
    // What it would change a second time has to be made anew, too.
    for (const name of read) if (!has.has(name) || (changes.has(name) && !isLater)) needed.add(name);
  }
  return places;
}
