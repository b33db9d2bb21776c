// The workspace of an interpreter: what protects it while blocks run, and what takes back what they did.

import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AutoRun, EffectsReport, Transaction } from "../agent/index.ts";
import { turnStarts } from "../conversations/index.ts";
import {
  type Effects,
  loadDescribing,
  loadProtect,
  loadUndo,
  type Protected,
  type Protection,
  type StepFacts,
  takeNotes,
  type UndoResult,
  type UndoStep,
  type UndoStore,
} from "../machine/index.ts";
import { type Message, newId } from "../messages/index.ts";
import { defaults, places, type Rules, type Scope, type WrittenRule } from "../settings/index.ts";
import type { HeldConversation } from "./held-conversation.ts";
import type { InterpreterOptions } from "./options.ts";
import type { Sandboxing } from "./sandboxing.ts";
import { workspaceFolders } from "./workspace-folders.ts";

export interface UndoOptions {
  /** What becomes of files that somebody changed since: nothing is done at all (the default), they stay, or they go too. */
  changedSince?: "refuse" | "leave" | "overwrite";
}

export interface Undone {
  /** Oldest first; none where nothing was taken back. */
  messages: Message[];
  /** What became of files, where the turn had changed any. */
  files?: UndoResult;
}

/** What the person was asked about, by what was chosen. */
export const autoRunOf = ({ autoRun, approveWhat }: InterpreterOptions): AutoRun => ({
  value: approveWhat === "never" || (autoRun ?? false),
  kinds: new Set(),
  effects: approveWhat === "effects",
});

export interface WorkspaceRequest {
  options: InterpreterOptions;
  cwd: string;
  held: () => HeldConversation;
  /** Whether the person is asked before a step is kept. */
  asks: () => boolean;
  /** Takes secrets out of what is written down. */
  mask: (text: string) => string;
}

export class Workspace implements Transaction {
  readonly cwd: string;
  readonly #folders: readonly string[];
  readonly #options: InterpreterOptions;
  readonly #held: () => HeldConversation;
  readonly #asks: () => boolean;
  readonly #mask: (text: string) => string;
  /** For a conversation that has no name on disk. */
  readonly #id = newId();
  #opening: Promise<Protected> | undefined;
  #open: Protection | undefined;
  #news: readonly string[] = [];
  #rules: Rules | undefined;
  /** The folder that sessions are let write into, besides the workspace. */
  #state: string | undefined;
  /** The steps of the turns that were taken back, the last one last. */
  #undone: (readonly number[])[] = [];
  readonly #reports = new Map<string, EffectsReport>();

  constructor({ options, cwd, held, asks, mask }: WorkspaceRequest) {
    this.#options = options;
    this.cwd = cwd;
    this.#folders = workspaceFolders(cwd, options.workspace);
    this.#held = held;
    this.#asks = asks;
    this.#mask = mask;
  }

  get plan(): boolean {
    return this.#options.plan ?? false;
  }

