// The tour's stand-in for a model: what it says is written down here; the code it sends really runs.

import type { Model, ModelEvent } from "../models/index.ts";

export interface ScriptedReply {
  says: string;
  /** Python to run, if any. */
  code?: string;
}

/** Answers with the next reply each time it is asked, at a speed a person can follow when `pace` (ms) is not 0. */
export function scriptedModel(replies: readonly ScriptedReply[], pace: number): Model {
  let next = 0;
  return {
    id: "scripted (no model is used)",
    dialect: "tool",
    async *stream({ signal }): AsyncGenerator<ModelEvent> {
      const number = next++;
      const reply = replies[number] ?? { says: "That was the tour." };
      for (const text of reply.says.split(/(?<=\s)/)) {
        await wait(pace, signal);
        yield { type: "text-delta", text };
      }
      if (reply.code && !signal.aborted) {
        const id = `tour-${number}`;
        yield { type: "code-start", id, language: "python" };
        for (const text of reply.code.trimEnd().split(/(?<=\n)/)) {
          await wait(pace * 3, signal);
          yield { type: "code-delta", id, text };
        }
        yield { type: "code-end", id, complete: !signal.aborted };
      }
      yield { type: "finish", reason: signal.aborted ? "aborted" : "stop" };
    },
  };
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds === 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
}
