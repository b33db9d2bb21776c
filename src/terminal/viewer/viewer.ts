// What the viewer holds while it is open: where the person is, what they asked for last, and what has come of it. Keys change
// what is wanted; the session is asked for one thing at a time, always for the newest.

import type { Order, TableAnswer, TableRequest } from "../../languages/index.ts";
import type { Key } from "../keys.ts";
import type { Style } from "../style.ts";
import { cellText } from "../tables/cells.ts";
import { widthOf } from "../text/width.ts";
import { wrap } from "../text/wrap.ts";
import type { Canvas } from "./canvas.ts";
import { around, frame } from "./frame.ts";
import { layOut, mostColumns, type Page, Widths } from "./layout.ts";
import { type Extent, moved, type Place, settled } from "./place.ts";

export interface ViewerOptions {
  code: string;
  kind: string;
  rows: number;
  columns: number;
  look: (request: TableRequest, signal?: AbortSignal) => Promise<TableAnswer>;
  canvas: Canvas;
  style: Style;
  /** Aborted when the person has left. */
  left: AbortSignal;
  leave: () => void;
}

type Facts = readonly (readonly [string, string])[];
type Question = { asks: "filter" | "go"; typed: string };

/** Milliseconds after which it is said that something takes its time. */
const patience = 200;

const help: Facts = [
  ["arrows, h j k l", "move"],
  ["PgUp, PgDn, space, b", "a page up, a page down"],
  ["g, G", "first row, last row"],
  ["Home, End", "first column, last column"],
  ["s", "sort by this column: up, down, as it was"],
  ["/", "filter: a text in this column, a comparison (> 3), or an expression (a > 3 and b == 'x'); empty: all rows"],
  [":", "go to a row by its number, or to a column by its name"],
  ["i", "this column in numbers"],
  ["Enter", "the whole value"],
  ["Esc", "give up what is going on; back to the table"],
  ["q, Ctrl-C", "close"],
];

export class Viewer {
  readonly #options: ViewerOptions;
  readonly #widths = new Widths();
  /** Where the person is, and where they were when the page that is shown was asked for. */
  #place: Place = { row: 0, column: 0, top: 0, left: 0 };
  #seen: Place = this.#place;
  /** What the person wants to see, and what they see. */
  #wanted: Order = {};
  #order: Order = {};
  #page: Page | undefined;
  #total: number;
  #facts: { of: string; facts: Facts } | undefined;
  /** Something that covers the rows: a value, a column in numbers, the keys. */
  #over: { lines: string[]; top: number } | undefined;
  #question: Question | undefined;
  #message: string | undefined;
  /** Said for as long as something takes its time. */
  #waiting: string | undefined;
  #asking: AbortController | undefined;
  /** The question before the next one. */
  #last: Promise<unknown> = Promise.resolve();
  #refreshing = false;
  #again = false;

  constructor(options: ViewerOptions) {
    this.#options = options;
    this.#total = options.rows;
    void this.#refresh();
  }

  resized(): void {
    this.#over = undefined;
    void this.#refresh();
  }

