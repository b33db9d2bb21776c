// Saves what the sessions hold after their steps, while nobody waits for them, and brings it back when a session of a conversation
// that is gone on with starts.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Conversation, type KeptState, loadStates, logName, type StateStore } from "../../conversations/index.ts";
import { type Language, type Session, type Sessions, StateError } from "../../languages/index.ts";
import type { Message } from "../../messages/index.ts";
import { afterLastStep, blocksRun } from "./blocks.ts";
import { type Before, comingBack, isBack, isEmpty, laterThan, noteFor, titleOf } from "./words.ts";

/** Bytes one value may take, and all of a conversation. */
const mostOfValue = 20_000_000;
const mostOfAll = 50_000_000;
/** Milliseconds after a step: the next request to the model is on its way by then. */
const soon = 30;
/** Milliseconds that the end of a conversation waits for what is not saved yet. */
const atTheEnd = 2_000;
/** Milliseconds that bringing back may take, and that it has to stop when it takes longer. */
const longestBack = 20_000;
const stopsWithin = 3_000;
/** A value that a session gets stuck with is left out at the next try. */
const mostTries = 6;
/** Languages whose blocks leave nothing in a session. */
const holdNothing: ReadonlySet<string> = new Set(["html", "react", "applescript"]);

export interface SavedSessionsRequest {
  /** Where the conversation is kept now; it may move. */
  folder: () => string;
  /** This machine's own key. */
  keyFile: string;
  /** The conversation that is gone on with. */
  resumed: Conversation | undefined;
  messages: () => readonly Message[];
  nameOf: (language: string) => string;
  /** Whether anything is saved and brought back. */
  save: boolean;
}

interface Watched {
  session: Session;
  /** Something ran since it was last saved. */
  dirty: boolean;
  /** It was busy when it should have been saved: the next chance is taken. */
  eager: boolean;
  saving: Promise<void> | undefined;
  timer: NodeJS.Timeout | undefined;
}

export interface Outcome {
  there: readonly string[];
  gone?: readonly string[];
  /** A line about it, when there is something to say. */
  told: string | undefined;
}

export class SavedSessions {
  readonly #request: SavedSessionsRequest;
  readonly #load: Awaited<ReturnType<typeof loadStates>>;
  readonly #watched = new Map<string, Watched>();
  /** What was there before this process, by language; taken away when it is brought back. */
  readonly #before: Before[];
  readonly #old: StateStore | undefined;
  /** What came of bringing it back; without `gone`, nothing is. */
  readonly back = new Map<string, Outcome>();
  readonly problems: readonly string[];

  static async open(request: SavedSessionsRequest): Promise<SavedSessions> {
    return new SavedSessions(request, await loadStates());
  }

  private constructor(request: SavedSessionsRequest, load: Awaited<ReturnType<typeof loadStates>>) {
    this.#request = request;
    this.#load = load;
    const { resumed } = request;
    this.#old = resumed && request.save ? load.openStates(resumed.folder, request.keyFile) : undefined;
    const { kept, problems } = this.#old?.read() ?? { kept: [], problems: [] };
    this.problems = problems;
    this.#before = resumed ? this.#sessionsOf(resumed.messages, kept) : [];
  }

  /** What sessions there were, and what is known of each. */
  get before(): readonly Before[] {
    return this.#before;
  }

