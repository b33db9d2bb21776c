// A shell that outlives its process: when a block makes the shell exit, a new one takes over its folder, variables and
// functions from what the driver wrote down on the way out.

import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TerminalDevice } from "../../machine/index.ts";
import type { DriverCommand } from "../driver-protocol.ts";
import { type DriverSession, startDriver } from "../driver-session.ts";
import { type Completion, readCompletion, readVariables, SessionBusyError, type Variable } from "../inspection.ts";
import type { Hold, Session, SessionEnd, SessionEvent, SessionOptions } from "../language.ts";
import { type Restored, type RestoreRequest, type Room, type SavedState, StateError } from "../state.ts";
import type { FoundShell, ShellName } from "./find-shell.ts";
import { aside, completing, freshState, inspecting, readCompletions, readState } from "./shell-inspect.ts";
import { quote } from "./shell-words.ts";
import { terminalNeed } from "./terminal-need.ts";
import { transcript } from "./transcript.ts";

const drivers: Record<ShellName, string> = {
  bash: fileURLToPath(new URL("./bash-driver.sh", import.meta.url)),
  zsh: fileURLToPath(new URL("./zsh-driver.sh", import.meta.url)),
  sh: fileURLToPath(new URL("./sh-driver.sh", import.meta.url)),
};

/** Beside commands and events, a shell has a channel for answers and one that only tells it that we are still here. */
const answers = 2;
const lookFor = 3_000;