  press(key: Key): void {
    this.#message = undefined;
    if (key.name === "interrupt") this.#leave();
    else if (this.#question) this.#type(this.#question, key);
    else if (this.#over) this.#scroll(this.#over, key);
    else {
      const place = moved(this.#place, key, this.#extent());
      if (place) this.#goTo(place);
      else this.#command(key.name === "character" ? key.character : key.name);
    }
  }

  #goTo(place: Place): void {
    this.#place = settled(place, this.#extent());
    void this.#refresh();
  }

  #command(key: string): void {
    const { column } = this.#place;
    const { sort } = this.#wanted;
    if (key === "q") this.#leave();
    else if (key === "escape") this.#giveUp();
    else if (key === "s") {
      const { sort: _, ...rest } = this.#wanted;
      const again = sort?.column === column;
      this.#wanted = again && sort.descending ? rest : { ...rest, sort: { column, descending: again } };
      this.#place = { ...this.#place, row: 0, top: 0 };
      void this.#refresh();
    } else if (key === "/") this.#question = { asks: "filter", typed: this.#wanted.filter?.text ?? "" };
    else if (key === ":") this.#question = { asks: "go", typed: "" };
    else if (key === "?") this.#cover(help);
    else if (key === "i") void this.#show({ do: "column", column, whole: true, ...this.#order });
    else if (key === "enter") void this.#show({ do: "cell", row: this.#place.row, column, ...this.#order });
    this.#paint();
  }

  #type(question: Question, key: Key): void {
    if (key.name === "character") question.typed += key.character;
    else if (key.name === "backspace") question.typed = [...question.typed].slice(0, -1).join("");
    else if (key.name === "escape") this.#question = undefined;
    else if (key.name === "enter") {
      this.#question = undefined;
      const text = question.typed.trim();
      if (question.asks === "filter") this.#filter(text);
      else if (/^[\d,_]+$/.test(text)) this.#goTo({ ...this.#place, row: Number(text.replace(/[,_]/g, "")) - 1 });
      else if (text !== "") void this.#goToColumn(text);
    }
    this.#paint();
  }

