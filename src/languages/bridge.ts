// The host's end of the bridge: calls that code inside a session makes of us, and what goes back to it.
//
// What arrives here was written by anybody who can write to the driver's descriptor, so nothing in it is trusted: a call
// is answered, refused or dropped, and never throws. Calls are bounded in number, size and in how far a stream runs ahead.

import { isAbsolute } from "node:path";
import type { Writable } from "node:stream";

export interface BridgeCall {
  /** `computer.files.read` is module "files", name "read"; `computer.sessions()` is module "sessions", name "". */
  module: string;
  name: string;
  args: unknown[];
  kwargs: Record<string, unknown>;
  /** The language of the session that asks, and the folder its code is in now. */
  language: string;
  cwd: string;
}

/** Answers a call: a value, a promise, or an async iterable that is handed on item by item. May throw. */
export type OnCall = (call: BridgeCall, signal: AbortSignal, note: (text: string) => void) => unknown;

/** Answers where nobody else does. */
export const noComputer: OnCall = () => {
  throw Object.assign(new Error("This session has no computer to call."), { name: "ComputerError" });
};

const mostAtOnce = 64;
const mostWaiting = 1_000;
const largest = 32 << 20;
const itemsAhead = 64;
const unreadAnswers = 4 << 20;

interface Call {
  request: BridgeCall;
  stop: AbortController;
  /** How many items may still be sent before the other side asks for more. */
  credit: number;
  wake: () => void;
}

export interface BridgeRequest {
  onCall: OnCall;
  language: string;
  /** The folder a call is made from, unless it says. */
  cwd: string;
  commands: Writable;
  /** Called with true while our answers pile up unread: hear no more calls until it is called with false. */
  onPressure: (full: boolean) => void;
}

export class Bridge {
  readonly #request: BridgeRequest;
  readonly #calls = new Map<number, Call>();
  readonly #waiting: number[] = [];
  #running = 0;
  #full = false;

  constructor(request: BridgeRequest) {
    this.#request = request;
    request.commands.on("drain", () => this.#press(false));
  }

  /** Takes an event from inside. `size` is how long its line was. */
  receive(event: Record<string, unknown>, size: number): void {
    const { op, id } = event;
    if (typeof id !== "number" || !Number.isSafeInteger(id)) return;
    const known = this.#calls.get(id);
    if (op === "call") {
      if (known) return;
      const request = size > largest ? undefined : this.#read(event);
      if (size > largest) this.#refuse(id, "ValueError", `What was passed is too large: ${megabytes(size)}.`);
      else if (!request) this.#refuse(id, "TypeError", "That is not a call the computer understands.");
      else if (this.#calls.size >= mostWaiting)
        this.#refuse(
          id,
          "ComputerError",
          `${mostWaiting} calls are still being answered: wait for some of them first.`,
        );
      else {
        this.#calls.set(id, { request, stop: new AbortController(), credit: itemsAhead, wake: () => {} });
        this.#waiting.push(id);
        this.#next();
      }
    } else if (op === "cancel" && known) {
      this.#calls.delete(id);
      known.stop.abort();
      known.wake();
    } else if (op === "more" && known) {
      const count = Number(event.count);
      if (count > 0) known.credit = Math.min(itemsAhead, known.credit + count);
      known.wake();
    }
  }

  /** The session is gone, or is what it was before: whatever it asked for is stopped. */
  close(): void {
    for (const call of this.#calls.values()) {
      call.stop.abort();
      call.wake();
    }
    this.#calls.clear();
    this.#waiting.length = 0;
    this.#press(false);
  }

  #read({ module, name, args, kwargs, cwd }: Record<string, unknown>): BridgeCall | undefined {
    if (typeof module !== "string" || typeof name !== "string" || !Array.isArray(args)) return undefined;
    if (typeof kwargs !== "object" || kwargs === null || Array.isArray(kwargs)) return undefined;
    const { language, cwd: started } = this.#request;
    const folder = typeof cwd === "string" && isAbsolute(cwd) && !cwd.includes("\0") ? cwd : started;
    return { module, name, args, kwargs: kwargs as Record<string, unknown>, language, cwd: folder };
  }

  #next(): void {
    while (!this.#full && this.#running < mostAtOnce && this.#waiting.length > 0) {
      const id = this.#waiting.shift()!;
      const call = this.#calls.get(id);
      if (!call) continue; // taken back before it began
      this.#running++;
      // A call that was taken back gives its place away at once, whether it listens or not.
      const taken = new Promise<void>((resolve) => call.stop.signal.addEventListener("abort", () => resolve()));
      void Promise.race([this.#answer(id, call), taken]).then(() => {
        this.#running--;
        if (this.#calls.get(id) === call) this.#calls.delete(id);
        this.#next();
      });
    }
  }

  async #answer(id: number, call: Call): Promise<void> {
    const { signal } = call.stop;
    const tell = (command: object) => {
      if (!signal.aborted) this.#send(command);
    };
    try {
      const note = (text: string) => tell({ op: "note", id, text });
      const made = await this.#request.onCall(call.request, signal, note);
      if (!isStream(made)) {
        tell({ op: "result", id, value: made ?? null });
        return;
      }
      tell({ op: "stream", id });
      for await (const value of made) {
        tell({ op: "item", id, value: value ?? null });
        call.credit--;
        while (call.credit <= 0 && !signal.aborted) {
          await new Promise<void>((resolve) => {
            call.wake = resolve;
          });
        }
        if (signal.aborted) return;
      }
      tell({ op: "result", id, value: null });
    } catch (error) {
      if (!signal.aborted) this.#refuse(id, nameOf(error), messageOf(error));
    }
  }

  #refuse(id: number, name: string, message: string): void {
    this.#send({ op: "result", id, error: { name: name.slice(0, 200), message: message.slice(0, 20_000) } });
  }

  /** Throws when the command cannot be passed on. */
  #send(command: object): void {
    const line = JSON.stringify(command);
    if (line.length > largest) throw new Error(`The answer is too large: ${megabytes(line.length)}. Ask for less.`);
    const { commands } = this.#request;
    if (!commands.writable) return;
    commands.write(`${line}\n`);
    if (commands.writableLength > unreadAnswers) this.#press(true);
  }

  #press(full: boolean): void {
    if (full === this.#full) return;
    this.#full = full;
    this.#request.onPressure(full);
    this.#next();
  }
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

function nameOf(error: unknown): string {
  return error instanceof Error && error.name !== "Error" ? String(error.name) : "ComputerError";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? String(error.message) : String(error);
}

function megabytes(size: number): string {
  return `${Math.ceil(size / (1 << 20))} MB, and ${largest >> 20} MB is the most`;
}
