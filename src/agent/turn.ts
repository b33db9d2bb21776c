// A turn: from the user's message until the agent stops. Asks the model, runs what it writes, tells it what happened.

import type { Sessions } from "../languages/index.ts";
import type { Chunk, Message } from "../messages/index.ts";
import { createFolder } from "../messages/index.ts";
import type { Model, ModelRequest } from "../models/index.ts";
import type { Mask } from "../privacy/index.ts";
import { InputProblem } from "../settings/index.ts";
import type { Approve, ApproveEffects, ApproveFirst, AutoRun } from "./approval.ts";
import { BlockWriter } from "./block-writer.ts";
import { type OverBudget, usedUp } from "./budget.ts";
import type { ContextWindow } from "./context/window.ts";
import type { Transaction } from "./kept-step.ts";
import { createLoopGuard } from "./loop-guard.ts";
import { createLoopKeeper, type LoopMode } from "./loop-mode.ts";
import { failure, notice } from "./notice.ts";
import { readReply, type WrittenBlock } from "./reply.ts";
import { runBlock } from "./run-block.ts";
import type { SafetyEnvironment } from "./safety/environment.ts";
import type { Ask } from "./step.ts";

export interface TurnRequest {
  model: Model;
  system: string;
  /** The conversation so far. The turn appends to it. */
  messages: Message[];
  /** Called with each message as soon as it is complete, before its last chunk is handed out. */
  record?: (message: Message) => void;
  sessions: Sessions;
  /** Names of the languages offered to the model. */
  languages: readonly string[];
  /** The reply is to be JSON that follows this schema, and no code. */
  answer?: ModelRequest["answer"];
  approve: Approve;
  /** Looks at each block first, whatever runs without asking. */
  approveFirst?: ApproveFirst;
  /** Asked about what blocks did, where that is what is asked about. */
  approveEffects?: ApproveEffects;
  /** When code is looked at before it runs, and what the look must know. */
  safety?: { mode: "ask" | "auto" } & SafetyEnvironment;
  /** What catches the effects of blocks. */
  transaction?: Transaction;
  /** What runs without asking; more of it when the person answers "always". */
  autoRun: AutoRun;
  ask: Ask;
  /** What the person says while the turn is running; taken at the next step. */
  steering: string[];
  /** What the model reads of the conversation. */
  context: ContextWindow;
  /** Asked before each request; an answer means that no more money may be spent. */
  overBudget: (signal: AbortSignal) => Promise<OverBudget | undefined>;
  /** Whether a reply without code is told to go on. */
  loop?: LoopMode | undefined;
  maxOutput: number;
  maxSteps: number;
  /** Tokens of the longest reply. */
  maxTokens?: number;
  /** Seconds a block may run. */
  timeLimit?: number;
  /** What must not be written to files. */
  mask?: Mask;
  /** Where the whole output of a step goes when it is long. */
  outputFile: (id: string) => string;
  signal: AbortSignal;
}

export type TurnEnd = "done" | "failed" | "refused" | "nobody" | "limit" | "budget" | "interrupted";

const mostCutOffs = 2;
/** Requests up to this many tokens fit every model; nobody is asked how much it reads. */
const readByAll = 1_500;

/** Never throws because of a model, a block or a session: those are chunks. Breaking off the iteration stops what runs. */
export async function* runTurn(request: TurnRequest): AsyncGenerator<Chunk, TurnEnd> {
  const folder = createFolder(request.maxOutput);
  const stopped = new AbortController();
  const signal = AbortSignal.any([request.signal, stopped.signal]);
  const turn = askAndRun({ ...request, signal });
  let finished = false;
  try {
    for (;;) {
      const { value, done } = await turn.next();
      if (done) {
        finished = true;
        return value;
      }
      const message = folder.push(value);
      if (message) remember(request, message);
      yield value;
    }
  } finally {
    if (!finished) {
      // The consumer left: what was shown of an open message is kept, and what runs is stopped.
      if (folder.open) remember(request, { ...folder.open, incomplete: true });
      stopped.abort();
      await turn.return("interrupted");
    }
  }
}

function remember(request: TurnRequest, message: Message): void {
  request.messages.push(message);
  request.record?.(message);
}

