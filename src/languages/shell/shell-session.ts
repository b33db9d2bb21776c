// A shell that outlives its process: when a block makes the shell exit, a new one takes over its folder, variables and
// functions from what the driver wrote down on the way out.

import { begun } from "../begun.ts";
import type { DriverCommand } from "../driver-protocol.ts";
import type { DriverSession } from "../driver-session.ts";
import { type Completion, readCompletion, readVariables, SessionBusyError, type Variable } from "../inspection.ts";
import type { Hold, Session, SessionEnd, SessionEvent, SessionOptions } from "../language.ts";
import { startDriver } from "../start-driver.ts";
import { type Restored, type RestoreRequest, type Room, type SavedState, StateError } from "../state.ts";
import type { FoundShell } from "./find-shell.ts";
import { encodeAnswer, kindOf, mayDefineFunctions, startArguments } from "./shell-driver.ts";
import { ShellFolder } from "./shell-folder.ts";
import { aside, completing, freshState, inspecting, readCompletions, readState } from "./shell-inspect.ts";
import { ShellLooks } from "./shell-looks.ts";
import { ShellTerminal } from "./shell-terminal.ts";
import { quote } from "./shell-words.ts";

/** Beside commands and events, a shell has a channel for answers and one that only tells it that we are still here. */
const answers = 2;

export function startShell(found: FoundShell, language: string, options: SessionOptions): Promise<Session> {
  return begun(new ShellSession(found, language, options), (session) => session.begin());
}

class ShellSession implements Session {
  readonly language: string;
  readonly #found: FoundShell;
  readonly #options: SessionOptions;
  /** Private to us and the shell: the block that runs, and what the shell leaves for the one after it. */
  readonly #folder = new ShellFolder();
  readonly #looks = new ShellLooks(this.#folder);
  readonly #terminal: ShellTerminal;
  #driver: DriverSession | undefined;
  #description: string;
  #interrupted = false;
  #closed = false;
  #running = false;
  #fresh: Promise<string> | undefined;
  /** What it held before a block; the shell writes it down when that block begins. */
  #hold: { begun: boolean } | undefined;
  #dumps = false;
  #hasFunctions = false;

  constructor(found: FoundShell, language: string, options: SessionOptions) {
    this.language = language;
    this.#found = found;
    this.#options = options;
    this.#terminal = new ShellTerminal(found.name, options);
    this.#description = found.title;
  }

  get description(): string {
    return this.#description;
  }

  get alive(): boolean {
    return this.#driver?.alive === true;
  }

  get pid(): number | undefined {
    return this.#driver?.pid;
  }

  begin(): Promise<void> {
    return this.#start("new", this.#options.cwd, this.#options.env);
  }

