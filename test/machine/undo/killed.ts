// A process that does one thing with a store and kills itself right before a certain operation. Its argument is a `Killed`; when it
// lives to the end it prints how many operations there were.

import type { NodeChange } from "../../../src/machine/undo/change.ts";
import { openUndoStore } from "../../../src/machine/undo/store.ts";

export interface Killed {
  data: string;
  root: string;
  what: "keep" | "discard" | "undo" | "redo" | "recover";
  changes?: NodeChange[];
  numbers?: number[];
  /** Counted from 1. */
  killAt: number;
}

const { data, root, what, changes = [], numbers = [], killAt } = JSON.parse(process.argv[2]!) as Killed;
let count = 0;
const store = openUndoStore({
  ...{ data, roots: [root], limit: 1e9 },
  onOperation: () => {
    if (++count === killAt) process.kill(process.pid, "SIGKILL");
  },
});
if (what === "keep") await store.keep({ id: "block", language: "python", code: "print(1)" }, changes);
else if (what === "discard") await store.discard(changes);
else if (what === "recover") await store.recover();
else await store[what](numbers);
console.log(count);
