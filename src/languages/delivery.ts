// Puts what a driver tells and what its process prints back into the order in which it was made: an event with a mark waits until
// both streams have come to the same mark.

import type { Process } from "../machine/index.ts";
import type { DriverEvent } from "./driver-protocol.ts";
import { type MarkedStream, readMarked } from "./marked-stream.ts";

type Name = "stdout" | "stderr";

export class Delivery {
  readonly #streams: Record<Name, MarkedStream>;
  readonly #onEvent: (event: DriverEvent) => void;
  readonly #waiting: DriverEvent[] = [];
  #delivered = 0;
  #ended = false;

  constructor(
    process: Pick<Process, Name>,
    nonce: string,
    on: { output: (stream: Name, text: string) => void; event: (event: DriverEvent) => void },
  ) {
    this.#onEvent = on.event;
    const read = (name: Name) =>
      readMarked(process[name], nonce, { text: (text) => on.output(name, text), mark: () => this.#marked(name) });
    this.#streams = { stdout: read("stdout"), stderr: read("stderr") };
  }

  push(event: DriverEvent): void {
    this.#waiting.push(event);
    this.#deliver();
  }

  /** The next mark is the one after this number; lower ones that still come are of nobody. */
  countFrom(mark: number): void {
    this.#delivered = mark;
  }

  /** With true, nothing more is read until it is called with false. */
  pause(full: boolean): void {
    for (const stream of Object.values(this.#streams)) full ? stream.pause() : stream.resume();
  }

  /** No more marks are waited for. Settles when both streams are read to their end. */
  async end(): Promise<void> {
    this.#ended = true;
    for (const stream of Object.values(this.#streams)) stream.release();
    this.#deliver();
    await Promise.all(Object.values(this.#streams).map(({ ended }) => ended));
  }

  #marked(name: Name): void {
    const stream = this.#streams[name];
    if (stream.mark <= this.#delivered) stream.release();
    else this.#deliver();
  }

  /** Hands over every event whose output has arrived. Marks count up by one; we wait for no other. */
  #deliver(): void {
    const { stdout, stderr } = this.#streams;
    while (this.#waiting.length > 0) {
      const event = this.#waiting[0]!;
      const { mark } = event;
      const expected = mark === this.#delivered + 1;
      if (expected && !this.#ended && (stdout.mark < mark || stderr.mark < mark)) return;
      if (expected) this.#delivered = mark;
      this.#waiting.shift();
      this.#onEvent(event);
      if (mark !== undefined) {
        stdout.release();
        stderr.release();
      }
    }
  }
}