  async *run(code: string, name: string): AsyncIterable<SessionEvent> {
    await this.#looks.over;
    for (const event of this.#looks.takeKept()) yield event;
    this.#running = true;
    try {
      yield* this.#run(code, name);
    } finally {
      this.#running = false;
    }
  }

  async inspect(): Promise<Variable[]> {
    const { machine, env } = this.#options;
    this.#fresh ??= freshState(this.#found, machine, env);
    const text = await this.#look((file) => inspecting(this.#found.name, file));
    return readVariables(readState(text, await this.#fresh));
  }

  async complete(code: string, cursor: number): Promise<Completion> {
    const before = code.slice(0, cursor);
    const text = await this.#look((file) => completing(this.#found.name, file, before));
    return readCompletion(await readCompletions(text, this.#found.name, before), cursor);
  }

  async save(_folder: string, room: Room): Promise<SavedState> {
    const { dumping, savedShell } = await import("./shell-state.ts");
    const { name: shell } = this.#found;
    const text = await this.#look((file) => aside(dumping(shell), file));
    const { env, cwd } = this.#options;
    return savedShell(text, { shell, env, cwd, room });
  }

  async restore({ state }: RestoreRequest): Promise<Restored> {
    const { restoredShell, restoring } = await import("./shell-state.ts");
    const { script, folder } = restoring(state, this.#found.name);
    const path = this.#folder.write("earlier", script);
    try {
      // Not in a function, whose variables would be its own.
      const here = await this.#look((file) => `. ${quote(path)} >/dev/null 2>&1\n{ pwd; } >|${quote(file)}\n`);
      return restoredShell(state, folder, here.trim());
    } finally {
      this.#folder.delete("earlier");
    }
  }

  async hold(): Promise<Hold | undefined> {
    if (!this.alive) return undefined;
    const hold = { begun: false };
    this.#hold = hold;
    return {
      drop: async () => {
        if (this.#hold !== hold) return;
        this.#hold = undefined;
        this.#folder.delete("held");
      },
      bringBack: () => this.#bringBack(hold),
    };
  }

  /** A new shell takes over what the last one held before the block. */
  async #bringBack(hold: { begun: boolean }): Promise<string[]> {
    if (this.#hold !== hold) throw new StateError("There is nothing that the session could go back to.");
    if (!hold.begun) return [];
    await this.#looks.over;
    if (!this.#folder.isWhole("held")) throw new StateError("The shell did not write down what it held.");
    // A new shell would not have them.
    if (await this.#hasJobs()) throw new StateError("Jobs that run in its background would end with the shell.");
    if (this.#hasFunctions) throw new StateError("Functions of this shell cannot be had again.");
    this.#hold = undefined;
    await this.#driver?.close();
    this.#folder.leaveToNext("held");
    try {
      await this.#start("restore", this.#options.cwd, this.#bareEnvironment());
    } catch (error) {
      throw new StateError(`No new shell could be started: ${(error as Error).message}`);
    }
    return [];
  }

  /** Whether a job runs that was there before the block. */
  async #hasJobs(): Promise<boolean> {
    const jobs = this.#folder.read("jobs").match(/^\d+/gm);
    if (!jobs) return false;
    const asking = `for _oi_job in ${jobs.join(" ")}; do kill -0 $_oi_job && echo $_oi_job; done`;
    return (await this.#look((file) => aside(asking, file))).trim() !== "";
  }

  /** Runs a block of our own between those of others, and gives back what it wrote. */
  async #look(code: (file: string) => string): Promise<string> {
    await this.#looks.over;
    const driver = this.#driver;
    if (!driver?.alive) throw new SessionBusyError("The shell has ended.");
    if (this.#running) throw new SessionBusyError("A block is running: a shell can be looked into when it has ended.");
    return this.#looks.look(driver, code);
  }

  async *#run(code: string, name: string): AsyncIterable<SessionEvent> {
    const driver = this.#driver;
    if (!driver?.alive) {
      yield { type: "end", status: "exited", explanation: `${this.#found.title} had already ended` };
      return;
    }
    this.#interrupted = false;
    const terminal = await this.#terminal.lend(driver, code);
    let ended = false;
    this.#dumps = this.#hold?.begun === false;
    if (this.#hold) this.#hold.begun = true;
    this.#hasFunctions ||= this.#found.name === "sh" && mayDefineFunctions(code);
    try {
      for await (const event of driver.run(code, name)) {
        ended = event.type === "end";
        if (event.type === "end") {
          const said = await terminal?.takeBack();
          if (said) yield { type: "output", stream: "terminal", text: said };
        }
        yield event.type === "end" ? await this.#end(event) : event;
      }
    } finally {
      if (!ended) await terminal?.takeBack();
      // A reader that left early stopped the block, perhaps together with its shell.
      if (!ended && !driver.alive) await this.#end({ type: "end", status: "exited" });
    }
  }

  interrupt(): void {
    this.#interrupted = true;
    this.#driver?.interrupt();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#terminal.close();
    await this.#driver?.close();
    this.#folder.remove();
  }

  async #end(end: SessionEnd): Promise<SessionEnd> {
    if (end.status !== "exited" || this.#closed) return end;
    // A block that replaces our EXIT trap leaves only what was before it.
    const kept = (["state", "before"] as const).find((name) => this.#folder.isWhole(name));
    if (kept) this.#folder.leaveToNext(kept);
    await this.#driver?.close();
    const how = end.exitCode === null ? `the shell ended: ${end.explanation}` : `the shell ${end.explanation}`;
    if (!kept) return { ...end, explanation: `${how}; its folder, variables and functions are lost` };
    try {
      await this.#start("restore", this.#options.cwd, this.#bareEnvironment());
    } catch (error) {
      return { ...end, explanation: `${how}; no new one could be started: ${(error as Error).message}` };
    }
    const what =
      this.#found.name === "sh" ? "folder and variables, not its functions" : "folder, variables and functions";
    const when = kept === "before" ? " from before this block" : "";
    const rest = `a new one has its ${what}${when}, background jobs are gone`;
    if (!this.#interrupted || end.exitCode === null) return { ...end, explanation: `${how}; ${rest}` };
    return { ...end, status: "interrupted", exitCode: 130, explanation: `the shell was stopped; ${rest}` };
  }

  async #start(how: "new" | "restore", cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
    const { BASH_ENV, ...rest } = env;
    let driver: DriverSession | undefined;
    const encode = (command: DriverCommand | { nonce: string }): string => {
      if (!("op" in command)) return `${command.nonce} ${how} ${this.#folder.path}\n`;
      if (command.op === "run") return this.#writeBlock(command);
      if (command.op === "answer") driver?.channels[answers]?.write(encodeAnswer(command));
      return "";
    };
    this.#folder.write("marks", "0\n");
    driver = await startDriver({
      language: this.language,
      title: this.#found.title,
      machine: this.#options.machine,
      command: this.#found.path,
      args: startArguments(this.#found.name),
      cwd,
      // A bash that is not interactive would read the file named here before our driver.
      env: BASH_ENV === undefined ? rest : { ...rest, _OI_BASH_ENV: BASH_ENV },
      encode,
      extraChannels: 2,
    });
    this.#driver = driver;
    this.#description = driver.description;
    this.#folder.delete("state", "before");
    if (this.#closed) await driver.close();
  }

  #writeBlock({ id, code, name }: Extract<DriverCommand, { op: "run" }>): string {
    const file = this.#folder.writeBlock(id, name, code);
    const kind = `${kindOf(code)}${this.#dumps ? "h" : ""}`;
    this.#dumps = false;
    return `${id} ${kind} ${file}\n`;
  }

  /** The new shell gets its environment from the old one, but for names that are no shell variables. */
  #bareEnvironment(): NodeJS.ProcessEnv {
    return Object.fromEntries(Object.entries(this.#options.env).filter(([name]) => !/^[A-Za-z_]\w*$/.test(name)));
  }
}
