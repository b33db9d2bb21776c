// The workspace of an interpreter: what protects it while blocks run, and what takes back what they did.

import { existsSync, mkdirSync, realpathSync, rmdirSync } from "node:fs";
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
  type Refused,
  type StepFacts,
  takeNotes,
  type UndoResult,
  type UndoStep,
  type UndoStore,
} from "../machine/index.ts";
import { type Message, newId } from "../messages/index.ts";
import { defaults, InputProblem, places, type Rules, type Scope, type WrittenRule } from "../settings/index.ts";
import { denyWins } from "./deny-wins.ts";
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

const without =
  "Start with --sandbox off to run code without one, or leave --sandbox away to be asked before each block.";

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
  /** Places that walls were opened for since they stand. */
  #opened: { kind: "read" | "write"; path: string }[] = [];
  /** Places that may be written and are not there yet. */
  #missing: readonly string[] = [];
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

  /** Rejects where walls were asked for and there can be none, and where something is wrong with the rules: then nothing may run. */
  async protection(): Promise<Protection> {
    this.#opening ??= this.#protect().catch((error) => {
      // It may be mended until it is asked for again.
      this.#opening = undefined;
      throw error;
    });
    return (await this.#opening).protection;
  }

  /** What is wrong with the rules is thrown now, and not only when they are first needed. */
  async checkRules(): Promise<void> {
    const { allowHost, allowRead, allowWrite, env = process.env } = this.#options;
    const isFiled = existsSync(join(places(env).config, "rules.yaml"));
    if (this.#opening || this.#level === "off" || !(isFiled || allowHost || allowRead || allowWrite)) return;
    await (await import("./sandboxing.ts")).rulesFor(this.#options, this.cwd);
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
    const open = opened.openBecause && `There is no sandbox: ${opened.openBecause}`;
    if (open && this.#options.sandbox) {
      await opened.protection.close();
      throw new InputProblem(open, `No code runs, since --sandbox ${this.#options.sandbox} was asked for. ${without}`);
    }
    this.#open = opened.protection;
    this.#rules = sandboxing?.rules;
    const missing = open ? [open] : await this.#findMissing();
    this.#news = [...opened.news, ...missing];
    return opened;
  }

  /** Walls are put up where somebody works with it; a program says so if it wants them. */
  get #level(): "workspace" | "strict" | "off" {
    const { sandbox = this.#options.conversation ? "workspace" : "off", machine } = this.#options;
    return machine ? "off" : sandbox;
  }

  async #sandboxing(): Promise<Sandboxing | undefined> {
    const level = this.#level;
    if (level === "off") return undefined;
    const { sandboxingFor } = await import("./sandboxing.ts");
    this.#state = this.#stateFolder();
    return sandboxingFor(this.#options, this.cwd, level, this.#state);
  }

  /** Sessions write what they hold into the folder of the conversation, which is there by now where it can be. */
  async begins(): Promise<void> {
    const { sandbox } = await this.protection();
    await this.#openMade();
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
  async moved(): Promise<void> {
    this.forgetUndone();
    this.#rules?.forget("conversation");
    await this.#closeAgain();
  }

  /** Adds a rule, and opens the walls where it says so. Says in words what holds now. */
  async rule(rule: WrittenRule, scope: Scope): Promise<string> {
    const { words, problem } = await this.#allow(rule, scope);
    return problem ? `${words} ${problem}` : words;
  }

  async #allow(rule: WrittenRule, scope: Scope): Promise<{ words: string; problem?: string }> {
    await this.protection();
    if (!this.#rules) throw new Error("There is no sandbox: nothing is kept from code here.");
    const { kind } = rule;
    const isPath = kind === "write" || kind === "read";
    const before = isPath ? this.#rules.paths(kind, "allow") : [];
    const words = await this.#rules.remember(rule, scope);
    const { sandbox } = this.#open ?? {};
    if (!sandbox) return { words };
    await this.#closeAgain();
    if (rule.verdict !== "allow") return { words };
    const port = /^(?:localhost|127\.0\.0\.1|\[::1\]):(\d+)$/.exec(rule.pattern)?.[1];
    let problem: string | undefined;
    if (kind === "host" && sandbox.level === "strict")
      return { words, problem: "At --sandbox strict there is no network, so this has no effect here." };
    if (kind === "host" && port) problem = await sandbox.allowPort(Number(port));
    const open = { write: sandbox.allowWrite, read: sandbox.allowRead };
    const added = isPath ? this.#rules.paths(kind, "allow").filter((path) => !before.includes(path)) : [];
    for (const path of added) {
      this.#opened.push({ kind: kind as "read" | "write", path });
      problem ??= await open[kind as "read" | "write"](path);
    }
    const missing = kind === "write" ? await this.#findMissing(added) : [];
    if (missing.length > 0) return { words, problem: missing.join(" ") };
    // It lies in a folder that is open.
    if (kind === "write" && !added.every((path) => existsSync(path))) return { words };
    return problem ? { words, problem: `It holds with the next start: ${problem}.` } : { words };
  }

  /** Takes note of what may be written and is not there yet; sentences about it, or only about those. */
  async #findMissing(only?: readonly string[]): Promise<string[]> {
    if (!this.#rules) return [];
    const { missingPlaces, notThereYet } = await import("./missing-places.ts");
    this.#missing = await missingPlaces(this.#rules, this.#folders);
    const told = this.#missing.filter((path) => only?.includes(path) ?? true);
    return Promise.all(told.map((path) => notThereYet(path, this.#options.env)));
  }

  /** What the person has made meanwhile; a link leads elsewhere than was said. */
  async #openMade(): Promise<void> {
    const made = this.#missing.filter((path) => existsSync(path));
    this.#missing = this.#missing.filter((path) => !made.includes(path));
    for (const path of made) {
      if (realpathSync(path) !== path || !this.#rules?.paths("write", "allow").includes(path)) continue;
      if (!this.#opened.some((each) => each.kind === "write" && each.path === path))
        this.#opened.push({ kind: "write", path });
      await this.#open?.sandbox?.allowWrite(path);
    }
  }

  /** Walls that were opened for what is not allowed any more. */
  async #closeAgain(): Promise<void> {
    const stays = this.#opened.filter(({ kind, path }) => this.#rules?.paths(kind, "allow").includes(path));
    const closed = this.#opened.filter((each) => !stays.includes(each));
    this.#opened = stays;
    for (const { kind, path } of closed) await this.#open?.sandbox?.takeBack(kind, path);
  }

  /** Asks the person about what walls refused. What they said, for the model; undefined where nobody can be asked. */
  get offer(): Transaction["offer"] {
    const { askPath } = this.#options;
    return (
      askPath &&
      (async (refused, signal) =>
        (await import("./offer-paths.ts")).offerPaths(refused, {
          ask: (question) => askPath(question, signal),
          allow: (rule, scope) => this.#allow(rule, scope),
        }))
    );
  }

  /** Why a place is not opened whatever is allowed: a rule of the person's, or what never is. */
  forbidden({ kind, path }: Pick<Refused, "kind" | "path">): string | undefined {
    const { verdict, because, rule } = this.#rules?.judge({ kind, path }) ?? {};
    if (verdict === undefined || verdict === "allow") return undefined;
    if (rule !== undefined) return `${because} (${rule}). ${denyWins}`;
    const never = this.#rules?.paths(kind, "deny").some((place) => path === place || path.startsWith(`${place}/`));
    return never ? `${because}.` : undefined;
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

  async ended(): Promise<void> {
    this.#rules?.forget("once");
    await this.#closeAgain();
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
    removeIfEmpty(this.#state);
  }
}

/** One that no session has written to. */
function removeIfEmpty(folder: string | undefined): void {
  try {
    if (folder !== undefined) rmdirSync(folder);
  } catch {}
}
