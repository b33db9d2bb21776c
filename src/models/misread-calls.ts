// Counts replies whose tool calls had nothing in them to run: a model that does this again is better asked in markdown.

import type { ModelEvent } from "./types.ts";

export interface MisreadCalls {
  see(event: ModelEvent): void;
  /** Replies of this kind since the last call that could be read. */
  readonly count: number;
}

export function createMisreadCalls(): MisreadCalls {
  let count = 0;
  let blocks = 0;
  let readable = false;
  return {
    get count() {
      return count;
    },
    see(event) {
      if (event.type === "code-start") blocks++;
      else if (event.type === "code-delta") readable ||= event.text.trim() !== "";
      else if (event.type === "finish" || event.type === "failure") {
        if (readable) count = 0;
        else if (blocks > 0 && event.type === "finish" && event.reason === "stop") count++;
        [blocks, readable] = [0, false];
      }
    },
  };
}
