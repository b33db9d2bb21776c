// The queue between a session's streams and whoever reads its events: merges small pieces of output,
// and says when it is full so that the source can be paused.

import type { SessionEvent } from "./language.ts";

const fullAt = 1 << 20;
const roomAt = 1 << 18;

export class EventQueue {
  #events: SessionEvent[] = [];
  #size = 0;
  #full = false;
  #wake: (() => void) | undefined;
  readonly #onPressure: (full: boolean) => void;

  constructor(onPressure: (full: boolean) => void) {
    this.#onPressure = onPressure;
  }

  push(event: SessionEvent): void {
    const last = this.#events.at(-1);
    if (event.type === "line" && last?.type === "line") last.line = event.line;
    else if (event.type === "output" && last?.type === "output" && last.stream === event.stream)
      last.text += event.text;
    else this.#events.push(event);
    if (event.type === "output") this.#size += event.text.length;
    if (!this.#full && this.#size > fullAt) {
      this.#full = true;
      this.#onPressure(true);
    }
    this.#wake?.();
  }

  async next(): Promise<SessionEvent> {
    while (this.#events.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    const event = this.#events.shift()!;
    if (event.type === "output") this.#size -= event.text.length;
    if (this.#full && this.#size < roomAt) {
      this.#full = false;
      this.#onPressure(false);
    }
    return event;
  }
}

/** The events of one block. A reader that leaves early stops the block; what it still prints is dropped. */
export async function* untilEnd(
  events: { next(): Promise<SessionEvent> },
  stop: () => void,
): AsyncGenerator<SessionEvent> {
  let ended = false;
  try {
    while (!ended) {
      const event = await events.next();
      ended = event.type === "end";
      yield event;
    }
  } finally {
    if (!ended) stop();
    while (!ended) ended = (await events.next()).type === "end";
  }
}
