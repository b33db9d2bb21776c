// Tab: asks what could be meant, puts in what is certain, and lets the person choose from the rest. Typing never waits for it.

import { type Complete, CompletionMenu, commonStart, type Offer } from "./completion.ts";
import type { Key } from "./keys.ts";
import type { TextBuffer } from "./text-buffer.ts";

export interface CompleterOptions {
  complete: Complete;
  /** The text before the cursor: as it stands there, and as it is meant. */
  before: () => { text: string; meant: string };
  edit: (change: (buffer: TextBuffer) => void) => void;
  /** Called when an offer has come. */
  onChange: () => void;
}

export class Completer {
  readonly #options: CompleterOptions;
  #menu: CompletionMenu | undefined;
  /** Counts keys: an answer that comes after another key is too late. */
  #keys = 0;

  constructor(options: CompleterOptions) {
    this.#options = options;
  }

  get menu(): CompletionMenu | undefined {
    return this.#menu;
  }

  /** Takes the list away, and what may still come. */
  close(): void {
    this.#menu = undefined;
    this.#keys++;
  }

  /** Tab, where no list is open. */
  tab(): void {
    this.#ask(true);
  }

  /** Whether the key was meant for the list. */
  press(key: Key): boolean {
    this.#keys++;
    const menu = this.#menu;
    if (!menu) return false;
    if (key.type === "text") {
      this.#options.edit((buffer) => buffer.insert(key.text));
      this.#ask(false);
      return true;
    }
    const name = key.type === "press" ? key.name : "";
    const only = menu.offer.matches.length === 1;
    if (name === "enter" || (name === "tab" && only)) {
      this.#menu = undefined;
      this.#put(menu.offer.replaced, menu.chosen.text);
    } else if (["tab", "down", "ctrl-n"].includes(name)) menu.move(1);
    else if (["shift-tab", "up", "ctrl-p"].includes(name)) menu.move(-1);
    else if (name === "backspace") {
      this.#options.edit((buffer) => buffer.deleteLeft());
      this.#ask(false);
    } else {
      this.#menu = undefined;
      return name === "escape" || name === "ctrl-c";
    }
    return true;
  }

  /** `put`: Tab was pressed, so that what is certain is put in. */
  #ask(put: boolean): void {
    const { text, meant } = this.#options.before();
    const number = this.#keys;
    this.#options.complete(meant).then(
      (offer) => {
        if (number !== this.#keys || !text.endsWith(offer.replaced)) return;
        this.#take(offer, put);
        this.#options.onChange();
      },
      () => {},
    );
  }

  #take(offer: Offer, put: boolean): void {
    const { matches, replaced } = offer;
    this.#menu = undefined;
    if (matches.length === 0) return;
    const common = commonStart(matches);
    const certain = matches.length === 1 || (common.length > replaced.length && common.startsWith(replaced));
    if (put && certain) this.#put(replaced, common);
    if (matches.length > 1) this.#menu = new CompletionMenu({ matches, replaced: put && certain ? common : replaced });
    else if (!put && common !== replaced) this.#menu = new CompletionMenu(offer);
  }

  #put(replaced: string, text: string): void {
    this.#options.edit((buffer) => buffer.splice(buffer.at - replaced.length, buffer.at, text.toWellFormed()));
  }
}
