// Several things measured in turns, so that whatever else the machine does disturbs them alike.

import type { Row } from "./measure.ts";

/** The smallest measurement of each: one of the first, one of the second, …, and again from the beginning. */
export async function leastOfEach<Name extends string>(
  times: number,
  measures: Readonly<Record<Name, () => Promise<number> | number>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(measures) as Name[];
  const best = Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY])) as Record<Name, number>;
  for (let round = 0; round < times; round++)
    for (const name of names) best[name] = Math.min(best[name], await measures[name]());
  return best;
}

/** A row in milliseconds beside a second one. */
export const beside = (what: string, value: number, other: string, floor: number): Row => ({
  what,
  value,
  unit: "ms",
  floor: { what: other, value: floor },
});

/** How long it takes to be open; closing is not counted. */
export async function timeToOpen(open: () => Promise<{ close(): unknown }>): Promise<number> {
  const begun = performance.now();
  const it = await open();
  const took = performance.now() - begun;
  await it.close();
  return took;
}
