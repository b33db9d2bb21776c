// One at a time: within this process one waits for the other, and other processes are waited for as long as is decent.

import { mkdirSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { type Holder, takeLock, theProcess } from "../lock.ts";
import { whyOf } from "./plain-error.ts";

const queues = new Map<string, Promise<unknown>>();

export interface Patience {
  /** Milliseconds that another process is waited for. */
  most: number;
  signal?: AbortSignal | undefined;
}

/** Throws a sentence where another process does not come to an end, or the folder cannot be written in. */
export function exclusively<T>(folder: string, patience: Patience, work: () => Promise<T>): Promise<T> {
  const before = queues.get(folder) ?? Promise.resolve();
  const run = before.then(async () => {
    const lock = await waitForLock(folder, patience);
    try {
      return await work();
    } finally {
      lock.release();
    }
  });
  const settled = run.catch(() => {});
  queues.set(folder, settled);
  void settled.then(() => queues.get(folder) === settled && queues.delete(folder));
  return run;
}

async function waitForLock(folder: string, { most, signal }: Patience) {
  const end = Date.now() + most;
  for (;;) {
    signal?.throwIfAborted();
    const lock = tryToLock(folder);
    if (!("process" in lock)) return lock;
    if (Date.now() > end)
      throw new Error(`The files' history is in use by ${theProcess(lock)}: try again when that has ended.`);
    // Not in step with one another.
    await wait(5 + Math.random() * 20, undefined, signal ? { signal } : {});
  }
}

function tryToLock(folder: string): { release(): void } | Holder {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return takeLock(folder);
  } catch (error) {
    throw new Error(`What steps change cannot be kept in ${folder}: ${whyOf(error)}.`, { cause: error });
  }
}
