// The interpreter: one conversation, its model, its sessions and its record. Every interface holds one of these.

import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ApproveWhat,
  type AutoRun,
  ContextWindow,
  type EffectsReport,
  type Kind,
  loadCompact,
  loadExplain,
  runTurn,
  type TurnEnd,
  type TurnRequest,
  usedUp,
} from "../agent/index.ts";
import { type Conversation, turnStarts } from "../conversations/index.ts";
import type { Sessions } from "../languages/index.ts";
import { type Effects, type Protection, type UndoResult, type UndoStep, undoNote } from "../machine/index.ts";
import { type Chunk, checkMessages, type Message, newId } from "../messages/index.ts";
import type { Model, Totals, Usage } from "../models/index.ts";
import type { Mask } from "../privacy/index.ts";
import { defaults, options as optionTable, type Rules, type Scope, type WrittenRule } from "../settings/index.ts";
import { type AnswerEnd, type AnswerRequest, findAnswer, waitForAnswer } from "./answer.ts";
import { checkedFirst } from "./checked-first.ts";
import { collect } from "./collect.ts";
import { delivered } from "./deliverables/delivered.ts";
import { HeldConversation, type Said } from "./held-conversation.ts";
import { HeldModel } from "./held-model.ts";
import { Leaving } from "./leaving.ts";
import type { OpenModel } from "./open-model.ts";
import { openSessions } from "./open-sessions.ts";
import { checkOptions, type InterpreterOptions, type RunOptions } from "./options.ts";
import { counted, drafted, type Passage, recorded } from "./passage.ts";
import { loopMode, type Prompt, writePrompt } from "./prompt.ts";
import { type Code, type Computer, runCode, typed } from "./run-code.ts";
import type { Schema } from "./schema/schema.ts";
import { loadRunAgain } from "./state/index.ts";
import type { Trace } from "./trace.ts";
import { autoRunOf, type Undone, type UndoOptions, Workspace } from "./workspace.ts";

export class Interpreter {
  /** What code can be run with, apart from the model: `computer.run("python", "1 + 1")`. */
  readonly computer: Computer;
  readonly sessions: Sessions;
  readonly cwd: string;
  /** Told what is asked of the model and what comes of blocks, where somebody wants to know. */
  trace: Trace | undefined;
  readonly #options: InterpreterOptions;
  readonly #model: HeldModel;
  readonly #leaving: Leaving;
  #held: HeldConversation;
  readonly #passage: Passage = { held: () => this.#held, trace: () => this.trace };
  readonly #scratch: string | undefined;
  readonly #autoRun: AutoRun;
  readonly #workspace: Workspace;
  readonly #steering: string[] = [];
  /** Settles when the machine has said which languages it has. */
  readonly #reachMachine: () => Promise<void>;
  #system: Promise<Prompt> | undefined;
  #running: AbortController | undefined;

