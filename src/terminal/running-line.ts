// Which line of the block runs now, for a person who waits.

import type { Chunk } from "../messages/index.ts";
import { sanitize } from "./sanitize.ts";

export interface RunningLine {
  see(chunk: Chunk): void;
  /** `line 7: df = load()`, or nothing. */
  readonly text: string;
}

export function createRunningLine(): RunningLine {
  let code = "";
  let text = "";
  return {
    see({ type, format, start, content }) {
      if (type === "code" && start) code = "";
      else if (type === "code" && typeof content === "string") code += content;
      else if (type === "console" && format === "active_line") {
        const line = typeof content === "number" ? code.split("\n")[content - 1]?.trim() : undefined;
        text = line ? `line ${content}: ${sanitize(line)}` : "";
      }
    },
    get text() {
      return text;
    },
  };
}
