// Runs the cases or the random operations as whoever starts it, and prints what came of each: `run-as.ts cases layer`,
// `run-as.ts property layer SEED OPERATIONS`.

import { opener, type Way } from "./cases/case.ts";
import { allCases } from "./cases/index.ts";
import { runProperty } from "./property/run.ts";

const [, , what, way, seed, operations] = process.argv as [string, string, string, Way, string, string];
const results: Record<string, string> = {};
const attempt = async (name: string, run: () => Promise<unknown>): Promise<void> => {
  try {
    await run();
    results[name] = "ok";
  } catch (error) {
    results[name] = (error as Error).message;
  }
};

if (what === "property")
  await attempt("property", () => runProperty({ way, seed: Number(seed), operations: Number(operations) }));
else
  for (const { name, layerOnly, rootOnly, run } of allCases)
    if (!rootOnly && (way === "layer" || !layerOnly)) await attempt(name, () => run(opener(way)));
console.log(JSON.stringify(results));
process.exit(0);
