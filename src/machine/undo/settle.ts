// When all moves are done: what is in place now is written down, and what the step holds on the disk is counted.

import { join } from "node:path";
import type { Pace } from "../checkpoint/pace.ts";
import { readContents } from "./contents.ts";
import { factsOf, versionAt } from "./facts.ts";
import type { OnOperation } from "./hands.ts";
import { visibleNamesIn } from "./names.ts";
import { contentsOf, type Side, type StepNode, type StepRecord, slotOf, writeJson } from "./record.ts";
import { present } from "./view.ts";

export async function settle(
  folder: string,
  record: StepRecord,
  to: Side,
  pace: Pace,
  on?: OnOperation,
): Promise<StepNode[]> {
  const nodes = [...record.nodes];
  const except = new Set(nodes.map(({ path }) => path));
  for (const index of record.moving ?? []) {
    if (pace.due()) await pace.rest();
    const { placed: _, ...node } = nodes[index]!;
    const placed = versionAt(node.path);
    const slot = slotOf(folder, to === "after" ? "before" : "after", index);
    const holds = node.way !== "mode" && factsOf(slot) !== undefined;
    if (placed?.kind === "folder" && node.way !== "mode") {
      const contents = await readContents(node.path, { sight: present, except, pace });
      writeJson(contentsOf(folder, index), contents, on);
    }
    const bytes = holds ? await bytesIn(slot, pace) : 0;
    nodes[index] = { ...node, side: to, ...(placed && { placed }), holds, bytes };
  }
  return nodes;
}

/** What it takes on the disk. */
export async function bytesIn(path: string, pace: Pace): Promise<number> {
  const facts = factsOf(path);
  if (!facts) return 0;
  if (pace.due()) await pace.rest();
  let sum = facts.blocks === undefined ? facts.size : facts.blocks * 512;
  if (facts.isDirectory()) for (const name of visibleNamesIn(path)) sum += await bytesIn(join(path, name), pace);
  return sum;
}
