// One block in a kernel: turns the messages about it into events, and knows when it is over.
//
// Everything it prints or shows comes by one channel (iopub) and ends with "idle"; the result comes by another. The block is
// over when both are there. What others say meanwhile, such as a thread of an earlier block, is shown with it.

import { type MimeBundle, withoutEscapes } from "../../messages/index.ts";
import { EventQueue } from "../event-queue.ts";
import type { SessionEnd, SessionEvent } from "../language.ts";
import type { Header, KernelMessage } from "./message.ts";

const unreadAtMost = 64 << 20;
const showUpdatesEvery = 1_000;

export class BlockRun {
  readonly request: Header;
  /** Anything at all was said about it. */
  heard = false;
  /** When the kernel began with it. */
  begun: number | undefined;
  /** Somebody asked it to stop. */
  interrupted = false;
  reply: KernelMessage["content"] | undefined;
  idle = false;
  /** Its code asked the kernel itself to end. */
  leaving = false;
  over = false;
  readonly #queue = new EventQueue(() => {});
  readonly #updates = new Map<string, MimeBundle>();
  #updating: NodeJS.Timeout | undefined;
  #unread = 0;
  #dropped = 0;
  readonly #answerInput: (request: KernelMessage, text: string | null) => void;

  constructor(request: Header, answerInput: (request: KernelMessage, text: string | null) => void) {
    this.request = request;
    this.#answerInput = answerInput;
  }

  /** Takes a message that came while the block runs. */
  take(message: KernelMessage): void {
    const mine = message.parent_header.msg_id === this.request.msg_id;
    const { content } = message;
    this.heard ||= mine;
    switch (message.header.msg_type) {
      case "status":
        if (mine && content.execution_state === "idle") this.idle = true;
        return;
      case "execute_input":
        if (mine) this.begun ??= performance.now();
        return;
      case "execute_reply":
        if (mine && message.channel === "shell") this.reply = content;
        return;
      case "update_display_data":
        this.#update(content);
        return;
      case "clear_output":
        // What was shown cannot be taken back; what was not shown yet need not be.
        this.#updates.clear();
        return;
      case "input_request": {
        const hidden = content.password === true;
        let answered = false;
        const answer = (text: string | null) => {
          if (!answered) this.#answerInput(message, text);
          answered = true;
        };
        this.push({ type: "input", prompt: String(content.prompt ?? ""), hidden, answer });
        return;
      }
    }
    const event = eventOf(message);
    if (event) this.push(event);
  }

  push(event: SessionEvent): void {
    if (event.type === "output") {
      if (this.#unread > unreadAtMost) {
        this.#dropped += event.text.length;
        return;
      }
      this.#unread += event.text.length;
    }
    this.#queue.push(event);
  }

  finish(end: SessionEnd): void {
    if (this.over) return;
    this.over = true;
    this.#showUpdates();
    if (this.#dropped > 0) {
      const text = `[${this.#dropped} characters of output are missing: they came faster than they were read.]\n`;
      this.#queue.push({ type: "output", stream: "stderr", text });
    }
    this.#queue.push(end);
  }

  async next(): Promise<SessionEvent> {
    const event = await this.#queue.next();
    if (event.type === "output") this.#unread -= event.text.length;
    return event;
  }

  /** A value that is shown again and again, such as a bar that grows: the newest form now and then, the last in any case. */
  #update(content: KernelMessage["content"]): void {
    const { display_id } = (content.transient ?? {}) as { display_id?: unknown };
    this.#updates.set(String(display_id), (content.data ?? {}) as MimeBundle);
    this.#updating ??= setTimeout(() => this.#showUpdates(), showUpdatesEvery);
  }

  #showUpdates(): void {
    clearTimeout(this.#updating);
    this.#updating = undefined;
    for (const bundle of this.#updates.values()) this.push({ type: "display", bundle });
    this.#updates.clear();
  }
}

/** What a message shows; undefined when it shows nothing. */
export function eventOf({ header, content }: KernelMessage): SessionEvent | undefined {
  switch (header.msg_type) {
    case "stream":
      return {
        type: "output",
        stream: content.name === "stderr" ? "stderr" : "stdout",
        text: String(content.text ?? ""),
      };
    case "display_data":
    case "execute_result":
      return { type: "display", bundle: (content.data ?? {}) as MimeBundle };
    case "error": {
      const lines = Array.isArray(content.traceback) ? content.traceback.map(String) : [];
      const name = String(content.ename || "Error");
      const message = String(content.evalue ?? "");
      const traceback = withoutEscapes(lines.join("\n")) || [name, message].filter(Boolean).join(": ");
      return { type: "error", name, message, traceback: `${traceback}\n` };
    }
  }
  return undefined;
}
