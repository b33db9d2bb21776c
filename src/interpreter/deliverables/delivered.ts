// Follows the chunks of a turn and ends them with the files that it made or changed. The watching itself is loaded, and looks at
// the folder for the first time, while the model thinks.

import { setTimeout as sleep } from "node:timers/promises";
import type { Chunk } from "../../messages/index.ts";

/** What a conversation knows of its files, over all turns. */
export interface Memory {
  /** Files that its blocks made or changed: theirs from then on. */
  made: Set<string>;
  /** The first block that named a file. */
  named: Map<string, { turn: number; block: number }>;
  turns: number;
}

export const newMemory = (): Memory => ({ made: new Set(), named: new Map(), turns: 0 });

/** An error that ends the turn stays its last word. */
export async function* delivered<R>(
  chunks: AsyncGenerator<Chunk, R>,
  cwd: string,
  memory: Memory,
): AsyncGenerator<Chunk, R> {
  const left = new AbortController();
  const watching = sleep(2)
    .then(() => import("./watch.ts"))
    .then(({ watchTurn }) => watchTurn(cwd, memory, left.signal));
  let [language, code, step] = ["", "", ""];
  let ran: (() => void) | undefined;
  let error: Chunk | undefined;
  let finished = false;
  try {
    for (;;) {
      const { value, done } = await chunks.next();
      if (done) {
        finished = true;
        if (step !== "") yield* await (await watching).finish();
        if (error) yield error;
        return value;
      }
      if (error) yield error;
      error = value.type === "error" ? value : undefined;
      if (error) continue;
      if (value.type === "code" && value.role !== "computer") {
        if (value.start) [language, code] = [value.format ?? "", ""];
        else if (typeof value.content === "string") code += value.content;
      } else if (value.type === "console") {
        // A picture divides the output of a step: it begins once, and its end says how.
        if (value.start && value.id && !value.status && value.id !== step) {
          step = value.id;
          ran = await (await watching).before(language, code, step);
        } else if (value.end && value.status) {
          ran?.();
          ran = undefined;
        }
      }
      yield value;
    }
  } finally {
    left.abort();
    if (!finished) await chunks.return(undefined as R);
  }
}
