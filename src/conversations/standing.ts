// What a conversation comes to so far, kept up line by line: how many messages and turns, what it cost, what it is called.

import type { Message } from "../messages/index.ts";
import type { Usage } from "../models/index.ts";
import type { Digest, Entry } from "./lines.ts";
import { shortName } from "./name.ts";
import { beginsTurn } from "./turns.ts";

/** A conversation that is gone on with. */
export interface StandingOf {
  messages: readonly Message[];
  title?: string;
  usage?: readonly Usage[];
  /** The last of the messages, when it is not in the log yet. */
  unfinished?: Message;
}

export class Standing {
  messages = 0;
  readonly #cwd: string;
  /** The places of the messages that begin turns. */
  #turns: number[] = [];
  /** For each undo, what it took back. */
  readonly #undone: { messages: number; turns: number[] }[] = [];
  #first = "";
  #title: string | undefined;
  #cost = 0;
  #told = true;

  constructor(cwd: string, { messages, title, usage = [], unfinished }: StandingOf) {
    this.#cwd = cwd;
    for (const message of messages) if (message !== unfinished) this.add({ message });
    this.#title = title;
    for (const each of usage) this.#cost += each.cost ?? 0;
    this.#told = true;
  }

  add(entry: Entry): void {
    if ("digest" in entry) return;
    this.#told = false;
    if ("message" in entry) this.#addMessage(entry.message);
    else if ("title" in entry) this.#title = entry.title;
    else if ("usage" in entry) this.#cost += entry.usage.cost ?? 0;
    else if ("undo" in entry) {
      const left = Math.max(0, this.messages - entry.undo);
      this.#undone.push({ messages: this.messages - left, turns: this.#turns.filter((at) => at >= left) });
      this.#turns = this.#turns.filter((at) => at < left);
      this.messages = left;
    } else if ("redo" in entry) {
      const { messages, turns } = this.#undone.pop() ?? { messages: 0, turns: [] };
      this.#turns.push(...turns);
      this.messages += messages;
    }
  }

  #addMessage(message: Message): void {
    this.#undone.length = 0;
    if (beginsTurn(message)) {
      if (this.#turns.length === 0) this.#first = shortName(message.content);
      this.#turns.push(this.messages);
    }
    this.messages++;
  }

  /** What it comes to, when that has changed since it was last asked for and can be told without reading everything. */
  news(): Digest | undefined {
    if (this.#told || this.#turns.length === 0) return undefined;
    this.#told = true;
    const name = this.#title || this.#first;
    return { name, turns: this.#turns.length, messages: this.messages, cost: this.#cost, cwd: this.#cwd };
  }
}
