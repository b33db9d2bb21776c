// Questions to a driver that are answered beside the blocks: what variables there are, how a name could go on.

import { SessionBusyError } from "./inspection.ts";

const answeredWithin = 6_000;

export class Requests {
  readonly #open = new Map<number, (value: unknown, problem?: string) => void>();
  #asked = 0;

  /**
   * Sends a question under a new number. Rejects with a `SessionBusyError` when no answer comes, in time or at all; what may
   * take its time (`patient`) has somebody who can give it up.
   */
  ask(send: (id: number) => void, patient = false): Promise<unknown> {
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      const settle = (value: unknown, problem?: string) => {
        clearTimeout(timer);
        this.#open.delete(id);
        if (problem === undefined) resolve(value);
        else reject(new SessionBusyError(problem));
      };
      const late = "It is busy and did not answer. Try again later.";
      const timer = patient ? undefined : setTimeout(settle, answeredWithin, undefined, late);
      this.#open.set(id, settle);
      send(id);
    });
  }

  /** Takes an answer from inside; one that nobody asked for is nothing. */
  answer(id: unknown, value: unknown): void {
    if (typeof id === "number") this.#open.get(id)?.(value);
  }

  close(): void {
    for (const settle of [...this.#open.values()]) settle(undefined, "The session has ended.");
  }
}
