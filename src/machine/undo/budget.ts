// What steps may take on the disk. The oldest are dropped first; a line of each stays for a while, so that it can be said that it
// is gone.

import { renameSync } from "node:fs";
import { join } from "node:path";
import { newId } from "../../messages/index.ts";
import type { Pace } from "../checkpoint/pace.ts";
import { bytes as bytesInWords } from "../effects/bytes.ts";
import type { StepFacts } from "../effects/protection.ts";
import type { Hands, OnOperation } from "./hands.ts";
import { visibleNamesIn } from "./names.ts";
import { bytesOf, readJson, type StepRecord, writeJson } from "./record.ts";
import { removeTree } from "./remove-tree.ts";

export interface Expired {
  number: number;
  facts: StepFacts;
  when: number;
  state: "kept" | "undone";
  why: string;
}

const mostLines = 200;

const fileIn = (store: string): string => join(store, "expired.json");

export const readExpired = (store: string): Expired[] => readJson<Expired[]>(fileIn(store)) ?? [];

export interface DropRequest {
  store: string;
  /** Those that can still be undone, oldest first. */
  steps: readonly StepRecord[];
  limit: number;
  hands: Hands;
  pace: Pace;
  on?: OnOperation | undefined;
}

/** The numbers that were dropped. */
export async function dropOldest({ store, steps, limit, hands, pace, on }: DropRequest): Promise<number[]> {
  let sum = steps.reduce((sum, step) => sum + bytesOf(step), 0);
  const dropped: StepRecord[] = [];
  for (const step of steps) {
    if (sum <= limit) break;
    dropped.push(step);
    sum -= bytesOf(step);
  }
  if (dropped.length > 0) {
    const why = `it was dropped so that undo takes no more than ${bytesInWords(limit)} of the disk`;
    const lines = dropped.map(({ number, facts, when, state }): Expired => {
      return { number, facts, when, state: state === "undone" ? "undone" : "kept", why };
    });
    writeJson(fileIn(store), [...readExpired(store), ...lines].slice(-mostLines), on);
  }
  const numbers = dropped.map(({ number }) => number);
  await deleteExpired({ store, hands, pace, on });
  return numbers;
}

/** First out of the way, in one moment, then piece by piece. */
export async function deleteExpired({ store, hands, pace, on }: Omit<DropRequest, "steps" | "limit">): Promise<void> {
  const expired = new Set(readExpired(store).map(({ number }) => String(number)));
  const gone = join(store, "gone");
  for (const name of visibleNamesIn(join(store, "steps"))) {
    if (!expired.has(name)) continue;
    hands.makeFolder(gone, 0o700);
    on?.(`rename step ${name}`);
    renameSync(join(store, "steps", name), join(gone, `${name}-${newId()}`));
  }
  await removeTree(gone, hands, pace);
}
