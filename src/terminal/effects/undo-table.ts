// What can be taken back or put back, as lines: a table as wide as the terminal for a person, fields between tabs or JSON for a
// program.

import { bytes, noEffects, summaryOf, type UndoStep } from "../../machine/index.ts";
import { when } from "../conversation-table.ts";
import type { Style } from "../style.ts";
import { foldWords } from "../text/fold-words.ts";
import { clip, widthOf } from "../text/width.ts";
import { oneLine } from "./effects-line.ts";

/** 2 files new, 1 changed. */
export const countsOf = ({ files }: UndoStep): string =>
  summaryOf({
    ...noEffects,
    files: files.map(({ path, change }) => ({ path, name: path, change, kind: "file" as const })),
  }) || "no files";

/** In a narrow terminal the date and the size are left out. What was asked for stands once, with the first step of its turn. */
export function* undoTable(steps: readonly UndoStep[], columns: number, style: Style): Generator<string> {
  const narrow = isNarrow(columns);
  const digits = Math.max(1, ...steps.map(({ number }) => String(number).length));
  const counts = Math.min(Math.max(0, ...steps.map((step) => widthOf(stateOf(step)))), narrow ? 18 : 40);
  let turn: string | undefined;
  for (const step of steps) {
    const facts = narrow ? [] : [when(new Date(step.when)), bytes(step.bytes).padStart(6)];
    const what = clip(stateOf(step), counts);
    const left = ["", ...facts, what.padEnd(counts + what.length - widthOf(what)), ""].join("  ");
    const { facts: its } = step;
    const same = its.conversation !== undefined && `${its.conversation} ${its.turn}` === turn;
    turn = its.conversation === undefined ? undefined : `${its.conversation} ${its.turn}`;
    const asked = same ? '"' : oneLine(its.asked || its.code);
    const room = Math.max(8, columns - 1 - digits - widthOf(left));
    yield `${style.cyan(String(step.number).padStart(digits))}${style.dim(left)}${clip(asked, room)}\n`;
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
  return `${countsOf(step)}${step.state === "undone" ? " (taken back)" : ""}`;
}

export const undoFields = (step: UndoStep): string =>
  `${[
    step.number,
    new Date(step.when).toISOString(),
    step.expired ? "gone" : step.state,
    step.files.length,
    step.bytes,
    countsOf(step),
    oneLine(step.facts.asked ?? ""),
  ].join("\t")}\n`;

export const undoJson = ({ when: at, ...step }: UndoStep): string =>
  `${JSON.stringify({ ...step, when: new Date(at).toISOString() })}\n`;
