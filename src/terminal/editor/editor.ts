// The input editor: takes keys, keeps the text, says what is to be seen. Painting and the terminal are somebody else's.

import type { Style } from "../style.ts";
import type { Cursor } from "../tail.ts";
import { clip, widthOf } from "../text/width.ts";
import { bindings } from "./bindings.ts";
import { type Complete, CompletionMenu, commonStart, type Offer } from "./completion.ts";
import { deservesFold, Folds, withoutMarks } from "./folds.ts";
import type { Entry, History } from "./history.ts";
import type { Key } from "./keys.ts";
import { type Layout, layOut, spotAt } from "./layout.ts";
import { Search, Walk } from "./recall.ts";
import { TextBuffer } from "./text-buffer.ts";

/** What a key asks of whoever holds the editor. */
export type Wish = "submit" | "interrupt" | "end" | "edit elsewhere" | "stop" | "clear screen" | "clipboard";

/** Whether Enter breaks the line instead of sending: beside what is there, or in place of its last character. */
export type GoesOn = (text: string) => "break" | "replace" | undefined;

export interface EditorOptions {
  style: Style;
  columns: () => number;
  rows: () => number;
  /** Nothing of what is typed is shown. */
  hidden?: boolean;
  history?: History;
  complete?: Complete;
  goesOn?: GoesOn;
  /** Called when something has changed without a key. */
  onChange?: () => void;
}

export interface Frame {
  rows: string[];
  cursor: Cursor;
}

export class Editor {
  readonly #options: EditorOptions;
  readonly #buffer = new TextBuffer();
  readonly #folds = new Folds();
  #walk: Walk | undefined;
  /** What was being written before the walk. */
  #draft = "";
  #search: Search | undefined;
  #menu: CompletionMenu | undefined;
  /** Counts what was asked to complete: an answer that comes after another key is too late. */
  #asked = 0;
  /** The column that Up and Down keep to. */
  #goal: number | undefined;
  /** Ctrl-X was pressed. */
  #chord = false;
  /** The first row that is shown of a text higher than the screen. */
  #top = 0;
  prompt = "";

  constructor(options: EditorOptions) {
    this.#options = options;
  }

  /** What has been written, as it is sent. */
  get text(): string {
    return this.#folds.unfold(this.#buffer.text);
  }

  /** The same as it is shown. */
  get shown(): string {
    return this.#folds.shown(this.#buffer.text);
  }

  /** What has been written, as the history keeps it. */
  get entry(): Entry {
    const folds = this.#folds.ranges(this.#buffer.text);
    return folds.length > 0 ? { text: this.text, folds } : { text: this.text };
  }

  clear(): void {
    this.#buffer.reset();
    this.#closeAll();
    this.#top = 0;
  }

  /** Takes over a text that was edited elsewhere. */
  replace(text: string): void {
    this.#closeAll();
    this.#buffer.replace(this.#folds.foldAgain(text, this.#buffer.text));
  }

