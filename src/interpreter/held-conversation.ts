// One conversation while it is held: its messages, what is kept of it on disk, what it costs, and what is known of its sessions.

import { basename, dirname, join } from "node:path";
import { ContextWindow } from "../agent/index.ts";
import { type Conversation, openSpending, turnStarts } from "../conversations/index.ts";
import type { Sessions } from "../languages/index.ts";
import { holdFolder } from "../machine/index.ts";
import { type Chunk, checkMessages, type Message } from "../messages/index.ts";
import { addUsage, type Model, noUsage, type Usage } from "../models/index.ts";
import { ConversationOutbox } from "../privacy/index.ts";
import { InputProblem, places } from "../settings/index.ts";
import { Accounts } from "./accounts.ts";
import { newMemory } from "./deliverables/delivered.ts";
import type { Leaving } from "./leaving.ts";
import type { InterpreterOptions } from "./options.ts";
import { createRecorder, forgetfulRecorder, type Recorder } from "./recorder.ts";
import { SessionState } from "./state/index.ts";

/** Words, one message, or a whole conversation in place of the one there is. */
export type Said = string | Partial<Message> | Message[];

export interface HeldConversationRequest {
  options: InterpreterOptions;
  cwd: string;
  sessions: () => Sessions;
  leaving: Leaving;
  /** Where its files are when it is not kept. */
  scratch: string | undefined;
  /** The one that is gone on with. */
  resumed: Conversation | undefined;
}

export class HeldConversation {
  messages: Message[];
  context = new ContextWindow();
  readonly recorder: Recorder;
  /** What was sent of it; absent when it is not kept. */
  readonly outbox: ConversationOutbox | undefined;
  readonly accounts: Accounts;
  readonly state: SessionState;
  /** What its blocks have made and named. */
  readonly files = newMemory();
  /** The turns that were taken back, the last one last, until something new is said. */
  readonly #undone: Message[][] = [];
  readonly #leaving: Leaving;
  #title: string | undefined;

  constructor({ options, cwd, sessions, leaving, scratch, resumed }: HeldConversationRequest) {
    const { env = process.env, saveState = true, conversation, machine } = options;
    this.messages = [...(resumed?.messages ?? [])];
    this.#title = resumed?.title;
    this.#leaving = leaving;
    this.recorder = scratch
      ? forgetfulRecorder(scratch)
      : createRecorder(places(env).conversations, cwd, leaving.secrets, resumed);
    this.outbox = scratch ? undefined : new ConversationOutbox(() => this.recorder.folder);
    this.accounts = openAccounts(options, resumed?.usage);
    this.state = new SessionState({
      folder: () => this.recorder.folder,
      keyFile: join(places(env).data, "state.key"),
      resumed: conversation ? resumed : undefined,
      messages: () => this.messages,
      nameOf: (name) => sessions().find(name)?.name ?? name,
      // What is on another machine cannot be written to a folder here.
      save: saveState && Boolean(conversation) && !machine,
    });
  }

  get title(): string | undefined {
    return this.#title;
  }

  set title(title: string) {
    this.#title = title;
    this.recorder.note({ title });
    this.recorder.rest();
  }

  /** Takes in what the person says. */
  accept(message: Said): void {
    if (typeof message === "string") this.add({ content: message });
    else if (Array.isArray(message)) this.#replace(message);
    else this.add(message);
  }

  add(message: Partial<Message>): void {
    this.sayResumed();
    const whole = { role: "user", type: "message", content: "", ...message } as Message;
    checkMessages([whole]);
    this.#leaving.neverSend.check(whole);
    this.forgetUndone();
    this.push(whole);
  }

  #replace(messages: Message[]): void {
    this.sayResumed();
    checkMessages(messages);
    this.messages = [...messages];
    this.recorder.replace(messages);
  }

  /** One more message that is complete. */
  push(message: Message): void {
    this.messages.push(message);
    this.recorder.message(message);
  }

  /** A conversation that is gone on with has new sessions: the model is told what is in them, once. */
  sayResumed(): void {
    const content = this.state.note();
    if (content !== undefined) this.push({ role: "user", type: "message", content, recipient: "assistant" });
  }

  /** Something was said: what was taken back before it cannot be put back. */
  forgetUndone(): void {
    this.#undone.length = 0;
  }

  /** Keeps a text that is too long for a message in a file beside the conversation, and says where. */
  attach(name: string, text: string): string {
    const path = this.fileFor(name);
    try {
      // Where no conversation is kept it is a temporary folder: code can write there, too.
      const folder = holdFolder(dirname(path));
      try {
        folder.write(basename(path), this.#leaving.secrets.mask(text));
      } finally {
        folder.close();
      }
      return path;
    } catch (error) {
      const { message } = error as Error;
      throw new InputProblem(`A text that is too long for a message cannot be kept: ${message}`, "Is the disk full?");
    }
  }

  /** A new file beside the conversation. */
  fileFor(name: string): string {
    return this.recorder.fileFor(`${Date.now().toString(36)}-${name}`, true);
  }

  undo(): Message[] {
    const from = turnStarts(this.messages).at(-1);
    if (from === undefined) return [];
    const undone = this.messages.splice(from);
    this.#undone.push(undone);
    this.recorder.note({ undo: undone.length });
    this.recorder.rest();
    return undone;
  }

  /** Whether there is a turn that can be put back. */
  get canRedo(): boolean {
    return this.#undone.length > 0;
  }

  redo(): Message[] {
    const again = this.#undone.pop() ?? [];
    if (again.length === 0) return [];
    this.messages.push(...again);
    this.recorder.note({ redo: again.length });
    this.recorder.rest();
    return again;
  }

  close(): void {
    this.outbox?.close();
    this.recorder.close();
  }

  /** Takes what a request used into the accounts; what comes back is told. */
  take(usage: Usage, model: Model): Chunk[] {
    this.recorder.note({ model: model.id, usage });
    return this.accounts.add(usage, this.recorder.name, model.id);
  }
}

function openAccounts(options: InterpreterOptions, before: readonly Usage[] = []): Accounts {
  const { maxBudget, monthlyBudget, askBudget: ask, conversation, env = process.env } = options;
  // A program that keeps no conversations leaves no trace of them, unless it wants the month added up.
  const kept = conversation || monthlyBudget !== undefined;
  const spending = kept ? () => openSpending(join(places(env).data, "spending")) : undefined;
  return new Accounts({ maxBudget, monthlyBudget, ask, before: before.reduce(addUsage, noUsage), spending });
}
