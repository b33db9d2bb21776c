// The chat in the terminal: a prompt, what comes of it, and the prompt again.

import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Approve, ApproveEffects, Ask } from "../agent/index.ts";
import { type AskBudget, Interpreter, type InterpreterOptions } from "../interpreter/index.ts";
import type { Chunk } from "../messages/index.ts";
import { places, type Settings } from "../settings/index.ts";
import { approvalScreen, askApproval } from "./ask-approval.ts";
import { raiseBudget } from "./ask-budget.ts";
import { keyAsker } from "./ask-key.ts";
import { runAgainAsker } from "./ask-run-again.ts";
import type { ChatControls, ChatStart } from "./commands/command.ts";
import { readTyped, type Typed } from "./commands/read.ts";
import { createCompletion } from "./complete.ts";
import { loadAskEffects } from "./effects/index.ts";
import { goesOn, unquoted } from "./goes-on.ts";
import { type FoundImage, mayNameImages } from "./image-names.ts";
import { terminalLender } from "./lend-terminal.ts";
import { LineReader } from "./line-reader.ts";
import { longTurn, notification } from "./notify.ts";
import { OpenQuestion } from "./open-question.ts";
import { ShownFiles } from "./pictures/index.ts";
import { placeLine, protectionLine, protectionWord } from "./protection-words.ts";
import { sandboxAsking } from "./sandbox/index.ts";
import { sanitize } from "./sanitize.ts";
import { heading, startScreen } from "./start-screen.ts";
import { type Status, statusLine } from "./status-line.ts";
import { foldWords } from "./text/fold-words.ts";
import { traceTo } from "./trace-lines.ts";
import { createView, type View } from "./view.ts";

export async function runChat(settings: Settings, options: InterpreterOptions, start: ChatStart): Promise<number> {
  const chat = new Chat(settings, options, start);
  try {
    await chat.run(settings);
    return 0;
  } finally {
    await chat.close();
  }
}

/** What to do when the system does not let us read or write something. */
const refusals: Record<string, string> = {
  EACCES: "Check the permissions of that place.",
  EPERM: "Check the permissions of that place.",
  EROFS: "That place cannot be written.",
  ENOSPC: "Make room on the disk.",
};

/** Two presses of Ctrl-C within this time (ms) belong together. */
const secondPress = 3_000;

/** Bytes of output that are taken to a pager; more is only named. */
const mostForPager = 64_000_000;

class Chat {
  readonly #view: View;
  readonly #lines: LineReader;
  readonly #interpreter: Interpreter;
  /** The session typed lines go to; undefined means the model. */
  #language: string | undefined;
  #running: (() => void) | undefined;
  /** The one about what a block did, or about taking it back. */
  readonly #question = new OpenQuestion();
  /** Aborted when what runs is stopped. */
  #stopped: AbortSignal | undefined;
  /** Whether the protection could not be opened at the start; it may be mended since. */
  #unprotected = false;
  /** Whether a question is no longer asked that the person may still answer. */
  #withdrawn = false;
  /** When Ctrl-C was last pressed. */
  #interrupted = Number.NEGATIVE_INFINITY;
  #quit = false;
  /** What was shown, for %open. */
  readonly #files = new ShownFiles((name) => this.#interpreter.fileFor(name));
  /** So many requests were in the last line about what was used. */
  #told = 0;
  /** What the last turn did. */
  readonly #work: Pick<Status, "model" | "steps" | "seconds" | "machine" | "protection">;
  readonly #notify: boolean;
  /** Pictures for the next message. */
  readonly #images: FoundImage[] = [];
  /** Lines typed while something ran, to be taken next. */
  readonly #ahead: string[] = [];
  /** What the commands use of all this. */
  readonly #controls: ChatControls;