/** Folders of sessions that nobody has closed yet. */
const folders = new Set<string>();
process.on("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export async function startShell(found: FoundShell, language: string, options: SessionOptions): Promise<Session> {
  const folder = mkdtempSync(join(tmpdir(), "oi-"));
  folders.add(folder);
  const session = new ShellSession(found, language, options, folder);
  try {
    await session.begin();
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
}

class ShellSession implements Session {
  readonly language: string;
  readonly #found: FoundShell;
  readonly #options: SessionOptions;
  /** Private to us and the shell: the block that runs, and what the shell leaves for the one after it. */
  readonly #folder: string;
  #driver: DriverSession | undefined;
  #description: string;
  /** The file of the last block. */
  #block: string | undefined;
  #device: TerminalDevice | undefined;
  #interrupted = false;
  #closed = false;
  #running = false;
  /** Our own block, while it runs, and what was printed by others meanwhile. */
  #looking: Promise<void> | undefined;
  readonly #kept: SessionEvent[] = [];
  #fresh: Promise<string> | undefined;
  /** What it held before a block; the shell writes it down when that block begins. */
  #hold: { begun: boolean } | undefined;
  #dumps = false;
  #hasFunctions = false;

  constructor(found: FoundShell, language: string, options: SessionOptions, folder: string) {
    this.language = language;
    this.#found = found;
    this.#options = options;
    this.#folder = folder;
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
    await this.#looking;
    for (const event of this.#kept.splice(0)) yield event;
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
    const path = join(this.#folder, "earlier");
    writeFileSync(path, script, { mode: 0o600 });
    try {
      // Not in a function, whose variables would be its own.
      const here = await this.#look((file) => `. ${quote(path)} >/dev/null 2>&1\n{ pwd; } >|${quote(file)}\n`);
      return restoredShell(state, folder, here.trim());
    } finally {
      rmSync(path, { force: true });
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
        rmSync(join(this.#folder, "held"), { force: true });
      },
      bringBack: () => this.#bringBack(hold),
    };
  }

  /** A new shell takes over what the last one held before the block. */
  async #bringBack(hold: { begun: boolean }): Promise<string[]> {
    if (this.#hold !== hold) throw new StateError("There is nothing that the session could go back to.");
    if (!hold.begun) return [];
    await this.#looking;
    if (!this.#isWhole("held")) throw new StateError("The shell did not write down what it held.");
    // A new shell would not have them.
    if (await this.#hasJobs()) throw new StateError("Jobs that run in its background would end with the shell.");
    if (this.#hasFunctions) throw new StateError("Functions of this shell cannot be had again.");
    this.#hold = undefined;
    await this.#driver?.close();
    renameSync(join(this.#folder, "held"), join(this.#folder, "state"));
    try {
      await this.#start("restore", this.#options.cwd, this.#bareEnvironment());
    } catch (error) {
      throw new StateError(`No new shell could be started: ${(error as Error).message}`);
    }
    return [];
  }

  /** Whether a job runs that was there before the block. */
  async #hasJobs(): Promise<boolean> {
    const jobs = readFileSync(join(this.#folder, "jobs"), "utf8").match(/^\d+/gm);
    if (!jobs) return false;
    const asking = `for _oi_job in ${jobs.join(" ")}; do kill -0 $_oi_job && echo $_oi_job; done`;
    return (await this.#look((file) => aside(asking, file))).trim() !== "";
  }

  /** Runs a block of our own between those of others, and gives back what it wrote. */
  async #look(code: (file: string) => string): Promise<string> {
    await this.#looking;
    const driver = this.#driver;
    if (!driver?.alive) throw new SessionBusyError("The shell has ended.");
    if (this.#running) throw new SessionBusyError("A block is running: a shell can be looked into when it has ended.");
    const file = join(this.#folder, "look");
    const look = async () => {
      const timer = setTimeout(() => driver.interrupt(), lookFor);
      // What background jobs print meanwhile is shown with the next block.
      for await (const event of driver.run(code(file), "<look>")) if (event.type === "output") this.#kept.push(event);
      clearTimeout(timer);
    };
    this.#looking = look().catch(() => {});
    await this.#looking;
    this.#looking = undefined;
    try {
      return readFileSync(file, "utf8");
    } catch {
      throw new SessionBusyError("The shell did not say.");
    } finally {
      rmSync(file, { force: true });
    }
  }

  async *#run(code: string, name: string): AsyncIterable<SessionEvent> {
    const driver = this.#driver;
    if (!driver?.alive) {
      yield { type: "end", status: "exited", explanation: `${this.#found.title} had already ended` };
      return;
    }
    this.#interrupted = false;
    const terminal = await this.#lendTerminal(driver, code);
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
    this.#device?.close();
    await this.#driver?.close();
    rmSync(this.#folder, { recursive: true, force: true });
    folders.delete(this.#folder);
  }

  /** Gives the block a terminal if a program in it needs one and somebody is there to type. */
  async #lendTerminal(driver: DriverSession, code: string): Promise<{ takeBack(): Promise<string> } | undefined> {
    const lend = this.#options.lendTerminal;
    const need = lend && terminalNeed(code);
    if (!need) return undefined;
    this.#device ??= await this.#options.machine.openTerminal();
    const device = this.#device;
    if (!device) return undefined;
    // The first terminal a session's leader opens becomes its own: that is where programs look for the person.
    await quietly(driver, `: <>${device.path}`);
    if (need === "the screen") await quietly(driver, `exec 0<>${device.path} 1>&0 2>&0`);
    let said = "";
    const stop = lend({
      ...device,
      onData: (listener) =>
        device.onData((data) => {
          said = (said + data).slice(-mostSaid);
          listener(data);
        }),
    });
    return {
      takeBack: async () => {
        if (need === "the screen" && driver.alive) await quietly(driver, ownStreams[this.#found.name]);
        stop();
        return transcript(said);
      },
    };
  }

  async #end(end: SessionEnd): Promise<SessionEnd> {
    if (end.status !== "exited" || this.#closed) return end;
    const kept = this.#stateKept();
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

  /** What the shell wrote down when it left; a block that replaces our EXIT trap leaves only what was before it. */
  #stateKept(): "state" | "before" | undefined {
    for (const name of ["state", "before"] as const) {
      if (!this.#isWhole(name)) continue;
      renameSync(join(this.#folder, name), join(this.#folder, "state"));
      return name;
    }
    return undefined;
  }

  #isWhole(name: string): boolean {
    try {
      return readFileSync(join(this.#folder, name)).subarray(-8).equals(Buffer.from("# whole\n"));
    } catch {
      return false;
    }
  }

  async #start(how: "new" | "restore", cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
    const { BASH_ENV, ...rest } = env;
    let driver: DriverSession | undefined;
    const encode = (command: DriverCommand | { nonce: string }): string => {
      if (!("op" in command)) return `${command.nonce} ${how} ${this.#folder}\n`;
      if (command.op === "run") return this.#writeBlock(command);
      if (command.op === "answer") driver?.channels[answers]?.write(encodeAnswer(command));
      return "";
    };
    writeFileSync(join(this.#folder, "marks"), "0\n", { mode: 0o600 });
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
    for (const name of ["state", "before"]) rmSync(join(this.#folder, name), { force: true });
    if (this.#closed) await driver.close();
  }

  #writeBlock({ id, code, name }: Extract<DriverCommand, { op: "run" }>): string {
    for (const left of ["state", "before"]) rmSync(join(this.#folder, left), { force: true });
    if (this.#block) rmSync(this.#block, { force: true });
    // The shell names this file in its messages.
    const label = name.replace(/[^\w.-]+/g, "-").replace(/^-|-$/g, "") || String(id);
    const file = join(this.#folder, label.startsWith("block") ? label : `block-${label}`);
    writeFileSync(file, code, { mode: 0o600 });
    this.#block = file;
    const kind = `${kindOf(code)}${this.#dumps ? "h" : ""}`;
    this.#dumps = false;
    return `${id} ${kind} ${file}\n`;
  }

  /** The new shell gets its environment from the old one, but for names that are no shell variables. */
  #bareEnvironment(): NodeJS.ProcessEnv {
    return Object.fromEntries(Object.entries(this.#options.env).filter(([name]) => !/^[A-Za-z_]\w*$/.test(name)));
  }
}

/** Gives the shell back the streams it had, from the copies its driver keeps. */
const ownStreams: Record<ShellName, string> = {
  bash: "exec 0</dev/null 1>&62 2>&63",
  zsh: "exec 0</dev/null 1>&$_oi_out 2>&$_oi_err",
  sh: 'if [ "$BASH_VERSION" ]; then exec 0</dev/null 1>&62 2>&63; else exec 0</dev/null 1>&7 2>&6; fi',
};

const mostSaid = 100_000;

/** Runs a line of ours between two blocks. */
async function quietly(driver: DriverSession, line: string): Promise<void> {
  for await (const _ of driver.run(line, "terminal"));
}

function startArguments(name: ShellName): string[] {
  const read = (shell: ShellName) => `. '${drivers[shell].replaceAll("'", "'\\''")}'`;
  switch (name) {
    case "bash":
      return ["--noprofile", "--norc", "-c", read("bash"), "bash"];
    case "zsh":
      return ["-f", "-c", read("zsh"), "zsh"];
    case "sh": // which may be bash in disguise
      return ["-c", `if [ "$BASH_VERSION" ]; then ${read("bash")}; else ${read("sh")}; fi`, "sh"];
  }
}

/** What the driver should know: `l` report the running line, `t` the block sets traps, `-` neither. */
function kindOf(code: string): string {
  if (/\btrap\b|TRAP/.test(code)) return "t";
  // Our reports would show up in the trace of a block that asks for one.
  return /\bset\s+-\w*x|xtrace/.test(code) ? "-" : "l";
}

/** Where they cannot be listed: a function, or a file that may have some. */
function mayDefineFunctions(code: string): boolean {
  return /[\w-]\s*\(\s*\)|(^|[\n;&|({]\s*)(\.|source|eval)\s/.test(code);
}

function encodeAnswer({ id, text }: Extract<DriverCommand, { op: "answer" }>): string {
  if (text === null) return `${id} -\n`;
  const line = text.replaceAll("\0", "").replaceAll("\r\n", "\n").replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
  return `${id} +${line}\n`;
}
