// What the lines of a log and of its draft are, how they are written, and reading a file line by line.

import { closeSync, openSync, readSync } from "node:fs";
import type { Chunk, Message } from "../messages/index.ts";
import type { Usage } from "../models/index.ts";

export const logName = "log.jsonl";
export const draftName = "draft.jsonl";

/** A log that says a higher number was written by a newer version: it is read as far as it can be, and never added to. */
export const logVersion = 1;

/** The first line of a log. */
export interface Header {
  conversation: string;
  version: number;
  created: string;
  cwd: string;
  /** The conversation this one is a copy of, and how many of its turns it has. */
  from?: { conversation: string; turns: number };
}

/** What a line of the log after the header says. */
export type Entry =
  /** `picture` names the file beside the log that has the content. */
  | { message: Message; picture?: string }
  /** What a request to a model used. */
  | { model: string; usage: Usage }
  /** So many messages before this line were taken back. */
  | { undo: number }
  /** What the last undo took back is there again. */
  | { redo: number }
  /** What the person calls the conversation from now on. */
  | { title: string }
  /** So many messages could not be written here: the disk was full for too long. */
  | { missing: number }
  /** What everything above comes to. Where it is the last line, a list needs to read no other. */
  | { digest: Digest };

export interface Digest {
  name: string;
  turns: number;
  messages: number;
  /** Dollars, of the requests whose price is known. */
  cost: number;
  cwd: string;
}

export type LogLine = { at: string } & Entry;

/** A line of the draft. `after` is how many messages the log had when it was written. */
export type DraftLine = { after: number; chunk: Chunk; picture?: string };

/** A message begins with what a search has to know of it, and its words come next. */
export function written(entry: Entry, at: string): string {
  if (!("message" in entry)) return `${JSON.stringify({ at, ...entry })}\n`;
  const { role, type, format, content, ...extras } = entry.message;
  const message = { role, type, ...(format !== undefined && { format }), content, ...extras };
  return `${JSON.stringify({ at, ...entry, message })}\n`;
}

const blockSize = 1 << 20;

/** The lines of a file without their ends. The last one may have been cut off. */
export function* readLines(path: string): Generator<string> {
  const file = openSync(path, "r");
  const block = Buffer.allocUnsafe(blockSize);
  let rest: Buffer[] = [];
  try {
    for (;;) {
      const read = readSync(file, block, 0, blockSize, null);
      if (read === 0) break;
      let from = 0;
      for (let end = block.indexOf(0x0a); end !== -1 && end < read; end = block.indexOf(0x0a, from)) {
        const piece = block.subarray(from, end);
        yield rest.length === 0 ? piece.toString("utf8") : Buffer.concat([...rest, piece]).toString("utf8");
        rest = [];
        from = end + 1;
      }
      if (from < read) rest.push(Buffer.from(block.subarray(from, read)));
    }
    if (rest.length > 0) yield Buffer.concat(rest).toString("utf8");
  } finally {
    closeSync(file);
  }
}

/** Undefined when it is not JSON. */
export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

export function isHeader(value: unknown): value is Header {
  return typeof value === "object" && value !== null && typeof (value as Header).conversation === "string";
}
