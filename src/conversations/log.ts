// The append-only log of one conversation: a header line, then one line a message, written before it is shown complete.
// While a message is still being written its chunks go to a draft beside the log, so that a killed process loses nothing shown.

import { closeSync, existsSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Chunk, Message } from "../messages/index.ts";
import type { Usage } from "../models/index.ts";

export interface Header {
  conversation: string;
  version: 1;
  created: string;
  cwd: string;
}

/** A line of the log after the header: a message, or what a request to a model used. */
export type LogLine = { at: string; message: Message } | { at: string; model: string; usage: Usage };

/** A line of the draft. `after` is how many messages the log had when it was written. */
export type DraftLine = { after: number; chunk: Chunk };

export const logName = "log.jsonl";
export const draftName = "draft.jsonl";

export class ConversationLog {
  readonly id: string;
  readonly folder: string;
  #log: number;
  #draft: number | undefined;
  #drafted = false;
  #messages: number;

  /** Opens the log in `folder`, beginning it with `header` when it is new. */
  constructor(folder: string, header: Header, messages = 0) {
    this.folder = folder;
    this.id = header.conversation;
    this.#messages = messages;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, logName);
    const fresh = !existsSync(path);
    this.#log = openSync(path, "a+", 0o600);
    if (fresh) this.#append(header);
    else if (!endsWithNewline(this.#log)) writeSync(this.#log, "\n"); // a line was cut off when a process ended
  }

  /** Where files that belong to the conversation go: long outputs, attachments. */
  fileFor(name: string): string {
    return join(this.folder, name);
  }

  append(message: Message): void {
    this.#append({ at: new Date().toISOString(), message } satisfies LogLine);
    this.#messages++;
    if (this.#drafted && this.#draft !== undefined) ftruncateSync(this.#draft, 0);
    this.#drafted = false;
  }

  used(model: string, usage: Usage): void {
    this.#append({ at: new Date().toISOString(), model, usage } satisfies LogLine);
  }

  /** Keeps a piece of a message that is not complete yet. */
  draft(chunk: Chunk): void {
    this.#draft ??= openSync(join(this.folder, draftName), "a", 0o600);
    writeSync(this.#draft, `${JSON.stringify({ after: this.#messages, chunk } satisfies DraftLine)}\n`);
    this.#drafted = true;
  }

  close(): void {
    closeSync(this.#log);
    if (this.#draft !== undefined) closeSync(this.#draft);
  }

  #append(line: unknown): void {
    writeSync(this.#log, `${JSON.stringify(line)}\n`);
  }
}

function endsWithNewline(file: number): boolean {
  const { size } = fstatSync(file);
  const last = Buffer.alloc(1);
  return size === 0 || (readSync(file, last, 0, 1, size - 1) === 1 && last[0] === 0x0a);
}
