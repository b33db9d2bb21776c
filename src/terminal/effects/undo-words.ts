// What is said when steps were taken back or put back, and what is asked when files were changed since.

import { relative } from "node:path";
import type { Effects, UndoResult } from "../../machine/index.ts";
import type { LineReader } from "../line-reader.ts";
import type { Style } from "../style.ts";
import { oneLine } from "./effects-line.ts";
import { turnedBy, turnedLines } from "./turned.ts";

export type How = "undo" | "redo";

const mostConflicts = 10;

/** From the folder the person is in, where it lies in there. */
export function nameIn(folder: string, path: string): string {
  const inner = relative(folder, path);
  return oneLine(inner === "" || inner.startsWith("..") ? path : inner);
}

export interface ResultWords {
  how: How;
  cwd: string;
  style: Style;
  columns: number;
  /** What the steps of the result had done, in its order. */
  steps: readonly Effects[];
}

/** What became of files and what did not; each ends with a line break. */
export function* resultLines(result: UndoResult, { how, cwd, style, columns, steps }: ResultWords): Generator<string> {
  const { files, conflicts, problems, done } = result;
  if (files.length > 0) yield* turnedLines(turnedBy(steps, how, new Set(files)), how, "done", columns);
  else if (done.length > 0) yield how === "undo" ? "All was as before it already.\n" : "All was so already.\n";
  const moved = new Set(files);
  const left = conflicts.filter(({ path }) => !moved.has(path));
  if (left.length > 0) {
    yield "Left as they are, since they were changed meanwhile:\n";
    yield* conflictLines(left, cwd, style);
  }
  for (const problem of problems) yield `${style.yellow("!")} ${oneLine(problem)}\n`;
}

export function* conflictLines(conflicts: UndoResult["conflicts"], cwd: string, style: Style): Generator<string> {
  for (const { path, why } of conflicts.slice(0, mostConflicts))
    yield `  ${nameIn(cwd, path)}  ${style.dim(oneLine(why))}\n`;
  const left = conflicts.length - mostConflicts;
  if (left > 0) yield style.dim(`  … and ${left} more\n`);
}

export interface ConflictScreen {
  lines: LineReader;
  style: Style;
  print(text: string): void;
  /** Whoever gives the question up wants nothing done. */
  signal?: AbortSignal;
}

/** What is to become of files that were changed since; undefined: nothing is done at all. */
export async function askConflicts(
  result: UndoResult,
  how: How,
  cwd: string,
  { lines, style, print, signal }: ConflictScreen,
): Promise<"leave" | "overwrite" | undefined> {
  const back = how === "undo" ? "taken back" : "put back";
  print(`Nothing was ${back}: what you or a later step did since would be lost.\n`);
  for (const line of conflictLines(result.conflicts, cwd, style)) print(line);
  const rest = style.dim(`l leaves these, o overwrites them, n does nothing:`);
  for (;;) {
    const answer = (await lines.line(`${style.bold("And now?")} ${rest} `, { ...(signal && { signal }) }))
      ?.trim()
      .toLowerCase();
    if (answer === undefined || /^(n|no|nothing|)$/.test(answer)) return undefined;
    if (/^(l|leave)$/.test(answer)) return "leave";
    if (/^(o|overwrite)$/.test(answer)) return "overwrite";
  }
}