  /** For the person: one line a session. */
  lines(): string[] {
    return [...this.#before.filter((each) => !isEmpty(each)).map(comingBack), ...this.problems];
  }

  /** For the model. */
  note(): string {
    return noteFor(this.#before, (language) => this.back.get(language));
  }

  /** Where another program runs now than the one that was saved, only it can say whether it takes that back: it starts. */
  async ask(sessions: Sessions): Promise<void> {
    for (const { language: name, kept } of this.#before) {
      const language = kept?.state.program ? sessions.find(name) : undefined;
      if (language && sessions.programOf(language) !== kept?.state.program)
        await sessions.open(language).catch(() => undefined);
    }
  }

  /** Brings back what a session that has just started held before. A line about it, for the first block's output. */
  async started(language: Language, session: Session): Promise<string | undefined> {
    const before = this.#before.find((each) => each.language === language.name);
    if (!before?.kept || this.back.has(language.name)) return undefined;
    const { kept, blocks } = before;
    const { state } = kept;
    if (!session.restore) return undefined;
    const later = blocks.slice(blocks.length - laterThan(kept, blocks)).map(({ code }) => code);
    const folder = this.#old!.folderFor(language.name);
    const restoring = session.restore({ folder, state, later }, AbortSignal.timeout(longestBack));
    try {
      const restored = await within(restoring, longestBack + stopsWithin);
      const lost = state.names.filter(({ gone }) => gone !== undefined).map(({ name }) => name);
      const gone = [...lost, ...restored.gone.map(({ name }) => name)];
      const told = isBack(language.name, state.names, restored);
      this.back.set(language.name, { there: restored.back, gone, told });
      return told;
    } catch (error) {
      const why = error instanceof StateError ? error.message : "Bringing it back took too long.";
      const told = `${titleOf(language.name)}: nothing of what it held is back. ${why}`;
      this.back.set(language.name, { there: [], told });
      if (!(error instanceof StateError)) await session.close();
      return told;
    }
  }

  /** A block has ended: what it left is saved in a moment. */
  ran(language: Language, session: Session): void {
    const known = this.#watched.get(language.name);
    const watched = known ?? { session, dirty: true, eager: false, saving: undefined, timer: undefined };
    this.#watched.set(language.name, Object.assign(watched, { session, dirty: true }));
    if (watched.eager) void this.#save(language.name, watched);
    else watched.timer ??= setTimeout(() => void this.#save(language.name, watched), soon).unref();
  }

  /** Nobody wants what its session held. */
  forget(language: Language): void {
    clearTimeout(this.#watched.get(language.name)?.timer);
    this.#watched.delete(language.name);
    this.#store().forget(language.name);
  }

  /** Saves what is not saved yet, before the sessions end. */
  async finish(): Promise<void> {
    const saving = Promise.all([...this.#watched].map(([language, watched]) => this.#save(language, watched)));
    await within(saving, atTheEnd).catch(() => {});
  }

  async #save(language: string, watched: Watched): Promise<void> {
    clearTimeout(watched.timer);
    watched.timer = undefined;
    await watched.saving;
    if (!watched.dirty || !watched.session.alive) return;
    watched.saving = this.#saveNow(language, watched).finally(() => {
      watched.saving = undefined;
    });
    await watched.saving;
  }

  async #saveNow(language: string, watched: Watched): Promise<void> {
    // What nobody has said a word in leaves no trace.
    if (!existsSync(join(this.#request.folder(), logName))) return;
    const store = this.#store();
    for (let tries = 0; tries < mostTries; tries++) {
      const after = afterLastStep(this.#request.messages());
      Object.assign(watched, { dirty: false, eager: false });
      try {
        const room = { value: mostOfValue, total: Math.max(0, mostOfAll - store.besides(language)) };
        const state = await watched.session.save!(store.folderFor(language), room);
        if (this.#watched.get(language) === watched)
          store.write({ language, after, at: new Date().toISOString(), state });
        return;
      } catch (error) {
        Object.assign(watched, { dirty: true, eager: true });
        if (!(error instanceof StateError && error.again)) return;
      }
    }
  }

  #opened: { folder: string; store: StateStore } | undefined;

  #store(): StateStore {
    const folder = this.#request.folder();
    if (this.#old && folder === this.#request.resumed?.folder) return this.#old;
    if (this.#opened?.folder !== folder)
      this.#opened = { folder, store: this.#load.openStates(folder, this.#request.keyFile) };
    return this.#opened.store;
  }

  #sessionsOf(messages: readonly Message[], kept: readonly KeptState[]): Before[] {
    const blocks = Map.groupBy(blocksRun(messages, this.#request.nameOf), ({ language }): string => language);
    const languages = new Set([...blocks.keys(), ...kept.map(({ language }) => language)]);
    return [...languages]
      .filter((language) => !holdNothing.has(language))
      .map((language) => ({
        language,
        kept: kept.find((each) => each.language === language),
        blocks: blocks.get(language) ?? [],
      }));
  }
}

function within<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("too late")), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
