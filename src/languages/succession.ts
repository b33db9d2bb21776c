// How a session goes on in a copy of its process. The copy sleeps while a block runs (`standby.ts`) and says that it has moved when
// the process is gone; once all that the process had told is handed over, the copy is told to go on, and says so.

import type { DriverEvent } from "./driver-protocol.ts";
import type { Standby } from "./standby.ts";
import { StateError } from "./state.ts";
import { within } from "./within.ts";

/** A copy that has taken over counts its marks from a number that the process before it cannot have reached. */
const marksApart = 1_000_000_000;
const takesOverWithin = 3_000;
const dropped = "There is nothing that the session could go back to.";

interface Heir {
  standby: Standby;
  /** Sentences about what is not as it was. */
  notes: string[];
  /** The block that was running when the process went. */
  block: number;
}

export interface SuccessionRequest {
  ask: (request: { do: "begin" | "drop" | "back"; token?: string }) => Promise<unknown>;
  /** Ends the process, if it is there. */
  end: () => void;
}

export class Succession {
  readonly #request: SuccessionRequest;
  #standby: Standby | undefined;
  /** A copy that has taken over, until it goes on. */
  #heir: Heir | undefined;
  #times = 0;

  constructor(request: SuccessionRequest) {
    this.#request = request;
  }

  /** How often a copy has taken over. */
  get times(): number {
    return this.#times;
  }

  /** From where the marks of the copy count that has taken over last. */
  get marks(): number {
    return this.#times * marksApart;
  }

  /** Makes a copy of the process that sleeps until it is needed. False where there can be none. */
  async hold(standby: Standby): Promise<boolean> {
    this.#standby?.fail(dropped);
    this.#standby = standby;
    const { held } = Object(await this.#request.ask({ do: "begin", token: standby.token }));
    if (held !== true && this.#standby === standby) this.#standby = undefined;
    return held === true;
  }

  /** Ends the copy. */
  async drop(standby: Standby): Promise<void> {
    if (this.#standby !== standby) return;
    await this.#request.ask({ do: "drop" });
    if (this.#standby === standby) this.#standby = undefined;
    standby.fail(dropped);
  }

  /** Lets the copy take over. Rejects with what the session says when it cannot. */
  async wake(standby: Standby): Promise<void> {
    if (this.#standby !== standby) return;
    let answer: unknown;
    try {
      answer = await this.#request.ask({ do: "back" });
    } catch {
      // Something in the background keeps it from hearing us, or it is gone, as it should be.
      if (this.#standby === standby) this.#request.end();
      return;
    }
    throw new StateError(String(Object(answer).problem));
  }

  /** Waits for a copy to take over, as long as there may be one and its channel is open. */
  async settled(channelEnded: Promise<void>): Promise<void> {
    if (this.#standby) await within(Promise.race([this.#standby.moved, channelEnded]), takesOverWithin);
  }

  /** Whether it is the copy that says it has moved. */
  takes({ token, pid, group, notes }: Extract<DriverEvent, { op: "moved" }>): boolean {
    const standby = this.#standby;
    const numbers = [pid, group].every((number) => Number.isSafeInteger(number) && number > 1);
    if (!standby || token !== standby.token || !numbers) return false;
    this.#standby = undefined;
    this.#heir = { standby, notes: Array.isArray(notes) ? notes.map(String) : [], block: 0 };
    this.#times++;
    standby.settleMoved();
    return true;
  }

  /** The copy is told to go on, without the block that was running. */
  begins(block: number): void {
    this.#heir!.block = block;
  }

  /** The copy that goes on now. */
  resumed(): Heir | undefined {
    const heir = this.#heir;
    this.#heir = undefined;
    return heir;
  }

  /** Nothing goes on any more. */
  close(): void {
    for (const standby of [this.#standby, this.#heir?.standby]) standby?.fail("The session has ended.");
  }
}
