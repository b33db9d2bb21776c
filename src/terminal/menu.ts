// A menu: arrow keys, j and k, or a number, and Enter. It paints over nothing but itself and is gone when something is
// chosen. Where a terminal cannot do that, it is a numbered list and a question.

import { type Key, readKeys } from "./keys.ts";
import { LineReader } from "./line-reader.ts";
import { sanitize } from "./sanitize.ts";
import type { Screen } from "./screen.ts";
import type { Style } from "./style.ts";

export interface Choice<T> {
  label: string;
  /** What more there is to know, shown faintly beside it. */
  note?: string;
  value: T;
}

export interface Menu<T> {
  title: string;
  choices: readonly Choice<T>[];
  /** What Escape does, for the line below: "leaves", "goes back". */
  leaving: string;
}

/** `back`: Escape. `left`: Ctrl-C, or the input ended. */
export type Chosen<T> = { type: "chosen"; value: T } | { type: "back" } | { type: "left" };

export function choose<T>(menu: Menu<T>, screen: Screen): Promise<Chosen<T>> {
  return screen.plain ? askNumber(menu, screen) : paintMenu(menu, screen);
}

function paintMenu<T>(menu: Menu<T>, { input, output, style }: Screen): Promise<Chosen<T>> {
  const { choices } = menu;
  let at = 0;
  let typed = "";
  let painted: string[] = [];

  function paint(): void {
    const columns = output.columns || 80;
    const rows = output.rows || 24;
    const lines = frame(menu, at, columns, rows, style);
    output.write(`${erased(painted, columns)}${lines.map(({ text }) => text).join("\n")}`);
    painted = lines.map(({ plain }) => plain);
  }

  return new Promise((resolve) => {
    const end = (chosen: Chosen<T>): void => {
      stop();
      output.off("resize", paint);
      output.write(`${erased(painted, output.columns || 80)}\x1b[?25h`);
      resolve(chosen);
    };
    const move = (to: number): void => {
      at = Math.max(0, Math.min(choices.length - 1, to));
      paint();
    };
    const press = (key: Key): void => {
      const character = key.name === "character" ? key.character : "";
      typed = /^\d$/.test(character) ? typed + character : "";
      if (typed && !choices[Number(typed) - 1]) typed = character;
      if (typed) move(choices[Number(typed) - 1] ? Number(typed) - 1 : at);
      else if (key.name === "up" || character === "k") move(at === 0 ? choices.length - 1 : at - 1);
      else if (key.name === "down" || character === "j") move(at === choices.length - 1 ? 0 : at + 1);
      else if (key.name === "home") move(0);
      else if (key.name === "end") move(choices.length - 1);
      else if (key.name === "enter") end({ type: "chosen", value: choices[at]!.value });
      else if (key.name === "escape" || character === "q") end({ type: "back" });
      else if (key.name === "interrupt") end({ type: "left" });
    };
    output.write("\x1b[?25l");
    output.on("resize", paint);
    const stop = readKeys(input, press);
    paint();
  });
}

interface Line {
  /** As it is written, and how wide it is without its colours. */
  text: string;
  plain: string;
}

/** The lines of a menu, each narrower than the terminal, and no more of them than it has. */
function frame<T>({ title, choices, leaving }: Menu<T>, at: number, columns: number, rows: number, style: Style) {
  const width = columns - 1;
  const room = Math.max(1, rows - 3);
  const first = Math.max(0, Math.min(at - Math.floor(room / 2), choices.length - room));
  const shown = choices.slice(first, first + room);
  const digits = String(choices.length).length;
  const noted = choices.filter(({ note }) => note);
  // However long a name is, the notes have a third of the width.
  const beside = Math.min(Math.floor(width / 3), Math.max(0, ...noted.map(({ note }) => widthOf(sanitize(note!)))));
  const most = width - digits - 3 - (noted.length > 0 ? beside + 2 : 0);
  const longest = Math.min(most, Math.max(0, ...noted.map(({ label }) => widthOf(sanitize(label)))));
  const line = (plain: string, paint: (text: string) => string): Line => ({ text: paint(plain), plain });
  const head = line(cut(title, width), style.bold);
  const foot = line(cut(`↑ ↓ or a number, Enter. Esc ${leaving}.`, width), style.dim);
  const body = shown.map(({ label, note = "" }, index): Line => {
    const here = first + index === at;
    const start = `${here ? "❯" : " "} ${String(first + index + 1).padStart(digits)} `;
    const name = cut(sanitize(label), note ? most : width - start.length);
    const gap = " ".repeat(Math.max(2, longest - widthOf(name) + 2));
    const left = width - start.length - widthOf(name) - gap.length;
    const rest = left >= 8 ? gap + cut(sanitize(note), left) : "";
    return {
      text: `${here ? style.cyan(start + name) : start + name}${style.dim(rest)}`,
      plain: start + name + rest,
    };
  });
  return [head, ...body, foot];
}

/** Takes away what was painted, however a narrower terminal has wrapped it since. */
function erased(painted: readonly string[], columns: number): string {
  if (painted.length === 0) return "";
  const rows = painted.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0);
  return `\r${rows > 1 ? `\x1b[${rows - 1}A` : ""}\x1b[J`;
}

async function askNumber<T>({ title, choices, leaving }: Menu<T>, { input, output }: Screen): Promise<Chosen<T>> {
  const list = choices.map(({ label, note }, index) => {
    const beside = note ? `  (${sanitize(note)})` : "";
    return `  ${index + 1}. ${sanitize(label)}${beside}\n`;
  });
  output.write(`${title}\n${list.join("")}`);
  const lines = new LineReader(input, output, { plain: true });
  let left = false;
  lines.onInterrupt = () => {
    left = true;
    lines.close();
  };
  try {
    for (;;) {
      const answer = (await lines.line(`Number (empty ${leaving}): `))?.trim();
      if (left || answer === undefined) return { type: "left" };
      if (answer === "") return { type: "back" };
      const choice = /^\d+$/.test(answer) ? choices[Number(answer) - 1] : undefined;
      if (choice) return { type: "chosen", value: choice.value };
      output.write(`There is no ${sanitize(answer)}. It is a number from 1 to ${choices.length}.\n`);
    }
  } finally {
    lines.close();
  }
}

const twoColumns =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}！-｠]/u;

/** Columns that a text takes; characters of East Asia and pictures take two. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    width += twoColumns.test(character) ? 2 : 1;
  }
  return width;
}

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let short = "";
  for (const character of text) {
    if (widthOf(short + character) > width - 1) break;
    short += character;
  }
  return width > 0 ? `${short}…` : "";
}
