// The door to what sessions held: loaded when there is something to save or to bring back, which a start does not wait for.

import type { Conversation } from "../../conversations/index.ts";
import type { Language, Session, Sessions, SessionWatcher } from "../../languages/index.ts";
import type { RunAgainOffer } from "./run-again.ts";
import type { SavedSessions, SavedSessionsRequest } from "./saved-sessions.ts";

export type { AskRunAgain, RunAgainOffer } from "./run-again.ts";

export const loadRunAgain = () => import("./run-again.ts");

/** Milliseconds after the first block: the next request to the model is on its way by then. */
const soon = 30;

export class SessionState implements SessionWatcher {
  readonly #request: SavedSessionsRequest;
  #opening: Promise<SavedSessions> | undefined;
  #opened: SavedSessions | undefined;
  /** Sessions whose blocks ended before there was anything to tell it to. */
  readonly #waiting = new Map<Language, Session>();
  #timer: NodeJS.Timeout | undefined;
  #told = false;
  #offered = false;

  constructor(request: SavedSessionsRequest) {
    this.#request = request;
  }

  get resumed(): Conversation | undefined {
    return this.#request.resumed;
  }

  /** Lines for the person about what comes back and what is gone. */
  async lines(): Promise<string[]> {
    return this.resumed ? (await this.#open()).lines() : [];
  }

  /** What the model has to know, the first time; nothing after that, and not before `lines` or `ready`. */
  note(): string | undefined {
    if (!this.resumed || !this.#opened || this.#told) return undefined;
    this.#told = true;
    return this.#opened.note();
  }

  /** Settles when `note` can be asked for, and says what is true. */
  async ready(sessions: Sessions): Promise<void> {
    if (this.resumed && !this.#told) await (await this.#open()).ask(sessions);
  }

  /** What could be run again to make what is gone, the first time. */
  async offer(sessions: Sessions): Promise<RunAgainOffer | undefined> {
    if (!this.resumed || this.#offered) return undefined;
    this.#offered = true;
    const { findOffer } = await loadRunAgain();
    return findOffer(await this.#open(), sessions);
  }

  async started(language: Language, session: Session): Promise<string | undefined> {
    return this.resumed && this.#request.save ? (await this.#open()).started(language, session) : undefined;
  }

  ran(language: Language, session: Session): void {
    if (!this.#request.save || !session.save) return;
    if (this.#opened) this.#opened.ran(language, session);
    else {
      this.#waiting.set(language, session);
      this.#timer ??= setTimeout(() => void this.#open(), soon).unref();
    }
  }

  restarted(language: Language): void {
    this.#waiting.delete(language);
    if (this.#request.save) void this.#open().then((saved) => saved.forget(language));
  }

  /** Saves what is not saved yet. */
  async finish(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#opening || this.#waiting.size > 0) await (await this.#open()).finish();
  }

  #open(): Promise<SavedSessions> {
    this.#opening ??= import("./saved-sessions.ts").then(async (module) => {
      const opened = await module.SavedSessions.open(this.#request);
      this.#opened = opened;
      for (const [language, session] of this.#waiting) opened.ran(language, session);
      return opened;
    });
    return this.#opening;
  }
}
