// From a message to an answer that follows a schema: a turn as any other, and up to two more when its end does not follow.

import type { TurnEnd } from "../agent/index.ts";
import type { Chunk, Message } from "../messages/index.ts";
import { TurnFailed } from "./collect.ts";
import type { Schema } from "./schema/schema.ts";

/** How it ended; `no-answer` when nothing that was said follows the schema. */
export type AnswerEnd = TurnEnd | "no-answer";

/** There is no answer, for those who wait for it instead of following its chunks. */
export class NoAnswer extends Error {
  override name = "NoAnswer";
  readonly end: AnswerEnd;
  /** What of the last try does not follow the schema, one line each. */
  readonly misfits: readonly string[];

  constructor(end: AnswerEnd, misfits: readonly string[]) {
    super(misfits.length > 0 ? `The answer does not follow the schema: ${misfits.join("; ")}` : `No answer: ${end}.`);
    this.end = end;
    this.misfits = misfits;
  }
}

export interface AnswerRequest {
  message: string | Partial<Message> | Message[];
  schema: Schema;
  /** Runs a turn. `words` are added to the system message; with `only` the reply is to be the answer and nothing else. */
  turn(message: AnswerRequest["message"], asked: { words: string; only?: Schema }): AsyncGenerator<Chunk, TurnEnd>;
  messages(): readonly Message[];
}

/** The last chunk but the status is the answer, or the error that says what does not follow. */
export async function* findAnswer(request: AnswerRequest): AsyncGenerator<Chunk, AnswerEnd> {
  const { askAgain, askFor, checkSchema, judge, repairs } = await import("./answer-schema.ts");
  const { schema, turn, messages } = request;
  checkSchema(schema);
  const words = askFor(schema);
  let end = yield* turn(request.message, { words });
  for (let tries = 0; ; tries++) {
    if (end !== "done") return end === "refused" ? "no-answer" : end;
    const judged = judge(messages(), schema);
    if ("value" in judged) {
      yield { role: "assistant", type: "answer", content: { value: judged.value } };
      return "done";
    }
    if (tries === repairs) {
      const content = ["The answer does not follow the schema:", ...judged.misfits].join("\n  ");
      const hint = "Ask again, or let the schema ask for less.";
      yield { role: "server", type: "error", code: "no-answer", content, hint };
      return "no-answer";
    }
    const again: Partial<Message> = { content: askAgain(judged.misfits), recipient: "assistant" };
    end = yield* turn(again, { words, only: schema });
  }
}

/** The answer itself. Rejects with `NoAnswer`, or with `TurnFailed` when a turn failed. */
export async function waitForAnswer(chunks: AsyncGenerator<Chunk, AnswerEnd>): Promise<unknown> {
  let last: Chunk | undefined;
  for (;;) {
    const { value, done } = await chunks.next();
    if (!done) last = value;
    else if (last?.type === "answer") return (last.content as { value: unknown }).value;
    else if (value === "failed" && last?.type === "error") throw new TurnFailed(last, []);
    else throw new NoAnswer(value, last?.code === "no-answer" ? String(last.content).split("\n  ").slice(1) : []);
  }
}
