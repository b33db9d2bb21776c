// The interpreter: one conversation, its model, its sessions and its record. Every interface holds one of these.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runStep, runTurn, systemPrompt, type TurnEnd } from "../agent/index.ts";
import type { Conversation } from "../conversations/index.ts";
import { type Language, Sessions } from "../languages/index.ts";
import { localMachine } from "../machine/index.ts";
import { type Chunk, checkMessages, createFolder, type Message, newId } from "../messages/index.ts";
import { findProvider, type Model, resolveModel, withoutModelKeys } from "../models/index.ts";
import { defaults, places } from "../settings/index.ts";
import { aboutMachine, chooseLanguages } from "./choose-languages.ts";
import { chooseModel } from "./choose-model.ts";
import { collect } from "./collect.ts";
import { checkOptions, type InterpreterOptions, type RunOptions } from "./options.ts";
import { createRecorder, forgetfulRecorder, type Recorder } from "./recorder.ts";

export class Interpreter {
  /** The conversation: plain messages, yours to read and to replace. */
  messages: Message[];
  /** What code can be run with, apart from the model: `computer.run("python", "1 + 1")`. */
  readonly computer: Computer;
  readonly sessions: Sessions;
  readonly cwd: string;
  readonly #options: InterpreterOptions;
  #recorder: Recorder;
  readonly #scratch: string | undefined;
  readonly #autoRun: { value: boolean };
  readonly #steering: string[] = [];
  readonly #languagesOfServer: (() => Promise<readonly Language[]>) | undefined;
  #reached: Promise<void> | undefined;
  #model: Promise<Model> | undefined;
  #system: Promise<{ system: string; languages: string[] }> | undefined;
  #running: AbortController | undefined;