  constructor(settings: Settings, options: InterpreterOptions, start: ChatStart) {
    this.#work = { model: "", steps: 0, seconds: 0, machine: hostOf(settings.machine) };
    this.#notify = settings.notify ?? true;
    const history = join(places().data, "history.jsonl");
    this.#lines = new LineReader(process.stdin, process.stdout, { plain: settings.plain ?? false, history });
    this.#view = createView(settings, {
      typing: () => this.#lines.typing,
      typedAhead: () => this.#lines.typedAhead,
      files: this.#files,
      more: "Ctrl-O shows it.",
    });
    const approve: Approve = (block, signal) =>
      askApproval(block, approvalScreen(this.#interpreter, this.#lines, this.#view), signal);
    const approveEffects: ApproveEffects = async (question, signal) => {
      const { askEffects, effectsScreen } = await loadAskEffects();
      const screen = effectsScreen(this.#lines, this.#view);
      return this.#question.ask(signal, (stopped) => askEffects(question, screen, stopped));
    };
    const ask: Ask = async (prompt, hidden, signal) => {
      this.#view.settle();
      return (await this.#lines.line(prompt, { hidden, signal })) ?? null;
    };
    const askBudget: AskBudget = (over, signal) => {
      this.#view.settle();
      return raiseBudget(over, this.#lines, signal);
    };
    const lendTerminal = terminalLender(this.#lines, this.#view);
    const askKey = keyAsker(this.#lines, () => this.#view.settle());
    const sandbox = sandboxAsking(this.#lines, () => this.#view, {
      stopped: () => this.#stopped ?? AbortSignal.abort(),
      onWithdrawn: () => {
        this.#withdrawn = true;
      },
    });
    const tables = this.#view.live;
    const askRunAgain = runAgainAsker(this.#lines, () => this.#view);
    const asked = { approve, approveEffects, ask, askBudget, askKey, askRunAgain, ...sandbox };
    this.#interpreter = new Interpreter({ ...options, ...asked, lendTerminal, tables });
    this.#lines.onInterrupt = () => this.#interrupt();
    const { sessions, cwd } = this.#interpreter;
    this.#lines.onTab = createCompletion({ sessions, cwd, language: () => this.#language });
    this.#lines.goesOn = (text) => goesOn(text, this.#language);
    this.#lines.onMore = () => void this.#showLastOutput();
    this.#lines.onClipboard = () => void this.#handle("%image");
    this.#lines.onStray = (line) => this.#keepForLater(line);
    this.#controls = this.#controlsFor(settings, start);
    if (settings.verbose) this.#interpreter.trace = this.#controls.trace;
    if (start.said) this.#ahead.push(start.said);
  }

  #controlsFor(settings: Settings, start: ChatStart): ChatControls {
    const chat = this;
    return {
      interpreter: this.#interpreter,
      view: this.#view,
      lines: this.#lines,
      files: this.#files,
      images: this.#images,
      settings,
      get language() {
        return chat.#language;
      },
      set language(language) {
        chat.#language = language;
      },
      print: (text) => this.#print(text),
      follow: (saying, follow) => this.#follow(saying, follow),
      stoppable: (action) => this.#stoppable(action),
      ask: (question) => this.#question.ask(new AbortController().signal, question),
      trace: traceTo(this.#view),
      start,
      quit: () => {
        this.#quit = true;
      },
    };
  }

  async run(settings: Settings): Promise<void> {
    this.#print(heading(this.#interpreter, this.#view.style));
    const screen = await startScreen(this.#interpreter, settings, this.#view.style);
    this.#print(this.#view.live ? foldWords(screen, (process.stdout.columns || 80) - 1, 2) : screen);
    if (!settings.machine) void this.#showProtection();
    if (this.#controls.start.notebook) await this.#follow(false, (signal) => this.#interpreter.comeBack({ signal }));
    while (!this.#quit && !this.#lines.closed) {
      this.#print(`\n${this.#status()}`);
      const typed = this.#ahead.shift();
      if (typed !== undefined) this.#print(`${this.#prompt()}${sanitize(typed)}\n`);
      const text = typed ?? (await this.#lines.line(this.#prompt(), { message: true }));
      if (text !== undefined) await this.#handle(text);
    }
  }

  async close(): Promise<void> {
    this.#lines.close();
    await this.#interpreter.close();
  }

  /** Whether what code does can be taken back here is told when it is known; nobody waits for it. */
  async #showProtection(): Promise<void> {
    const protection = await this.#interpreter.protection().catch((error: Error & { hint?: string }) => {
      // Nothing runs until it is mended.
      if (!this.#quit) this.#print(this.#warning([error.message, error.hint]));
      this.#unprotected = true;
      return undefined;
    });
    if (!protection || this.#quit) return;
    this.#work.protection = protectionWord(protection);
    const place = placeLine(protection, this.#interpreter.cwd, homedir());
    const line = [protectionLine(protection), place, ...this.#interpreter.protectionNews()].filter(Boolean).join("\n");
    if (line !== "")
      this.#print(this.#view.style.dim(foldWords(`${sanitize(line)}\n`, (process.stdout.columns || 80) - 1)));
  }

  async #seeMended(): Promise<void> {
    const protection = await this.#interpreter.protection().catch(() => undefined);
    if (!protection) return;
    this.#unprotected = false;
    this.#work.protection = protectionWord(protection);
  }

  #warning([first = "", ...more]: readonly (string | undefined)[]): string {
    const lines = [
      `${this.#view.style.yellow("!")} ${sanitize(first)}`,
      ...more.map((line) => `  ${sanitize(line ?? "")}`),
    ];
    return foldWords(
      `${lines.filter((line) => line.trim() !== "").join("\n")}\n`,
      (process.stdout.columns || 80) - 1,
      2,
    );
  }

  /** What was used and done, above the prompt, when that is news. */
  #status(): string {
    const { usage: totals, cwd: folder } = this.#interpreter;
    if (totals.requests <= this.#told) return "";
    this.#told = totals.requests;
    const sandbox = this.#controls.settings.sandbox === "off" ? "no sandbox" : undefined;
    const line = statusLine({ ...this.#work, sandbox, totals, folder }, process.stdout.columns || 80);
    return this.#view.style.dim(`${line}\n`);
  }

  #prompt(): string {
    return this.#language ? `${this.#view.style.dim(this.#language)}> ` : "> ";
  }

  async #handle(text: string): Promise<void> {
    const whole = unquoted(text);
    if (whole.trim() === "") return;
    const late = this.#withdrawn && isAnswer(whole);
    this.#withdrawn = false;
    if (late) return this.#print(this.#view.style.dim("That is no longer asked.\n"));
    const typed = this.#read(whole);
    switch (typed.type) {
      case "say":
        return this.#follow(true, (signal) => this.#say(typed.text, signal));
      case "run":
        return this.#follow(false, (signal) => this.#run(typed, signal));
      case "enter":
        this.#language = typed.language;
        this.#print(this.#view.style.dim(`Lines now run in the ${typed.language} session. %chat goes back.\n`));
        return;
      case "command":
        return this.#try(async () => typed.command.run(this.#controls, typed.argument));
      case "unknown":
        this.#print(
          `There is no command ${typed.name}. ${typed.near ? `Did you mean ${typed.near}?` : "%help lists them."}\n`,
        );
    }
  }

  #read(text: string): Typed {
    return readTyped(text, (name) => this.#interpreter.sessions.find(name)?.name, this.#language);
  }

  /** The person's own code is already on the screen. */
  async *#run({ language, code, aside }: Extract<Typed, { type: "run" }>, signal: AbortSignal): AsyncIterable<Chunk> {
    const chunks = aside
      ? this.#interpreter.computer.run(language, code, { stream: true, signal })
      : this.#interpreter.runForUser(language, code, { signal });
    for await (const chunk of chunks) if (chunk.role !== "user") yield chunk;
  }

  /** Pictures that are named go along, and those that were taken before. */
  async *#say(text: string, signal: AbortSignal): AsyncIterable<Chunk> {
    if (this.#images.length > 0 || mayNameImages(text)) {
      const { attachImages, findImages } = await import("./images.ts");
      await attachImages(this.#interpreter, [...this.#images, ...findImages(text, this.#interpreter.cwd)], this.#view);
      this.#images.length = 0;
    }
    yield* this.#interpreter.chat(text, { stream: true, signal });
  }

  async #stoppable<T>(action: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = new AbortController();
    this.#running = () => stop.abort();
    try {
      return await action(stop.signal);
    } finally {
      this.#running = undefined;
    }
  }

  async #follow(saying: boolean, start: (signal: AbortSignal) => AsyncIterable<Chunk>): Promise<void> {
    const stop = new AbortController();
    const started = performance.now();
    let steps = 0;
    this.#running = () => stop.abort();
    this.#stopped = stop.signal;
    this.#lines.onStray = (line) => this.#noteWhileRunning(line, saying);
    this.#view.busy(true);
    await this.#try(async () => {
      for await (const chunk of start(stop.signal)) {
        this.#view.draw(chunk);
        if (chunk.type === "console" && chunk.end && chunk.status) steps++;
        if (chunk.type === "usage") this.#work.model = String((chunk.content as { model?: unknown }).model);
        await this.#view.room();
      }
    });
    this.#view.busy(false);
    this.#view.settle();
    if (this.#unprotected) await this.#seeMended();
    Object.assign(this.#work, { steps, seconds: (performance.now() - started) / 1000 });
    if (this.#work.seconds > longTurn && this.#notify)
      this.#print(notification(`Open Interpreter: ${stop.signal.aborted ? "stopped" : "done"}`, process.env));
    this.#lines.onStray = (line) => this.#keepForLater(line);
    this.#running = undefined;
    this.#stopped = undefined;
    this.#interrupted = Number.NEGATIVE_INFINITY;
    if (stop.signal.aborted) this.#print(this.#view.style.dim("Stopped.\n"));
    // What was said to a turn that did not hear it goes back on the line, or comes next.
    const unheard = this.#interpreter.takeUnheard();
    if (unheard.length > 0 && stop.signal.aborted) this.#lines.write(unheard.join("\n"));
    else this.#ahead.push(...unheard);
  }

  /**
   * What is said to the model while it works is heard at the next step; a command, or anything typed while one's own code
   * runs, comes after it; an answer to a question not asked yet is none.
   */
  #noteWhileRunning(line: string, saying: boolean): void {
    if (line.trim() === "" || ((saying || this.#withdrawn) && isAnswer(line))) return;
    if (!saying || this.#read(line).type !== "say") {
      this.#keepForLater(line);
      return;
    }
    this.#lines.remember(line);
    this.#interpreter.say(unquoted(line));
    this.#view.settle();
    this.#print(this.#view.style.dim(`(noted, for the next step: ${sanitize(line).replaceAll("\n", " ")})\n`));
  }

  /** A line that comes when nobody waits for one is taken when the prompt is back. */
  #keepForLater(line: string): void {
    this.#lines.remember(line);
    this.#ahead.push(line);
  }

  /** Shows a plain-words error and goes on; anything else is a defect and is thrown. */
  async #try(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      const {
        message,
        code,
        hint = refusals[String(code)],
      } = error as { message: string; code?: unknown; hint?: string };
      if (hint === undefined) throw error;
      this.#view.draw({ role: "server", type: "error", content: message, hint });
    }
  }

  /** The whole of the last output, in the person's pager. */
  async #showLastOutput(): Promise<void> {
    const last = this.#interpreter.messages.findLast(({ type, content }) => type === "console" && content !== "");
    if (!last) return this.#print("There is no output yet.\n");
    const file = last.outputFile && statSync(last.outputFile, { throwIfNoEntry: false });
    if (file && file.size > mostForPager) return this.#print(`${last.outputFile}\n`);
    const text = file ? readFileSync(last.outputFile!, "utf8") : last.content;
    const { showInPager } = await import("./pager.ts");
    const resume = this.#lines.suspend();
    const problem = await showInPager(text, process.env).finally(resume);
    if (problem) this.#print(`${problem}\n`);
  }

  /** Once stops what runs, or clears the line, or says how to leave; twice in a row leaves. */
  #interrupt(): void {
    const again = performance.now() - this.#interrupted < secondPress;
    this.#interrupted = performance.now();
    if (this.#question.end()) this.#running?.();
    else if (this.#running) {
      if (again) {
        this.#view.settle();
        this.#print(`Left while something was still running. It has been ended.${this.#whatIsLeft()}\n`);
        process.exit(130);
      }
      this.#running();
    } else if (this.#lines.draft !== "") {
      this.#lines.clear();
      this.#interrupted = Number.NEGATIVE_INFINITY;
    } else if (again) {
      this.#quit = true;
      this.#lines.close();
    } else this.#print(this.#view.style.dim("Press Ctrl-C again, or Ctrl-D, to leave.\n"));
  }

  /** What becomes of what a block had done when it was left in the middle. */
  #whatIsLeft(): string {
    if (this.#work.protection !== protectionWord({ kind: "layer" })) return "";
    const asks = this.#interpreter.approveWhat === "effects";
    return ` What it had changed ${asks ? "was not kept" : "until then is kept with the next start here, which says what it is"}.`;
  }

  /** Above the line that is being written, when there is one. */
  #print(text: string): void {
    if (this.#lines.typing) this.#lines.say(text);
    else this.#view.print(text);
  }
}

/** What is only ever an answer to a question. */
const isAnswer = (line: string): boolean => /^(y|n|e|a|d|s|o|c|\?|yes|no|once|always)$/i.test(line.trim());

const hostOf = (address = ""): string => (URL.canParse(address) ? new URL(address).host : address);