  /** While nobody asks, text is collected, but nothing is opened. */
  press(key: Key, attended = true): Wish | undefined {
    this.#asked++;
    if (key.type === "paste") return this.#paste(key.text, attended);
    if (this.#search) return this.#pressInSearch(this.#search, key);
    if (this.#menu && this.#pressInMenu(this.#menu, key)) return undefined;
    if (key.type === "text") {
      this.#edit((buffer) => buffer.insert(key.text));
      return undefined;
    }
    return this.#chord ? this.#pressAfterChord(key.name) : this.#pressKey(key.name, attended);
  }

  #pressKey(name: string, attended: boolean): Wish | undefined {
    switch (name) {
      case "enter":
        return this.#enter();
      case "ctrl-c":
        return "interrupt";
      case "ctrl-d":
        if (this.#buffer.text === "") return "end";
        break;
      case "up":
      case "ctrl-p":
        return this.#vertical(-1);
      case "down":
      case "ctrl-n":
        return this.#vertical(1);
      case "ctrl-x":
        this.#chord = true;
        return undefined;
      case "ctrl-l":
        return "clear screen";
      case "ctrl-g":
        return "edit elsewhere";
      case "ctrl-v":
        return "clipboard";
      case "ctrl-z":
        return "stop";
      case "tab":
        if (attended) this.#tab();
        return undefined;
      case "ctrl-r":
        if (attended && this.#options.history) this.#search = new Search(this.#options.history);
        return undefined;
    }
    const edit = bindings.get(name);
    if (edit) this.#edit(edit);
    return undefined;
  }

  #pressAfterChord(name: string): Wish | undefined {
    this.#chord = false;
    if (name === "ctrl-e") return "edit elsewhere";
    if (name === "ctrl-u") this.#edit((buffer) => buffer.undo());
    return undefined;
  }

  #edit(edit: (buffer: TextBuffer) => void): void {
    const before = this.#buffer.text;
    edit(this.#buffer);
    this.#goal = undefined;
    this.#chord = false;
    if (this.#buffer.text !== before) this.#walk = undefined;
  }

  #enter(): Wish | undefined {
    const { text, at } = this.#buffer;
    switch (this.#options.goesOn?.(this.text)) {
      case "break":
        this.#edit((buffer) => buffer.insert("\n"));
        return undefined;
      case "replace":
        this.#edit((buffer) => buffer.splice(text.length - 1, text.length, "\n"));
        if (at < text.length) this.#buffer.moveTo(at);
        return undefined;
      default:
        return "submit";
    }
  }

  #paste(pasted: string, attended: boolean): Wish | undefined {
    const text = withoutMarks(pasted);
    if (text === "") return attended ? "clipboard" : undefined;
    if (this.#search) {
      this.#search.lookFor(this.#search.query + text.split("\n")[0]!);
      return undefined;
    }
    this.#menu = undefined;
    this.#edit((buffer) => buffer.insert(!this.#options.hidden && deservesFold(text) ? this.#folds.fold(text) : text));
    return undefined;
  }

  /** Up and Down: a row in the text, or another text at its edges. */
  #vertical(by: 1 | -1): undefined {
    const { spots } = this.#layOut();
    const here = spotAt(spots, this.#buffer.at);
    const row = spots.filter((spot) => spot.row === here.row + by);
    if (row.length === 0) {
      this.#recall(by);
      return;
    }
    this.#goal ??= here.column;
    const goal = this.#goal;
    this.#buffer.moveTo((row.findLast(({ column }) => column <= goal) ?? row[0]!).at);
  }

  #recall(by: 1 | -1): void {
    const { history, hidden } = this.#options;
    if (!history || hidden || (by === 1 && !this.#walk)) return;
    if (!this.#walk) {
      this.#draft = this.#buffer.text;
      this.#walk = new Walk(history, this.text);
    }
    const entry = by === -1 ? this.#walk.older() : this.#walk.newer();
    if (!entry && by === -1) return;
    this.#buffer.replace(entry ? this.#folds.foldRanges(entry.text, entry.folds ?? []) : this.#draft);
    this.#goal = undefined;
    if (!entry) this.#walk = undefined;
    // Up stays in the first row of what it finds, so that the next Up goes further back.
    const { spots } = this.#layOut();
    const end = spots.findLast(({ row }) => row === spots[0]!.row)!;
    if (by === -1) this.#buffer.moveTo(end.at);
  }

  #pressInSearch(search: Search, key: Key): Wish | undefined {
    if (key.type === "text") {
      search.lookFor(search.query + key.text);
      return undefined;
    }
    switch (key.type === "press" ? key.name : "") {
      case "backspace":
        search.lookFor([...search.query].slice(0, -1).join(""));
        return undefined;
      case "ctrl-r":
      case "up":
        search.older();
        return undefined;
      case "ctrl-s":
      case "down":
        search.newer();
        return undefined;
      case "escape":
      case "ctrl-g":
      case "ctrl-c":
        this.#search = undefined;
        return undefined;
    }
    if (search.found) this.#edit((buffer) => buffer.replace(this.#folded(search.found!.entry)));
    this.#search = undefined;
    // Enter only takes it; any other key goes on from there.
    return key.type === "press" && key.name !== "enter" ? this.#pressKey(key.name, true) : undefined;
  }

  #folded = ({ text, folds = [] }: Entry): string => this.#folds.foldRanges(text, folds);

  #tab(): void {
    const before = this.#buffer.text.slice(0, this.#buffer.at);
    // At the beginning of a further line there is nothing to complete: it is indented.
    if (/(^|\n)[ \t]+$|\n$/.test(before)) this.#edit((buffer) => buffer.insert("    "));
    else this.#ask(true);
  }

