// The chat in the terminal: a prompt, what comes of it, and the prompt again.

import type { Approve, Ask } from "../agent/index.ts";
import { Interpreter, type InterpreterOptions } from "../interpreter/index.ts";
import type { Chunk } from "../messages/index.ts";
import type { Settings } from "../settings/index.ts";
import { askApproval } from "./ask-approval.ts";
import { commandHelp, readCommand } from "./commands.ts";
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

class Chat {
  readonly #view: View;
  readonly #lines = new LineReader(process.stdin, process.stdout);
  readonly #interpreter: Interpreter;
  /** The session typed lines go to; undefined means the model. */
  #language: string | undefined;
  #running: (() => void) | undefined;
  #interrupts = 0;
  #quit = false;

  constructor(settings: Settings, options: InterpreterOptions) {
    this.#view = createView(settings, () => this.#lines.typing);
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
  }

  async run(settings: Settings): Promise<void> {
    this.#print(await startScreen(this.#interpreter, settings, this.#view.style));
    while (!this.#quit && !this.#lines.closed) {
      const text = await this.#lines.message(this.#prompt());
      if (text === undefined) break;
      this.#interrupts = 0;
      await this.#handle(text);
    }
  }

  async close(): Promise<void> {
    this.#lines.close();
    await this.#interpreter.close();
  }

  #prompt(): string {
    return this.#language ? `\n${this.#view.style.dim(this.#language)}> ` : "\n> ";
  }

  async #handle(text: string): Promise<void> {
    const whole = await this.#rest(text);
    if (whole.trim() === "") return;
    const command = readCommand(whole, this.#language);
    switch (command.type) {
      case "say":
        return this.#follow((signal) => this.#interpreter.chat(command.text, { stream: true, signal }));
      case "run":
        return this.#follow((signal) =>
          withoutEcho(this.#interpreter.runForUser(command.language, command.code, { signal })),
        );
      case "enter":
        this.#language = command.language;
        if (command.language)
          this.#print(this.#view.style.dim(`Lines now run in the ${command.language} session. %chat goes back.\n`));
        return;
      case "model":
        this.#interpreter.setModel(command.name);
        return this.#try(async () => this.#print(`Model: ${(await this.#interpreter.model()).id}\n`));
      case "auto-run":
        this.#interpreter.autoRun = command.value;
        this.#print(command.value ? "Code now runs without asking.\n" : "Each block now waits for your yes.\n");
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
        const more = await this.#lines.message(this.#view.style.dim("… "));
        if (more === undefined) break;
        whole += `\n${more}`;
      }
      return whole.trim().replace(/^"""\n?|\n?"""$/g, "");
    }
    if (this.#language && /[:{([\\]\s*$/.test(whole)) {
      for (;;) {
        const more = await this.#lines.message(this.#view.style.dim("… "));
        if (more === undefined || more.trim() === "") break;
        whole += `\n${more}`;
      }
    }
    return whole;
  }

  async #follow(start: (signal: AbortSignal) => AsyncIterable<Chunk>): Promise<void> {
    const stop = new AbortController();
    this.#running = () => stop.abort();
    this.#lines.onStray = (line) => {
      if (line.trim() === "") return;
      this.#interpreter.say(line);
      this.#print(this.#view.style.dim("(noted: it will hear this at the next step)\n"));
    };
    this.#view.busy(true);
    await this.#try(async () => {
      for await (const chunk of start(stop.signal)) {
        this.#view.draw(chunk);
        await this.#view.room();
      }
    });
    this.#view.busy(false);
    this.#view.settle();
    this.#lines.onStray = undefined;
    this.#running = undefined;
    this.#interrupts = 0;
    if (stop.signal.aborted) this.#print(this.#view.style.dim("Stopped.\n"));
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

  #interrupt(): void {
    const again = ++this.#interrupts > 1;
    if (this.#running) {
      if (again) process.exit(130);
      this.#running();
    } else if (again) {
      this.#quit = true;
      this.#lines.close();
    } else {
      this.#lines.clear();
      this.#print(this.#view.style.dim("\nCtrl-C again to quit.\n"));
    }
  }

  #print(text: string): void {
    this.#view.print(text);
  }
}

/** The person's own code is already on the screen. */
async function* withoutEcho(chunks: AsyncIterable<Chunk>): AsyncIterable<Chunk> {
  for await (const chunk of chunks) if (chunk.role !== "user") yield chunk;
}
