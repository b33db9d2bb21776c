// A session in a Jupyter kernel, wherever the kernel runs.

import type { MimeBundle } from "../../messages/index.ts";
import { untilEnd } from "../event-queue.ts";
import { type Completion, readCompletion, SessionBusyError } from "../inspection.ts";
import { type Session, type SessionEnd, type SessionEvent, SessionStartError } from "../language.ts";
import { LateOutput } from "../late-output.ts";
import { Stopping } from "../stopping.ts";
import { BlockRun, eventOf } from "./block-run.ts";
import type { Kernel, KernelEnd, KernelListener } from "./kernel.ts";
import type { Channel, KernelMessage } from "./message.ts";

export interface KernelSessionRequest {
  language: string;
  /** For people: "R". */
  title: string;
  /** Starts the kernel and connects to it; rejects with a `SessionStartError`. */
  open: (listener: KernelListener) => Promise<Kernel & { pid?: number }>;
  readyWithin: number;
}

const askAgainAfter = 100;
const beginsWithin = 100;
const missingAfter = 2_000;
const answersWithin = 20_000;
/** What kernels take for the end of the input, when nobody is there to answer. */
const endOfInput = "\x04";

type Arrival = "published" | "answered";

export async function startKernelSession(request: KernelSessionRequest): Promise<KernelSession> {
  const session = new KernelSession(request);
  await session.start(request);
  return session;
}

export class KernelSession implements Session {
  readonly language: string;
  #title: string;
  #kernel: (Kernel & { pid?: number }) | undefined;
  #block: BlockRun | undefined;
  #alive = true;
  #end: SessionEnd = { type: "end", status: "exited", explanation: "it had already ended" };
  readonly #stopping = new Stopping();
  readonly #late = new LateOutput();
  /** Requests beside the block: who waits for the answer, by the id of the request. */
  readonly #asked = new Map<string, (reply: KernelMessage | undefined) => void>();
  /** Who waits until all that was published before a request has arrived, by the id of the request. */
  readonly #pings = new Map<string, (arrival: Arrival) => void>();
  /** For an "idle" that does not come, or for a kernel that is not done yet. */
  #waiting: NodeJS.Timeout | undefined;
  #heardPublished: () => void = () => {};

  constructor({ language, title }: KernelSessionRequest) {
    this.language = language;
    this.#title = title;
  }

