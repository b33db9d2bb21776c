// The input editor: takes keys, keeps the text, says what is to be seen. Painting and the terminal are somebody else's.

import type { Style } from "../style.ts";
import { widthOf } from "../text/width.ts";
import { bindings } from "./bindings.ts";
import { Completer } from "./completer.ts";
import type { Complete } from "./completion.ts";
import { deservesFold, Folds, foldedRange, withoutMarks } from "./folds.ts";
import { type Frame, rowsFrom, searchRow, windowOf } from "./frame.ts";
import type { Entry, History } from "./history.ts";
import type { Key } from "./keys.ts";
import { type Layout, layOut, spotAt } from "./layout.ts";
import { Search, Walk } from "./recall.ts";
import { TextBuffer } from "./text-buffer.ts";

/** What a key asks of whoever holds the editor. */
export type Wish = "submit" | "interrupt" | "end" | "edit elsewhere" | "stop" | "clear screen" | "clipboard" | "more";

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

export class Editor {
  readonly #options: EditorOptions;
  readonly #buffer = new TextBuffer();
  readonly #folds = new Folds();
  readonly #completer: Completer | undefined;
  #walk: Walk | undefined;
  /** What was being written before the walk. */
  #draft = "";
  #search: Search | undefined;
  /** The column that Up and Down keep to. */
  #goal: number | undefined;
  /** Ctrl-X was pressed. */
  #chord = false;
  /** The first row that is shown of a text higher than the screen. */
  #top = 0;
  prompt = "";

  constructor(options: EditorOptions) {
    this.#options = options;
    const { complete, onChange = () => {} } = options;
    this.#completer = complete && new Completer({ complete, onChange, before: this.#before, edit: this.#edit });
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
    if (key.type === "paste") return this.#paste(key.text, attended);
    if (this.#search) return this.#pressInSearch(this.#search, key);
    if (this.#completer?.press(key)) return undefined;
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
      case "ctrl-o":
        return "more";
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

  #edit = (edit: (buffer: TextBuffer) => void): void => {
    const before = this.#buffer.text;
    edit(this.#buffer);
    this.#goal = undefined;
    this.#chord = false;
    if (this.#buffer.text !== before) this.#walk = undefined;
  };

  #before = (): { text: string; meant: string } => {
    const text = this.#buffer.text.slice(0, this.#buffer.at);
    return { text, meant: this.#folds.unfold(text) };
  };

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
    this.#completer?.close();
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
    // At the beginning of a further line there is nothing to complete: it is indented.
    if (/(^|\n)[ \t]+$|\n$/.test(this.#before().text)) this.#edit((buffer) => buffer.insert("    "));
    else this.#completer?.tab();
  }

  #closeAll(): void {
    this.#walk = undefined;
    this.#search = undefined;
    this.#completer?.close();
    this.#goal = undefined;
    this.#chord = false;
  }

  /** What is to be seen while it is written. */
  frame(): Frame {
    const columns = this.#options.columns();
    const screen = Math.max(2, this.#options.rows() - 1);
    const { style } = this.#options;
    const layout = this.#layOut();
    const spot = this.#search ? { row: 0, column: 0 } : spotAt(layout.spots, this.#buffer.at);
    const searching = this.#search && searchRow(this.#search, columns);
    const most = Math.max(1, screen - Math.min(3, layout.rows.length));
    const below = searching ? [style.dim(searching)] : (this.#completer?.menu?.rows(columns, most, style) ?? []);
    const room = Math.max(1, screen - below.length);
    this.#top = windowOf(layout.rows, spot.row, room, this.#top);
    const rows = rowsFrom(layout.rows, this.#top, room, columns, style);
    const cursor = searching
      ? { row: rows.length, column: widthOf(searching) }
      : { row: spot.row - this.#top, column: spot.column };
    return { rows: [...rows, ...below], cursor };
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
}
