// Puts what arrives at the same time one after another: each text and each block is a lane, the first open lane is
// heard at once, the others wait their turn.

import type { ModelEvent } from "../types.ts";

export interface Lane {
  emit(event: ModelEvent): void;
  close(): void;
}

export interface Lanes {
  open(): Lane;
}

export function createLanes(emit: (event: ModelEvent) => void): Lanes {
  const queue: { waiting: ModelEvent[]; closed: boolean }[] = [];

  const advance = (): void => {
    while (queue[0]) {
      for (const event of queue[0].waiting.splice(0)) emit(event);
      if (!queue[0].closed) return;
      queue.shift();
    }
  };

  return {
    open() {
      const lane = { waiting: [] as ModelEvent[], closed: false };
      queue.push(lane);
      return {
        emit(event) {
          lane.waiting.push(event);
          if (queue[0] === lane) advance();
        },
        close() {
          lane.closed = true;
          advance();
        },
      };
    },
  };
}
