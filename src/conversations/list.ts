// The conversations that were held: what each is called, where and when it was. Of most only the last line is read.

import { closeSync, openSync, readSync } from "node:fs";
import { basename, join } from "node:path";
import { type Digest, logName, parseLine } from "./lines.ts";
import { foldersByChange, hasDraft, loadConversation } from "./load.ts";
import { nameOf } from "./name.ts";
import { turnStarts } from "./turns.ts";

export interface Listed extends Digest {
  /** The name of its folder. */
  id: string;
  folder: string;
  /** When it was last added to. */
  changed: Date;
  /** Bytes of its log. */
  size: number;
}

/** Newest first; those without a message are left out. */
export function* listConversations(conversations: string): Generator<Listed> {
  const bytes = Buffer.allocUnsafe(longestDigest);
  for (const { folder, changed, size } of foldersByChange(conversations)) {
    const digest = (!hasDraft(folder) && lastLine(folder, size, bytes)) || digestOf(folder);
    if (digest && digest.messages > 0)
      yield { id: basename(folder), folder, changed: new Date(changed), size, ...digest };
  }
}

const longestDigest = 2_048;

/** What the log ends with, when that is its digest. */
function lastLine(folder: string, size: number, bytes: Buffer): Digest | undefined {
  const file = openSync(join(folder, logName), "r");
  try {
    const read = readSync(file, bytes, 0, longestDigest, Math.max(0, size - longestDigest));
    if (read === 0 || bytes[read - 1] !== 0x0a) return undefined;
    const start = bytes.lastIndexOf(0x0a, read - 2) + 1;
    const { digest } = Object(parseLine(bytes.toString("utf8", start, read - 1))) as { digest?: Partial<Digest> };
    return isDigest(digest) ? digest : undefined;
  } finally {
    closeSync(file);
  }
}

function digestOf(folder: string): Digest | undefined {
  const conversation = loadConversation(folder);
  if (!conversation) return undefined;
  const { messages, usage, header } = conversation;
  const cost = usage.reduce((sum, each) => sum + (each.cost ?? 0), 0);
  const turns = turnStarts(messages).length;
  return { name: nameOf(conversation), turns, messages: messages.length, cost, cwd: header.cwd };
}

function isDigest(value: Partial<Digest> | undefined): value is Digest {
  const { name, cwd, turns, messages, cost } = Object(value) as Record<keyof Digest, unknown>;
  return typeof name === "string" && typeof cwd === "string" && [turns, messages, cost].every(Number.isFinite);
}
