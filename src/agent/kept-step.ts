// A step as a transaction: a block runs where its effects are caught, and they are kept or discarded when it is known what they are.

import { lstatSync } from "node:fs";
import type { Hold, Language } from "../languages/index.ts";
import {
  type Effects,
  type Kept,
  namedPaths,
  type Pending,
  type Protection,
  type Refused,
  type StepFacts,
} from "../machine/index.ts";
import type { Chunk } from "../messages/index.ts";
import type { ApproveEffects, AutoRun, EffectsDecision, EffectsReport } from "./approval.ts";
import { BlockWriter } from "./block-writer.ts";
import { type Kind, kindsOf } from "./kinds.ts";
import { failure, notice } from "./notice.ts";
import { runStep, type StepRequest, type StepResult } from "./step.ts";

export interface Transaction {
  /** What catches effects; opened with the first block. */
  protection(): Promise<Protection>;
  /** A step begins. */
  begins(): Promise<void>;
  /** What is to be told that was found when it was opened, once. */
  news(): readonly string[];
  facts(block: { id: string; language: string; code: string }): StepFacts;
  /** A step is over. */
  ended(): Promise<void>;
  /** Asks the person about what walls refused; undefined where nobody can be asked. */
  offer?: ((refused: readonly Refused[], signal: AbortSignal) => Promise<Offered>) | undefined;
  /** Why a place that walls refused is not opened whatever is allowed, to the end of a sentence; undefined where it can be. */
  forbidden?(refused: Refused): string | undefined;
  /** Told what became of each step that had effects. */
  settled(report: EffectsReport, id: string): void;
  /** What rules say of running a block; undefined where they say nothing. */
  judge(block: {
    language: string;
    code: string;
  }): Promise<{ verdict: "allow" | "ask" | "deny"; because: string; rule?: string } | undefined>;
  /** Whether whatever is written is dropped. */
  plan: boolean;
  cwd: string;
}

/** What came of asking the person about what was refused. */
export interface Offered {
  /** What the model is to hear, in sentences. */
  told: readonly string[];
  /** What of it the person has not been told yet. */
  problems: readonly string[];
}

export interface KeptStepRequest extends StepRequest {
  /** Without it, nobody catches anything: another machine. */
  transaction?: Transaction;
  autoRun: AutoRun;
  approveEffects?: ApproveEffects;
  /** What the person says, for the model, when they discard something. */
  steering: string[];
}

export interface KeptStepResult extends StepResult {
  /** How the turn must end, if it must. */
  stop?: "refused" | "nobody";
}

export async function* runKeptStep(request: KeptStepRequest): AsyncGenerator<Chunk, KeptStepResult> {
  const { transaction } = request;
  if (!transaction) return yield* runStep(request);
  const refused: Refused[] = [];
  let result: KeptStepResult;
  try {
    result = yield* runCaught(request, transaction, refused);
  } finally {
    // What is allowed for one step is kept of it, too.
    await transaction.ended();
  }
  if (refused.length === 0 || result.stop !== undefined) return result;
  const { id, signal } = request;
  const { told, problems } =
    transaction.offer && !signal.aborted ? await transaction.offer(refused, signal) : unoffered(refused);
  for (const sentence of problems) yield notice("effects", sentence);
  yield* remark(id, told.join(" "), { problems: [] });
  return result;
}

const unoffered = (refused: readonly Refused[]): Offered => ({
  told: refused.map(({ kind, path }) => `The sandbox does not let code ${kind} ${path}; only the user can allow it.`),
  problems: [],
});

/** In a sentence, where no answer of the person would open it. */
function forbiddenBy(transaction: Transaction, refused: Refused): string[] {
  const because = transaction.forbidden?.(refused);
  if (because === undefined) return [];
  return [`The sandbox does not let code ${refused.kind} ${refused.path}: ${because}`];
}

