// Reads lines from the terminal: for the prompt, for questions, and for what is typed while a turn is running.

import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";

/** Lines that come this close together were pasted: they are one message. */
const pasteWithin = 12;

export class LineReader {
  readonly #input: NodeJS.ReadStream;
  readonly #output: NodeJS.WriteStream;
  #interface: Interface;
  #muted = false;
  #waiting: ((line: string | undefined) => void) | undefined;
  #ready: string[] = [];
  #closed = false;
  #suspended = false;
  /** Called with a line nobody waits for. */
  onStray: ((line: string) => void) | undefined;
  /** Called on Ctrl-C. */
  onInterrupt: () => void = () => {};

  constructor(input: NodeJS.ReadStream, output: NodeJS.WriteStream) {
    this.#input = input;
    this.#output = output;
    this.#interface = this.#open([]);
  }

  /** Whether the person is in the middle of a line, or is being asked something. */
  get typing(): boolean {
    return this.#waiting !== undefined || this.#suspended || this.#interface.line !== "";
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Shows `prompt` and waits for a line; undefined when the input has ended or the wait was given up. */
  async line(prompt: string, options: { hidden?: boolean; signal?: AbortSignal } = {}): Promise<string | undefined> {
    if (options.signal?.aborted) return undefined;
    if (this.#ready.length > 0) return this.#ready.shift();
    if (this.#closed) return undefined;
    this.#interface.setPrompt(prompt);
    this.#interface.prompt(true);
    this.#muted = options.hidden === true;
    try {
      return await new Promise((resolve) => {
        this.#waiting = resolve;
        options.signal?.addEventListener("abort", () => resolve(undefined), { once: true });
      });
    } finally {
      this.#waiting = undefined;
      if (this.#muted) this.#output.write("\n");
      this.#muted = false;
    }
  }

  /** A line and whatever was pasted together with it. */
  async message(prompt: string): Promise<string | undefined> {
    const first = await this.line(prompt);
    if (first === undefined) return undefined;
    await new Promise((resolve) => setTimeout(resolve, pasteWithin));
    return [first, ...this.#ready.splice(0)].join("\n");
  }

  /** Drops what has been typed on the current line. */
  clear(): void {
    this.#interface.write(null, { ctrl: true, name: "u" });
  }

  /** Lets go of the terminal, for another program to use it, until the returned function is called. */
  suspend(): () => void {
    const { history } = this.#interface as Interface & { history?: string[] };
    this.#suspended = true;
    this.#interface.close();
    return () => {
      this.#suspended = false;
      this.#interface = this.#open(history ?? []);
    };
  }

  close(): void {
    this.#interface.close();
  }

  #open(history: string[]): Interface {
    const output = new Writable({
      write: (chunk, _encoding, done) => {
        if (!this.#muted) this.#output.write(chunk);
        done();
      },
    }) as Writable & { columns?: number; isTTY?: boolean };
    Object.defineProperty(output, "columns", { get: () => this.#output.columns });
    output.isTTY = true;
    const lines = createInterface({ input: this.#input, output, terminal: true, history, historySize: 500 });
    lines.on("line", (line) => {
      if (this.#waiting) this.#waiting(line);
      else if (this.onStray) this.onStray(line);
      else this.#ready.push(line);
      this.#waiting = undefined;
    });
    lines.on("SIGINT", () => this.onInterrupt());
    lines.on("close", () => {
      if (this.#suspended) return;
      this.#closed = true;
      this.#waiting?.(undefined);
    });
    return lines;
  }
}
