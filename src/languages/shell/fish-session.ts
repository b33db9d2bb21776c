// fish, which takes an interrupt without leaving only at a terminal: it sits at one of its own, where each block is typed as
// one line that sources a file. What blocks print goes through pipes, as in every session.

import { fileURLToPath } from "node:url";
import type { TerminalDevice } from "../../machine/index.ts";
import { begun } from "../begun.ts";
import { PrivateFolder } from "../custom/private-folder.ts";
import type { DriverCommand } from "../driver-protocol.ts";
import type { DriverSession } from "../driver-session.ts";
import {
  type Session,
  type SessionEnd,
  type SessionEvent,
  type SessionOptions,
  SessionStartError,
} from "../language.ts";
import { startDriver } from "../start-driver.ts";
import { FishTerminal } from "./fish-terminal.ts";
import { type TerminalNeed, terminalNeed } from "./terminal-need.ts";

const driverFile = fileURLToPath(new URL("./fish-driver.fish", import.meta.url));
const startFile = fileURLToPath(new URL("./fish-start.sh", import.meta.url));

export const noTerminal =
  "fish needs a terminal, and none can be opened here: the optional package @lydell/node-pty is not installed.";

const interruptAgainAfter = 100;

/** Where a block's streams go: to the pipes, or to the terminal for a program that draws on it. */
const streams: Record<"pipes" | "terminal", string> = {
  pipes: "</dev/null >&6 4>&- 6>&-",
  terminal: "2>&1 4>&- 6>&-",
};

export async function startFish(program: string, language: string, options: SessionOptions): Promise<Session> {
  const device = await options.machine.openTerminal();
  if (!device) throw new SessionStartError(noTerminal);
  return begun(new FishSession(language, options, device), (session) => session.begin(program));
}

class FishSession implements Session {
  readonly language: string;
  readonly #options: SessionOptions;
  readonly #terminal: FishTerminal;
  readonly #folder = new PrivateFolder();
  #driver: DriverSession | undefined;
  #need: TerminalNeed | undefined;
  /** Whether fish has begun with the block: an interrupt before that would only take away the line we typed. */
  #begun = false;
  #interrupted = false;
  #again: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(language: string, options: SessionOptions, device: TerminalDevice) {
    this.language = language;
    this.#options = options;
    this.#terminal = new FishTerminal(device);
  }

  get description(): string {
    return this.#driver?.description ?? "fish";
  }

  get alive(): boolean {
    return this.#driver?.alive === true;
  }

  get pid(): number | undefined {
    return this.#driver?.pid;
  }

  async begin(program: string): Promise<void> {
    const { machine, cwd, env } = this.#options;
    this.#driver = await startDriver({
      language: this.language,
      title: "fish",
      machine,
      command: "/bin/sh",
      args: [startFile, this.#terminal.path, driverFile, program],
      cwd,
      env,
      encode: (command) => this.#encode(command),
      extraChannels: 1,
    });
  }

  async *run(code: string, name: string): AsyncIterable<SessionEvent> {
    const driver = this.#driver!;
    const lend = this.#options.lendTerminal;
    this.#need = lend && terminalNeed(code);
    this.#begun = false;
    this.#interrupted = false;
    const takeBack = lend && this.#need && driver.alive ? this.#terminal.lend(lend) : undefined;
    try {
      for await (const event of driver.run(code, name)) {
        if (event.type === "line") this.#begin();
        else if (event.type !== "end") yield event;
        else {
          clearInterval(this.#again);
          const text = await this.#terminal.takeSaid();
          takeBack?.();
          if (text !== "") yield { type: "output", stream: "terminal", text };
          yield this.#end(event);
        }
      }
    } finally {
      clearInterval(this.#again);
      this.#again = undefined;
      takeBack?.();
    }
  }

  interrupt(): void {
    this.#interrupted = true;
    if (this.#begun) this.#stop();
  }

  async close(): Promise<void> {
    await this.#driver?.close();
    if (!this.#closed) this.#terminal.close();
    this.#closed = true;
    this.#folder.remove();
  }

  #begin(): void {
    this.#begun = true;
    if (this.#interrupted) this.#stop();
  }

  #stop(): void {
    this.#terminal.hush();
    this.#driver?.interrupt();
    // What fish was just about to start has not heard of it.
    this.#again ??= setInterval(() => this.#terminal.interrupt(), interruptAgainAfter);
  }

  /** A program that ends as if it had been interrupted takes its block with it, but nobody has interrupted that. */
  #end(end: SessionEnd): SessionEnd {
    if (end.status === "interrupted" && !this.#interrupted) return { ...end, status: "error" };
    if (end.status !== "exited" || !end.explanation || end.explanation.includes("had already ended")) return end;
    this.#folder.remove();
    const how = end.exitCode === null ? `ended: ${end.explanation}` : end.explanation;
    return { ...end, explanation: `fish ${how}; its folder, variables and functions are lost` };
  }

  #encode(command: DriverCommand | { nonce: string }): string {
    if (!("op" in command)) {
      this.#terminal.nonce = command.nonce;
      return `${command.nonce} ${this.#folder.path}\n`;
    }
    if (command.op === "run") {
      const file = this.#folder.write(command.name, "fish", command.code);
      const where = streams[this.#need === "the screen" ? "terminal" : "pipes"];
      const run = `TERM=$_oi_term builtin source ${quoted(file)} ${where}`;
      this.#terminal.type(`_oi_begin ${command.id};${run};_oi_done $status`);
    }
    return "";
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
