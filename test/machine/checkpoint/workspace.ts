// A folder with a checkpoint over it and the real store behind.

import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeTree } from "../../../src/machine/checkpoint/finish.ts";
import { type CheckpointRequest, openCheckpoint } from "../../../src/machine/checkpoint/index.ts";
import type { Pending, Protection, StepFacts } from "../../../src/machine/effects/protection.ts";
import { openUndoStore, type UndoStore } from "../../../src/machine/undo/store.ts";

export const facts: StepFacts = { id: "1", language: "shell", code: "…" };

export interface Workspace extends Disposable {
  root: string;
  data: string;
  store: UndoStore;
  open(request?: Partial<CheckpointRequest>): Protection;
  /** Opens one, and runs this as a block. */
  block(protection: Protection, code: () => unknown): Promise<Pending>;
}

export function openWorkspace(
  folder = mkdtempSync(join(realpathSync(tmpdir()), "checkpoint-")),
  data = join(folder, "data"),
): Workspace {
  const root = join(folder, "work");
  mkdirSync(root, { recursive: true });
  const store = openUndoStore({ data, roots: [root], limit: 1e9 });
  return {
    root,
    data,
    store,
    open: (request) => openCheckpoint({ roots: [root], store, limit: 1e9, data, why: "It is a test.", ...request }),
    async block(protection, code) {
      await protection.begin();
      await code();
      return protection.pending();
    },
    [Symbol.dispose]: () => removeTree(folder),
  };
}

/** Each effect as a line. */
export const linesOf = ({ effects }: Pending): string[] =>
  effects.files.map(({ change, name, from }) => `${change} ${from === undefined ? "" : `${from} → `}${name}`);
