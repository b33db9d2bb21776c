// The interpreter: one conversation, its model, its sessions and its record. Every interface holds one of these.

import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AutoRun,
  ContextWindow,
  type Kind,
  type LoopMode,
  loadCompact,
  loadExplain,
  runStep,
  runTurn,
  systemPrompt,
  type TurnEnd,
  usedUp,
} from "../agent/index.ts";
import { type Conversation, openSpending, turnStarts } from "../conversations/index.ts";
import { type Language, Sessions } from "../languages/index.ts";
import { localMachine } from "../machine/index.ts";
import { type Chunk, checkMessages, createFolder, type Message, newId } from "../messages/index.ts";
import {
  addUsage,
  findProvider,
  isWeightsPath,
  type Model,
  noUsage,
  type Totals,
  type Usage,
  withoutModelKeys,
} from "../models/index.ts";
import { defaults, InputProblem, options as optionTable, places } from "../settings/index.ts";
import { Accounts } from "./accounts.ts";
import { type AnswerEnd, type AnswerRequest, findAnswer, waitForAnswer } from "./answer.ts";
import { aboutMachine, chooseLanguages } from "./choose-languages.ts";
import { collect } from "./collect.ts";
import { delivered, newMemory } from "./deliverables/delivered.ts";
import { type OpenModel, openModel } from "./open-model.ts";
import { checkOptions, type InterpreterOptions, type RunOptions } from "./options.ts";
import { createRecorder, forgetfulRecorder, type Recorder } from "./recorder.ts";
import type { Schema } from "./schema/schema.ts";
import { loadRunAgain, SessionState } from "./state/index.ts";
import type { Trace } from "./trace.ts";

/** Words, one message, or a whole conversation in place of the one there is. */
type Said = string | Partial<Message> | Message[];

export class Interpreter {
  /** The conversation: plain messages, yours to read and to replace. */
  messages: Message[];
  /** What code can be run with, apart from the model: `computer.run("python", "1 + 1")`. */
  readonly computer: Computer;
  readonly sessions: Sessions;
  readonly cwd: string;
  /** Told what is asked of the model and what comes of blocks, where somebody wants to know. */
  trace: Trace | undefined;
  #title: string | undefined;
  /** The turns that were taken back, the last one last, until something new is said. */
  readonly #undone: Message[][] = [];
  readonly #options: InterpreterOptions;
  /** The model it was made with, and the address and key that belong to it. */
  readonly #given: Pick<InterpreterOptions, "model" | "apiBase" | "apiKey">;
  #recorder: Recorder;
  #accounts: Accounts;
  #context = new ContextWindow();
  #state: SessionState;
  /** What its blocks have made and named. */
  #files = newMemory();
  readonly #scratch: string | undefined;
  readonly #autoRun: AutoRun;
  readonly #steering: string[] = [];
  readonly #languagesOfServer: (() => Promise<readonly Language[]>) | undefined;
  #reached: Promise<void> | undefined;
  #model: Promise<OpenModel> | undefined;
  #system: Promise<{ system: string; languages: string[] }> | undefined;
  #running: AbortController | undefined;

