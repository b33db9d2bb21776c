// How much of the conversation the model reads: how long it is, what has been shortened, what a summary stands for.
// The conversation itself is never changed. What the model has read stays the same, byte for byte, until room is needed,
// and then much is gained at once, because every change costs the provider's cache.

import type { Message } from "../../messages/index.ts";
import type { Usage } from "../../models/index.ts";
import { isSummary, shortened } from "./shorten.ts";

/** Tokens a model is taken to read when nothing is known of it. */
const assumedWindow = 32_000;
/** What a picture counts for; providers count between a few hundred and some two thousand. */
const tokensOfPicture = 1_500;
/** Names, ids and brackets around each message. */
const bytesAround = 30;
/** Tokens for a byte, until the provider has told how it counts. */
const firstGuess = 1 / 3;

export interface WindowSize {
  contextWindow?: number | undefined;
  maxOutput?: number | undefined;
  /** The longest reply the person allows. */
  maxTokens?: number | undefined;
}

export class ContextWindow {
  readonly #short = new WeakMap<Message, Message>();
  readonly #weights = new WeakMap<Message, number>();
  #tokensOfByte = firstGuess;
  #asked = { bytes: 0, pictures: 0 };
  /** Less than is said of the model, once it has refused that. */
  #learned = Number.POSITIVE_INFINITY;

  /** What the model reads: the last summary instead of what it stands for, and old output shortened. */
  view(messages: readonly Message[]): Message[] {
    const at = messages.findLastIndex(isSummary);
    const summary = messages[at];
    const kept = summary ? [summary, ...messages.slice(summary.covers).filter((each) => !isSummary(each))] : messages;
    return kept.map((message) => this.read(message));
  }

  /** What the model reads of one message. */
  read(message: Message): Message {
    return this.#short.get(message) ?? message;
  }

  /** Tokens the next request is likely to have. `around` is the system message and the tool. */
  size(messages: readonly Message[], around = ""): number {
    const { bytes, pictures } = this.#weigh(messages, around);
    return Math.ceil(bytes * this.#tokensOfByte + pictures * tokensOfPicture);
  }

  /** Called with what is about to be sent, and then with how the provider counted it. */
  sending(messages: readonly Message[], around: string): void {
    this.#asked = this.#weigh(messages, around);
  }

  counted({ inputTokens }: Usage): void {
    const { bytes, pictures } = this.#asked;
    const counted = (inputTokens - pictures * tokensOfPicture) / bytes;
    // Some servers count only what they had not read before.
    if (bytes > 0 && counted >= 0.2) this.#tokensOfByte = Math.min(1, counted);
  }

  /** Tokens a request may have, so that there is room for the reply. */
  limit({ contextWindow = assumedWindow, maxOutput, maxTokens }: WindowSize): number {
    const window = Math.min(contextWindow, this.#learned);
    const reply = Math.min(maxTokens ?? maxOutput ?? window / 5, window / 3);
    return Math.floor(window - reply);
  }

  /** The model has refused a request of this many tokens; it may have said how many it takes. */
  refused(tokens: number, said: string): void {
    const named =
      /(\d[\d,_]{2,}) (?:tokens? )?(?:maximum|limit)/i.exec(said) ??
      /(?:maximum|limit|window|context)\D{0,60}?(\d[\d,_]{2,})/i.exec(said);
    const limit = Number(named?.[1]?.replace(/\D/g, ""));
    const known = limit >= 500 && limit < 100_000_000 ? limit : tokens * 0.8;
    this.#learned = Math.max(500, Math.min(this.#learned, known));
    // It counts more tokens than we do.
    if (known >= tokens) this.#tokensOfByte = Math.min(1, (this.#tokensOfByte * known * 1.1) / tokens);
  }

  /** Shortens outputs and drops pictures, oldest first, until it is enough; the newest, `keep` tokens of them, stay. */
  shorten(messages: readonly Message[], keep: number, enough: () => boolean): boolean {
    const results = messages.filter(({ role, type }) => role === "computer" || type === "image");
    let old = results.length - 1;
    for (let room = keep; old > 0; old--) {
      room -= this.size([results[old]!]);
      if (room < 0) break;
    }
    let gained = false;
    for (const message of results.slice(0, Math.min(old + 1, results.length - 1))) {
      const short = this.#short.has(message) ? undefined : shortened(message);
      if (!short) continue;
      this.#short.set(message, short);
      gained = true;
      if (enough()) break;
    }
    return gained;
  }

  /** The model reads `short` instead of `message` from now on. */
  replace(message: Message, short: Message): void {
    this.#short.set(message, short);
  }

  #weigh(messages: readonly Message[], around: string): { bytes: number; pictures: number } {
    let bytes = Buffer.byteLength(around);
    let pictures = 0;
    for (const message of messages) {
      if (isPicture(message)) pictures++;
      else bytes += this.#weightOf(message);
    }
    return { bytes, pictures };
  }

  #weightOf(message: Message): number {
    let weight = this.#weights.get(message);
    if (weight === undefined) {
      const { type, recipient, provider, content } = message;
      const unseen = recipient === "user" || (type === "reasoning" && !provider);
      const sealed = provider ? JSON.stringify(provider.data).length : 0;
      weight = unseen ? 0 : Buffer.byteLength(content) + sealed + bytesAround;
      this.#weights.set(message, weight);
    }
    return weight;
  }
}

const isPicture = ({ type, format }: Message): boolean => type === "image" && format !== "description";
