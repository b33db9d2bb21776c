// Walks through what was typed before: one entry after the other with Up and Down, or by searching (Ctrl-R).

import type { Entry, History } from "./history.ts";

/** Up and Down: entries that begin as the text did when the walk began. */
export class Walk {
  readonly #entries: readonly Entry[];
  readonly #prefix: string;
  #index: number;

  constructor(history: History, prefix: string) {
    this.#entries = history.entries();
    this.#prefix = prefix;
    this.#index = this.#entries.length;
  }

  older(): Entry | undefined {
    return this.#step(-1);
  }

  /** Undefined behind the newest: there, what was being written comes back. */
  newer(): Entry | undefined {
    const entry = this.#step(1);
    if (!entry) this.#index = this.#entries.length;
    return entry;
  }

  #step(by: 1 | -1): Entry | undefined {
    const here = this.#entries[this.#index]?.text;
    for (let index = this.#index + by; index >= 0 && index < this.#entries.length; index += by) {
      const entry = this.#entries[index]!;
      if (entry.text.startsWith(this.#prefix) && entry.text !== here && entry.text !== this.#prefix) {
        this.#index = index;
        return entry;
      }
    }
    return undefined;
  }
}

export interface Found {
  entry: Entry;
  /** Where what was looked for stands in it. */
  from: number;
  to: number;
}

/** Ctrl-R: entries that contain a text. Capital letters count only where some are asked for. */
export class Search {
  readonly #entries: readonly Entry[];
  #query = "";
  #index: number;
  found: Found | undefined;

  constructor(history: History) {
    this.#entries = history.entries();
    this.#index = this.#entries.length;
  }

  get query(): string {
    return this.#query;
  }

  /** Looks for something else, from the newest on unless what is shown still fits. */
  lookFor(query: string): void {
    const longer = query.startsWith(this.#query) && this.found !== undefined;
    this.#query = query;
    this.#find(longer ? this.#index : this.#entries.length - 1, -1);
  }

  older(): boolean {
    return this.#find(this.#index - 1, -1, this.found?.entry.text);
  }

  newer(): boolean {
    return this.#find(this.#index + 1, 1, this.found?.entry.text);
  }

  /** Keeps what is shown when there is nothing more to go on to. */
  #find(from: number, by: 1 | -1, notThis?: string): boolean {
    if (notThis === undefined) this.found = undefined;
    if (this.#query === "") return false;
    const exact = /\p{Lu}/u.test(this.#query);
    const query = exact ? this.#query : this.#query.toLowerCase();
    for (let index = from; index >= 0 && index < this.#entries.length; index += by) {
      const entry = this.#entries[index]!;
      const at = (exact ? entry.text : entry.text.toLowerCase()).indexOf(query);
      if (at === -1 || entry.text === notThis) continue;
      this.#index = index;
      this.found = { entry, from: at, to: at + query.length };
      return true;
    }
    return false;
  }
}
