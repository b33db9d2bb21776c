// The live sessions of one conversation, one for each language, started when first needed.

import {
  type Hold,
  type Language,
  type Session,
  type SessionEvent,
  type SessionOptions,
  SessionStartError,
} from "./language.ts";
import { factsOf, type SessionFacts } from "./session-facts.ts";

/** Looks after what the sessions hold. */
export interface SessionWatcher {
  /** A session has started, and waits with its first block. A line for the output of that block, or nothing. */
  started(language: Language, session: Session): Promise<string | undefined>;
  /** A block has ended. */
  ran(language: Language, session: Session): void;
  /** A session was ended so that a new one begins: nobody wants what it held. */
  restarted(language: Language): void;
}

export class Sessions {
  /** Those that are known by now: a machine that has to be asked for its languages adds them when it has answered. */
  languages: readonly Language[];
  readonly #options: SessionOptions;
  readonly #more: (name: string) => Language | undefined;
  readonly #live = new Map<string, Promise<Session>>();
  /** Why a language's last session is gone, until the person and the model have been told. */
  readonly #lost = new Map<string, string>();
  /** What is to be said with the first block of a session. */
  readonly #news = new Map<string, string>();
  readonly #watcher: SessionWatcher | undefined;
  readonly #begun = new WeakMap<Session, number>();
  readonly #busy = new WeakSet<Session>();
  /** Those that hold something: a block ran in them, or what was saved was brought back. */
  readonly #used = new WeakSet<Session>();
  #blocks = 0;

  /** `more` is asked for a name that none of the languages has, such as that of an installed Jupyter kernel. */
  constructor(
    languages: readonly Language[],
    options: SessionOptions,
    more: (name: string) => Language | undefined = () => undefined,
    watcher?: SessionWatcher,
  ) {
    this.languages = languages;
    this.#options = { sibling: (name) => this.#sibling(name), ...options };
    this.#more = more;
    this.#watcher = watcher;
  }

