// What chunks pass through on their way to whoever follows them: what they cost is counted, they are kept, and told to a trace.

import { type Chunk, createFolder } from "../messages/index.ts";
import type { Model, Usage } from "../models/index.ts";
import type { HeldConversation } from "./held-conversation.ts";
import type { Trace } from "./trace.ts";

export interface Passage {
  /** The conversation they belong to. */
  held(): HeldConversation;
  trace(): Trace | undefined;
}

/** Takes what requests used into the accounts, as it passes by. */
export async function* counted<R>(
  { held }: Passage,
  chunks: AsyncGenerator<Chunk, R>,
  model: Model,
): AsyncGenerator<Chunk, R> {
  let finished = false;
  try {
    for (;;) {
      const { value, done } = await chunks.next();
      finished = done ?? false;
      if (done) return value;
      if (value.type !== "usage") yield value;
      else {
        yield* held().take(value.content as unknown as Usage, model);
      }
    }
  } finally {
    if (!finished) await chunks.return(undefined as R);
  }
}

/** Keeps each chunk before it is handed on, and says what the person has to know about the keeping. */
export async function* drafted<R>(
  { held, trace }: Passage,
  chunks: AsyncGenerator<Chunk, R>,
): AsyncGenerator<Chunk, R> {
  held().forgetUndone();
  let finished = false;
  let failed = false;
  try {
    for (;;) {
      const { value, done } = await chunks.next();
      finished = done ?? false;
      if (done) {
        // An error that ends a turn is its last word.
        if (!failed) yield* held().recorder.notices();
        return value;
      }
      failed = value.type === "error";
      if (value.start) yield* held().recorder.notices();
      held().recorder.chunk(value);
      const tell = trace();
      if (tell) await tellChunk(value, tell);
      yield value;
    }
  } finally {
    if (!finished) await chunks.return(undefined as R);
    held().recorder.rest();
  }
}

/** Keeps chunks and the messages they make, which become part of the conversation. */
export async function* recorded(
  passage: Passage,
  chunks: AsyncGenerator<Chunk>,
  maxOutput: number,
): AsyncGenerator<Chunk> {
  const folder = createFolder(maxOutput);
  for await (const chunk of drafted(passage, chunks)) {
    const message = folder.push(chunk);
    if (message) passage.held().push(message);
    yield chunk;
  }
}

async function tellChunk(chunk: Chunk, trace: Trace): Promise<void> {
  const line = (await import("./trace.ts")).tracedChunk(chunk);
  if (line) trace(line);
}
