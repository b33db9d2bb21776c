// What is written down about a step, in a folder of its own: `step.json`, `before/` with what it replaced, `after/` with what it had
// made while it is undone, `contents-N.json` with what is in folders that it put in place.

import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Version } from "../effects/effect.ts";
import type { StepFacts } from "../effects/protection.ts";
import { factsOf } from "./facts.ts";
import type { OnOperation } from "./hands.ts";
import type { Motion } from "./motion.ts";

export type Side = "before" | "after";

export interface StepNode {
  path: string;
  change: "created" | "changed" | "deleted" | "mode";
  way: "swap" | "through" | "mode";
  /** Which of the two is in place: what was there before the step, or after it. */
  side: Side;
  /** What was put in place; absent: nothing is there. */
  placed?: Version;
  /** Whether the other one lies in its slot, and what it takes on the disk. Absent from its slot: there is none. */
  holds: boolean;
  bytes: number;
  /** With `mode`. */
  modes?: { before: number; after: number };
}

export type State = "keeping" | "kept" | "undoing" | "undone" | "redoing" | "discarding";

export interface StepRecord {
  format: 1;
  number: number;
  facts: StepFacts;
  /** When it was kept, and when its state was last another one, in milliseconds. */
  when: number;
  since: number;
  state: State;
  nodes: StepNode[];
  /** Folders that were missing around what the step put in place. */
  made: string[];
  /** While it is being kept, undone or redone: what is done, and to which nodes. */
  motion?: Motion;
  moving?: number[];
  /** What is still to be deleted. */
  litter?: string[];
}

export const slotOf = (folder: string, side: Side, index: number): string => join(folder, side, String(index));
export const contentsOf = (folder: string, index: number): string => join(folder, `contents-${index}.json`);
export const bytesOf = ({ nodes }: StepRecord): number => nodes.reduce((sum, { bytes }) => sum + bytes, 0);

/** Undefined where there is none, or none that can be read. */
export function readJson<T>(path: string): T | undefined {
  // Most often there is none, and an error is dearer than a look.
  if (!factsOf(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, "utf8")) as T;
  } catch {
    return undefined;
  }
}

/** Replaced in one moment, and on the disk when this returns. */
export function writeJson(path: string, value: unknown, onOperation?: OnOperation): void {
  onOperation?.(`write ${path}`);
  const part = `${path}.part`;
  const file = openSync(part, "w", 0o600);
  try {
    const bytes = Buffer.from(JSON.stringify(value));
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  onOperation?.(`replace ${path}`);
  renameSync(part, path);
}