  constructor(options: InterpreterOptions = {}) {
    checkOptions(options);
    this.#options = { ...options };
    this.cwd = options.cwd ?? process.cwd();
    if (options.messages) checkMessages(options.messages);
    this.#leaving = new Leaving(this.#options, this.cwd, () => this.#held.outbox);
    this.#model = new HeldModel(this.#options, this.cwd, () => this.trace, this.#leaving);
    this.#autoRun = autoRunOf(options);
    this.#workspace = new Workspace({
      options: this.#options,
      cwd: this.cwd,
      held: () => this.#held,
      asks: () => this.approveWhat === "effects",
      mask: (text) => this.#leaving.secrets.mask(text),
    });
    const { sessions, reach } = openSessions(options, this.#workspace, {
      started: (...given) => this.#held.state.started(...given),
      ran: (...given) => this.#held.state.ran(...given),
      restarted: (...given) => this.#held.state.restarted(...given),
    });
    this.sessions = sessions;
    this.#reachMachine = reach;
    if (!options.conversation) this.#scratch = join(tmpdir(), `interpreter-${newId()}`);
    this.#held = this.#hold(typeof options.conversation === "object" ? options.conversation : undefined);
    if (options.messages) this.messages = [...options.messages];
    this.computer = { run: this.#runUnrecorded.bind(this) as Computer["run"] };
  }

  /** The conversation: plain messages, yours to read and to replace. */
  get messages(): Message[] {
    return this.#held.messages;
  }

  set messages(messages: Message[]) {
    this.#held.messages = messages;
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

  /** The rules that the sandbox goes by; undefined where there is none. */
  async rules(): Promise<Rules | undefined> {
    await this.#workspace.protection();
    return this.#workspace.rules;
  }

  /** Lets code do something from now on, or forbids it, and says in words what holds. */
  rule(rule: WrittenRule, scope: Scope): Promise<string> {
    return this.#workspace.rule(rule, scope);
  }

  /** Puts something into the conversation, without asking the model: it is read with the next message. */
  add(message: Partial<Message>): void {
    this.#held.add(message);
    this.#held.recorder.rest();
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
    const block = { language, code, id: `user-${newId()}` };
    yield* this.#recorded(typed(block, this.#step(block, signal)));
  }

  /** Keeps a text that is too long for a message in a file beside the conversation, and says where. */
  attach(name: string, text: string): string {
    return this.#held.attach(name, text);
  }

  /** A new file beside the conversation. */
  fileFor(name: string): string {
    return this.#held.fileFor(name);
  }

  /** Masks secrets in a text, as in what is sent and kept. */
  get secrets(): Mask {
    return this.#leaving.secrets;
  }

  /** Writes what was sent until now to the outbox, for somebody who reads it; false when this conversation is not kept. */
  recordSent(): boolean {
    this.#held.outbox?.flush();
    return this.#held.outbox !== undefined;
  }

  /** What the requests of this conversation have used and cost so far. */
  get usage(): Totals {
    return this.#held.accounts.totals;
  }

  /** How full the model's context window is, in tokens, as far as that can be told before it counts them. */
  async contextUse(): Promise<{ tokens: number; window: number | undefined }> {
    const [model, { system }] = await Promise.all([this.model(), this.#prompt()]);
    const window = (await model.facts?.())?.contextWindow;
    return { tokens: this.#held.context.size(this.#held.context.view(this.messages), system), window };
  }

  /** Dollars spent this calendar month, with other conversations; undefined when nobody adds them up. */
  get spentThisMonth(): number | undefined {
    return this.#held.accounts.month();
  }

  /** Puts a summary in the place of everything said so far, for the model to read. The conversation keeps all of it. */
  async *compact({ signal }: RunOptions = {}): AsyncGenerator<Chunk> {
    const running = this.#begin();
    try {
      const model = await this.model();
      const over = await this.#held.accounts.over(running.signal);
      if (over) return yield usedUp(over);
      const { compact } = await loadCompact();
      const limit = this.#held.context.limit({ ...(await model.facts?.()), maxTokens: this.#options.maxTokens });
      const request = {
        context: this.#held.context,
        model,
        messages: this.messages,
        sessions: this.sessions,
        limit,
        keep: 0,
        signal: signal ? AbortSignal.any([signal, running.signal]) : running.signal,
      };
      yield* this.#recorded(counted(this.#passage, compact(request), model));
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
    await this.#held.state.finish();
    if (this.#options.conversation) this.#options.conversation = conversation ?? true;
    Object.assign(this.#autoRun, autoRunOf(this.#options));
    await this.sessions.close();
    await this.#workspace.settleRest();
    await this.#workspace.moved();
    this.#held.close();
    this.#held = this.#hold(conversation);
  }

  #hold(resumed: Conversation | undefined): HeldConversation {
    const sessions = () => this.sessions;
    const { cwd } = this;
    const leaving = this.#leaving;
    return new HeldConversation({ options: this.#options, cwd, sessions, leaving, scratch: this.#scratch, resumed });
  }

  /**
   * Takes back the last turn: its messages, and what its code did to files. Nothing is taken back while `files` has conflicts
   * and nobody said what becomes of them. Variables of sessions stay as they are.
   */
  async undo(options: UndoOptions = {}): Promise<Undone> {
    this.#mustRest();
    if (turnStarts(this.messages).length === 0) return { messages: [] };
    const files = await this.#workspace.undoTurn(options);
    return this.#withFiles(files, options, () => this.#held.undo());
  }

  /** Puts the turn back that was taken back last, unless something was said since. */
  async redo(options: UndoOptions = {}): Promise<Undone> {
    this.#mustRest();
    if (!this.#held.canRedo) return { messages: [] };
    const files = await this.#workspace.redoTurn(options);
    return this.#withFiles(files, options, () => this.#held.redo());
  }

  #withFiles(files: UndoResult | undefined, { changedSince }: UndoOptions, messages: () => Message[]): Undone {
    if (!files) return { messages: messages() };
    const refused = files.conflicts.length > 0 && (changedSince ?? "refuse") === "refuse";
    return { messages: refused ? [] : messages(), files };
  }

  /** Takes back what single steps did to files, or puts it back, and tells the model. */
  async undoSteps(numbers: readonly number[], how: "undo" | "redo", options?: UndoOptions): Promise<UndoResult> {
    this.#mustRest();
    const result = await this.#workspace.undoSteps(numbers, how, options);
    if (result.done.length > 0) this.#tell(undoNote(how, result.files));
    return result;
  }

  #mustRest(): void {
    if (this.#running) throw new Error("A turn is running: interrupt() ends it.");
  }

  #tell(content: string): void {
    this.#held.push({ role: "user", type: "message", content, recipient: "assistant" });
    this.#held.recorder.rest();
  }

  /** What protects the working folder; opened when it is not yet. */
  async protection(): Promise<Pick<Protection, "kind" | "why" | "roots">> {
    return this.#workspace.protection();
  }

  /** What was found from a process that had been killed, once, when the protection is open. */
  protectionNews(): readonly string[] {
    return this.#workspace.news();
  }

  /** The steps on disk whose files can be taken back or put back, oldest first. */
  undoable(): Promise<readonly UndoStep[]> {
    return this.#workspace.undoable();
  }

  /** What a step on disk did to files, with what it replaced. */
  effectsOf(number: number): Promise<Effects | undefined> {
    return this.#workspace.effectsOf(number);
  }

  /** What the last step did that did anything, or the one that undo knows by that number. */
  effects(number?: number): EffectsReport | undefined {
    return this.#workspace.report(number);
  }

  /** The conversation on disk, when it is kept. */
  get conversation(): { conversation: string; folder: string } | undefined {
    const { name, folder } = this.#held.recorder;
    return name ? { conversation: name, folder } : undefined;
  }

  /** What the person calls the conversation. */
  get title(): string | undefined {
    return this.#held.title;
  }

  set title(title: string) {
    this.#held.title = title;
  }

  /** Other settings, from the next request on; live sessions go on as they are. */
  use(options: InterpreterOptions): void {
    const names = [...optionTable.map(({ name }) => name), "instructions", "approveFirst"];
    for (const name of names) delete (this.#options as Record<string, unknown>)[name];
    Object.assign(this.#options, options);
    Object.assign(this.#autoRun, autoRunOf(options));
    this.#system = undefined;
    void this.#model.close();
    this.#held.context = new ContextWindow();
  }

  /** Uses another model, if it can be opened; otherwise all stays as it was, and the problem is told. */
  changeModel(model: string | Model): Promise<Model> {
    // Another model counts and reads in its own way.
    this.#held.context = new ContextWindow();
    return this.#model.change(model);
  }

  /** Uses another model from the next request on. */
  setModel(model: string | Model): void {
    this.#model.set(model);
    this.#held.context = new ContextWindow();
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

  /** When the person is asked. */
  get approveWhat(): ApproveWhat {
    return this.#autoRun.value ? "never" : this.#autoRun.effects ? "effects" : "code";
  }

  set approveWhat(what: ApproveWhat) {
    this.autoRun = what === "never";
    this.#autoRun.effects = what === "effects";
  }

  /** What some code does, in the model's words; not part of the conversation. */
  async *explain(language: string, code: string, { signal }: RunOptions = {}): AsyncGenerator<string> {
    const model = await this.model();
    const { explain } = await loadExplain();
    const used = (usage: Usage) => void this.#held.take(usage, model);
    yield* explain({ model, language, code, used, signal: signal ?? new AbortController().signal });
  }

  /** The model in use, resolved; rejects with a plain-words error when there is none. */
  model(): Promise<Model> {
    return this.#model.open();
  }

  /** Where the key of the model was found, when it had to be looked for outside of flags and environment. */
  keyFrom(): Promise<OpenModel["keyFrom"]> {
    return this.#model.keyFrom();
  }

  /** Ends every session and everything started in them. */
  async close(): Promise<void> {
    this.interrupt();
    await this.#held.state.finish();
    await Promise.all([this.sessions.close(), this.#model.close()]);
    await this.#workspace.close();
    this.#held.close();
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
      for (const note of this.#workspace.notes()) this.#tell(note);
      this.#workspace.forgetUndone();
      this.#held.accept(message);
      const { maxOutput = defaults.maxOutput, maxSteps = defaults.maxSteps, timeLimit, maxTokens } = this.#options;
      const turn = runTurn({
        model,
        system: asked ? `${system}\n\n${asked.words}` : system,
        languages,
        ...(asked?.only !== undefined && { answer: asked.only }),
        messages: this.messages,
        record: (complete) => this.#held.recorder.message(complete),
        sessions: this.sessions,
        approve: this.#options.approve ?? (async () => ({ type: "nobody" })),
        ...(this.#options.approveFirst && { approveFirst: this.#options.approveFirst }),
        approveEffects: this.#options.approveEffects ?? (async () => ({ type: "nobody" })),
        ...(this.#transaction && { transaction: this.#transaction }),
        ...this.#safety(),
        ask: this.#options.ask ?? (async () => null),
        autoRun: this.#autoRun,
        steering: this.#steering,
        context: this.#held.context,
        overBudget: (until) => this.#held.accounts.over(until),
        loop: asked?.only === undefined ? loopMode(this.#options) : undefined,
        maxOutput,
        maxSteps,
        ...(maxTokens !== undefined && { maxTokens }),
        ...(timeLimit !== undefined && { timeLimit }),
        mask: this.#leaving.secrets,
        outputFile: (id) => this.#held.recorder.fileFor(`output-${id.replace(/[^\w-]/g, "_")}.txt`),
        signal: stop,
      });
      const priced = counted(this.#passage, turn, model);
      const { deliverables = true, machine } = this.#options;
      const all = deliverables && !machine ? delivered(priced, this.cwd, this.#held.files) : priced;
      const checked = checkedFirst(drafted(this.#passage, all), () => this.#workspace.checkRules(), running);
      return yield* checked;
    } finally {
      this.#running = undefined;
    }
  }

  /** Whether code is looked at before it runs. */
  #safety(): Pick<TurnRequest, "safety"> {
    const { safeMode: mode = "off", env = process.env, python } = this.#options;
    return mode === "off" ? {} : { safety: { mode, cwd: this.cwd, env, ...(python && { python }) } };
  }

  /** What runs on another machine is not ours to catch. */
  get #transaction(): Workspace | undefined {
    return this.#options.machine ? undefined : this.#workspace;
  }

  #begin(): AbortController {
    if (this.#running) throw new Error("A turn is already running: use say() to add to it, or interrupt() to end it.");
    this.#running = new AbortController();
    return this.#running;
  }

  /** Offers now, and not only with the first turn, to make again what is gone from a conversation that is gone on with. */
  comeBack({ signal }: RunOptions = {}): AsyncGenerator<Chunk> {
    return this.#comeBack(signal ?? new AbortController().signal);
  }

  /** Before the first turn of a conversation that is gone on with: what is gone may be made again. */
  async *#comeBack(signal: AbortSignal): AsyncGenerator<Chunk> {
    await this.#held.state.ready(this.sessions);
    this.#held.sayResumed();
    const { askRunAgain, approve = async () => ({ type: "nobody" }) as const, approveFirst } = this.#options;
    const offer = askRunAgain && (await this.#held.state.offer(this.sessions));
    if (!offer || !(await askRunAgain(offer, signal))) return;
    const run = (language: string, code: string, id: string) => this.#step({ language, code, id }, signal);
    const { runAgain } = await loadRunAgain();
    yield* this.#recorded(runAgain({ ...offer, approve, approveFirst, autoRun: this.#autoRun, run, signal }));
  }

  #recorded(chunks: AsyncGenerator<Chunk>): AsyncGenerator<Chunk> {
    return recorded(this.#passage, chunks, this.#options.maxOutput ?? defaults.maxOutput);
  }

  async *#step(block: Code, signal?: AbortSignal): AsyncGenerator<Chunk> {
    await this.#reachMachine();
    const outputFile = this.#held.recorder.fileFor(`output-${block.id}.txt`);
    const transaction = this.#transaction;
    const { sessions } = this;
    const mask = this.#leaving.secrets;
    yield* runCode({ ...block, sessions, options: this.#options, outputFile, mask, transaction, signal });
  }

  #runUnrecorded(language: string, code: string, { stream, signal }: RunOptions & { stream?: boolean } = {}) {
    const chunks = this.#step({ language, code, id: `run-${newId()}` }, signal);
    if (stream) return chunks;
    return collect(chunks, this.#options.maxOutput ?? defaults.maxOutput);
  }

  /** For the person: what the sessions of a conversation that is gone on with have back, and what is gone. */
  stateLines(): Promise<string[]> {
    return this.#held.state.lines();
  }

  async #prompt(): Promise<Prompt> {
    await this.#reachMachine();
    this.#system ??= writePrompt(this.#options, this.sessions, this.cwd);
    return this.#system;
  }
}
