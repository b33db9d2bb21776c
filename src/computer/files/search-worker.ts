// Searches files where ripgrep is missing, in a thread: a regular expression can take for ever, and a thread can be ended.

import { Worker } from "node:worker_threads";
import type { Found, Hit } from "./search.ts";

export interface ThreadQuery {
  /** The folder that they are in, and whether links on the way below it are not to be followed. */
  root: string;
  held: boolean;
  /** In order. */
  files: readonly string[];
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
  const { closeSync, constants, fstatSync, openSync, readFileSync } = require("node:fs") as typeof import("node:fs");
  const { parentPort, workerData } = require("node:worker_threads") as typeof import("node:worker_threads");
  const { root, held, files, source, flags, limit, largest } = workerData as ThreadQuery;
  const pattern = new RegExp(source, flags);
  const { O_RDONLY, O_NONBLOCK = 0, O_DIRECTORY, O_NOFOLLOW } = constants;

  /** Folder by folder: whoever puts a link in the place of one leads nobody astray. */
  function openFile(path: string): number {
    if (!held) return openSync(`${root}/${path}`, O_RDONLY | O_NONBLOCK);
    const parts = path.split("/");
    const name = parts.pop();
    let at = openSync(root, O_RDONLY | O_DIRECTORY);
    try {
      for (const part of parts) {
        const inner = openSync(`/proc/self/fd/${at}/${part}`, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
        closeSync(at);
        at = inner;
      }
      return openSync(`/proc/self/fd/${at}/${name}`, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    } finally {
      closeSync(at);
    }
  }

  const hits: Hit[] = [];
  let skipped = 0;
  let cut = false;
  for (const path of files) {
    if (cut) break;
    let file: number | undefined;
    try {
      file = openFile(path);
      const facts = fstatSync(file);
      if (!facts.isFile()) continue;
      if (facts.size > largest) {
        skipped++;
        continue;
      }
      const bytes = readFileSync(file);
      if (bytes.subarray(0, 8_192).includes(0)) continue;
      for (const [index, text] of bytes.toString("utf8").split(/\r?\n/).entries()) {
        if (!pattern.test(text)) continue;
        if (hits.length === limit) {
          cut = true;
          break;
        }
        hits.push({ path, line: index + 1, text });
      }
    } catch {
      // gone or not ours to read
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }
  parentPort!.postMessage({ hits, cut, skipped });
}
