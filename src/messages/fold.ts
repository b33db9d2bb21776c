// Folding: turns a stream of chunks into the messages it stands for.
// However a legal stream is cut into chunks, the messages are the same.

import { BoundedText } from "./bounded-text.ts";
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

/** Console output longer than `maxOutput` characters is stored as its head and tail. */
export function createFolder(maxOutput = Number.POSITIVE_INFINITY): Folder {
  let open: (Extras & Omit<Message, "content">) | undefined;
  let content = new BoundedText(0);
  let finished = false;
  let stepHasMessage = false;

  function begin(chunk: Chunk): void {
    const format = chunk.format ?? (chunk.type === "console" ? "output" : undefined);
    open = { role: chunk.role, type: chunk.type as StoredType, ...(format && { format }), ...extrasOf(chunk) };
    content = new BoundedText(chunk.type === "console" ? maxOutput : Number.POSITIVE_INFINITY);
    finished = false;
  }

  function add(chunk: Chunk): void {
    if (chunk.type === "console" && chunk.format === "active_line") finished = chunk.content === null;
    else if (typeof chunk.content === "string") {
      content.add(chunk.content);
      // Facts about the message stay with it; which stream a piece came from is a fact about the piece.
      const { stream: _, ...extras } = extrasOf(chunk);
      Object.assign(open!, extras);
    }
  }

  function close(chunk: Chunk): Message | undefined {
    const message = assemble(extrasOf(chunk))!;
    open = undefined;
    // A step without any output still has its one (empty) console message; a pause around an image has none.
    if (message.type === "console" && content.length === 0 && (stepHasMessage || !finished)) return undefined;
    stepHasMessage = message.role === "computer";
    return message;
  }

  function assemble(last: Extras): Message | undefined {
    if (!open) return undefined;
    const facts = { ...open, ...last };
    return { ...facts, content: content.toString((leftOut) => gapNote(leftOut, facts.outputFile)) };
  }

  return {
    get open() {
      return assemble({});
    },
    push(chunk) {
      if (!isStoredType(chunk.type)) return undefined;
      if (chunk.start) begin(chunk);
      else if (open && chunk.end) return close(chunk);
      else if (open) add(chunk);
      return undefined;
    },
  };
}

/** All messages of a finished stream. */
export function foldChunks(chunks: Iterable<Chunk>, maxOutput?: number): Message[] {
  const folder = createFolder(maxOutput);
  const messages: Message[] = [];
  for (const chunk of chunks) {
    const message = folder.push(chunk);
    if (message) messages.push(message);
  }
  return messages;
}

function gapNote(leftOut: number, file: string | undefined): string {
  const where = file ? ` The whole output is in ${file}` : "";
  return `\n\n[… ${leftOut} characters left out here.${where} …]\n\n`;
}

function extrasOf(chunk: Chunk): Extras {
  const { role: _r, type: _t, format: _f, start: _s, end: _e, content: _c, hint: _h, code: _k, ...extras } = chunk;
  return extras;
}