  /** Opens the kernel and waits until it answers, and until we hear what it publishes. */
  async start({ open, readyWithin }: KernelSessionRequest): Promise<void> {
    const published = new Promise<void>((resolve) => {
      this.#heardPublished = resolve;
    });
    this.#kernel = await open({
      message: (message) => this.#take(message),
      reconnected: () => this.#lookForLost(),
      gone: (end) => this.#gone(end),
    });
    const answered = await this.#ask("shell", "kernel_info_request", {}, readyWithin);
    // What it publishes is lost until it knows that we listen, and nothing says when: so it is asked until it is heard.
    const asking = setInterval(() => this.#kernel?.send("shell", "kernel_info_request", {}), askAgainAfter);
    if (answered) await published;
    clearInterval(asking);
    if (!answered || !this.#alive) {
      const why = this.#alive ? "it did not answer in time" : this.#end.explanation;
      await this.close();
      throw new SessionStartError(`${this.#title} could not be started: ${why}.`);
    }
    const info = (answered.content.language_info ?? {}) as { name?: string; version?: string };
    if (info.version) this.#title = `${this.#title} (${[info.name, info.version].filter(Boolean).join(" ")})`;
  }

  get description(): string {
    return this.#title;
  }

  get alive(): boolean {
    return this.#alive;
  }

  get pid(): number | undefined {
    return this.#kernel?.pid;
  }

  async *run(code: string): AsyncIterable<SessionEvent> {
    if (this.#block) throw new Error("A session runs one block at a time.");
    if (!this.#alive || !this.#kernel) {
      yield this.#end;
      return;
    }
    const request = this.#kernel.send("shell", "execute_request", {
      code,
      silent: false,
      store_history: true,
      user_expressions: {},
      allow_stdin: true,
      stop_on_error: true,
    });
    const block = new BlockRun(request, (question, text) =>
      this.#kernel?.send("stdin", "input_reply", { value: text ?? endOfInput }, question.header),
    );
    for (const event of this.#late.take()) block.push(event);
    this.#block = block;
    yield* untilEnd(block, () => this.interrupt());
  }

  interrupt(): void {
    const block = this.#block;
    if (!block || block.interrupted || !this.#alive) return;
    block.interrupted = true;
    if (block.begun !== undefined) this.#interruptBegun(block.begun);
    this.#stopping.begin(
      () => this.#kernel?.interrupt(),
      () => this.#kernel?.kill("it did not stop when interrupted, so it was ended"),
    );
  }

  /** A kernel that has only just begun would lose the block without ever ending it. */
  #interruptBegun(begun: number): void {
    const wait = begun + beginsWithin - performance.now();
    if (wait <= 0) this.#kernel?.interrupt();
    else this.#stopping.later(() => this.#kernel?.interrupt(), wait);
  }

  async complete(code: string, cursor: number): Promise<Completion> {
    const reply = await this.#askBesideBlocks("complete_request", { code, cursor_pos: toPoints(code, cursor) });
    const { matches, cursor_start: start, cursor_end: end } = reply.content;
    return readCompletion({ matches, start: fromPoints(code, start), end: fromPoints(code, end) }, cursor);
  }

  /** What the kernel has to say about the name at the cursor: its documentation, in the forms it has. */
  async explain(code: string, cursor: number, detailed = false): Promise<MimeBundle | undefined> {
    const reply = await this.#askBesideBlocks("inspect_request", {
      code,
      cursor_pos: toPoints(code, cursor),
      detail_level: detailed ? 1 : 0,
    });
    return reply.content.found === true ? (reply.content.data as MimeBundle) : undefined;
  }

  async close(): Promise<void> {
    await this.#kernel?.close();
  }

  #take(message: KernelMessage): void {
    const { channel, header, content } = message;
    const parent = message.parent_header.msg_id ?? "";
    if (channel === "iopub") {
      this.#heardPublished();
      if (header.msg_type === "status" && content.execution_state === "idle") this.#pings.get(parent)?.("published");
    } else if (channel !== "stdin") {
      this.#pings.get(parent)?.("answered");
      this.#asked.get(parent)?.(message);
    }
    const block = this.#block;
    if (!block) {
      const event = eventOf(message);
      if (event?.type === "output" || event?.type === "display") this.#late.add(event);
      return;
    }
    const hadBegun = block.begun !== undefined;
    const hadReply = block.reply !== undefined;
    block.take(message);
    if (block.begun !== undefined && !hadBegun && block.interrupted) this.#interruptBegun(block.begun);
    if (block.reply && !hadReply) this.#replied(block, block.reply);
    if (block.reply && block.idle && !block.leaving) this.#finish(endOf(block, block.reply));
  }

  #replied(block: BlockRun, reply: KernelMessage["content"]): void {
    const payload = (Array.isArray(reply.payload) ? reply.payload : []) as Record<string, unknown>[];
    for (const part of payload) {
      if (part.source === "page") block.push({ type: "display", bundle: (part.data ?? {}) as MimeBundle });
      // The code asked the kernel to leave: with that the block ends.
      if (part.source === "ask_exit" && part.keepkernel !== true) block.leaving = true;
    }
    // Published messages can get lost, the one that says "idle" too; a kernel that was to leave may stay.
    this.#waiting = setInterval(() => {
      block.leaving = false;
      this.#ping(() => this.#finish(endOf(block, reply)));
    }, missingAfter);
  }

  /** The connection was broken. When all that was kept for us has arrived and the result is not among it, it is lost. */
  #lookForLost(): void {
    const block = this.#block;
    if (!block) return;
    this.#ping(async () => {
      const idle = (await this.#kernel?.isIdle?.()) ?? true;
      if (this.#block !== block || block.reply) return;
      if (!idle) {
        this.#waiting ??= setTimeout(() => {
          this.#waiting = undefined;
          this.#lookForLost();
        }, missingAfter);
        return;
      }
      const message = block.heard
        ? "The connection was lost while the block ran, and its result with it. It may have run to its end."
        : "The connection was lost before anything was heard of the block: most likely it did not run.";
      block.push({ type: "error", name: "ConnectionLost", message, traceback: `${message}\n` });
      this.#finish({ type: "end", status: "error" });
    });
  }

  /** Calls back when the kernel has answered a new request on every way, so that nothing older is still on its way. */
  #ping(arrived: () => void): void {
    if (!this.#kernel || !this.#alive) return;
    const { msg_id } = this.#kernel.send("shell", "kernel_info_request", {});
    const missing = new Set<Arrival>(["published", "answered"]);
    this.#pings.set(msg_id, (arrival) => {
      missing.delete(arrival);
      if (missing.size > 0 || !this.#pings.delete(msg_id)) return;
      arrived();
    });
  }

  #ask(channel: Channel, type: string, content: Record<string, unknown>, within: number) {
    return new Promise<KernelMessage | undefined>((resolve) => {
      if (!this.#kernel || !this.#alive) return resolve(undefined);
      const { msg_id } = this.#kernel.send(channel, type, content);
      const settle = (reply: KernelMessage | undefined) => {
        clearTimeout(timer);
        this.#asked.delete(msg_id);
        resolve(reply);
      };
      const timer = setTimeout(settle, within, undefined);
      this.#asked.set(msg_id, settle);
    });
  }

  async #askBesideBlocks(type: string, content: Record<string, unknown>): Promise<KernelMessage> {
    if (this.#block) throw new SessionBusyError("It is running a block. Try again when it is done.");
    const reply = await this.#ask("shell", type, content, answersWithin);
    if (reply) return reply;
    throw new SessionBusyError(
      this.#alive ? "It is busy and did not answer. Try again later." : "The session has ended.",
    );
  }

  #finish(end: SessionEnd): void {
    this.#stopping.done();
    clearTimeout(this.#waiting);
    this.#waiting = undefined;
    this.#pings.clear();
    this.#block?.finish(end);
    this.#block = undefined;
  }

  #gone({ explanation, exitCode, lastWords }: KernelEnd): void {
    if (!this.#alive) return;
    this.#alive = false;
    this.#end = { type: "end", status: "exited", explanation, ...(exitCode !== undefined && { exitCode }) };
    for (const settle of [...this.#asked.values()]) settle(undefined);
    this.#heardPublished();
    if (lastWords?.trim() && !this.#block?.leaving) {
      this.#block?.push({ type: "output", stream: "stderr", text: `${lastWords.trimEnd()}\n` });
    }
    this.#finish(this.#end);
  }
}

function endOf({ interrupted }: BlockRun, { status }: KernelMessage["content"]): SessionEnd {
  if (status === "ok") return { type: "end", status: "ok" };
  return { type: "end", status: interrupted ? "interrupted" : "error" };
}

/** The protocol counts characters, JavaScript counts the halves of some of them. */
function toPoints(code: string, cursor: number): number {
  return [...code.slice(0, cursor)].length;
}

function fromPoints(code: string, points: unknown): number {
  return typeof points === "number" ? [...code].slice(0, points).join("").length : -1;
}
