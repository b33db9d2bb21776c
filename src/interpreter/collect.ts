// Waits for the messages of a stream, however much flows through it; a turn that failed is an error then.

import { type Chunk, createFolder, type Message } from "../messages/index.ts";

/** A turn that failed, for those who wait for its messages instead of following its chunks. */
export class TurnFailed extends Error {
  override name = "TurnFailed";
  /** What to do about it. */
  readonly hint: string;
  readonly code: string;
  /** What there was before it failed. */
  readonly messages: Message[];

  constructor({ content, hint = "", code = "failed" }: Chunk, messages: Message[]) {
    super(`${content} ${hint}`.trim());
    this.hint = hint;
    this.code = code;
    this.messages = messages;
  }
}

/** The messages a stream stands for. Rejects with `TurnFailed` when an error is the last thing it says. */
export async function collect(chunks: AsyncIterable<Chunk>, maxOutput: number): Promise<Message[]> {
  const folder = createFolder(maxOutput);
  const messages: Message[] = [];
  let last: Chunk | undefined;
  for await (const chunk of chunks) {
    const message = folder.push(chunk);
    if (message) messages.push(message);
    last = chunk;
  }
  // Code that nobody approved is no failure: the messages say so.
  if (last?.type === "error" && last.code !== "approval") throw new TurnFailed(last, messages);
  return messages;
}
