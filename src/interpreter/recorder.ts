// Keeps the conversation on disk in step with what is shown: every chunk before it is handed out, every message when complete.

import { join } from "node:path";
import { type Conversation, ConversationLog } from "../conversations/index.ts";
import { type Chunk, createFolder, type Message, newId } from "../messages/index.ts";
import type { Usage } from "../models/index.ts";

const draftedPerMessage = 64 * 1024;

export interface Recorder {
  /** The name of the conversation; empty when it is not kept. */
  readonly name: string;
  /** Called with each chunk before anybody sees it. */
  chunk(chunk: Chunk): void;
  message(message: Message): void;
  /** What a request to a model used. */
  used(model: string, usage: Usage): void;
  /** A file beside the log. */
  fileFor(name: string): string;
  close(): void;
}

/** Nothing is written before the first message: a start without a word leaves no trace. */
export function createRecorder(conversations: string, cwd: string, resumed?: Conversation): Recorder {
  const id = resumed?.header.conversation ?? newName();
  const folder = resumed?.folder ?? join(conversations, id);
  const folding = createFolder(0);
  let log: ConversationLog | undefined;
  let drafted = 0;

  function open(): ConversationLog {
    if (log) return log;
    const header = resumed?.header ?? { conversation: id, version: 1 as const, created: new Date().toISOString(), cwd };
    const { messages = [], unfinished } = resumed ?? {};
    log = new ConversationLog(folder, header, messages.length - (unfinished ? 1 : 0));
    if (unfinished) log.append(unfinished);
    return log;
  }

  return {
    name: id,
    chunk(chunk) {
      folding.push(chunk);
      if (chunk.start) drafted = 0;
      if (!folding.open || chunk.end) return;
      // Long output is in its own file; the draft holds its beginning.
      if (typeof chunk.content === "string") drafted += chunk.content.length;
      if (drafted <= draftedPerMessage || chunk.outputFile) open().draft(chunk);
    },
    message: (message) => open().append(message),
    used: (model, usage) => open().used(model, usage),
    fileFor: (name) => join(folder, name),
    close: () => log?.close(),
  };
}

/** A recorder that keeps nothing, for programs that keep conversations themselves. */
export function forgetfulRecorder(folder: string): Recorder {
  return { name: "", chunk() {}, message() {}, used() {}, fileFor: (name) => join(folder, name), close() {} };
}

function newName(): string {
  const time = new Date().toISOString().replace(/[-:]/g, "").slice(0, 15);
  return `${time}-${newId(6).toLowerCase()}`;
}
