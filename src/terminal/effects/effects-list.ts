// The effects of a step on one screen: how many, then the files that matter, as many as fit, then what else is to be known.

import type { EffectsQuestion } from "../../agent/index.ts";
import { type DescribedEffect, type Effect, type Effects, summaryOf } from "../../machine/index.ts";
import { sanitize } from "../sanitize.ts";
import type { Style } from "../style.ts";
import { foldWords } from "../text/fold-words.ts";
import { clip, clipStart, widthOf } from "../text/width.ts";
import { oneLine } from "./effects-line.ts";

export const changeWords: Record<Effect["change"], string> = {
  created: "new",
  changed: "changed",
  deleted: "deleted",
  renamed: "moved",
  mode: "mode",
};

export interface ListOptions {
  columns: number;
  /** Rows that may be used. */
  rows: number;
  style: Style;
  describe: (effect: Effect) => DescribedEffect;
}

/** Rows for a question; never more than there is room for, and none wider than the screen. */
export function effectsRows(question: EffectsQuestion, options: ListOptions): string[] {
  const { columns, rows, style } = options;
  const { files } = question.effects;
  const described = describeSome(files, options);
  const head = headRows(question.effects, described, options);
  const room = rows - head.length;
  const fold = (text: string, most: number, hang = 0): string[] => folded(text, columns, most, hang);
  // A file at least is named, however much there is to be known besides.
  const notes = notesFor(question, fold, Math.max(1, Math.min(room - Math.min(files.length, 3), Math.ceil(room / 2))));
  const painted = notes.map(({ grave, text }) => (grave ? style.yellow(text) : style.dim(text)));
  return [...head, ...fileRows(files, described, room - notes.length, options), ...painted];
}

/** The same without a question: how much, and the files. */
export function shownRows(effects: Effects, options: ListOptions): string[] {
  const described = describeSome(effects.files, options);
  const head = headRows(effects, described, options);
  return [...head, ...fileRows(effects.files, described, options.rows - head.length, options)];
}

const describeSome = (files: readonly Effect[], { rows, describe }: ListOptions): DescribedEffect[] =>
  files.slice(0, rows).map(describe);

function headRows(
  effects: Effects,
  described: readonly DescribedEffect[],
  { columns, rows, style }: ListOptions,
): string[] {
  const more = described.reduce((sum, each) => sum + (each.rows ?? 0), 0);
  const summary = sanitize(summaryOf(effects, { rows: more })) || "Nothing was changed.";
  return folded(summary, columns, Math.max(1, Math.floor(rows / 4))).map(style.bold);
}

const folded = (text: string, columns: number, most: number, hang = 0): string[] =>
  upTo(foldWords(text, columns - 1, hang), most, columns - 1);

function fileRows(
  files: readonly Effect[],
  described: readonly DescribedEffect[],
  room: number,
  { columns, style }: ListOptions,
): string[] {
  const shown = files.slice(0, files.length > room ? Math.max(0, room - 1) : files.length);
  const left = files.length - shown.length;
  const digits = String(Math.max(1, shown.length)).length;
  const word = Math.max(0, ...shown.map(({ change }) => changeWords[change].length));
  const facts = shown.map((effect, index) => (effect.warning ? `! ${effect.warning}` : described[index]!.facts));
  const names = shown.map(({ name }) => oneLine(name));
  const rest = columns - 1 - digits - word - 2;
  const longest = Math.max(0, ...facts.map((text) => widthOf(oneLine(text))));
  const name = Math.min(
    Math.max(0, ...names.map(widthOf)),
    Math.max(Math.floor(rest / 2), rest - 2 - Math.min(longest, 40)),
  );
  const rows = shown.map(({ change, warning }, index) => {
    const label = clipStart(names[index]!, name);
    const paint = change === "deleted" ? style.red : change === "changed" ? style.yellow : style.dim;
    const gap = " ".repeat(name - widthOf(label));
    const said = clip(oneLine(facts[index]!), rest - name - 2);
    const number = style.cyan(String(index + 1).padStart(digits));
    return `${number} ${paint(changeWords[change].padEnd(word))} ${label}${gap}  ${warning ? style.yellow(said) : style.dim(said)}`;
  });
  const preview = (index: number): string[] => {
    const text = described[index]!.preview;
    return text === undefined ? [] : [style.dim(clip(`${" ".repeat(digits + word + 2)}${oneLine(text)}`, columns - 1))];
  };
  const all = rows.flatMap((row, index) => [row, ...preview(index)]);
  const listed = all.length + Math.sign(left) <= room ? all : rows;
  return left > 0 && room > 0 ? [...listed, style.dim(clip(`… and ${left} more: d shows all`, columns - 1))] : listed;
}

interface Note {
  text: string;
  /** Whether it is a warning. */
  grave: boolean;
}

/** What a person must know to decide, the most important first, as far as there is room. */
function notesFor(
  { effects, held, variables }: EffectsQuestion,
  fold: (text: string, most: number, hang?: number) => string[],
  most: number,
): Note[] {
  const notes: Note[] = [];
  let cut = false;
  const add = (text: string, grave: boolean): void => {
    const rows = fold(oneLine(text), 99, grave ? 2 : 0);
    if (notes.length + rows.length <= most) notes.push(...rows.map((row) => ({ text: row, grave })));
    else cut = true;
  };
  const real = held ? "" : "It is done already. ";
  const ends = effects.processes.length > 0 ? " It ends what still runs." : "";
  if (effects.files.length > 0)
    add(`${real}n takes back files${variables ? " and" : ", not"} variables.${ends}`, false);
  else add(`No file was changed: n takes back ${variables ? "variables" : "nothing"}.${ends}`, false);
  for (const sentence of [...(effects.denied ?? []), ...effects.uncovered]) add(`! ${sentence}`, true);
  if (effects.hosts.length > 0) add("! What was sent over the network cannot be taken back.", true);
  for (const { pid, command } of effects.processes) add(`still running: ${command} (${pid})`, false);
  const [hidden] = cut ? fold("… d shows all there is to know", 1) : [];
  if (hidden === undefined) return notes;
  return [...notes.slice(0, most - 1), { text: hidden, grave: false }];
}

/** The first rows of a folded text; a sign says where something is missing. */
function upTo(text: string, most: number, width: number): string[] {
  const rows = text.split("\n");
  if (rows.length <= most) return rows.map((row) => clip(row, width));
  return rows.slice(0, most).map((row, index) => clip(index === most - 1 ? `${row} …` : row, width));
}
