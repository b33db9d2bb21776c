// Reads an outbox back: which requests there were, and each of them byte for byte.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { joinedTo } from "./difference.ts";
import { type ElsewhereLine, outboxName, type ReplyLine, type RequestLine } from "./lines.ts";

export interface SentRequest extends Omit<RequestLine, "keep" | "end" | "body" | "like"> {
  /** From 1, in the order they were sent. */
  number: number;
  /** Absent while it goes on, or when the program was killed. */
  reply?: Omit<ReplyLine, "reply">;
}

export interface Outboxed {
  requests: readonly SentRequest[];
  /** Lines that could not be read. */
  damaged: number;
  /** What was sent; undefined where a line that it needs is damaged. */
  body(number: number): string | undefined;
}

/** `folder` is the conversation's. Undefined when nothing was recorded there. */
export function readOutbox(folder: string): Outboxed | undefined {
  const path = join(folder, outboxName);
  if (!existsSync(path)) return undefined;
  const { lines, damaged } = readLines(path);
  const requests = lines.filter(isRequest);
  const replies = new Map(lines.filter(isReply).map(({ reply, ...rest }) => [reply, rest]));
  const places = new Map(requests.map(({ id }, index) => [id, index]));

  function body(number: number): string | undefined {
    const chain: RequestLine[] = [];
    for (let at: number | undefined = number - 1; at !== undefined; ) {
      const line: RequestLine | undefined = requests[at];
      if (!line || chain.length > requests.length) return undefined;
      chain.push(line);
      if (line.like === undefined) break;
      at = places.get(line.like);
      if (at === undefined) return undefined;
    }
    return chain.reduceRight((before, line) => (line.like === undefined ? line.body : joinedTo(before, line)), "");
  }

  return {
    requests: requests.map(({ keep: _k, end: _e, body: _b, like: _l, ...facts }, index) => {
      const reply = replies.get(facts.id);
      return { ...facts, number: index + 1, ...(reply && { reply }) };
    }),
    damaged,
    body,
  };
}

/** Oldest first. */
export function readElsewhere(data: string): readonly ElsewhereLine[] {
  const path = join(data, outboxName);
  if (!existsSync(path)) return [];
  return readLines(path).lines.filter(
    (line): line is ElsewhereLine => typeof (line as ElsewhereLine).what === "string",
  );
}

function readLines(path: string): { lines: object[]; damaged: number } {
  const lines: object[] = [];
  let damaged = 0;
  for (const line of readFileSync(path, "utf8").split("\n")) {
    if (line === "") continue;
    try {
      lines.push(Object(JSON.parse(line)) as object);
    } catch {
      damaged++;
    }
  }
  return { lines, damaged };
}

const isRequest = (line: object): line is RequestLine =>
  typeof (line as RequestLine).id === "string" && typeof (line as RequestLine).body === "string";
const isReply = (line: object): line is ReplyLine => typeof (line as ReplyLine).reply === "string";
