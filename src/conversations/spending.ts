// What all conversations of a month have cost: one file a month, one line a request, so that several processes can add to it.

import { appendFileSync, closeSync, mkdirSync, openSync, readSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Usage } from "../models/index.ts";

export interface Spending {
  add(conversation: string, model: string, usage: Usage): void;
  /** Dollars of this month so far, of the requests whose price is known. */
  month(): number;
}

export function openSpending(folder: string, now: () => Date = () => new Date()): Spending {
  let read = { path: "", upTo: 0, dollars: 0 };
  let unwritten = 0;

  const fileOf = (date: Date): string => {
    const month = String(date.getMonth() + 1).padStart(2, "0");
    return join(folder, `${date.getFullYear()}-${month}.jsonl`);
  };

  return {
    add(conversation, model, usage) {
      const date = now();
      const path = fileOf(date);
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        appendFileSync(path, `${JSON.stringify({ at: date.toISOString(), conversation, model, ...usage })}\n`, {
          mode: 0o600,
        });
      } catch {
        unwritten += usage.cost ?? 0; // a full or read-only disk: the person hears of it from the conversation
      }
    },
    month() {
      const path = fileOf(now());
      if (read.path !== path) read = { path, upTo: 0, dollars: 0 };
      const more = readFrom(path, read.upTo);
      const whole = more.slice(0, more.lastIndexOf("\n") + 1);
      for (const line of whole.split("\n")) read.dollars += costIn(line);
      read.upTo += Buffer.byteLength(whole);
      return read.dollars + unwritten;
    },
  };
}

/** What was added to the file since it was last read. */
function readFrom(path: string, start: number): string {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= start) return "";
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(size - start);
    return bytes.toString("utf8", 0, readSync(file, bytes, 0, bytes.length, start));
  } finally {
    closeSync(file);
  }
}

function costIn(line: string): number {
  try {
    const { cost } = JSON.parse(line) as { cost?: unknown };
    return typeof cost === "number" && cost > 0 ? cost : 0;
  } catch {
    return 0;
  }
}