  /** The language a person or model means by a name. */
  find(name: string): Language | undefined {
    const wanted = name.trim().toLowerCase();
    const named =
      this.languages.find((language) => language.name === wanted) ??
      this.languages.find((language) => language.aliases.includes(wanted));
    if (named && !named.missing?.(this.#options.env)) return named;
    return this.#more(wanted) ?? named;
  }

  /** The languages that can run here, of those that are offered. */
  async usable(): Promise<Language[]> {
    const offered = this.languages.filter((language) => language.offered !== false);
    const checked = await Promise.all(
      offered.map(async (language) => ((await language.available(this.#options)) === true ? language : undefined)),
    );
    return checked.filter((language) => language !== undefined);
  }

  /** Starts a session ahead of need, so that it is ready when its first block is. */
  warm(language: Language): void {
    this.#session(language).catch(() => {});
  }

  /** The program that a session of the language would run in, where that matters to what was saved. */
  programOf(language: Language): string | undefined {
    return language.program?.(this.#options);
  }

  /** The live session of a language, started when there is none. Rejects with a plain-words `SessionStartError`. */
  open(language: Language): Promise<Session> {
    return this.#session(language);
  }

  /** Sessions that are running now. */
  async live(): Promise<Session[]> {
    const sessions = await Promise.allSettled(this.#live.values());
    return sessions.flatMap((result) => (result.status === "fulfilled" && result.value.alive ? [result.value] : []));
  }

  /** What is running now, what it uses and, where asked for, the names in it. */
  async describe({
    variables = false,
    language,
  }: {
    variables?: boolean;
    language?: string;
  } = {}): Promise<SessionFacts[]> {
    const live = (await this.live()).filter((session) => language === undefined || session.language === language);
    return Promise.all(
      live.map((session) =>
        factsOf(session, { begun: this.#begun.get(session), busy: this.#busy.has(session), variables }),
      ),
    );
  }

  /** Ends a language's session and starts a new one. Rejects with a plain-words `SessionStartError`. */
  async restart(language: Language): Promise<Session> {
    const old = await this.#live.get(language.name)?.catch(() => undefined);
    if (old) {
      this.#forget(language, "it was restarted");
      this.#watcher?.restarted(language);
      await old.close();
    }
    return this.#session(language);
  }

  /**
   * Remembers what a language's session holds, before a block of it. Undefined where that cannot be had again; a session that
   * holds nothing yet makes room for a new one.
   */
  async hold(language: Language): Promise<Hold | undefined> {
    let session: Session;
    let hold: Hold | undefined;
    try {
      session = await this.#session(language);
      hold = await session.hold?.();
    } catch {
      return undefined; // it cannot be started, which the block will say, or it is busy
    }
    if (!hold) return this.#used.has(session) ? undefined : this.#holdNothing(language, session);
    const { drop, bringBack } = hold;
    return {
      drop,
      bringBack: async () => {
        const notes = await bringBack();
        await this.#putBack(language, session);
        return notes;
      },
    };
  }

  #holdNothing(language: Language, session: Session): Hold {
    return {
      drop: async () => {},
      bringBack: async () => {
        if ((await this.#live.get(language.name)?.catch(() => undefined)) === session) this.#live.delete(language.name);
        this.#lost.delete(language.name);
        this.#watcher?.restarted(language);
        await session.close();
        return [];
      },
    };
  }

  /** It is the language's session again, whatever became of it meanwhile. */
  async #putBack(language: Language, session: Session): Promise<void> {
    const other = await this.#live.get(language.name)?.catch(() => undefined);
    if (other !== undefined && other !== session) await other.close();
    this.#live.set(language.name, Promise.resolve(session));
    this.#lost.delete(language.name);
    this.#watcher?.ran(language, session);
  }

  /** Runs a block. Never throws; the last event is always `end`. */
  async *run(language: Language, code: string, signal?: AbortSignal): AsyncIterable<SessionEvent> {
    let session: Session;
    try {
      session = await this.#session(language);
    } catch (error) {
      const message =
        error instanceof SessionStartError ? error.message : `${language.name} could not be started: ${error}`;
      yield { type: "error", name: "SessionStartError", message, traceback: `${message}\n` };
      yield { type: "end", status: "error" };
      return;
    }
    const lost = this.#lost.get(language.name);
    if (lost) {
      this.#lost.delete(language.name);
      yield {
        type: "output",
        stream: "stderr",
        text: `[New ${language.name} session: the last one is gone with its variables (${lost}).]\n`,
      };
    }
    const news = this.#news.get(language.name);
    if (news) {
      this.#news.delete(language.name);
      yield { type: "output", stream: "stderr", text: `[${news}]\n` };
    }
    const mine = this.#live.get(language.name);
    const interrupt = () => session.interrupt();
    signal?.addEventListener("abort", interrupt);
    try {
      if (signal?.aborted) {
        yield { type: "end", status: "interrupted" };
        return;
      }
      this.#busy.add(session);
      this.#used.add(session);
      for await (const event of session.run(code, `<block ${++this.#blocks}>`)) {
        if (event.type === "end") {
          this.#busy.delete(session);
          // A session that was restarted meanwhile is another one.
          const current = this.#live.get(language.name) === mine;
          if (!session.alive && current) this.#forget(language, event.explanation ?? "it ended");
        }
        yield event;
      }
    } finally {
      this.#busy.delete(session);
      signal?.removeEventListener("abort", interrupt);
      if (session.alive && this.#live.get(language.name) === mine) this.#watcher?.ran(language, session);
    }
  }

  /** Ends every session and everything started in them. */
  async close(): Promise<void> {
    const sessions = await Promise.allSettled(this.#live.values());
    this.#live.clear();
    this.#news.clear();
    await Promise.all(sessions.map((result) => (result.status === "fulfilled" ? result.value.close() : undefined)));
  }

  #session(language: Language): Promise<Session> {
    const known = this.#live.get(language.name);
    if (known) return known.then((session) => (session.alive ? session : this.#restart(language)));
    const starting = this.#start(language);
    this.#live.set(language.name, starting);
    starting.then(
      (session) => this.#begun.set(session, performance.now()),
      () => this.#live.delete(language.name),
    );
    return starting;
  }

  async #start(language: Language): Promise<Session> {
    const session = await language.start(this.#options);
    const news = await this.#watcher?.started(language, session);
    if (news) this.#news.set(language.name, news);
    if (news) this.#used.add(session);
    return news && !session.alive ? language.start(this.#options) : session;
  }

  #sibling(name: string): Promise<Session> {
    const language = this.find(name);
    if (language) return this.#session(language);
    return Promise.reject(new SessionStartError(`There is no language ${name} here.`));
  }

  /** The session ended between two blocks: somebody killed it, or a timer in it crashed. */
  #restart(language: Language): Promise<Session> {
    this.#forget(language, "it ended between two blocks");
    return this.#session(language);
  }

  #forget(language: Language, why: string): void {
    this.#live.delete(language.name);
    this.#news.delete(language.name);
    this.#lost.set(language.name, why);
  }
}
