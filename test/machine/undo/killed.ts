// A process that does one thing with a store and, if that is wished, kills itself right before a certain operation. Its argument is
// a `Killed`; when it lives to the end it prints what the store answered.

import type { NodeChange } from "../../../src/machine/undo/change.ts";
import { openUndoStore } from "../../../src/machine/undo/store.ts";

export interface Killed {
  data: string;
  root: string;
  what: "keep" | "discard" | "undo" | "redo" | "recover";
  changes?: NodeChange[];
  numbers?: number[];
  changedSince?: "leave";
  /** Counted from 1. */
  killAt?: number;
}

const {
  data,
  root,
  what,
  changes = [],
  numbers = [],
  changedSince = "refuse",
  killAt,
} = JSON.parse(process.argv[2]!) as Killed;
let count = 0;
const onOperation = (): void => {
  if (++count === killAt) process.kill(process.pid, "SIGKILL");
};
const store = openUndoStore({ data, roots: [root], limit: 1e9, onOperation });
const facts = { id: "block", language: "python", code: "print(1)" };
const work = {
  keep: () => store.keep(facts, changes),
  discard: () => store.discard(changes),
  recover: () => store.recover(),
  undo: () => store.undo(numbers, { changedSince }),
  redo: () => store.redo(numbers),
};
try {
  console.log(JSON.stringify(await work[what]()));
} catch (error) {
  console.log(JSON.stringify((error as Error).message));
}
