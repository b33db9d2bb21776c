// Keeps a conversation on disk while it goes on. Where somebody else has it open, it goes on as a copy; where the disk cannot be
// written, it goes on in memory and is written when that is mended. Both are told, once.

import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Lock, takeLock, theProcess } from "../machine/index.ts";
import type { Chunk, Message } from "../messages/index.ts";
import type { Mask } from "../privacy/index.ts";
import { forkConversation } from "./fork.ts";
import { type Entry, type Header, logName, logVersion } from "./lines.ts";
import { type Conversation, loadConversation } from "./load.ts";
import { ConversationLog } from "./log.ts";
import { nameOf, newName } from "./name.ts";
import { whyNotWritten } from "./not-written.ts";

/** A sentence for the person. */
export interface Told {
  code: "copied" | "not-kept" | "kept-again";
  content: string;
  hint?: string;
}

/** So many lines are held while the disk cannot be written; their messages are in memory anyway. */
const mostHeld = 10_000;

export class Keeper {
  id: string;
  folder: string;
  readonly #conversations: string;
  readonly #cwd: string;
  readonly #tell: (told: Told) => void;
  readonly #mask: Mask | undefined;
  #resumed: Conversation | undefined;
  #log: ConversationLog | undefined;
  #lock: Lock | undefined;
  /** What has not been written yet, oldest first. */
  readonly #held: { entry: Entry; at: string }[] = [];
  #missing = 0;
  #failing = false;
  #scratch: string | undefined;

  /** Nothing is written before the first message: a start without a word leaves no trace. */
  constructor(
    conversations: string,
    cwd: string,
    resumed: Conversation | undefined,
    tell: (told: Told) => void,
    mask?: Mask,
  ) {
    this.#conversations = conversations;
    this.#cwd = cwd;
    this.#resumed = resumed;
    this.#tell = tell;
    this.#mask = mask;
    this.id = resumed?.header.conversation ?? newName();
    this.folder = resumed?.folder ?? join(conversations, this.id);
  }

  add(entry: Entry): void {
    if (this.#held.length < mostHeld) this.#held.push({ entry, at: new Date().toISOString() });
    else if ("message" in entry) this.#missing++;
    this.#try(() => {
      const log = this.#open();
      for (let next = this.#held[0]; next; next = this.#held[0]) {
        log.add(next.entry, next.at);
        this.#held.shift();
      }
      if (this.#missing > 0) log.add({ missing: this.#missing });
      if (this.#failing) this.#tell(keptAgain(this.#missing));
      this.#missing = 0;
      this.#failing = false;
    });
  }

  /** Puts other messages in the place of all there are. */
  replace(messages: readonly Message[]): void {
    let before = 0;
    this.#try(() => {
      before = this.#open().messages;
    });
    if (before > 0) this.add({ undo: before });
    for (const message of messages) this.add({ message });
  }

  /** A piece of a message that is not complete yet. */
  draft(chunk: Chunk): void {
    if (!this.#failing) this.#try(() => this.#open().draft(chunk));
  }

  /** Nothing goes on for now. */
  rest(): void {
    if (!this.#failing) this.#try(() => this.#log?.rest());
  }

  /** A file beside the log, or where there is room when the log cannot be written. `now`: its folder is made. */
  fileFor(name: string, now = false): string {
    if (now) this.#try(() => mkdirSync(this.folder, { recursive: true, mode: 0o700 }));
    if (!this.#failing || existsSync(this.folder)) return join(this.folder, name);
    this.#scratch ??= mkdtempSync(join(tmpdir(), "interpreter-"));
    return join(this.#scratch, name);
  }

  close(): void {
    this.rest();
    this.#log?.close();
    this.#lock?.release();
    if (this.#scratch) rmSync(this.#scratch, { recursive: true, force: true });
  }

  #try(write: () => void): void {
    try {
      write();
    } catch (error) {
      const why = whyNotWritten(error, this.#conversations);
      if (!why) throw error;
      if (!this.#failing) this.#tell(notKept(why));
      this.#failing = true;
    }
  }

  #open(): ConversationLog {
    if (this.#log) return this.#log;
    const resumed = this.#resumed;
    if (resumed && !existsSync(join(this.folder, logName))) return this.#openCopy(resumed, "it was deleted");
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const lock = takeLock(this.folder);
    if ("process" in lock) {
      if (resumed) return this.#openCopy(resumed, `it is open in ${theProcess(lock)}`);
      throw new Error(`${this.folder} is new, and in use already.`);
    }
    const moved = resumed && whyNotAppended(resumed);
    if (moved) {
      lock.release();
      return this.#openCopy(resumed, moved);
    }
    try {
      this.#log = this.#begin(resumed);
      this.#lock = lock;
      return this.#log;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  #begin(resumed: Conversation | undefined): ConversationLog {
    const created = new Date().toISOString();
    const fresh: Header = { conversation: this.id, version: logVersion, created, cwd: this.#cwd };
    const log = new ConversationLog(this.folder, resumed?.header ?? fresh, resumed, this.#mask);
    try {
      if (resumed?.unfinished) log.append(resumed.unfinished);
      return log;
    } catch (error) {
      log.close();
      throw error;
    }
  }

  #openCopy(resumed: Conversation, why: string): ConversationLog {
    const { messages, folder, header } = resumed;
    const copy = forkConversation(this.#conversations, {
      messages,
      title: `${nameOf(resumed)} (copy)`,
      cwd: this.#cwd,
      from: { conversation: header.conversation, folder },
      mask: this.#mask,
    });
    this.#resumed = copy;
    this.folder = copy.folder;
    this.id = copy.header.conversation;
    this.#tell({
      code: "copied",
      content: `The conversation goes on as a copy, because ${why}.`,
      hint: `The copy is ${this.id}; ${header.conversation} stays as it is.`,
    });
    return this.#open();
  }
}

/** Why nothing may be added to a conversation that was loaded a while ago. */
function whyNotAppended({ header, folder, size, messages }: Conversation): string | undefined {
  if (header.version > logVersion) return "it was written by a newer version of this program";
  if (statSync(join(folder, logName)).size === size) return undefined;
  const there = loadConversation(folder)?.messages;
  const same = there?.length === messages.length && JSON.stringify(there.at(-1)) === JSON.stringify(messages.at(-1));
  return same ? undefined : "somebody else has gone on with it in the meantime";
}

const keptAgain = (missing: number): Told => ({
  code: "kept-again",
  content: `The conversation is kept again, ${missing > 0 ? `without ${missing} messages` : "with all of it"}.`,
});

const notKept = (why: string): Told => ({
  code: "not-kept",
  content: `This conversation is not being kept: ${why}.`,
  hint: "It goes on in memory. What was kept before is untouched, and once there is room the rest is written.",
});
