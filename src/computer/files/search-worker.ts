// Searches files where ripgrep is missing, in a thread: a regular expression can take for ever, and a thread can be ended.

import { Worker } from "node:worker_threads";
import type { Found, Hit } from "./search.ts";

export interface ThreadQuery {
  /** Absolute and shown paths of the files, in order. */
  files: readonly (readonly [place: string, path: string])[];
  source: string;
  flags: string;
  limit: number;
  largest: number;
}

export function searchInThread(query: ThreadQuery, signal: AbortSignal): Promise<Found & { skipped: number }> {
  signal.throwIfAborted();
  const worker = new Worker(`(${searchFiles})()`, { eval: true, env: {}, execArgv: [], workerData: query });
  return new Promise((resolve, reject) => {
    const stop = () => void worker.terminate();
    signal.addEventListener("abort", stop);
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => {
      signal.removeEventListener("abort", stop);
      reject(signal.reason ?? new Error("The search was stopped."));
    });
  });
}

/** Runs in the thread, from its own text: it may use nothing from outside. */
function searchFiles(): void {
  const { readFileSync, statSync } = require("node:fs") as typeof import("node:fs");
  const { parentPort, workerData } = require("node:worker_threads") as typeof import("node:worker_threads");
  const { files, source, flags, limit, largest } = workerData as ThreadQuery;
  const pattern = new RegExp(source, flags);
  const hits: Hit[] = [];
  let skipped = 0;
  let cut = false;
  for (const [place, path] of files) {
    if (cut) break;
    try {
      if (statSync(place).size > largest) {
        skipped++;
        continue;
      }
      const bytes = readFileSync(place);
      if (bytes.subarray(0, 8_192).includes(0)) continue;
      for (const [index, text] of bytes.toString("utf8").split(/\r?\n/).entries()) {
        if (!pattern.test(text)) continue;
        if (hits.length === limit) {
          cut = true;
          break;
        }
        hits.push({ path, line: index + 1, text });
      }
    } catch {} // gone or not ours to read
  }
  parentPort!.postMessage({ hits, cut, skipped });
}