  constructor(options: InterpreterOptions = {}) {
    checkOptions(options);
    this.#options = { ...options };
    this.cwd = options.cwd ?? process.cwd();
    this.messages = [
      ...(options.messages ?? (typeof options.conversation === "object" ? options.conversation.messages : [])),
    ];
    checkMessages(this.messages);
    this.#autoRun = { value: options.autoRun ?? false };
    const env = options.env ?? process.env;
    const machine = typeof options.machine === "object" ? options.machine : localMachine;
    const chosen = chooseLanguages(options, this.cwd, env);
    // Loaded at the first call: most conversations start without one.
    const computer = () =>
      import("../computer/index.ts").then(({ createComputer }) =>
        createComputer({ sessions: this.sessions, machine, env: withoutModelKeys(env) }),
      );
    this.sessions = new Sessions(
      chosen.languages,
      {
        machine,
        onCall: async (...call) => (await computer())(...call),
        cwd: this.cwd,
        env: withoutModelKeys(env),
        ...(options.python && { python: options.python }),
        ...(options.lendTerminal && { lendTerminal: options.lendTerminal }),
      },
      chosen.more,
    );
    this.#languagesOfServer = chosen.ofServer;
    if (!options.conversation) this.#scratch = join(tmpdir(), `interpreter-${newId()}`);
    this.#recorder = this.#record(typeof options.conversation === "object" ? options.conversation : undefined);
    this.computer = { run: this.#runUnrecorded.bind(this) as Computer["run"] };
  }

  /** Says something and waits for what comes of it: the messages this turn added. */
  chat(message: string | Partial<Message> | Message[], options?: RunOptions & { stream?: false }): Promise<Message[]>;
  /** Says something and follows it chunk by chunk. Leaving the loop stops whatever runs. */
  chat(
    message: string | Partial<Message> | Message[],
    options: RunOptions & { stream: true },
  ): AsyncGenerator<Chunk, TurnEnd>;
  chat(message: string | Partial<Message> | Message[], { stream, signal }: RunOptions & { stream?: boolean } = {}) {
    const chunks = this.#turn(message, signal);
    return stream ? chunks : collect(chunks, this.#options.maxOutput ?? defaults.maxOutput);
  }

  /** Says something to a turn that is running: it is heard at the next step. */
  say(words: string): void {
    this.#steering.push(words);
  }

  /** Stops what runs now, keeps the sessions, and ends the turn. */
  interrupt(): void {
    this.#running?.abort();
  }

  /** Runs code the user typed, in the very session the model uses. It becomes part of the conversation. */
  async *runForUser(language: string, code: string, { signal }: RunOptions = {}): AsyncGenerator<Chunk> {
    const id = `user-${newId()}`;
    const header = { role: "user", type: "code", format: language } as const;
    yield* this.#recorded(
      (async function* (run): AsyncGenerator<Chunk> {
        yield { ...header, start: true, id };
        yield { ...header, content: code };
        yield { ...header, end: true };
        yield* run;
      })(this.#step(language, code, id, signal)),
    );
  }

  /** Keeps a text that is too long for a message in a file beside the conversation, and says where. */
  attach(name: string, text: string): string {
    const path = this.fileFor(name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  }

  /** A new file beside the conversation. */
  fileFor(name: string): string {
    const path = this.#recorder.fileFor(`${Date.now().toString(36)}-${name}`);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return path;
  }

  /** Begins a new conversation, with new sessions. The old one stays on disk as it was. */
  async reset(): Promise<void> {
    this.messages = [];
    this.#autoRun.value = this.#options.autoRun ?? false;
    this.#recorder.close();
    this.#recorder = this.#record();
    await this.sessions.close();
  }

  /** Uses another model from the next request on. */
  setModel(model: string | Model): void {
    // The address and key that were given belong to the model they were given for.
    if (typeof model === "string" && findProvider(model.split("/")[0]!)) {
      this.#options.apiBase = undefined;
      this.#options.apiKey = undefined;
    }
    this.#options.model = model;
    this.#model = undefined;
  }

  get autoRun(): boolean {
    return this.#autoRun.value;
  }

  set autoRun(value: boolean) {
    this.#autoRun.value = value;
  }

  /** The model in use, resolved; rejects with a plain-words error when there is none. */
  model(): Promise<Model> {
    const { model, llmSupportsFunctions, llmSupportsVision, env = process.env, ...rest } = this.#options;
    if (typeof model === "object") return Promise.resolve(model);
    this.#model ??= (async () =>
      resolveModel({
        ...rest,
        env,
        model: model ?? chooseModel(env, rest.apiBase),
        ...(llmSupportsFunctions !== undefined && { dialect: llmSupportsFunctions ? "tool" : "markdown" }),
        ...(llmSupportsVision !== undefined && { vision: llmSupportsVision }),
      }))();
    return this.#model;
  }

  /** Ends every session and everything started in them. */
  async close(): Promise<void> {
    this.interrupt();
    await this.sessions.close();
    this.#recorder.close();
    if (this.#scratch) rmSync(this.#scratch, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  [Symbol.dispose](): void {
    void this.close();
  }

  async *#turn(message: string | Partial<Message> | Message[], signal?: AbortSignal): AsyncGenerator<Chunk, TurnEnd> {
    if (this.#running) throw new Error("A turn is already running: use say() to add to it, or interrupt() to end it.");
    const running = new AbortController();
    this.#running = running;
    try {
      const [model, { system, languages }] = await Promise.all([this.model(), this.#prompt()]);
      this.#accept(message);
      const { maxOutput = defaults.maxOutput, maxSteps = defaults.maxSteps, timeLimit } = this.#options;
      const turn = runTurn({
        model,
        system,
        languages,
        messages: this.messages,
        record: (complete) => this.#recorder.message(complete),
        sessions: this.sessions,
        approve: this.#options.approve ?? (async () => ({ type: "nobody" })),
        ask: this.#options.ask ?? (async () => null),
        autoRun: this.#autoRun,
        steering: this.#steering,
        maxOutput,
        maxSteps,
        ...(timeLimit !== undefined && { timeLimit }),
        outputFile: (id) => this.#recorder.fileFor(`output-${id.replace(/[^\w-]/g, "_")}.txt`),
        signal: signal ? AbortSignal.any([signal, running.signal]) : running.signal,
      });
      return yield* this.#drafted(turn);
    } finally {
      this.#running = undefined;
      this.#steering.length = 0;
    }
  }

  #accept(message: string | Partial<Message> | Message[]): void {
    this.#sayResumed();
    if (Array.isArray(message)) {
      checkMessages(message);
      this.messages = [...message];
      for (const each of message) this.#recorder.message(each);
      return;
    }
    const one = typeof message === "string" ? { content: message } : message;
    const complete = { role: "user", type: "message", content: "", ...one } as Message;
    checkMessages([complete]);
    this.messages.push(complete);
    this.#recorder.message(complete);
  }

  /** A conversation that is gone on with has new sessions: the model is told, once. */
  #sayResumed(): void {
    if (typeof this.#options.conversation !== "object") return;
    this.#options.conversation = true;
    const note: Message = { role: "user", type: "message", content: resumedNote, recipient: "assistant" };
    this.messages.push(note);
    this.#recorder.message(note);
  }

  async *#drafted<R>(chunks: AsyncGenerator<Chunk, R>): AsyncGenerator<Chunk, R> {
    let finished = false;
    try {
      for (;;) {
        const { value, done } = await chunks.next();
        finished = done ?? false;
        if (done) return value;
        this.#recorder.chunk(value);
        yield value;
      }
    } finally {
      if (!finished) await chunks.return(undefined as R);
    }
  }

  async *#recorded(chunks: AsyncGenerator<Chunk>): AsyncGenerator<Chunk> {
    const folder = createFolder(this.#options.maxOutput ?? defaults.maxOutput);
    for await (const chunk of this.#drafted(chunks)) {
      const message = folder.push(chunk);
      if (message) {
        this.messages.push(message);
        this.#recorder.message(message);
      }
      yield chunk;
    }
  }

  async *#step(name: string, code: string, id: string, signal?: AbortSignal): AsyncGenerator<Chunk> {
    await this.#reachMachine();
    const language = this.sessions.find(name);
    if (!language) {
      const known = this.sessions.languages.map((each) => each.name).join(", ");
      throw new TypeError(`There is no language ${JSON.stringify(name)}. There are: ${known}.`);
    }
    const { maxOutput = defaults.maxOutput, timeLimit } = this.#options;
    yield* runStep({
      sessions: this.sessions,
      language,
      code,
      id,
      maxOutput,
      ...(timeLimit !== undefined && { timeLimit }),
      outputFile: this.#recorder.fileFor(`output-${id}.txt`),
      ask: this.#options.ask ?? (async () => null),
      signal: signal ?? new AbortController().signal,
    });
  }

  #runUnrecorded(language: string, code: string, { stream, signal }: RunOptions & { stream?: boolean } = {}) {
    const chunks = this.#step(language, code, `run-${newId()}`, signal);
    if (stream) return chunks;
    return collect(chunks, this.#options.maxOutput ?? defaults.maxOutput);
  }

  #record(resumed?: Conversation): Recorder {
    if (this.#scratch) return forgetfulRecorder(this.#scratch);
    return createRecorder(places(this.#options.env ?? process.env).conversations, this.cwd, resumed);
  }

  /** A Jupyter server is asked for its languages when one is first needed, and again if it could not be reached. */
  async #reachMachine(): Promise<void> {
    const ask = this.#languagesOfServer;
    if (!ask) return;
    this.#reached ??= (async () => {
      this.sessions.languages = await ask();
    })();
    await this.#reached.catch((error) => {
      this.#reached = undefined;
      throw error;
    });
  }

  async #prompt(): Promise<{ system: string; languages: string[] }> {
    await this.#reachMachine();
    this.#system ??= (async () => {
      const usable = await this.sessions.usable();
      const { systemMessage, customInstructions, machine } = this.#options;
      const facts = aboutMachine(machine);
      const system = systemPrompt({ systemMessage, customInstructions, languages: usable, cwd: this.cwd, facts });
      return { system, languages: usable.map((language) => language.name) };
    })();
    return this.#system;
  }
}

export interface Computer {
  /** Runs code in its live session and returns its output as messages. Not part of the conversation. */
  run(language: string, code: string, options?: RunOptions & { stream?: false }): Promise<Message[]>;
  run(language: string, code: string, options: RunOptions & { stream: true }): AsyncGenerator<Chunk>;
}

const resumedNote =
  "(The conversation was resumed in a new process. The sessions are new: variables and imports from before are gone; files are still there.)";
