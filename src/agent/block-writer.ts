// Writes the flags of the streaming grammar: opens a block when its first content comes, closes it before another.

import type { Chunk, Extras, Role, StoredType } from "../messages/index.ts";

type Header = { role: Role; type: StoredType; format?: string };

export class BlockWriter {
  #open: Header | undefined;

  /** Whether a block of this kind is open. */
  writes(header: Header): boolean {
    const open = this.#open;
    return open?.role === header.role && open.type === header.type && open.format === header.format;
  }

  *write(header: Header, content: string, extras: Extras = {}): Generator<Chunk> {
    if (!this.writes(header)) yield* this.start(header, extras);
    if (content !== "") yield { ...header, content };
  }

  *start(header: Header, extras: Extras = {}): Generator<Chunk> {
    yield* this.end();
    this.#open = header;
    yield { ...header, start: true, ...extras };
  }

  *end(extras: Extras = {}): Generator<Chunk> {
    if (!this.#open) return;
    const header = this.#open;
    this.#open = undefined;
    yield { ...header, end: true, ...extras };
  }

  /** A whole message at once. */
  *message(header: Header, content: string, extras: Extras = {}): Generator<Chunk> {
    yield* this.end();
    // Who it is for stands on every chunk, so that a client can pass over each of them.
    const to = extras.recipient ? { recipient: extras.recipient } : {};
    const flags = header.type === "console" ? { role: header.role, type: header.type } : header;
    yield { ...flags, start: true, ...extras };
    if (content !== "") yield { ...header, content, ...to };
    if (header.type === "console") yield { ...flags, format: "active_line", content: null };
    yield { ...flags, end: true, ...to };
  }
}
