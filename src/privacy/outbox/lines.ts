// What the lines of an outbox say.

import type { Difference } from "./difference.ts";

export const outboxName = "outbox.jsonl";

/** A request: its body is what differs from that of the request `like`. */
export interface RequestLine extends Difference {
  id: string;
  at: string;
  to: string;
  model: string;
  bytes: number;
  /** How many secrets and hidden values were replaced in it. */
  masked: number;
  like?: string;
}

/** What came of one, when it was over. */
export interface ReplyLine {
  reply: string;
  status?: number;
  got: number;
  ms: number;
}

export type OutboxLine = RequestLine | ReplyLine;

/** Everything else that was sent, in the outbox of the data folder. */
export interface ElsewhereLine {
  at: string;
  to: string;
  /** Why. */
  what: string;
}

/** What the model is told of hidden values; what it names is none. */
export const aboutHidden =
  "The person keeps some values from you: what stands as ‹hidden› is there for code, so work with it in code, and do not try to see it.";

export const masksIn = (body: string): number =>
  body.replaceAll(aboutHidden, "").match(/‹(?:secret [^›\n]{1,80}|hidden)›/g)?.length ?? 0;

/** An address as it may be kept: without a password, and without what is called a key. */
export function withoutKey(address: string): string {
  const url = URL.parse(address);
  if (!url) return address.replace(/[?#].*$/, "");
  url.username = "";
  url.password = "";
  for (const name of url.searchParams.keys())
    if (/key|token|secret|password|signature|sig$|code|auth/i.test(name)) url.searchParams.set(name, "…");
  return url.href;
}
