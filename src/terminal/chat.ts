// The chat in the terminal: a prompt, what comes of it, and the prompt again.

import type { Approve, Ask } from "../agent/index.ts";
import { Interpreter, type InterpreterOptions } from "../interpreter/index.ts";
import type { Chunk } from "../messages/index.ts";
import type { Settings } from "../settings/index.ts";
import { askApproval } from "./ask-approval.ts";
import { commandHelp, readCommand } from "./commands.ts";
import { offerFor } from "./complete.ts";
import { terminalLender } from "./lend-terminal.ts";
import { LineReader } from "./line-reader.ts";
import { sessionsTable, variablesTable } from "./session-tables.ts";
import { startScreen } from "./start-screen.ts";
import { createView, type View } from "./view.ts";

export async function runChat(settings: Settings, options: InterpreterOptions): Promise<number> {
  const chat = new Chat(settings, options);
  try {
    await chat.run(settings);
    return 0;
  } finally {
    await chat.close();
  }
}

/** Two presses of Ctrl-C within this time (ms) belong together. */
const secondPress = 3_000;

class Chat {
  readonly #view: View;
  readonly #lines = new LineReader(process.stdin, process.stdout);
  readonly #interpreter: Interpreter;
  /** The session typed lines go to; undefined means the model. */
  #language: string | undefined;
  #running: (() => void) | undefined;
  /** When Ctrl-C was last pressed. */
  #interrupted = Number.NEGATIVE_INFINITY;
  #quit = false;
  #pictures = 0;
  /** Lines typed while something ran, to be taken next. */
  readonly #ahead: string[] = [];