  #ask(put: boolean): void {
    const before = this.#buffer.text.slice(0, this.#buffer.at);
    const number = this.#asked;
    this.#options.complete?.(this.#folds.unfold(before)).then(
      (offer) => {
        if (number !== this.#asked || !before.endsWith(offer.replaced)) return;
        this.#take(offer, put);
        this.#options.onChange?.();
      },
      () => {},
    );
  }

  /** `put`: Tab was pressed, so that what is certain is put in. */
  #take(offer: Offer, put: boolean): void {
    const { matches, replaced } = offer;
    this.#menu = undefined;
    if (matches.length === 0) return;
    const common = commonStart(matches);
    const certain = matches.length === 1 || (common.length > replaced.length && common.startsWith(replaced));
    if (put && certain) this.#complete(replaced, common);
    if (matches.length > 1) this.#menu = new CompletionMenu({ matches, replaced: put && certain ? common : replaced });
    else if (!put && common !== replaced) this.#menu = new CompletionMenu(offer);
  }

  #complete(replaced: string, text: string): void {
    this.#edit((buffer) => buffer.splice(buffer.at - replaced.length, buffer.at, withoutMarks(text)));
  }

  /** Whether the key was meant for the menu. */
  #pressInMenu(menu: CompletionMenu, key: Key): boolean {
    if (key.type === "text") {
      this.#edit((buffer) => buffer.insert(key.text));
      this.#ask(false);
      return true;
    }
    const name = key.type === "press" ? key.name : "";
    const only = menu.offer.matches.length === 1;
    if (name === "enter" || (name === "tab" && only)) {
      this.#menu = undefined;
      this.#complete(menu.offer.replaced, menu.chosen.text);
    } else if (["tab", "down", "ctrl-n"].includes(name)) menu.move(1);
    else if (["shift-tab", "up", "ctrl-p"].includes(name)) menu.move(-1);
    else if (name === "backspace") {
      this.#edit((buffer) => buffer.deleteLeft());
      this.#ask(false);
    } else {
      this.#menu = undefined;
      return name === "escape" || name === "ctrl-c";
    }
    return true;
  }

  #closeAll(): void {
    this.#asked++;
    this.#walk = undefined;
    this.#search = undefined;
    this.#menu = undefined;
    this.#goal = undefined;
    this.#chord = false;
  }

  /** What is to be seen while it is written, never higher than the screen. */
  frame(): Frame {
    const columns = this.#options.columns();
    const screen = Math.max(2, this.#options.rows() - 1);
    const { style } = this.#options;
    const layout = this.#layOut();
    const below = this.#search
      ? [searchRow(this.#search, columns)]
      : (this.#menu?.rows(columns, Math.max(1, screen - Math.min(3, layout.rows.length)), style) ?? []);
    const { row, column } = this.#search ? { row: 0, column: 0 } : spotAt(layout.spots, this.#buffer.at);
    const { rows, top } = this.#window(layout.rows, row, Math.max(1, screen - below.length));
    const cursor = this.#search
      ? { row: rows.length, column: Math.min(columns - 1, widthOf(below[0]!)) }
      : { row: row - top, column };
    return { rows: [...rows, ...below.map((each) => (this.#search ? style.dim(each) : each))], cursor };
  }

  /** What stays on the screen when it has been sent. */
  finished(): string[] {
    this.#closeAll();
    return this.#layOut().rows;
  }

  #layOut(): Layout {
    const { columns, hidden, style } = this.#options;
    const found = this.#search?.found;
    const text = hidden ? "" : found ? this.#folded(found.entry) : this.#buffer.text;
    const marked = found && {
      ...foldedRange(found.entry.folds ?? [], found.from, found.to),
      paint: (part: string) => style.bold(style.underline(part)),
    };
    return layOut({
      prompt: this.prompt,
      text,
      columns: columns(),
      chip: (character) => this.#folds.chip(character),
      paintChip: style.cyan,
      marked,
    });
  }

  /** As many rows as there is room for, the cursor's among them. */
  #window(rows: string[], cursor: number, room: number): { rows: string[]; top: number } {
    if (rows.length <= room) this.#top = 0;
    else {
      this.#top = Math.min(Math.max(this.#top, cursor - room + 1), rows.length - room);
      // The first row shown says that there are more: the cursor stays below it.
      this.#top = Math.min(this.#top, Math.max(0, cursor - 1));
    }
    const top = this.#top;
    if (top === 0) return { rows: rows.slice(0, room), top };
    const more = this.#options.style.dim(clip(`↑ ${top + 1} more rows`, this.#options.columns() - 1));
    return { rows: [more, ...rows.slice(top + 1, top + room)], top };
  }
}

function searchRow({ query, found }: Search, columns: number): string {
  const label = found || query === "" ? "search: " : "nothing found: ";
  // The end of what is looked for is what one is typing.
  let end = query.replace(/[\x00-\x1f\x7f-\x9f]/g, "\ufffd");
  while (end !== "" && widthOf(label + end) >= columns) end = [...end].slice(1).join("");
  return label + end;
}

/** Where a part of the whole text is when some of it is folded. */
function foldedRange(folds: readonly [number, number][], from: number, to: number): { from: number; to: number } {
  const place = (at: number): number => {
    let shorter = 0;
    for (const [start, end] of folds) {
      if (at >= end) shorter += end - start - 1;
      else if (at > start) return start - shorter;
    }
    return at - shorter;
  };
  return { from: place(from), to: Math.max(place(to), place(from) + 1) };
}
