// The program in a real terminal: a PTY, with an emulator that shows what a person would see.

import { setTimeout as sleep } from "node:timers/promises";
import pty from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { bin, type Place } from "./program.ts";

export class Terminal implements AsyncDisposable {
  readonly #screen: InstanceType<typeof xterm.Terminal>;
  readonly #process: pty.IPty;
  /** Everything the program ever wrote, as it wrote it. */
  raw = "";
  exitCode: number | undefined;

  constructor(place: Place, args: readonly string[], size: { columns?: number; rows?: number; program?: string } = {}) {
    const [cols, rows] = [size.columns ?? 80, size.rows ?? 40];
    this.#screen = new xterm.Terminal({ cols, rows, scrollback: 1000, allowProposedApi: true });
    const command = size.program ? [...args] : [bin, ...args];
    this.#process = pty.spawn(size.program ?? process.execPath, command, {
      cols,
      rows,
      cwd: place.folder,
      env: { ...place.env, TERM: "xterm-256color" },
    });
    this.#process.onData((data) => {
      this.raw += data;
      this.#screen.write(data);
    });
    this.#process.onExit(({ exitCode }) => {
      this.exitCode = exitCode;
    });
  }

  get pid(): number {
    return this.#process.pid;
  }

  type(text: string): void {
    this.#process.write(text);
  }

  enter(text = ""): void {
    this.type(`${text}\r`);
  }

  resize(columns: number, rows: number): void {
    this.#process.resize(columns, rows);
    this.#screen.resize(columns, rows);
  }

  /** What has been on the screen, scrollback included, without empty lines at the end. */
  text(): string {
    const buffer = this.#screen.buffer.active;
    const lines = Array.from(
      { length: buffer.length },
      (_, index) => buffer.getLine(index)?.translateToString(true) ?? "",
    );
    return lines.join("\n").trimEnd();
  }

  /** The row the cursor is in, and what stands before it there. */
  get beforeCursor(): string {
    const { active } = this.#screen.buffer;
    return active.getLine(active.baseY + active.cursorY)?.translateToString(false, 0, active.cursorX) ?? "";
  }

  /** Waits until the screen shows this. */
  async see(what: string | RegExp): Promise<void> {
    const shown = () => (typeof what === "string" ? this.text().includes(what) : what.test(this.text()));
    for (let tries = 0; !shown(); tries++) {
      if (tries > 1000) throw new Error(`The screen never showed ${what}:\n${this.text()}`);
      await sleep(20);
    }
  }

  /** Waits until it waits for a message. */
  prompt(): Promise<void> {
    return this.see(/\n>$/);
  }

  async ended(): Promise<number> {
    for (let tries = 0; this.exitCode === undefined; tries++) {
      if (tries > 1000) throw new Error(`The program did not end:\n${this.text()}`);
      await sleep(20);
    }
    return this.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.exitCode === undefined) this.#process.kill("SIGKILL");
    await this.ended();
  }
}
