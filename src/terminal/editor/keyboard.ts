// The terminal as long as it is ours: keys come in one by one, unseen; and however the program ends, the terminal is handed
// back as it was. Where that cannot be had, whole lines come, and the terminal itself lets people correct them.

import { StringDecoder } from "node:string_decoder";
import { type Key, KeyDecoder } from "./keys.ts";
import type { Modes } from "./modes.ts";

export interface KeyboardOptions {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  /** Undefined: whole lines, and not one escape sequence. */
  modes: Modes | undefined;
  onKey: (key: Key) => void;
  /** The input has ended. */
  onEnd: () => void;
  onInterrupt: () => void;
  /** The program ends. */
  onLeave: () => void;
  /** The screen may show something else than we left there. */
  onReturn: () => void;
  onResize: () => void;
}

/** Milliseconds in which the rest of a sequence follows an escape, and in which one goes on that has begun. */
const together = 50;
const apart = 500;
/** Time to be stopped; it goes on after that where nobody could start it again. */
const notStopped = 50;
const repeated = 200;

const endings = ["SIGTERM", "SIGHUP"] as const;

export class Keyboard {
  readonly #options: KeyboardOptions;
  #decoder = new KeyDecoder();
  readonly #text = new StringDecoder("utf8");
  #line = "";
  #waiting: NodeJS.Timeout | undefined;
  #returning: NodeJS.Timeout | undefined;
  #open = false;
  /** When the terminal was last taken. */
  #since = 0;
  #unseen = false;

  constructor(options: KeyboardOptions) {
    this.#options = options;
  }

  open(): void {
    if (this.#open) return;
    const { input, output, onResize } = this.#options;
    this.#open = true;
    this.#decoder = new KeyDecoder();
    this.#take();
    input.on("data", this.#onData);
    input.on("end", this.#onEnd);
    input.on("error", this.#onEnd);
    output.on("resize", onResize);
    process.on("exit", this.#onExit);
    for (const signal of endings) process.on(signal, this.#onEnding);
    if (process.platform !== "win32") process.on("SIGCONT", this.#onContinue);
    if (!this.#keys) process.on("SIGINT", this.#onInterrupt);
    input.resume();
  }

  /** Lets go of the terminal. */
  shut(): void {
    clearTimeout(this.#returning);
    if (!this.#open) return;
    const { input, output, onResize } = this.#options;
    clearTimeout(this.#waiting);
    input.off("data", this.#onData);
    input.off("end", this.#onEnd);
    input.off("error", this.#onEnd);
    output.off("resize", onResize);
    process.off("exit", this.#onExit);
    for (const signal of endings) process.off(signal, this.#onEnding);
    process.off("SIGCONT", this.#onContinue);
    process.off("SIGINT", this.#onInterrupt);
    this.#giveBack();
    this.#open = false;
    input.pause();
  }

  /** Where whole lines are read: what is typed now must not be seen. */
  unseen(on: boolean): void {
    if (this.#options.modes || !this.#options.input.isTTY || this.#unseen === on) return;
    this.#unseen = on;
    this.#options.input.setRawMode(on);
    process.off("SIGINT", this.#onInterrupt);
    if (!on) process.on("SIGINT", this.#onInterrupt);
  }

  /** Ctrl-Z: stops the program, as the shell that started it expects, until that lets it go on. */
  stop(): void {
    this.shut();
    // Time passes also for a program that stands still: this is called when it goes on.
    this.#returning = setTimeout(() => {
      this.open();
      this.#options.onReturn();
    }, notStopped);
    process.kill(0, "SIGTSTP");
  }

  /** Whether keys are read, not lines. */
  get #keys(): boolean {
    return this.#options.modes !== undefined || this.#unseen;
  }

  #take(): void {
    const { input, output, modes } = this.#options;
    if (!modes) return;
    input.setRawMode(true);
    output.write(modes.on);
    this.#since = performance.now();
  }

  #giveBack = (): void => {
    const { input, output, modes } = this.#options;
    if (!this.#open) return;
    if (modes) output.write(modes.off);
    if ((modes || this.#unseen) && !input.destroyed) input.setRawMode(false);
    this.#unseen = false;
  };

  #onData = (bytes: Buffer): void => {
    clearTimeout(this.#waiting);
    if (this.#keys) this.#press(this.#decoder.push(bytes));
    else this.#onText(this.#text.write(bytes));
    if (this.#decoder.held !== "nothing")
      this.#waiting = setTimeout(
        () => this.#press(this.#decoder.flush()),
        this.#decoder.held === "escape" ? together : apart,
      );
  };

  #press(keys: readonly Key[]): void {
    for (const key of keys) this.#options.onKey(key);
  }

  /** A line that the terminal has let the person finish. */
  #onText(text: string): void {
    const lines = (this.#line + text).split(/\r?\n/);
    this.#line = lines.pop()!;
    for (const line of lines) this.#press([...asText(line), { type: "press", name: "enter" }]);
  }

  #onEnd = (): void => {
    if (this.#line !== "") this.#press([...asText(this.#line), { type: "press", name: "enter" }]);
    this.#line = "";
    this.#options.onEnd();
  };

  /** Ctrl-C where the terminal makes a signal of it; somebody else who listens for that decides alone. */
  #onInterrupt = (): void => {
    if (process.listenerCount("SIGINT") === 1) this.#options.onInterrupt();
  };

  #onExit = (): void => {
    this.#options.onLeave();
    this.#giveBack();
  };

  #onEnding = (signal: NodeJS.Signals): void => {
    this.#options.onLeave();
    this.shut();
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };

  /** Stopped by somebody else and let go on: the shell had the terminal in the meantime. Shells say it more than once. */
  #onContinue = (): void => {
    const { input, modes } = this.#options;
    if (!modes || performance.now() - this.#since < repeated) return;
    input.setRawMode(false);
    this.#take();
    this.#options.onReturn();
  };
}

const asText = (text: string): Key[] => (text === "" ? [] : [{ type: "text", text }]);