  #filter(text: string): void {
    const { filter: _, ...rest } = this.#wanted;
    this.#wanted = text === "" ? rest : { ...rest, filter: { text, column: this.#place.column } };
    this.#place = { ...this.#place, row: 0, top: 0 };
    void this.#refresh();
  }

  async #goToColumn(name: string): Promise<void> {
    const column = await this.#findColumn(name.toLowerCase());
    if (column !== undefined) this.#goTo({ ...this.#place, column });
    else {
      this.#message = `There is no column ${name}.`;
      this.#paint();
    }
  }

  /** By its name, or by the beginning of it. */
  async #findColumn(text: string): Promise<number | undefined> {
    const step = 500;
    let beginning: number | undefined;
    for (let from = 0; from < this.#options.columns; from += step) {
      const answer = await this.#ask({ do: "page", rows: [0, 0], columns: [from, step] });
      if (!answer || !("table" in answer)) return undefined;
      const names = answer.table.columns.filter(({ index }) => !index).map(({ name }) => name.toLowerCase());
      if (names.includes(text)) return from + names.indexOf(text);
      const at = names.findIndex((name) => name.startsWith(text));
      if (at >= 0) beginning ??= from + at;
    }
    return beginning;
  }

  #scroll(over: { lines: string[]; top: number }, key: Key): void {
    const height = Math.max(1, this.#options.canvas.size.rows - 1);
    const { row } = moved({ row: over.top, column: 0, top: 0, left: 0 }, key, {
      rows: over.lines.length,
      columns: 1,
      height,
    }) ?? { row: undefined };
    if (row === undefined) this.#over = undefined;
    else over.top = Math.max(0, Math.min(row, over.lines.length - height));
    this.#paint();
  }

  /** Asks for something that covers the rows. */
  async #show(request: TableRequest): Promise<void> {
    const answer = await this.#ask(request);
    if (answer && "facts" in answer) this.#cover(answer.facts);
    else if (answer && "text" in answer) this.#coverText(answer.text);
    this.#paint();
  }

  #cover(facts: Facts): void {
    const wide = Math.max(...facts.map(([name]) => widthOf(name)));
    const { style, canvas } = this.#options;
    const rest = " ".repeat(wide + 2);
    const lines = facts.flatMap(([name, value]) => {
      const first = name + " ".repeat(wide + 2 - widthOf(name));
      return wrap([{ text: cellText(value) }], { columns: canvas.size.columns, first, rest, style });
    });
    this.#over = { lines, top: 0 };
  }

  #coverText(text: string): void {
    const { style, canvas } = this.#options;
    const { columns } = canvas.size;
    const lines = text.split(/\r?\n/).flatMap((line) => wrap([{ text: cellText(line) }], { columns, style }));
    this.#over = { lines, top: 0 };
  }

  #giveUp(): void {
    if (this.#asking) this.#waiting = "Stopping …";
    this.#asking?.abort();
  }

  #leave(): void {
    this.#giveUp();
    this.#options.leave();
  }

  #extent(): Extent {
    const { columns, canvas } = this.#options;
    return { rows: this.#total, columns, height: Math.max(1, canvas.size.rows - around) };
  }

  /** Gets the page that is wanted now. Whatever is wanted meanwhile is got afterwards. */
  async #refresh(): Promise<void> {
    this.#again = true;
    if (this.#refreshing) return;
    this.#refreshing = true;
    do {
      this.#again = false;
      const wanted = this.#wanted;
      const place = this.#place;
      const { top, left, column } = place;
      const { height } = this.#extent();
      const most = mostColumns(this.#options.canvas.size.columns);
      const from = column < left + most ? left : column - most + 1;
      const answer = await this.#ask({ do: "page", rows: [top, height], columns: [from, most], ...wanted });
      if (answer && "table" in answer) {
        this.#order = wanted;
        this.#total = answer.table.total;
        this.#page = { table: answer.table, from, top };
        this.#seen = place;
        this.#place = settled(this.#place, this.#extent());
        if (this.#place.row !== place.row || this.#place.top !== top) this.#again = true;
      } else if (wanted === this.#wanted) this.#wanted = this.#order; // What does not work is not tried again.
      this.#paint();
    } while (this.#again && !this.#options.left.aborted);
    this.#refreshing = false;
    await this.#learnColumn();
  }

  /** The few facts above the rows, once the person has come to rest on a column. */
  async #learnColumn(): Promise<void> {
    const { column } = this.#place;
    const { filter } = this.#order;
    const of = JSON.stringify([column, filter]);
    if (this.#facts?.of === of) return;
    const answer = await this.#ask({ do: "column", column, whole: false, ...(filter && { filter }) }, true);
    this.#facts = { of, facts: answer && "facts" in answer ? answer.facts : [] };
    this.#paint();
  }

  /** One question at a time; undefined when it was given up, or came to nothing and that was said. */
  #ask(request: TableRequest, quietly = false): Promise<TableAnswer | undefined> {
    const answer = this.#last.then(() => this.#askNow(request, quietly));
    this.#last = answer;
    return answer;
  }

  async #askNow(request: TableRequest, quietly: boolean): Promise<TableAnswer | undefined> {
    if (this.#options.left.aborted) return undefined;
    const asking = new AbortController();
    this.#asking = asking;
    const slow = setTimeout(() => {
      this.#waiting = "Working … Esc gives up.";
      this.#paint();
    }, patience);
    try {
      const answer = await this.#options.look(request, asking.signal);
      if ("problem" in answer && !quietly) this.#message = cellText(answer.problem);
      return "problem" in answer ? undefined : answer;
    } finally {
      clearTimeout(slow);
      this.#waiting = undefined;
      this.#asking = undefined;
    }
  }

  #paint(): void {
    const { canvas, style, code, kind, rows, columns } = this.#options;
    const { size } = canvas;
    const question = this.#question && `${this.#question.asks === "filter" ? "/" : ":"}${this.#question.typed}`;
    const bottom = question ?? this.#waiting ?? this.#message;
    if (this.#over) {
      const { lines, top } = this.#over;
      const height = Math.max(1, size.rows - 1);
      const body = Array.from({ length: height }, (_, at) => lines[top + at] ?? "");
      canvas.paint([...body, style.dim("Any key goes back.")]);
      return;
    }
    if (!this.#page) {
      canvas.paint([...Array<string>(size.rows - 1).fill(""), bottom ?? ""]);
      return;
    }
    const layout = layOut(
      this.#page,
      this.#widths.of(this.#page, this.#order.sort?.column, size.columns),
      this.#seen,
      size.columns,
    );
    this.#place = { ...this.#place, left: layout.left };
    const place = this.#seen;
    const known = this.#facts?.of === JSON.stringify([place.column, this.#order.filter]);
    const facts = known ? this.#facts!.facts : [];
    const shown = { code, kind, rows, columns, place, order: this.#order, page: this.#page, layout, facts, bottom };
    const cursor = question === undefined ? undefined : { row: size.rows - 1, column: widthOf(question) };
    canvas.paint(frame(shown, size, style), cursor);
  }
}
