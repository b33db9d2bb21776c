// Makes room before a request: nothing while it fits, then old outputs are shortened, then the conversation is compacted.

import type { Sessions } from "../../languages/index.ts";
import type { Chunk, Message } from "../../messages/index.ts";
import type { Model } from "../../models/index.ts";
import { notice } from "../notice.ts";
import { compact } from "./compact.ts";
import { bounded, shortened } from "./shorten.ts";
import type { ContextWindow } from "./window.ts";

export interface RoomRequest {
  context: ContextWindow;
  model: Model;
  /** The system message and the tool, as far as they count. */
  around: string;
  /** The conversation, to which the turn appends. */
  messages: readonly Message[];
  sessions: Sessions;
  maxTokens?: number | undefined;
  signal: AbortSignal;
}

// Shares of the room: when more is made, how much is wanted then, what is good enough without a summary, and how much of
// the newest is kept word for word.
const full = 0.85;
const wanted = 0.5;
const enough = 0.7;
const kept = 0.25;

/** With `refused` the model has already said that it is too much. */
export async function* makeRoom(request: RoomRequest, refused = false): AsyncGenerator<Chunk> {
  const { context, messages, around } = request;
  const size = () => context.size(context.view(messages), around);
  const facts = (await request.model.facts?.()) ?? {};
  const limit = context.limit({ ...facts, maxTokens: request.maxTokens });
  if (!refused && size() <= limit * full) return;

  const gained = context.shorten(messages, limit * kept, () => size() <= limit * wanted);
  if (size() <= limit * enough) {
    if (gained) yield notice("shortened", "Old outputs are shortened for the model, to make room.");
    return;
  }
  const compacted = yield* compact({ ...request, limit, keep: limit * kept });
  if (request.signal.aborted || size() <= limit) {
    if (compacted) yield notice("compacted", "The model goes on from a summary. Everything stays in the conversation.");
    return;
  }
  cutLongest(request, limit);
}

/** What is left is too long by itself: something pasted, or one output. The longest messages lose their middle. */
function cutLongest({ context, messages, around }: RoomRequest, limit: number): void {
  // Thinking goes back as it was, or its signature does not hold.
  const longestFirst = messages
    .filter(({ type }) => type !== "reasoning")
    .toSorted((a, b) => b.content.length - a.content.length);
  for (const message of longestFirst) {
    const over = context.size(context.view(messages), around) - limit * full;
    if (over <= 0) return;
    const read = context.read(message);
    const short = read.type === "image" ? shortened(read) : cut(read, over / context.size([read]));
    if (short) context.replace(message, short);
  }
}

function cut(message: Message, share: number): Message {
  const left = Math.max(500, Math.floor(message.content.length * (1 - share)) - 200);
  return { ...message, content: bounded(message.content, left, message.outputFile) };
}
