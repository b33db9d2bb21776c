// Folding: turns a stream of chunks into the messages it stands for.
// However a legal stream is cut into chunks, the messages are the same.

import type { Chunk, Extras, Message, StoredType } from "./types.ts";

export interface Folder {
  /** Takes one chunk; returns the message it completed, if any. */
  push(chunk: Chunk): Message | undefined;
  /** The message still being written, as far as it has come. */
  readonly open: Message | undefined;
}

const stored: ReadonlySet<string> = new Set(["message", "reasoning", "code", "console", "image", "file", "audio"]);

export function isStoredType(type: string): type is StoredType {
  return stored.has(type);
}

/**
 * Calls `amend` when facts about a step (status, duration) arrive after its last message was complete:
 * the message object returned earlier is extended and handed over once more.
 */
export function createFolder(amend?: (message: Message) => void): Folder {
  let open: Message | undefined;
  let hasContent = false;
  let finished = false;
  let lastOfStep: Message | undefined;

  function begin(chunk: Chunk): void {
    open = { role: chunk.role, type: chunk.type as StoredType, content: "", ...extrasOf(chunk) };
    const format = chunk.format ?? (chunk.type === "console" ? "output" : undefined);
    if (format !== undefined) open.format = format;
    hasContent = false;
    finished = false;
  }

  function add(chunk: Chunk): void {
    if (!open) return;
    if (chunk.type === "console" && chunk.format === "active_line") {
      finished = chunk.content === null;
      return;
    }
    if (typeof chunk.content !== "string") return;
    open.content += chunk.content;
    const { stream: _, ...extras } = extrasOf(chunk);
    Object.assign(open, extras);
    hasContent = true;
  }

  function close(chunk: Chunk): Message | undefined {
    if (!open) return undefined;
    const message = open;
    open = undefined;
    const extras = extrasOf(chunk);
    Object.assign(message, extras);
    if (message.type === "console" && !hasContent) {
      if (lastOfStep) {
        if (Object.keys(extras).length > 0) {
          Object.assign(lastOfStep, extras);
          amend?.(lastOfStep);
        }
        return undefined;
      }
      if (!finished) return undefined;
    }
    if (message.type === "code" && message.role !== "computer") lastOfStep = undefined;
    else if (message.role === "computer") lastOfStep = message;
    return message;
  }

  return {
    get open() {
      return open;
    },
    push(chunk) {
      if (!isStoredType(chunk.type)) return undefined;
      if (chunk.start) begin(chunk);
      else if (chunk.end) return close(chunk);
      else add(chunk);
      return undefined;
    },
  };
}

/** All messages of a finished stream. */
export function foldChunks(chunks: Iterable<Chunk>): Message[] {
  const folder = createFolder();
  const messages: Message[] = [];
  for (const chunk of chunks) {
    const message = folder.push(chunk);
    if (message) messages.push(message);
  }
  return messages;
}

function extrasOf(chunk: Chunk): Extras {
  const { role: _r, type: _t, format: _f, start: _s, end: _e, content: _c, hint: _h, code: _k, ...extras } = chunk;
  return extras;
}
