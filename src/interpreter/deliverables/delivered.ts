// Follows the chunks of a turn and ends them with the files that it made or changed. The list itself is loaded with the first block.

import type { EffectsReport } from "../../agent/index.ts";
import type { Chunk } from "../../messages/index.ts";
import type { TurnFiles } from "./turn-files.ts";

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
  let [language, code, step] = ["", "", ""];
  let turn: TurnFiles | undefined;
  let error: Chunk | undefined;
  let finished = false;
  memory.turns++;
  try {
    for (;;) {
      const { value, done } = await chunks.next();
      if (done) {
        finished = true;
        if (turn) yield* await turn.finish();
        if (error) yield error;
        return value;
      }
      if (error) yield error;
      error = value.type === "error" ? value : undefined;
      if (error) continue;
      if (value.type === "code" && value.role !== "computer") {
        if (value.start) [language, code] = [value.format ?? "", ""];
        else if (typeof value.content === "string") code += value.content;
      } else if (value.type === "console" && value.start && value.id && !value.status && value.id !== step) {
        // A picture divides the output of a step: it begins once.
        step = value.id;
        turn ??= (await import("./turn-files.ts")).filesOfTurn(cwd, memory);
        turn.begins({ language, code, id: step });
      } else if (value.type === "effects") turn?.did(value.content as unknown as EffectsReport);
      yield value;
    }
  } finally {
    if (!finished) await chunks.return(undefined as R);
  }
}
