// Reads stdout or stderr of a driver and finds the marks the driver writes into it.
// A mark says "everything before this was printed before event K"; at a mark the stream waits until it is released.

import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

export interface MarkedStream {
  /** The last mark reached; the stream holds there. */
  readonly mark: number;
  release(): void;
  pause(): void;
  resume(): void;
  /** Settles when the stream has ended and everything in it was handed over. */
  readonly ended: Promise<void>;
}

/** Marks look like RS nonce ":" number RS. The nonce is random, so output cannot forge one by accident. */
export function readMarked(
  source: Readable,
  nonce: string,
  on: { text: (text: string) => void; mark: () => void },
): MarkedStream {
  const prefix = Buffer.from(`\x1e${nonce}:`);
  const decoder = new StringDecoder("utf8");
  let pending: Buffer = Buffer.alloc(0);
  let mark = 0;
  let holding = false;
  let paused = false;
  let over = false;
  let finish = () => {};
  const ended = new Promise<void>((resolve) => {
    finish = resolve;
  });

  function emit(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const text = decoder.write(bytes);
    if (text !== "") on.text(text);
  }

  function flow(): void {
    while (!holding && pending.length > 0) {
      const at = pending.indexOf(prefix);
      if (at === -1) {
        const keep = over ? 0 : partialMatch(pending, prefix);
        const ready = pending.subarray(0, pending.length - keep);
        pending = pending.subarray(pending.length - keep);
        emit(ready);
        break;
      }
      const close = pending.indexOf(0x1e, at + prefix.length);
      if (close === -1 && !over) {
        emit(pending.subarray(0, at));
        pending = pending.subarray(at);
        break;
      }
      emit(pending.subarray(0, at));
      if (close === -1) {
        pending = Buffer.alloc(0);
        break;
      }
      mark = Number(pending.toString("latin1", at + prefix.length, close));
      pending = pending.subarray(close + 1);
      holding = true;
      on.mark();
    }
    if (over && !holding && pending.length === 0) {
      const rest = decoder.end();
      if (rest !== "") on.text(rest);
      finish();
      return;
    }
    if (holding || paused) source.pause();
    else source.resume();
  }

  source.on("data", (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    flow();
  });
  source.on("close", () => {
    over = true;
    flow();
  });

  return {
    get mark() {
      return mark;
    },
    ended,
    release() {
      if (!holding) return;
      holding = false;
      flow();
    },
    pause() {
      paused = true;
      source.pause();
    },
    resume() {
      if (!paused) return;
      paused = false;
      if (!holding) flow();
    },
  };
}

/** How many bytes at the end of `data` could be the beginning of `prefix`. */
function partialMatch(data: Buffer, prefix: Buffer): number {
  for (let length = Math.min(prefix.length - 1, data.length); length > 0; length--) {
    if (data.subarray(data.length - length).equals(prefix.subarray(0, length))) return length;
  }
  return 0;
}
