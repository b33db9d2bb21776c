// `interpreter undo` and `interpreter redo`: take back what the last turn in this folder did to files, or one step; put it back;
// list what can be.

import {
  type Effects,
  leaveNote,
  loadDescribing,
  loadFindWorkspace,
  loadUndo,
  type UndoResult,
  type UndoStep,
  type UndoStore,
  undoNote,
} from "../machine/index.ts";
import { type CommandLine, InputProblem, places, type Settings } from "../settings/index.ts";
import { type How, loadUndoing } from "./effects/index.ts";
import { sanitize } from "./sanitize.ts";
import { type Screen, screenFor } from "./screen.ts";
import { askYesNo } from "./yes-no.ts";

export interface UndoCall {
  /** The words after `undo` or `redo`. */
  words: readonly string[];
  line: CommandLine;
  settings(): Promise<Settings>;
}

type ChangedSince = "refuse" | "leave" | "overwrite";

export async function runUndo({ words: [word], line, settings: load }: UndoCall, named: How): Promise<number> {
  const { choices } = line;
  const how: How = choices.redo ? "redo" : named;
  if (choices.leaveChanged && choices.overwriteChanged)
    throw new InputProblem("--leave_changed and --overwrite_changed say different things.", "Give one of them.");
  const settings = await load();
  const screen = screenFor(settings);
  const store = await openStore(settings);
  const steps = store?.list() ?? [];
  if (choices.list || word === "list") return list(steps, settings, screen);
  const chosen = await choose(steps, word === undefined ? undefined : Number(word), how);
  if (!store || typeof chosen === "string") return fail(String(chosen));
  // Only a flag of this very command counts, not a setting that code runs without asking.
  const asks = !choices.autoRun;
  if (asks && !isWatched(line)) throw new InputProblem("Nobody is here to be asked.", `-y does it without asking.`);
  if (asks && !(await isMeant(store, chosen, how, screen))) return 130;
  const changedSince = choices.leaveChanged ? "leave" : choices.overwriteChanged ? "overwrite" : "refuse";
  const result = await move(store, chosen, how, changedSince, asks ? screen : undefined);
  if (!result) return 1;
  const { resultLines } = await loadUndoing();
  const { output, style } = screen;
  const columns = columnsOf(screen);
  const said = { how, cwd: process.cwd(), style, columns, steps: await effectsOf(store, result.done) };
  for (const text of resultLines(result, said)) output.write(text);
  tellConversations(chosen, how, result);
  return result.done.length > 0 ? 0 : 1;
}

/** What is kept of the folder that the person is in, or of the nearest one around it. */
async function openStore({ undoSpace }: Settings): Promise<UndoStore | undefined> {
  const [{ findWorkspace }, { openUndoStore }] = await Promise.all([loadFindWorkspace(), loadUndo()]);
  const { data } = places();
  const workspace = findWorkspace(data, process.cwd());
  if (!workspace) return undefined;
  const store = openUndoStore({ data, roots: workspace.roots, limit: undoSpace });
  for (const sentence of await store.recover()) process.stderr.write(`${sanitize(sentence)}\n`);
  return store;
}

/** For a person, as a table; otherwise a line each. The newest comes first. */
async function list(steps: readonly UndoStep[], { json }: Settings, { output, style }: Screen): Promise<number> {
  const { undoFields, undoJson, undoTable, undoTableHead } = await loadUndoing();
  const newest = [...steps].reverse();
  if (!output.isTTY || json) for (const step of newest) output.write(json ? undoJson(step) : undoFields(step));
  else if (newest.length === 0) output.write("Nothing that was done in this folder can be taken back.\n");
  else {
    const columns = output.columns || 80;
    output.write(undoTableHead(columns, style));
    for (const text of undoTable(newest, columns, style)) output.write(text);
  }
  return newest.length === 0 ? 1 : 0;
}