async function* askAndRun(request: TurnRequest): AsyncGenerator<Chunk, TurnEnd> {
  const { model, system, messages, languages, answer, sessions, signal, steering, context } = request;
  const guard = createLoopGuard();
  const loop = createLoopKeeper(request.loop);
  let steps = 0;
  let cutOffs = 0;
  let emptyReplies = 0;
  /** Whether the model has refused a request because of its length: the next one is shorter, and there is no third. */
  let tooLong: "no" | "now" = "no";

  async function* run(block: WrittenBlock): AsyncGenerator<Chunk, TurnEnd | undefined> {
    if (++steps <= request.maxSteps) return yield* runSafely(block);
    yield* say("computer", `Not run: the limit of ${request.maxSteps} steps was reached.\n`, block.id);
    yield notice(
      "step-limit",
      `Stopped after ${request.maxSteps} steps, the limit for one turn.`,
      "Say “go on”, or raise --max_steps.",
    );
    return "limit";
  }

  /** What protects the files may fail, as when somebody unmounts what it lies on: that ends the turn, and nothing else. */
  async function* runSafely(block: WrittenBlock): AsyncGenerator<Chunk, TurnEnd | undefined> {
    try {
      return yield* runBlock(request, guard, block);
    } catch (error) {
      if (error instanceof InputProblem) throw error;
      const why = (error as Error).message;
      yield* say("computer", `The block could not be run, or what it did could not be kept: ${why}\n`, block.id);
      yield failure("protection", why, "Start anew to go on; the conversation is on disk.");
      return "failed";
    }
  }

  function warm(name: string): void {
    const language = sessions.find(name);
    if (language) sessions.warm(language);
  }
  // While the model thinks, the shell starts: it is the cheapest session and the one most often waited for. Starting one takes
  // longer than asking, and the request is on its way only when the event loop has gone round.
  let thinking = setImmediate(() => {
    thinking = setImmediate(() => warm("shell"));
  });
  signal.addEventListener("abort", () => clearImmediate(thinking), { once: true });

  for (;;) {
    for (const words of steering.splice(0)) yield* say("user", words);
    if (signal.aborted) return "interrupted";
    const over = await request.overBudget(signal);
    if (over) {
      yield usedUp(over);
      return "budget";
    }
    if (tooLong === "now" || context.size(context.view(messages), system) > readByAll) {
      const { makeRoom } = await import("./context/room.ts");
      yield* makeRoom({ ...request, around: system }, tooLong === "now");
      if (signal.aborted) return "interrupted";
    }
    const view = loop.prompt(context.view(messages));
    context.sending(view, system);
    const reply = yield* readReply({
      events: model.stream({ system, messages: view, languages, ...(answer !== undefined && { answer }), signal }),
      signal,
      onBlockStart: warm,
      run,
    });
    if (signal.aborted) return "interrupted";
    if (reply.usage) context.counted(reply.usage);

    if (reply.failure) {
      const { kind, message, hint, detail } = reply.failure;
      if (kind === "context-window" && tooLong === "no") {
        tooLong = "now";
        context.refused(context.size(view, system), detail ?? message);
        continue;
      }
      if (kind === "cut-off" && cutOffs++ < mostCutOffs) {
        yield notice(kind, `${message} Going on from there.`);
        if (reply.blocks === 0)
          yield* say(
            "system",
            "(The connection broke there. Go on exactly where you stopped, without repeating anything.)",
          );
        continue;
      }
      yield failure(kind, message, hint);
      return "failed";
    }
    tooLong = "no";
    if (reply.stop) return reply.stop as TurnEnd;
    if (reply.blocks > 0) {
      emptyReplies = 0;
      loop.worked();
    } else if (steering.length === 0) {
      const end = reply.said ? yield* loop.spoke(messages) : undefined;
      if (end) return end;
      if (!reply.said && emptyReplies++ > 0) {
        yield failure(
          "empty-reply",
          "The model sent an empty reply, twice.",
          "Say it in other words, or choose another model.",
        );
        return "failed";
      }
    }
  }
}

/** A whole message: the user's, the computer's, or (system) a remark only the model sees. */
function* say(from: "user" | "computer" | "system", text: string, id?: string): Generator<Chunk> {
  const writer = new BlockWriter();
  if (from === "computer")
    yield* writer.message({ role: "computer", type: "console", format: "output" }, text, { id, status: "not-run" });
  else if (from === "user") yield* writer.message({ role: "user", type: "message" }, text, { steering: true });
  else yield* writer.message({ role: "user", type: "message" }, text, { recipient: "assistant" });
}
