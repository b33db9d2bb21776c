// What can be taken back or put back, as lines: a table as wide as the terminal for a person, fields between tabs or JSON for a
// program.

import { bytes, type Count, countsOf, countsText, totalOf, type UndoStep } from "../../machine/index.ts";
import { when } from "../conversation-table.ts";
import type { Style } from "../style.ts";
import { foldWords } from "../text/fold-words.ts";
import { clip, widthOf } from "../text/width.ts";
import { oneLine } from "./effects-line.ts";

/** As they were counted when it was kept. */
const countsIn = ({ files, facts }: UndoStep): readonly Count[] =>
  facts.counts ?? countsOf(files.map(({ change }) => ({ change, kind: "file" as const })));

/** 3 files: 2 new, 1 changed. */
const didText = (step: UndoStep): string => countsText(countsIn(step)) || "no files";

/** So many columns at least are left for what was asked for, beside what was done. */
const leastAsked = 16;

/**
 * In a narrow terminal the date and the size are left out. What was asked for stands once, with the first step of its turn. Where it
 * does not fit beside what a step did, that has rows of its own.
 */
export function* undoTable(steps: readonly UndoStep[], columns: number, style: Style): Generator<string> {
  const digits = Math.max(1, ...steps.map(({ number }) => String(number).length));
  const facts = (step: UndoStep): string =>
    isNarrow(columns) ? "" : `${when(new Date(step.when))}  ${bytes(step.bytes).padStart(6)}  `;
  const wide = Math.max(0, ...steps.map((step) => widthOf(stateOf(step))));
  const room = columns - 1 - digits - 2 - Math.max(0, ...steps.map((step) => widthOf(facts(step))));
  const beside = wide + 2 + leastAsked <= room;
  let turn: string | undefined;
  for (const step of steps) {
    const { facts: its } = step;
    const same = its.conversation !== undefined && `${its.conversation} ${its.turn}` === turn;
    turn = its.conversation === undefined ? undefined : `${its.conversation} ${its.turn}`;
    const asked = clip(same ? '"' : oneLine(its.asked || its.code), Math.max(8, beside ? room - wide - 2 : room));
    const number = style.cyan(String(step.number).padStart(digits));
    const state = stateOf(step);
    if (beside) {
      const gap = " ".repeat(wide - widthOf(state) + 2);
      yield `${number}  ${style.dim(`${facts(step)}${state}${gap}`)}${asked}\n`;
    } else {
      yield `${number}  ${style.dim(facts(step))}${asked}\n`;
      const rows = foldWords(state, columns - 1 - digits - 2).split("\n");
      for (const row of rows) yield `${" ".repeat(digits + 2)}${style.dim(row)}\n`;
    }
  }
}

export function undoTableHead(columns: number, style: Style): string {
  const facts = isNarrow(columns) ? "" : "date, size on disk, ";
  const text = `Take one back: interpreter undo STEP. The columns: step, ${facts}what it did, what was asked for.\n`;
  return style.dim(foldWords(text, columns - 1));
}

const isNarrow = (columns: number): boolean => columns < 72;

function stateOf(step: UndoStep): string {
  if (step.expired) return `gone: ${oneLine(step.expired)}`;
  return `${step.state === "undone" ? "taken back · " : ""}${didText(step)}`;
}

export const undoFields = (step: UndoStep): string =>
  `${[
    step.number,
    new Date(step.when).toISOString(),
    step.expired ? "gone" : step.state,
    totalOf(countsIn(step)),
    step.bytes,
    didText(step),
    oneLine(step.facts.asked ?? ""),
  ].join("\t")}\n`;

export const undoJson = ({ when: at, ...step }: UndoStep): string =>
  `${JSON.stringify({ ...step, when: new Date(at).toISOString() })}\n`;
