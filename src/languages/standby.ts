// A copy of a session's process that sleeps while a block runs, and takes over when the block is taken back or the process crashes.

import { newId } from "../messages/index.ts";
import { StateError } from "./state.ts";

export class Standby {
  /** What the copy is known by. */
  readonly token = newId(24);
  readonly #moved = Promise.withResolvers<void>();
  readonly #resumed = Promise.withResolvers<string[]>();

  constructor() {
    this.#resumed.promise.catch(() => {});
  }

  /** Settles when the copy has taken over. */
  get moved(): Promise<void> {
    return this.#moved.promise;
  }

  /** Settles when the session goes on in the copy, with sentences about what is not as it was. Rejects when it does not. */
  get resumed(): Promise<string[]> {
    return this.#resumed.promise;
  }

  settleMoved(): void {
    this.#moved.resolve();
  }

  settleResumed(notes: string[]): void {
    this.#resumed.resolve(notes);
  }

  fail(why: string): void {
    this.#resumed.reject(new StateError(why));
  }
}
