// Writes to stdout and waits when it is full; a reader that went away ends the program quietly.

import type { Writable } from "node:stream";

export interface Writer {
  write(text: string): void;
  /** Settles when there is room for more. */
  room(): Promise<void>;
}

/** `translate` is for terminals that do not have every sign. */
export function createWriter(stream: Writable, translate: (text: string) => string = (text) => text): Writer {
  let full = false;
  let wake = () => {};
  stream.on("drain", () => {
    full = false;
    wake();
  });
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
  return {
    write(text) {
      if (text !== "" && !stream.write(translate(text))) full = true;
    },
    room() {
      if (!full) return Promise.resolve();
      return new Promise((resolve) => {
        wake = resolve;
      });
    },
  };
}
