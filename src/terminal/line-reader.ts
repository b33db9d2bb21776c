// Reads lines from the terminal: for the prompt, for questions, and for what is typed while a turn is running.

import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import type { Offer } from "./complete.ts";
import { disablePaste, enablePaste, PasteInput, withLineBreaks } from "./paste.ts";

export class LineReader {
  readonly #input: NodeJS.ReadStream;
  readonly #output: NodeJS.WriteStream;
  #interface: Interface;
  #source: PasteInput | undefined;
  #hidden = false;
  #waiting: ((line: string | undefined) => void) | undefined;
  #closed = false;
  #suspended = false;
  /** Called with a line nobody waits for. */
  onStray: (line: string) => void = () => {};
  /** What Tab offers for a line. */
  onTab: (line: string) => Promise<Offer> = async () => ({ matches: [], replaced: "" });
  /** Called on Ctrl-C. */
  onInterrupt: () => void = () => {};

  constructor(input: NodeJS.ReadStream, output: NodeJS.WriteStream) {
    this.#input = input;
    this.#output = output;
    this.#interface = this.#open([]);
  }

  /** Whether the person is being asked something, or has lent the terminal to a program. */
  get typing(): boolean {
    return this.#waiting !== undefined || this.#suspended;
  }

  /** What stands on the line now. */
  get draft(): string {
    return this.#interface.line;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Shows `prompt` and waits for a line; undefined when the input has ended or the wait was given up. */
  async line(prompt: string, options: { hidden?: boolean; signal?: AbortSignal } = {}): Promise<string | undefined> {
    if (options.signal?.aborted || this.#closed) return undefined;
    if (!options.hidden) return this.#read(prompt, options);
    // An editor remembers lines and what was deleted from them: a secret is typed into one of its own.
    const history = this.#history;
    this.#renew([]);
    try {
      return await this.#read(prompt, options);
    } finally {
      if (!this.#closed) this.#renew(history);
    }
  }

  async #read(prompt: string, { hidden = false, signal }: { hidden?: boolean; signal?: AbortSignal }) {
    const answer = new Promise<string | undefined>((resolve) => {
      this.#waiting = resolve;
      signal?.addEventListener("abort", () => resolve(undefined), { once: true });
    });
    this.#interface.setPrompt(prompt);
    this.#interface.prompt(true);
    this.#hidden = hidden;
    const line = await answer;
    this.#waiting = undefined;
    if (hidden || line === undefined) this.#output.write("\n");
    this.#hidden = false;
    return line;
  }

  /** Shows a text where the questions are shown. */
  say(text: string): void {
    this.#output.write(text);
  }

  /** Drops what has been typed on the current line. */
  clear(): void {
    this.#interface.write(null, { ctrl: true, name: "e" });
    this.#interface.write(null, { ctrl: true, name: "u" });
  }

  /** Lets go of the terminal, for another program to use it, until the returned function is called. */
  suspend(): () => void {
    const history = this.#history;
    this.#suspended = true;
    this.#shut();
    return () => {
      this.#suspended = false;
      this.#interface = this.#open(history);
    };
  }

  close(): void {
    if (this.#closed) return;
    this.#shut();
    this.#closed = true;
    this.#waiting?.(undefined);
  }

  get #history(): string[] {
    return (this.#interface as Interface & { history?: string[] }).history ?? [];
  }

  #renew(history: string[]): void {
    this.suspend();
    this.#suspended = false;
    this.#interface = this.#open(history);
  }

  #shut(): void {
    this.#interface.close();
    if (this.#source) this.#input.unpipe(this.#source);
    this.#input.pause();
    this.#output.write(disablePaste);
  }

  #open(history: string[]): Interface {
    const output = new Writable({
      write: (chunk, _encoding, done) => {
        // What is typed while nobody asks is not drawn: it would stand in the middle of something else.
        if (!this.#hidden && this.#waiting) this.#output.write(chunk);
        done();
      },
    }) as Writable & { columns?: number; isTTY?: boolean };
    Object.defineProperty(output, "columns", { get: () => this.#output.columns });
    output.isTTY = true;
    const source = new PasteInput(this.#input);
    this.#source = source;
    this.#input.pipe(source);
    this.#output.write(enablePaste);
    const completer = (line: string, done: (error: null, result: [string[], string]) => void) => {
      if (this.#hidden) return done(null, [[], line]);
      this.onTab(line).then(
        ({ matches, replaced }) => done(null, [matches, replaced]),
        () => done(null, [[], line]),
      );
    };
    const lines = createInterface({ input: source, output, terminal: true, history, historySize: 500, completer });
    lines.on("line", (line) => {
      const waiting = this.#waiting;
      this.#waiting = undefined;
      if (waiting) waiting(withLineBreaks(line));
      else this.onStray(withLineBreaks(line));
    });
    // Node forgets how many rows a line has when typing makes it longer, and then redraws it in the wrong place.
    source.on("keypress", () => Object.assign(lines, { prevRows: lines.getCursorPos().rows }));
    lines.on("SIGINT", () => this.onInterrupt());
    lines.on("close", () => {
      if (!this.#suspended) this.close();
    });
    return lines;
  }
}