  constructor(settings: Settings, options: InterpreterOptions) {
    this.#view = createView(settings, {
      typing: () => this.#lines.typing,
      pictureFile: () => this.#interpreter.fileFor(`picture-${++this.#pictures}.png`),
    });
    const approve: Approve = (block, signal) => {
      this.#view.settle();
      const extension = this.#interpreter.sessions.find(block.language)?.extension ?? "txt";
      return askApproval(block, extension, this.#lines, this.#view.style, signal);
    };
    const ask: Ask = async (prompt, hidden, signal) => {
      this.#view.settle();
      return (await this.#lines.line(prompt, { hidden, signal })) ?? null;
    };
    const lendTerminal = terminalLender(this.#lines, this.#view);
    this.#interpreter = new Interpreter({ ...options, approve, ask, lendTerminal });
    this.#lines.onInterrupt = () => this.#interrupt();
    this.#lines.onTab = (line) => offerFor(line, this.#interpreter.sessions, this.#language);
    this.#lines.onStray = (line) => this.#ahead.push(line);
  }

  async run(settings: Settings): Promise<void> {
    this.#print(await startScreen(this.#interpreter, settings, this.#view.style));
    while (!this.#quit && !this.#lines.closed) {
      this.#print("\n");
      const typed = this.#ahead.shift();
      if (typed !== undefined) this.#print(`${this.#prompt()}${typed}\n`);
      const text = typed ?? (await this.#lines.line(this.#prompt()));
      if (text !== undefined) await this.#handle(text);
    }
  }

  async close(): Promise<void> {
    this.#lines.close();
    await this.#interpreter.close();
  }

  #prompt(): string {
    return this.#language ? `${this.#view.style.dim(this.#language)}> ` : "> ";
  }

  async #handle(text: string): Promise<void> {
    const whole = await this.#rest(text);
    if (whole.trim() === "") return;
    const command = readCommand(whole, (name) => this.#interpreter.sessions.find(name)?.name, this.#language);
    switch (command.type) {
      case "say":
        return this.#follow(true, (signal) => this.#interpreter.chat(command.text, { stream: true, signal }));
      case "run":
        return this.#follow(false, (signal) =>
          withoutEcho(this.#interpreter.runForUser(command.language, command.code, { signal })),
        );
      case "enter":
        this.#language = command.language;
        if (command.language)
          this.#print(this.#view.style.dim(`Lines now run in the ${command.language} session. %chat goes back.\n`));
        return;
      case "model":
        if (command.name) this.#interpreter.setModel(command.name);
        return this.#try(async () => this.#print(`Model: ${(await this.#interpreter.model()).id}\n`));
      case "auto-run":
        this.#interpreter.autoRun = command.value ?? this.#interpreter.autoRun;
        this.#print(this.#interpreter.autoRun ? "Code runs without asking.\n" : "Each block waits for your yes.\n");
        return;
      case "reset":
        await this.#interpreter.reset();
        this.#print("The conversation and the sessions are cleared.\n");
        return;
      case "sessions":
        this.#print(sessionsTable(await this.#interpreter.sessions.describe()));
        return;
      case "variables":
        return this.#showVariables(command.language);
      case "restart":
        return this.#restart(command.language);
      case "help":
        this.#print(commandHelp);
        return;
      case "quit":
        this.#quit = true;
        return;
      case "unknown":
        this.#print(`There is no command ${command.name}. %help lists them.\n`);
    }
  }

  async #showVariables(name: string | undefined): Promise<void> {
    const language = name === undefined ? undefined : this.#interpreter.sessions.find(name)?.name;
    if (name !== undefined && language === undefined) return this.#print(`There is no language ${name}.\n`);
    const facts = await this.#interpreter.sessions.describe({ variables: true, ...(language && { language }) });
    this.#print(variablesTable(facts));
  }

  async #restart(name: string | undefined): Promise<void> {
    const { sessions } = this.#interpreter;
    const live = (await sessions.live()).map((session) => session.language);
    const languages = (name === undefined ? live : [name]).map((each) => sessions.find(each));
    if (languages.includes(undefined)) return this.#print(`There is no language ${name}.\n`);
    if (languages.length === 0) return this.#print(sessionsTable([]));
    for (const language of languages) {
      try {
        this.#print(`New session: ${(await sessions.restart(language!)).description}.\n`);
      } catch (error) {
        this.#print(`${(error as Error).message}\n`);
      }
    }
  }

  /** More lines, where the text says that it goes on: an open triple quote, or an unfinished block of code. */
  async #rest(text: string): Promise<string> {
    let whole = text;
    if (whole.trimStart().startsWith('"""')) {
      while (!/"""[\s\S]*"""/.test(whole)) {
        const more = await this.#lines.line(this.#view.style.dim("… "));
        if (more === undefined) break;
        whole += `\n${more}`;
      }
      return whole.trim().replace(/^"""\n?|\n?"""$/g, "");
    }
    if (this.#language && /[:{([\\]\s*$/.test(whole)) {
      for (;;) {
        const more = await this.#lines.line(this.#view.style.dim("… "));
        if (more === undefined || more.trim() === "") break;
        whole += `\n${more}`;
      }
    }
    return whole;
  }

  async #follow(saying: boolean, start: (signal: AbortSignal) => AsyncIterable<Chunk>): Promise<void> {
    const stop = new AbortController();
    this.#running = () => stop.abort();
    this.#lines.onStray = (line) => this.#noteWhileRunning(line, saying);
    this.#view.busy(true);
    await this.#try(async () => {
      for await (const chunk of start(stop.signal)) {
        this.#view.draw(chunk);
        await this.#view.room();
      }
    });
    this.#view.busy(false);
    this.#view.settle();
    this.#lines.onStray = (line) => this.#ahead.push(line);
    this.#running = undefined;
    this.#interrupted = Number.NEGATIVE_INFINITY;
    if (stop.signal.aborted) this.#print(this.#view.style.dim("Stopped.\n"));
  }

  /**
   * What is said to the model while it works is heard at the next step; a command, or anything typed while one's own code
   * runs, comes after it; an answer to a question not asked yet is none.
   */
  #noteWhileRunning(line: string, saying: boolean): void {
    if (line.trim() === "" || (saying && /^(y|n|e|a|yes|no)$/i.test(line.trim()))) return;
    if (!saying || /^[%!]/.test(line)) {
      this.#ahead.push(line);
      return;
    }
    this.#interpreter.say(line);
    this.#view.settle();
    this.#print(this.#view.style.dim(`(noted, for the next step: ${line.replaceAll("\n", " ")})\n`));
  }

  /** Shows a plain-words error and goes on; anything else is a defect and is thrown. */
  async #try(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      const { message, hint } = error as { message: string; hint?: string };
      if (hint === undefined) throw error;
      this.#view.draw({ role: "server", type: "error", content: message, hint });
    }
  }

  /** Once stops what runs, or clears the line, or says how to leave; twice in a row leaves. */
  #interrupt(): void {
    const again = performance.now() - this.#interrupted < secondPress;
    this.#interrupted = performance.now();
    if (this.#running) {
      if (again) {
        this.#view.settle();
        this.#print("Left while something was still running. It has been ended.\n");
        process.exit(130);
      }
      this.#running();
    } else if (this.#lines.draft !== "") {
      this.#lines.clear();
      this.#interrupted = Number.NEGATIVE_INFINITY;
    } else if (again) {
      this.#quit = true;
      this.#lines.close();
    } else this.#print(this.#view.style.dim("\nCtrl-C again to quit.\n") + this.#prompt());
  }

  #print(text: string): void {
    this.#view.print(text);
  }
}

/** The person's own code is already on the screen. */
async function* withoutEcho(chunks: AsyncIterable<Chunk>): AsyncIterable<Chunk> {
  for await (const chunk of chunks) if (chunk.role !== "user") yield chunk;
}
