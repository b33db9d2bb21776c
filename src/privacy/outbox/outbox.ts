// The record of what was sent to models, beside the conversation: exactly the bytes of each request, as what differs from an
// earlier one. It is written a moment after the request has left, and at the latest when the program ends.

import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { newId } from "../../messages/index.ts";
import { type Difference, differenceTo } from "./difference.ts";
import { masksIn, type OutboxLine, outboxName, withoutKey } from "./lines.ts";

export interface Outgoing {
  /** The address. */
  to: string;
  model: string;
  /** What is sent, as text. */
  body: string;
}

/** What came of it. */
export interface Sent {
  answered(status: number): void;
  received(bytes: number): void;
  end(): void;
}

export interface Outbox {
  sending(outgoing: Outgoing): Sent;
}

/** Milliseconds until it is written: by then the request is on its way. */
const soon = 30;
/** Requests that may go on from one another: the conversation's, and those beside it. */
const remembered = 3;
/** Characters of them that are held in memory. */
const mostHeld = 32_000_000;
/** Lines that wait while the disk cannot be written. */
const mostWaiting = 100;

/** Those that are in use, for the moment when the program ends. */
const waiting = new Set<ConversationOutbox>();
let listening = false;

export class ConversationOutbox implements Outbox {
  readonly #folder: () => string | undefined;
  readonly #lines: (() => OutboxLine)[] = [];
  #before: { id: string; body: string }[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** Those that are answered, as far as that has come. */
  readonly #answered = new Set<() => void>();

  /** `folder` is the conversation's; nothing is written before it is there. */
  constructor(folder: () => string | undefined) {
    this.#folder = folder;
  }

  sending({ to, model, body }: Outgoing): Sent {
    const id = newId();
    const at = new Date().toISOString();
    const started = performance.now();
    let status: number | undefined;
    let got = 0;
    let over = false;
    this.#later(() => ({
      id,
      at,
      to: withoutKey(to),
      model,
      bytes: Buffer.byteLength(body),
      masked: masksIn(body),
      ...this.#difference(id, body),
    }));
    const end = (): void => {
      if (over) return;
      over = true;
      this.#answered.delete(end);
      const ms = Math.round(performance.now() - started);
      this.#later(() => ({ reply: id, ...(status !== undefined && { status }), got, ms }));
    };
    return {
      answered: (code) => {
        status = code;
        this.#answered.add(end);
      },
      received: (bytes) => {
        got += bytes;
      },
      end,
    };
  }

  /** Nothing comes any more, or nobody waits for it. */
  close(): void {
    for (const end of [...this.#answered]) end();
    this.flush();
    waiting.delete(this);
  }

  /** Writes what is waiting. A disk that cannot be written now may be later. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const folder = this.#folder();
    if (folder === undefined || !existsSync(folder)) return;
    const lines = this.#lines.splice(0).map((line) => line());
    if (lines.length === 0) return;
    try {
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
      appendFileSync(join(folder, outboxName), text, { mode: 0o600 });
    } catch {
      this.#lines.unshift(...lines.map((line) => () => line));
    }
  }

  #later(line: () => OutboxLine): void {
    this.#lines.push(line);
    if (this.#lines.length > mostWaiting) this.#lines.shift();
    waiting.add(this);
    this.#timer ??= setTimeout(() => this.flush(), soon).unref();
    if (listening) return;
    listening = true;
    process.on("exit", () => {
      for (const outbox of [...waiting]) outbox.close();
    });
  }

  #difference(id: string, body: string): Difference & { like?: string } {
    let best: (Difference & { like?: string }) | undefined;
    for (const before of this.#before) {
      const found = differenceTo(before.body, body);
      if (found.keep > 0 && (!best || found.body.length < best.body.length)) best = { like: before.id, ...found };
    }
    this.#before = [{ id, body }, ...this.#before].slice(0, remembered);
    while (this.#before.reduce((sum, each) => sum + each.body.length, 0) > mostHeld) this.#before.pop();
    return best ?? { keep: 0, end: 0, body };
  }
}
