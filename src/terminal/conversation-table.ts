// Conversations as lines: a table as wide as the terminal for a person, fields between tabs or JSON for a program.

import { homedir } from "node:os";
import type { Found, Listed, Place } from "../conversations/index.ts";
import { bytes } from "../machine/index.ts";
import { dollars } from "../models/index.ts";
import { sanitize } from "./sanitize.ts";
import type { Style } from "./style.ts";
import { clip, clipStart, widthOf } from "./text/width.ts";

/** 2026-08-31 14:05, in the person's time. */
export function when(date: Date): string {
  const two = (number: number): string => String(number).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The person's own folder is ~. */
export function shownFolder(path: string): string {
  const home = homedir();
  return sanitize(path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path);
}

/** In a narrow terminal the size, the cost and the folder are left out. */
export function* table(all: readonly Listed[], ids: ReadonlyMap<string, string>, columns: number, style: Style) {
  const narrow = columns < 72;
  const idWidth = Math.max(0, ...all.map(({ id }) => ids.get(id)!.length));
  const countWidth = Math.max(0, ...all.map(({ messages }) => String(messages).length));
  for (const { id, changed, messages, size, cost, cwd, name } of all) {
    const start = ids.get(id)!.padEnd(idWidth);
    const facts = [when(changed), String(messages).padStart(countWidth)];
    if (!narrow) facts.push(bytes(size).padStart(6), (cost > 0 ? dollars(cost) : "").padStart(7));
    const left = `  ${facts.join("  ")}  `;
    const room = columns - 1 - start.length - left.length;
    const title = oneLine(name);
    const folder = narrow ? "" : `  ${clipStart(shownFolder(cwd), Math.max(12, Math.floor(room / 3)))}`;
    const shown = clip(title, Math.max(8, room - widthOf(folder)));
    yield `${style.cyan(start)}${style.dim(left)}${shown}${style.dim(folder)}\n`;
  }
}

export const tableHead = (style: Style): string =>
  style.dim(
    "Go on with one: interpreter conversations resume ID. The columns: ID, date, messages, size, cost, name, folder.\n",
  );

export const fieldsOf = ({ id, changed, turns, messages, size, cost, cwd, name }: Listed): string =>
  `${[id, changed.toISOString(), turns, messages, size, cost, oneLine(cwd), oneLine(name)].join("\t")}\n`;

export const jsonOf = ({ folder: _, changed, ...rest }: Listed): string =>
  `${JSON.stringify({ ...rest, changed: changed.toISOString() })}\n`;

/** A conversation that was found, and its lines with the words in them. */
export function* foundLines({ name, cwd, places, count }: Found, id: string, columns: number, style: Style) {
  const start = `${style.cyan(id)}  `;
  const title = clip(oneLine(name), Math.max(8, columns - 1 - id.length - 2));
  const room = columns - 1 - id.length - 2 - widthOf(title) - 2;
  yield `${start}${style.bold(title)}${room > 12 ? style.dim(`  ${clipStart(shownFolder(cwd), room)}`) : ""}\n`;
  for (const place of places) {
    const who = `  ${`turn ${place.turn}`.padEnd(8)} ${kindOf(place).padEnd(8)} `;
    yield `${style.dim(who)}${marked(place, Math.max(20, columns - 1 - who.length), style)}\n`;
  }
  if (count > places.length) yield style.dim(`  … and ${count - places.length} more lines\n`);
}

export const foundFields = ({ id, places }: Found): string =>
  places.map((place) => `${[id, place.turn, kindOf(place), oneLine(place.line)].join("\t")}\n`).join("");

export const foundJson = ({ id, name, cwd, count, places }: Found): string => {
  const lines = places.map(({ turn, line, marks, message: { role, type } }) => ({ turn, role, type, line, marks }));
  return `${JSON.stringify({ id, name, cwd, count, lines })}\n`;
};

function kindOf({ message: { role, type, format } }: Place): string {
  if (type === "code") return sanitize(format ?? "code").slice(0, 12);
  if (type === "console") return "output";
  return role === "user" ? "you" : type === "message" ? "model" : type;
}

/** The part of the line around the first of the words, with all of them marked. */
function marked({ line, marks }: Place, columns: number, style: Style): string {
  const first = marks[0]?.[0] ?? 0;
  const from = first > columns / 2 ? first - Math.floor(columns / 3) : 0;
  const to = from + columns - 2;
  let shown = from > 0 ? "…" : "";
  let at = from;
  for (const [start, end] of marks) {
    if (start < at || start >= to) continue;
    shown += oneLine(line.slice(at, start)) + style.yellow(oneLine(line.slice(start, Math.min(end, to))));
    at = Math.min(end, to);
  }
  return `${shown}${oneLine(line.slice(at, to))}${line.length > to ? "…" : ""}`.trim();
}

const oneLine = (text: string): string => sanitize(text).replace(/\s/g, " ");
