// The door to what sessions held: loaded when there is something to save or to bring back, which a start does not wait for.

import type { Conversation } from "../../conversations/index.ts";
import type { Language, Session, Sessions, SessionWatcher } from "../../languages/index.ts";
import type { RunAgainOffer } from "./run-again.ts";
import type { SavedSessions, SavedSessionsRequest } from "./saved-sessions.ts";

export type { AskRunAgain, RunAgainOffer } from "./run-again.ts";

export const loadRunAgain = () => import("./run-again.ts");

export class SessionState implements SessionWatcher {
  readonly #request: SavedSessionsRequest;
  #opening: Promise<SavedSessions> | undefined;
  #opened: SavedSessions | undefined;
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

  /** Settles when `note` can be asked for. */
  async ready(): Promise<void> {
    if (this.resumed && !this.#told) await this.#open();
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
    if (this.#request.save && session.save) void this.#open().then((saved) => saved.ran(language, session));
  }

  lost(language: Language): void {
    if (this.#request.save) void this.#open().then((saved) => saved.lost(language));
  }

  /** Saves what is not saved yet. */
  async finish(): Promise<void> {
    if (this.#opening) await (await this.#opening).finish();
  }

  #open(): Promise<SavedSessions> {
    this.#opening ??= import("./saved-sessions.ts").then(async (module) => {
      this.#opened = await module.SavedSessions.open(this.#request);
      return this.#opened;
    });
    return this.#opening;
  }
}
