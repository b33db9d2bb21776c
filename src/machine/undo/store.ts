// What steps replaced in a workspace, kept on the disk so that each of them can be taken back, and put back again.

import { join } from "node:path";
import { openPace } from "../checkpoint/pace.ts";
import type { Kept, StepFacts } from "../effects/protection.ts";
import { readExpired } from "./budget.ts";
import type { NodeChange } from "./change.ts";
import { exclusively } from "./exclusive.ts";
import { factsOf } from "./facts.ts";
import type { OnOperation } from "./hands.ts";
import { discard, expire, keep } from "./keep.ts";
import { bytesOf, type StepNode } from "./record.ts";
import { finishCutShort, isCutShort } from "./recover.ts";
import { storeFolder } from "./store-folder.ts";
import { type ChangedSince, turn, type UndoResult } from "./turn.ts";
import { openWorkshop, readSteps } from "./workshop.ts";

export { textOf } from "./names.ts";
export { storeFolder, workspacesAround } from "./store-folder.ts";
export type { UndoResult } from "./turn.ts";

export interface UndoStep {
  number: number;
  facts: StepFacts;
  /** When it was kept, in milliseconds. */
  when: number;
  /** When it was kept, taken back or put back last, in milliseconds. */
  since: number;
  state: "kept" | "undone";
  files: { path: string; change: StepNode["change"] }[];
  /** What it takes on the disk. */
  bytes: number;
  /** Why it cannot be undone or redone any more, if so, as the end of a sentence. */
  expired?: string;
}

export interface UndoStore {
  readonly folder: string;
  /**
   * Saves what was there and puts the new things in place. A kill in the middle is finished by `recover`; where it cannot be done,
   * all files are as they were, and this rejects with a sentence.
   */
  keep(facts: StepFacts, changes: readonly NodeChange[]): Promise<Kept>;
  /** For changes that are in place already (`old` has what was there): puts the old things back, in the same way. */
  discard(changes: readonly NodeChange[]): Promise<Kept>;
  /** Newest last. */
  list(): UndoStep[];
  /** Takes kept steps back, newest first. Nothing is changed when a file was changed since, unless told otherwise. */
  undo(numbers: readonly number[], options?: { changedSince?: ChangedSince }): Promise<UndoResult>;
  /** Puts undone steps back, oldest first. */
  redo(numbers: readonly number[], options?: { changedSince?: ChangedSince }): Promise<UndoResult>;
  /**
   * Finishes what a killed process had begun; sentences for the person. To be called before anything is deleted that changes have
   * as their `source`.
   */
  recover(): Promise<string[]>;
  /** Drops the oldest until all fits the limit. */
  expire(): Promise<void>;
}

export interface UndoStoreRequest {
  /** The folder for data, of `places`. */
  data: string;
  /** Real paths. The store is that of the first one. */
  roots: readonly string[];
  /** Bytes that all steps together may take on the disk. */
  limit: number;
  /** Ends waiting for another process. */
  signal?: AbortSignal;
  /** How long another process is waited for, in milliseconds. */
  patience?: number;
  /** Called before each operation that changes something on the disk. */
  onOperation?: OnOperation;
}

/** Nothing is written until the first change. */
export function openUndoStore(request: UndoStoreRequest): UndoStore {
  const { data, roots, limit, signal, patience = 10_000, onOperation } = request;
  const folder = storeFolder(data, roots[0]!);
  const shop = openWorkshop({ folder, roots, limit, onOperation });
  const alone = <T>(work: () => Promise<T>): Promise<T> =>
    exclusively(folder, { most: patience, signal }, () => {
      shop.pace = openPace();
      return work();
    });
  const isThere = (): boolean => factsOf(folder) !== undefined;

  const turnTo = (to: "before" | "after", numbers: readonly number[], changedSince: ChangedSince) =>
    alone(async () => {
      const told = await finishCutShort(shop);
      const result = await turn(shop, to, numbers, changedSince);
      return { ...result, problems: [...told, ...result.problems] };
    });

  return {
    folder,
    keep: (facts, changes) => alone(() => keep(shop, facts, changes)),
    discard: (changes) => alone(() => discard(shop, changes)),
    undo: (numbers, options) => turnTo("before", numbers, options?.changedSince ?? "refuse"),
    redo: (numbers, options) => turnTo("after", numbers, options?.changedSince ?? "refuse"),
    list() {
      const steps = readSteps(shop).flatMap((record): UndoStep[] => {
        const { number, facts, when, since, state, nodes } = record;
        if (state === "keeping") return [];
        const files = nodes.map(({ path, change }) => ({ path, change }));
        const isUndone = state === "undone" || state === "redoing";
        return [{ number, facts, when, since, state: isUndone ? "undone" : "kept", files, bytes: bytesOf(record) }];
      });
      const gone = readExpired(folder).map(({ why, ...line }): UndoStep => {
        return { ...line, since: line.when, files: [], bytes: 0, expired: why };
      });
      return [...gone, ...steps].sort((one, other) => one.number - other.number);
    },
    async recover() {
      if (!isThere() || !(isCutShort(shop) || factsOf(join(folder, "gone")))) return [];
      return alone(async () => {
        const told = await finishCutShort(shop);
        await expire(shop);
        return told;
      });
    },
    async expire() {
      if (isThere()) await alone(() => expire(shop));
    },
  };
}