/** The steps that are meant, or why there are none. */
async function choose(
  steps: readonly UndoStep[],
  number: number | undefined,
  how: How,
): Promise<readonly UndoStep[] | string> {
  const { checkStep, lastTurn, lastUndone } = await loadUndoing();
  if (number !== undefined) return checkStep(steps, number, how) ?? steps.filter((step) => step.number === number);
  const chosen = how === "undo" ? lastTurn(steps) : lastUndone(steps);
  if (chosen.length > 0) return chosen;
  return how === "undo"
    ? "Nothing that was done in this folder can be taken back."
    : "Nothing was taken back in this folder that could be put back.";
}

const isWatched = ({ choices }: CommandLine): boolean =>
  process.stdin.isTTY === true && process.stdout.isTTY === true && !choices.json;

/** What steps had done, as far as it is known. */
async function effectsOf(store: UndoStore, numbers: readonly number[]): Promise<Effects[]> {
  const { effectsOfStep } = await loadDescribing();
  return numbers.flatMap((number) => effectsOfStep(store.folder, number, [process.cwd()]) ?? []);
}

/** In a pipe nothing is broken. */
const columnsOf = ({ output }: Screen): number => (output.isTTY ? output.columns || 80 : Number.POSITIVE_INFINITY);

async function isMeant(store: UndoStore, steps: readonly UndoStep[], how: How, screen: Screen): Promise<boolean> {
  const { output, style } = screen;
  const { turnedBy, turnedLines, undoTable } = await loadUndoing();
  for (const text of undoTable(steps, output.columns || 80, style)) output.write(text);
  const numbers = steps.map(({ number }) => number).sort((one, other) => (how === "undo" ? other - one : one - other));
  const turned = turnedBy(await effectsOf(store, numbers), how);
  for (const text of turnedLines(turned, how, "asked", columnsOf(screen))) output.write(text);
  const question = how === "undo" ? "Take this back?" : "Put this back?";
  return withLines((lines) => askYesNo(lines, question));
}

/** Undefined when files were changed since and nothing is to be done about it. */
async function move(
  store: UndoStore,
  steps: readonly UndoStep[],
  how: How,
  changedSince: ChangedSince,
  screen: Screen | undefined,
): Promise<UndoResult | undefined> {
  const numbers = steps.map(({ number }) => number);
  const result = await store[how](numbers, { changedSince });
  if (changedSince !== "refuse" || result.done.length > 0 || result.conflicts.length === 0) return result;
  const { askConflicts, conflictLines } = await loadUndoing();
  if (screen) {
    const { style, output } = screen;
    const print = (text: string): void => void output.write(text);
    const chosen = await withLines((lines) => askConflicts(result, how, process.cwd(), { lines, style, print }));
    return chosen && store[how](numbers, { changedSince: chosen });
  }
  const done = how === "undo" ? "taken back" : "put back";
  process.stderr.write(`Nothing was ${done}: what was done to these files since would be lost.\n`);
  for (const text of conflictLines(result.conflicts, process.cwd(), screenFor({ plain: true }).style))
    process.stderr.write(text);
  process.stderr.write("--leave_changed leaves them as they are, --overwrite_changed overwrites them.\n");
  return undefined;
}

/** Whoever goes on with a conversation of these steps hears of it, so that the model does not believe in files that are gone. */
function tellConversations(steps: readonly UndoStep[], how: How, { done, files }: UndoResult): void {
  const moved = steps.filter(({ number }) => done.includes(number));
  const names = new Set(moved.flatMap(({ facts }) => facts.conversation ?? []));
  for (const name of names) leaveNote(places().data, name, undoNote(how, files));
}

async function withLines<T>(use: (lines: import("./line-reader.ts").LineReader) => Promise<T>): Promise<T> {
  const { LineReader } = await import("./line-reader.ts");
  const lines = new LineReader(process.stdin, process.stdout, { plain: true });
  lines.onInterrupt = () => lines.close();
  try {
    return await use(lines);
  } finally {
    lines.close();
  }
}

function fail(sentence: string): number {
  process.stderr.write(`${sanitize(sentence)}\n`);
  return 1;
}