  async protection(): Promise<Protection> {
    this.#opening ??= this.#protect();
    return (await this.#opening).protection;
  }

  async #protect(): Promise<Protected> {
    const { undoSpace = defaults.undoSpace } = this.#options;
    const [{ protect }, sandboxing] = await Promise.all([loadProtect(), this.#sandboxing()]);
    const opened = await protect({
      folders: this.#folders,
      data: this.#data,
      wanted: this.#wanted,
      plan: this.plan,
      limit: undoSpace,
      asks: this.#asks(),
      sandbox: sandboxing?.request,
    });
    this.#open = opened.protection;
    this.#rules = sandboxing?.rules;
    const open = opened.openBecause && `There is no sandbox: ${opened.openBecause}`;
    this.#news = open ? [...opened.news, open] : opened.news;
    return opened;
  }

  /** Walls are put up where somebody works with it; a program says so if it wants them. */
  async #sandboxing(): Promise<Sandboxing | undefined> {
    const { sandbox = this.#options.conversation ? "workspace" : "off", machine } = this.#options;
    if (sandbox === "off" || machine) return undefined;
    const { sandboxingFor } = await import("./sandboxing.ts");
    this.#state = this.#stateFolder();
    return sandboxingFor(this.#options, this.cwd, sandbox, this.#state);
  }

  /** Sessions write what they hold into the folder of the conversation, which is there by now where it can be. */
  async begins(): Promise<void> {
    const { sandbox } = await this.protection();
    const state = sandbox && this.#stateFolder();
    if (!state || this.#state === state) return;
    this.#state = state;
    await sandbox.allowWrite(state);
  }

  #stateFolder(): string | undefined {
    const state = join(this.#held().recorder.folder, "state");
    const { saveState = true } = this.#options;
    if (!saveState || !existsSync(dirname(state))) return undefined;
    mkdirSync(state, { recursive: true, mode: 0o700 });
    return state;
  }

  /** Another conversation is held from now on. */
  moved(): void {
    this.forgetUndone();
    this.#rules?.forget("conversation");
  }

  /** Adds a rule, and opens the walls where it says so. Says in words what holds now. */
  async rule(rule: WrittenRule, scope: Scope): Promise<string> {
    await this.protection();
    if (!this.#rules) throw new Error("There is no sandbox: nothing is kept from code here.");
    const words = await this.#rules.remember(rule, scope);
    const { sandbox } = this.#open ?? {};
    if (rule.verdict !== "allow" || !sandbox) return words;
    const port = /^(?:localhost|127\.0\.0\.1|\[::1\]):(\d+)$/.exec(rule.pattern)?.[1];
    let problem: string | undefined;
    if (rule.kind === "host" && port) problem = await sandbox.allowPort(Number(port));
    const open = { write: sandbox.allowWrite, read: sandbox.allowRead };
    if (rule.kind === "write" || rule.kind === "read")
      for (const path of this.#rules.paths(rule.kind, "allow")) problem ??= await open[rule.kind](path);
    return problem ? `${words} It holds with the next start: ${problem}.` : words;
  }

  get rules(): Rules | undefined {
    return this.#rules;
  }

  /** A program that keeps no conversations leaves no copies of files either, unless it wants them. */
  get #wanted(): "auto" | "checkpoint" | "off" {
    return this.#options.layer ?? (this.#options.conversation ? "auto" : "off");
  }

  get #data(): string {
    return places(this.#options.env ?? process.env).data;
  }

  /** What is found when it was opened, once. */
  news(): readonly string[] {
    const news = this.#news;
    this.#news = [];
    return news;
  }

  /** Where this process finds what sessions see. */
  view = (path: string): string => this.#open?.view(path) ?? path;

  facts({ id, language, code }: { id: string; language: string; code: string }): StepFacts {
    const { messages } = this.#held();
    const starts = turnStarts(messages);
    const asked = messages[starts.at(-1) ?? -1]?.content ?? "";
    return {
      id,
      language,
      code: this.#mask(code.slice(0, 500)),
      conversation: this.#conversation,
      turn: starts.length,
      asked: this.#mask(asked.split("\n")[0]!.slice(0, 200)),
    };
  }

  get #conversation(): string {
    return this.#held().recorder.name ?? this.#id;
  }

  async judge(block: { language: string; code: string }) {
    if (this.#wanted === "off" && !this.#options.sandbox) return undefined;
    await this.protection();
    return this.#rules && (await import("./ruled.ts")).judgeBlock(this.#rules, block);
  }

  ended(): void {
    this.#rules?.forget("once");
  }

  settled(report: EffectsReport, id: string): void {
    this.#reports.delete(id);
    this.#reports.set(id, report);
  }

  /** What the last step did that did anything, or the one with that number. */
  report(number?: number): EffectsReport | undefined {
    const all = [...this.#reports.values()];
    return number === undefined ? all.at(-1) : all.findLast((report) => report.number === number);
  }

  async #store(): Promise<UndoStore | undefined> {
    if (this.#wanted === "off" || this.#options.machine) return undefined;
    const { outermost } = await loadProtect();
    const { openUndoStore } = await loadUndo();
    const { undoSpace = defaults.undoSpace } = this.#options;
    return openUndoStore({ data: this.#data, roots: outermost(this.#folders), limit: undoSpace });
  }

  /** Takes back what the blocks of the last turn did to files. */
  async undoTurn({ changedSince = "refuse" }: UndoOptions): Promise<UndoResult | undefined> {
    const store = await this.#store();
    const turn = turnStarts(this.#held().messages).length;
    const steps = store?.list().filter(({ state, expired, facts }) => {
      return state === "kept" && !expired && facts.conversation === this.#conversation && facts.turn === turn;
    });
    if (!store || !steps || steps.length === 0) {
      this.#undone.push([]);
      return undefined;
    }
    const result = await store.undo(
      steps.map(({ number }) => number),
      { changedSince },
    );
    if (result.done.length > 0 || result.conflicts.length === 0) this.#undone.push(result.done);
    return result;
  }

  /** Puts back what `undoTurn` took back last. */
  async redoTurn({ changedSince = "refuse" }: UndoOptions): Promise<UndoResult | undefined> {
    const numbers = this.#undone.at(-1) ?? [];
    const store = numbers.length > 0 ? await this.#store() : undefined;
    const result = await store?.redo(numbers, { changedSince });
    if (!result || result.done.length > 0 || result.conflicts.length === 0) this.#undone.pop();
    return result;
  }

  /** Something new was said: what was taken back stays so, as far as the conversation goes. */
  forgetUndone(): void {
    this.#undone = [];
  }

  async undoable(): Promise<readonly UndoStep[]> {
    return (await this.#store())?.list() ?? [];
  }

  async effectsOf(number: number): Promise<Effects | undefined> {
    const store = await this.#store();
    return store && (await loadDescribing()).effectsOfStep(store.folder, number, [this.cwd]);
  }

  /** Takes back, or puts back, single steps, whoever made them. */
  async undoSteps(numbers: readonly number[], how: "undo" | "redo", options: UndoOptions = {}): Promise<UndoResult> {
    const store = await this.#store();
    if (!store) throw new Error("Nothing is kept here that could be undone.");
    return store[how](numbers, { changedSince: options.changedSince ?? "refuse" });
  }

  /** What the model must hear before it goes on: files that were taken back from elsewhere. */
  notes(): string[] {
    const name = this.#held().recorder.name;
    return name ? takeNotes(this.#data, name) : [];
  }

  /** What programs wrote after the last block is kept, unless somebody would have been asked. */
  async settleRest(): Promise<void> {
    if (!this.#open) return;
    const pending = await this.#open.pending();
    if (pending.effects.files.length === 0) return;
    if (this.#asks() || this.plan) await pending.discard();
    else await pending.keep(this.facts({ id: "after", language: "", code: "" }));
  }

  async close(): Promise<void> {
    if (!this.#opening) return;
    await this.#opening.catch(() => {});
    await this.settleRest().catch(() => {});
    await this.#open?.close();
  }
}
