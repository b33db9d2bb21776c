// Works in small bites, so that others get their turn in between, and stops when nobody wants the result any more.

import { setImmediate as others } from "node:timers/promises";

export interface Pace {
  /** Whether it is time to rest: asked often, so it is no promise. */
  due(): boolean;
  /** Rejects when it is over. */
  rest(): Promise<void>;
}

/** Milliseconds at a time. */
const bite = 4;

export function openPace(signal?: AbortSignal): Pace {
  let since = performance.now();
  return {
    due: () => performance.now() - since > bite,
    async rest() {
      await others();
      signal?.throwIfAborted();
      since = performance.now();
    },
  };
}
