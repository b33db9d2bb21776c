// What is printed or shown while no block runs, by something left in the background: it comes with the next block, of long output
// the newest part.

import type { SessionEvent } from "./language.ts";

const longest = 64 * 1024;
const most = 100;

type Late = Extract<SessionEvent, { type: "output" | "display" }>;

export class LateOutput {
  #events: Late[] = [];

  add(event: Late): void {
    const last = this.#events.at(-1);
    if (event.type === "output" && last?.type === "output" && last.stream === event.stream)
      last.text = (last.text + event.text).slice(-longest);
    else if (this.#events.length < most) this.#events.push(event);
  }

  take(): Late[] {
    return this.#events.splice(0);
  }

  /** The last words of a process that was never ready. */
  words(): string {
    return this.#events
      .map((event) => (event.type === "output" ? event.text : ""))
      .join("")
      .slice(-2_000);
  }
}