/** `walled` gets what walls refused. */
async function* runCaught(
  request: KeptStepRequest,
  transaction: Transaction,
  walled: Refused[],
): AsyncGenerator<Chunk, KeptStepResult> {
  const { sessions, language, autoRun } = request;
  const protection = await transaction.protection();
  // A conversation that cannot be kept has nothing to be kept of its sessions.
  await transaction.begins().catch(() => {});
  for (const sentence of transaction.news()) yield notice("recovered", sentence);
  for (const sentence of foretold(protection, transaction, request)) yield notice("effects", sentence);
  // What can only be seen cannot be discarded either: then the question came before.
  const canDiscard = protection.kind !== "none";
  const asks = autoRun.effects && !autoRun.value && canDiscard && request.approveEffects !== undefined;
  // What a session starts to be ready is no doing of the block.
  await sessions.open(language).catch(() => {});
  const hold = asks ? await sessions.hold(language).catch(() => undefined) : undefined;
  // Few blocks need the way out, and none but those wait for it.
  const reachesOut = !kindsOf(language.name, request.code).every((kind) => within.has(kind));
  if (reachesOut) await protection.sandbox?.ready();
  await protection.begin();
  const outside = watchOutside(request.code, transaction.cwd, protection);
  const result = yield* runStep({ ...request, onEnd: () => protection.blockEnded?.() });
  const pending = await protection.pending();
  const { reached = [], refused = [] } = protection.sandbox?.take() ?? {};
  const doing = { language: language.name, code: request.code, cwd: transaction.cwd };
  const tried = protection.kind === "read-only" ? [] : (protection.sandbox?.refusalsIn(result.complaints, doing) ?? []);
  const ruled = tried.flatMap((each) => forbiddenBy(transaction, each));
  walled.push(...tried.filter((each) => transaction.forbidden?.(each) === undefined));
  const unreached = (reachesOut && protection.sandbox?.unreachedIn(result.complaints, request.code)) || [];
  // Where the person is asked about it, all is said there.
  const unasked = transaction.offer ? [] : walled.map(({ why }) => why);
  const held = pending.effects.denied ?? [];
  const hints = protection.hintsIn?.(result.complaints) ?? [];
  const denied = [...refused, ...unasked, ...ruled, ...unreached, ...held, ...hints];
  const effects: Effects = {
    ...pending.effects,
    // Nothing leads out of a sandbox but what is counted there; a name that a program only tried is none.
    hosts: protection.sandbox ? reached : result.hosts,
    uncovered: [...pending.effects.uncovered, ...outside()],
    ...(denied.length > 0 && { denied }),
  };
  for (const sentence of protection.sandbox?.risksIn(effects.files.map(({ path }) => path)) ?? [])
    yield notice("effects", sentence);
  const heard = [...held, ...ruled, ...unreached];
  if (heard.length > 0) yield* remark(request.id, heard.join(" "), { problems: [] });
  const settle = { request, transaction, protection, pending, effects, hold, result };
  if (transaction.plan && effects.files.length > 0) return yield* discard(settle, { type: "discard" }, planned);
  if (!asks || (effects.files.length === 0 && effects.processes.length === 0)) {
    await hold?.drop();
    return yield* keep(settle);
  }
  return yield* ask(settle);
}

/** Kinds that have nothing to do with other machines. */
const within: ReadonlySet<Kind> = new Set(["computes", "reads files", "writes files", "deletes files"]);

/** What becomes of files that code names outside of the workspace: nobody can take that back, so it is said. */
function watchOutside(code: string, cwd: string, { roots }: Protection): () => string[] {
  const isInside = (path: string) => roots.some((root) => path === root || path.startsWith(`${root}/`));
  const before = new Map<string, string>();
  for (const path of namedPaths(code, cwd).keys()) if (!isInside(path)) before.set(path, stampOf(path));
  return () => {
    const changed = [...before].flatMap(([path, old]) => {
      const now = stampOf(path);
      return now === old ? [] : [`${path} (${now === "" ? "deleted" : old === "" ? "new" : "changed"})`];
    });
    return changed.length === 0 ? [] : [`Outside of the folder, and cannot be taken back: ${listed(changed)}.`];
  };
}

/** Empty where there is no file, or none that we may look at. */
function stampOf(path: string): string {
  try {
    const facts = lstatSync(path, { throwIfNoEntry: false });
    return facts?.isFile() ? `${facts.size} ${facts.mtimeMs} ${facts.ino}` : "";
  } catch {
    return "";
  }
}

interface Settle {
  request: KeptStepRequest;
  transaction: Transaction;
  protection: Protection;
  pending: Pending;
  effects: Effects;
  hold: Hold | undefined;
  result: StepResult;
}

const planned = "Nothing may be changed now, so what this block wrote was dropped";
const unwanted = "The user discarded what this block changed";