  constructor(options: InterpreterOptions = {}) {
    checkOptions(options);
    this.#options = { ...options };
    this.#given = { model: options.model, apiBase: options.apiBase, apiKey: options.apiKey };
    this.cwd = options.cwd ?? process.cwd();
    const { messages: loaded = [], title } = typeof options.conversation === "object" ? options.conversation : {};
    if (options.messages) checkMessages(options.messages);
    this.messages = [...(options.messages ?? loaded)];
    this.#title = title;
    this.#autoRun = { value: options.autoRun ?? false, kinds: new Set() };
    const env = options.env ?? process.env;
    const machine = typeof options.machine === "object" ? options.machine : localMachine;
    const chosen = chooseLanguages(options, this.cwd, env);
    // Loaded at the first call: most conversations start without one.
    const computer = () =>
      import("../computer/index.ts").then(({ createComputer }) =>
        createComputer({ sessions: this.sessions, machine, env: withoutModelKeys(env), functions: options.functions }),
      );
    this.sessions = new Sessions(
      chosen.languages,
      {
        machine,
        onCall: async (...call) => (await computer())(...call),
        cwd: this.cwd,
        env: withoutModelKeys(env),
        ...(options.python && { python: options.python }),
        ...(options.tables && { tables: true }),
        ...(options.lendTerminal && { lendTerminal: options.lendTerminal }),
      },
      chosen.more,
      {
        started: (...given) => this.#state.started(...given),
        ran: (...given) => this.#state.ran(...given),
        restarted: (...given) => this.#state.restarted(...given),
      },
    );
    this.#languagesOfServer = chosen.ofServer;
    if (!options.conversation) this.#scratch = join(tmpdir(), `interpreter-${newId()}`);
    this.#recorder = this.#record(typeof options.conversation === "object" ? options.conversation : undefined);
    this.#state = this.#openState(typeof options.conversation === "object" ? options.conversation : undefined);
    this.#accounts = this.#openAccounts(typeof options.conversation === "object" ? options.conversation.usage : []);
    this.computer = { run: this.#runUnrecorded.bind(this) as Computer["run"] };
  }

  /** Says something and waits for what comes of it: the messages this turn added. */
  chat(message: Said, options?: RunOptions & { stream?: false }): Promise<Message[]>;
  /** Says something and follows it chunk by chunk. Leaving the loop stops whatever runs. */
  chat(message: Said, options: RunOptions & { stream: true }): AsyncGenerator<Chunk, TurnEnd>;
  chat(message: Said, { stream, signal }: RunOptions & { stream?: boolean } = {}) {
    const chunks = this.#turn(message, signal);
    return stream ? chunks : collect(chunks, this.#options.maxOutput ?? defaults.maxOutput);
  }

  /** Says something and waits for an answer that follows a JSON Schema: the value, or `NoAnswer`. */
  answer(message: Said, schema: Schema, options?: RunOptions & { stream?: false }): Promise<unknown>;
  /** Follows it chunk by chunk; an `answer` chunk has the value. */
  answer(message: Said, schema: Schema, options: RunOptions & { stream: true }): AsyncGenerator<Chunk, AnswerEnd>;
  answer(message: Said, schema: Schema, { stream, signal }: RunOptions & { stream?: boolean } = {}) {
    const turn: AnswerRequest["turn"] = (said, asked) => this.#turn(said, signal, asked);
    const chunks = findAnswer({ message, schema, turn, messages: () => this.messages });
    return stream ? chunks : waitForAnswer(chunks);
  }

  /** Puts something into the conversation, without asking the model: it is read with the next message. */
  add(message: Partial<Message>): void {
    this.#sayResumed();
    this.#keep({ role: "user", type: "message", content: "", ...message } as Message);
    this.#recorder.rest();
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
    try {
      writeFileSync(path, text, { mode: 0o600 });
      return path;
    } catch (error) {
      const { message } = error as Error;
      throw new InputProblem(`A text that is too long for a message cannot be kept: ${message}`, "Is the disk full?");
    }
  }

  /** A new file beside the conversation. */
  fileFor(name: string): string {
    return this.#recorder.fileFor(`${Date.now().toString(36)}-${name}`, true);
  }

  /** What the requests of this conversation have used and cost so far. */
  get usage(): Totals {
    return this.#accounts.totals;
  }

  /** How full the model's context window is, in tokens, as far as that can be told before it counts them. */
  async contextUse(): Promise<{ tokens: number; window: number | undefined }> {
    const [model, { system }] = await Promise.all([this.model(), this.#prompt()]);
    const window = (await model.facts?.())?.contextWindow;
    return { tokens: this.#context.size(this.#context.view(this.messages), system), window };
  }

  /** Dollars spent this calendar month, with other conversations; undefined when nobody adds them up. */
  get spentThisMonth(): number | undefined {
    return this.#accounts.month();
  }

  /** Puts a summary in the place of everything said so far, for the model to read. The conversation keeps all of it. */
  async *compact({ signal }: RunOptions = {}): AsyncGenerator<Chunk> {
    const running = this.#begin();
    try {
      const model = await this.model();
      const over = await this.#accounts.over(running.signal);
      if (over) return yield usedUp(over);
      const { compact } = await loadCompact();
      const limit = this.#context.limit({ ...(await model.facts?.()), maxTokens: this.#options.maxTokens });
      const request = {
        context: this.#context,
        model,
        messages: this.messages,
        sessions: this.sessions,
        limit,
        keep: 0,
        signal: signal ? AbortSignal.any([signal, running.signal]) : running.signal,
      };
      yield* this.#recorded(this.#counted(compact(request), model));
    } finally {
      this.#running = undefined;
    }
  }

  /** Begins a new conversation, with new sessions. The old one stays on disk as it was. */
  reset(): Promise<void> {
    return this.#switchTo(undefined);
  }

  /** Goes on with another conversation, with new sessions. This one stays on disk as it was. */
  resume(conversation: Conversation): Promise<void> {
    return this.#switchTo(conversation);
  }

  async #switchTo(conversation: Conversation | undefined): Promise<void> {
    await this.#state.finish();
    if (this.#options.conversation) this.#options.conversation = conversation ?? true;
    this.messages = [...(conversation?.messages ?? [])];
    this.#title = conversation?.title;
    this.#undone.length = 0;
    this.#files = newMemory();
    this.#context = new ContextWindow();
    this.autoRun = this.#options.autoRun ?? false;
    this.#recorder.close();
    this.#recorder = this.#record(conversation);
    this.#state = this.#openState(conversation);
    this.#accounts = this.#openAccounts(conversation?.usage);
    await this.sessions.close();
  }

  /** Takes back the last turn and returns it, oldest message first. What its code did to files and sessions stays done. */
  undo(): Message[] {
    if (this.#running) throw new Error("A turn is running: interrupt() ends it.");
    const from = turnStarts(this.messages).at(-1);
    if (from === undefined) return [];
    const undone = this.messages.splice(from);
    this.#undone.push(undone);
    this.#recorder.note({ undo: undone.length });
    this.#recorder.rest();
    return undone;
  }

  /** Puts the turn back that was taken back last, unless something was said since; returns it. */
  redo(): Message[] {
    if (this.#running) throw new Error("A turn is running: interrupt() ends it.");
    const again = this.#undone.pop() ?? [];
    if (again.length === 0) return [];
    this.messages.push(...again);
    this.#recorder.note({ redo: again.length });
    this.#recorder.rest();
    return again;
  }

  /** The conversation on disk, when it is kept. */
  get conversation(): { conversation: string; folder: string } | undefined {
    const { name, folder } = this.#recorder;
    return name ? { conversation: name, folder } : undefined;
  }

  /** What the person calls the conversation. */
  get title(): string | undefined {
    return this.#title;
  }

  set title(title: string) {
    this.#title = title;
    this.#recorder.note({ title });
    this.#recorder.rest();
  }

  /** Other settings, from the next request on; live sessions go on as they are. */
  use(options: InterpreterOptions): void {
    const names = [...optionTable.map(({ name }) => name), "instructions", "approveFirst"];
    for (const name of names) delete (this.#options as Record<string, unknown>)[name];
    Object.assign(this.#options, options);
    this.autoRun = options.autoRun ?? false;
    this.#system = undefined;
    void this.#closeModel();
    this.#context = new ContextWindow();
  }

  /** Uses another model, if it can be opened; otherwise all stays as it was, and the problem is told. */
  async changeModel(model: string | Model): Promise<Model> {
    const { model: before, apiBase, apiKey } = this.#options;
    this.setModel(model);
    try {
      return await this.model();
    } catch (error) {
      Object.assign(this.#options, { model: before, apiBase, apiKey });
      void this.#closeModel();
      throw error;
    }
  }

  /** Uses another model from the next request on. */
  setModel(model: string | Model): void {
    // The address and key that were given belong to the model they were given for. Behind an address, a name that says no
    // provider means another model of the same server.
    if (model === this.#given.model) Object.assign(this.#options, this.#given);
    else if (
      typeof model === "string" &&
      (!this.#options.apiBase || isWeightsPath(model) || findProvider(model.split("/")[0]!))
    ) {
      this.#options.apiBase = undefined;
      this.#options.apiKey = undefined;
    }
    this.#options.model = model;
    void this.#closeModel();
    // Another model counts and reads in its own way.
    this.#context = new ContextWindow();
  }

  /** What the person lets run unasked, besides `autoRun`. */
  get allowedKinds(): Kind[] {
    return [...this.#autoRun.kinds];
  }

  /** Words said to a turn that ended before it heard them; whoever takes them sees to them. */
  takeUnheard(): string[] {
    return this.#steering.splice(0);
  }

  get autoRun(): boolean {
    return this.#autoRun.value;
  }

  set autoRun(value: boolean) {
    this.#autoRun.value = value;
    if (!value) this.#autoRun.kinds.clear();
  }

  /** What some code does, in the model's words; not part of the conversation. */
  async *explain(language: string, code: string, { signal }: RunOptions = {}): AsyncGenerator<string> {
    const model = await this.model();
    const { explain } = await loadExplain();
    const used = (usage: Usage) => void this.#take(usage, model);
    yield* explain({ model, language, code, used, signal: signal ?? new AbortController().signal });
  }

  /** The model in use, resolved; rejects with a plain-words error when there is none. */
  model(): Promise<Model> {
    const { model } = this.#options;
    if (typeof model === "object") return this.#traced(model);
    this.#model ??= this.#openModel(model);
    return this.#model.then((open) => this.#traced(open.model));
  }

  async #traced(model: Model): Promise<Model> {
    return this.trace ? (await import("./trace.ts")).tracedModel(model, this.trace) : model;
  }

  /** Where the key of the model was found, when it had to be looked for outside of flags and environment. */
  async keyFrom(): Promise<OpenModel["keyFrom"]> {
    return (await this.#model)?.keyFrom;
  }

  #openModel(model: string | undefined): Promise<OpenModel> {
    const { llmSupportsFunctions, llmSupportsVision, env = process.env, ...rest } = this.#options;
    return openModel({
      ...rest,
      env,
      cwd: this.cwd,
      model,
      ...(llmSupportsFunctions !== undefined && { dialect: llmSupportsFunctions ? "tool" : "markdown" }),
      ...(llmSupportsVision !== undefined && { vision: llmSupportsVision }),
    });
  }

  /** A model that we made may hold memory; one that was given to us is not ours to close. */
  async #closeModel(): Promise<void> {
    const model = this.#model;
    this.#model = undefined;
    const open = await model?.catch(() => undefined);
    await open?.model.close?.();
  }

  /** Ends every session and everything started in them. */
  async close(): Promise<void> {
    this.interrupt();
    await this.#state.finish();
    await Promise.all([this.sessions.close(), this.#closeModel()]);
    this.#recorder.close();
    if (this.#scratch) rmSync(this.#scratch, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  [Symbol.dispose](): void {
    void this.close();
  }

  async *#turn(
    message: Said,
    signal?: AbortSignal,
    asked?: Parameters<AnswerRequest["turn"]>[1],
  ): AsyncGenerator<Chunk, TurnEnd> {
    const running = this.#begin();
    try {
      const [model, { system, languages }] = await Promise.all([this.model(), this.#prompt()]);
      const stop = signal ? AbortSignal.any([signal, running.signal]) : running.signal;
      yield* this.#comeBack(stop);
      this.#accept(message);
      const { maxOutput = defaults.maxOutput, maxSteps = defaults.maxSteps, timeLimit, maxTokens } = this.#options;
      const turn = runTurn({
        model,
        system: asked ? `${system}\n\n${asked.words}` : system,
        languages,
        ...(asked?.only !== undefined && { answer: asked.only }),
        messages: this.messages,
        record: (complete) => this.#recorder.message(complete),
        sessions: this.sessions,
        approve: this.#options.approve ?? (async () => ({ type: "nobody" })),
        ...(this.#options.approveFirst && { approveFirst: this.#options.approveFirst }),
        ask: this.#options.ask ?? (async () => null),
        autoRun: this.#autoRun,
        steering: this.#steering,
        context: this.#context,
        overBudget: (until) => this.#accounts.over(until),
        loop: asked?.only === undefined ? this.#loop() : undefined,
        maxOutput,
        maxSteps,
        ...(maxTokens !== undefined && { maxTokens }),
        ...(timeLimit !== undefined && { timeLimit }),
        outputFile: (id) => this.#recorder.fileFor(`output-${id.replace(/[^\w-]/g, "_")}.txt`),
        signal: stop,
      });
      const counted = this.#counted(turn, model);
      const { deliverables = true, machine } = this.#options;
      return yield* this.#drafted(deliverables && !machine ? delivered(counted, this.cwd, this.#files) : counted);
    } finally {
      this.#running = undefined;
    }
  }

  #begin(): AbortController {
    if (this.#running) throw new Error("A turn is already running: use say() to add to it, or interrupt() to end it.");
    this.#running = new AbortController();
    return this.#running;
  }

  /** Takes what requests used into the accounts, as it passes by. */
  async *#counted<R>(chunks: AsyncGenerator<Chunk, R>, model: Model): AsyncGenerator<Chunk, R> {
    let finished = false;
    try {
      for (;;) {
        const { value, done } = await chunks.next();
        finished = done ?? false;
        if (done) return value;
        if (value.type !== "usage") yield value;
        else {
          yield* this.#take(value.content as unknown as Usage, model);
        }
      }
    } finally {
      if (!finished) await chunks.return(undefined as R);
    }
  }

  #take(usage: Usage, model: Model): Chunk[] {
    this.#recorder.note({ model: model.id, usage });
    return this.#accounts.add(usage, this.#recorder.name, model.id);
  }

  #openAccounts(before: readonly Usage[] = []): Accounts {
    const { maxBudget, monthlyBudget, askBudget: ask, conversation, env = process.env } = this.#options;
    // A program that keeps no conversations leaves no trace of them, unless it wants the month added up.
    const kept = conversation || monthlyBudget !== undefined;
    const spending = kept ? () => openSpending(join(places(env).data, "spending")) : undefined;
    return new Accounts({ maxBudget, monthlyBudget, ask, before: before.reduce(addUsage, noUsage), spending });
  }

  #accept(message: Said): void {
    this.#sayResumed();
    if (Array.isArray(message)) {
      checkMessages(message);
      this.messages = [...message];
      this.#recorder.replace(message);
      return;
    }
    const one = typeof message === "string" ? { content: message } : message;
    this.#keep({ role: "user", type: "message", content: "", ...one } as Message);
  }

  #keep(message: Message): void {
    checkMessages([message]);
    this.#undone.length = 0;
    this.messages.push(message);
    this.#recorder.message(message);
  }

  /** A conversation that is gone on with has new sessions: the model is told what is in them, once. */
  #sayResumed(): void {
    const content = this.#state.note();
    if (content === undefined) return;
    const note: Message = { role: "user", type: "message", content, recipient: "assistant" };
    this.messages.push(note);
    this.#recorder.message(note);
  }

  /** Offers now, and not only with the first turn, to make again what is gone from a conversation that is gone on with. */
  comeBack({ signal }: RunOptions = {}): AsyncGenerator<Chunk> {
    return this.#comeBack(signal ?? new AbortController().signal);
  }

  /** Before the first turn of a conversation that is gone on with: what is gone may be made again. */
  async *#comeBack(signal: AbortSignal): AsyncGenerator<Chunk> {
    await this.#state.ready(this.sessions);
    this.#sayResumed();
    const { askRunAgain, approve = async () => ({ type: "nobody" }) as const, approveFirst } = this.#options;
    const offer = askRunAgain && (await this.#state.offer(this.sessions));
    if (!offer || !(await askRunAgain(offer, signal))) return;
    const run = (name: string, code: string, id: string) => this.#step(name, code, id, signal);
    const { runAgain } = await loadRunAgain();
    yield* this.#recorded(runAgain({ ...offer, approve, approveFirst, autoRun: this.#autoRun, run, signal }));
  }

  async *#drafted<R>(chunks: AsyncGenerator<Chunk, R>): AsyncGenerator<Chunk, R> {
    this.#undone.length = 0;
    let finished = false;
    let failed = false;
    try {
      for (;;) {
        const { value, done } = await chunks.next();
        finished = done ?? false;
        if (done) {
          // An error that ends a turn is its last word.
          if (!failed) yield* this.#recorder.notices();
          return value;
        }
        failed = value.type === "error";
        if (value.start) yield* this.#recorder.notices();
        this.#recorder.chunk(value);
        if (this.trace) await this.#traceChunk(value, this.trace);
        yield value;
      }
    } finally {
      if (!finished) await chunks.return(undefined as R);
      this.#recorder.rest();
    }
  }

  async #traceChunk(chunk: Chunk, trace: Trace): Promise<void> {
    const line = (await import("./trace.ts")).tracedChunk(chunk);
    if (line) trace(line);
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

  #openState(resumed: Conversation | undefined): SessionState {
    const { saveState = true, conversation, machine, env = process.env } = this.#options;
    return new SessionState({
      folder: () => this.#recorder.folder,
      keyFile: join(places(env).data, "state.key"),
      resumed: conversation ? resumed : undefined,
      messages: () => this.messages,
      nameOf: (name) => this.sessions.find(name)?.name ?? name,
      // What is on another machine cannot be written to a folder here.
      save: saveState && Boolean(conversation) && !machine,
    });
  }

  /** For the person: what the sessions of a conversation that is gone on with have back, and what is gone. */
  stateLines(): Promise<string[]> {
    return this.#state.lines();
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

  #loop(): LoopMode | undefined {
    const { loop, loopMessage, loopBreakers } = this.#options;
    return loop ? { message: loopMessage, breakers: loopBreakers } : undefined;
  }

  async #prompt(): Promise<{ system: string; languages: string[] }> {
    await this.#reachMachine();
    this.#system ??= (async () => {
      const usable = await this.sessions.usable();
      const { systemMessage, customInstructions, instructions, machine, functions } = this.#options;
      const facts = [
        ...aboutMachine(machine),
        ...(this.#options.offline ? [offlineNote] : []),
        ...(functions ? (await import("../computer/index.ts")).aboutFunctions(functions) : []),
      ];
      const loop = this.#loop();
      const system = systemPrompt({
        systemMessage,
        customInstructions,
        ...(instructions && { instructions }),
        languages: usable,
        cwd: this.cwd,
        facts,
        loop,
      });
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

const offlineNote = "The person works offline: do not download, install or contact other machines.";