function foretold(protection: Protection, { cwd }: Transaction, { language, code }: StepRequest): string[] {
  const sentences = [...protection.tooBig([...namedPaths(code, cwd).keys()])];
  if (protection.withoutSudo && isShell(language) && /(^|[\s;&|(])(sudo|su|doas|pkexec)\s/.test(code))
    sentences.push(
      protection.sandbox
        ? "Inside the sandbox nobody can become an administrator: sudo will fail. Start with --sandbox off --layer checkpoint to use it."
        : "Inside the write layer nobody can become an administrator: sudo will fail. Start with --layer checkpoint to use it.",
    );
  return sentences;
}

const isShell = ({ name }: Language): boolean => /^(shell|bash|zsh|sh|fish)$/.test(name);

async function* ask(settle: Settle): AsyncGenerator<Chunk, KeptStepResult> {
  const { request, protection, effects, hold, result } = settle;
  const { id, code, language, autoRun } = request;
  yield { role: "computer", type: "confirmation", format: "effects", content: { effects } as never, id };
  // A block that was interrupted has effects too, and the person is there to decide on them.
  const signal = request.signal.aborted ? new AbortController().signal : request.signal;
  const question = {
    language: language.name,
    code,
    id,
    effects,
    held: protection.kind === "layer",
    variables: hold !== undefined,
  };
  const decision: EffectsDecision = await request.approveEffects!(question, signal).catch(
    () => ({ type: "discard" }) as const,
  );
  if (decision.type === "keep" || decision.type === "always") {
    if (decision.type === "always") autoRun.value = true;
    await hold?.drop();
    return yield* keep(settle, decision.type === "keep" ? decision.only : undefined);
  }
  if (decision.type === "nobody") {
    yield* discard(settle, decision, "Nobody was there to keep what this block changed, so it was dropped");
    yield failure(
      "approval",
      "What code changed waits for approval, and nobody is here to give it.",
      "Use -y to keep it without asking, or start it in a terminal.",
    );
    return { ...result, stop: "nobody" };
  }
  return yield* discard(settle, decision, unwanted);
}

async function* keep(settle: Settle, only?: readonly string[]): AsyncGenerator<Chunk, KeptStepResult> {
  const { request, transaction, pending, effects, result } = settle;
  const { id, code, language } = request;
  const kept = await settled(() => pending.keep(transaction.facts({ id, code, language: language.name }), only));
  const report: EffectsReport = {
    effects,
    decision: only ? "some" : "kept",
    ...(only && { kept: only }),
    ...(kept.number !== undefined && { number: kept.number }),
    problems: kept.problems,
  };
  if (only) {
    const names = (wanted: boolean) =>
      effects.files.filter(({ path }) => only.includes(path) === wanted).map(({ name }) => name);
    const sentence = `The user kept only a part of what this block changed: ${listed(names(true))}. As they were before it: ${listed(names(false))}`;
    yield* remark(id, sentence, kept);
  } else if (kept.problems.length > 0) yield* remark(id, "Not all that this block changed could be kept", kept);
  yield* told(settle, report);
  return result;
}

async function* discard(settle: Settle, decision: EffectsDecision, why: string): AsyncGenerator<Chunk, KeptStepResult> {
  const { request, pending, effects, hold, result } = settle;
  const variables = await broughtBack(hold);
  for (const { pid } of effects.processes) end(pid);
  const dropped = await settled(() => pending.discard());
  const files = effects.files.map(({ change, name }) => `${change} ${name}`);
  yield* remark(request.id, `${why}: ${listed(files)}. Those files are as they were before it. ${variables}`, dropped);
  const step = dropped.number === undefined ? {} : { number: dropped.number };
  yield* told(settle, { effects, decision: "discarded", ...step, problems: dropped.problems });
  if (decision.type !== "discard" || why === planned) return result;
  if (decision.words) request.steering.push(decision.words);
  return decision.words ? result : { ...result, stop: "refused" };
}

/** What is true of the session's variables now. */
async function broughtBack(hold: Hold | undefined): Promise<string> {
  if (!hold) return "Variables of the session are as the block left them";
  try {
    const sentences = await hold.bringBack();
    return ["Variables are as they were before it, too", ...sentences.map(withoutDot)].join(". ");
  } catch (error) {
    return `Variables of the session are as the block left them (${withoutDot((error as Error).message)})`;
  }
}

/** A file system that refuses is told, and the turn goes on. */
async function settled(settle: () => Promise<Kept>): Promise<Kept> {
  try {
    return await settle();
  } catch (error) {
    return { problems: [(error as Error).message] };
  }
}

function* remark(id: string, sentence: string, { problems }: Kept): Generator<Chunk> {
  const text = [sentence, ...problems].map(withoutDot).join(". ");
  yield* new BlockWriter().message({ role: "computer", type: "console", format: "output" }, `[${text}.]\n`, {
    id,
    stream: "stderr",
    recipient: "assistant",
  });
}

function* told({ transaction, request }: Settle, report: EffectsReport): Generator<Chunk> {
  const { files, hosts, processes, denied = [] } = report.effects;
  if (files.length + hosts.length + processes.length + denied.length + report.problems.length === 0) return;
  // Where things lay until now is of no use any more.
  const effects = { ...report.effects, files: files.map(({ beforePath: _b, afterPath: _a, ...rest }) => rest) };
  transaction.settled({ ...report, effects }, request.id);
  yield { role: "computer", type: "effects", content: { ...report, effects } as never, id: request.id };
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {} // It has ended by itself.
}

const withoutDot = (sentence: string): string => sentence.replace(/\.$/, "");

const mostListed = 20;

function listed(names: readonly string[]): string {
  if (names.length === 0) return "nothing";
  const more = names.length > mostListed ? ` and ${names.length - mostListed} more` : "";
  return `${names.slice(0, mostListed).join(", ")}${more}`;
}
