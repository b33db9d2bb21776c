// Commands that take back the last turn: /undo, /retry, /edit; and /redo, which puts it back. With a number, /undo and /redo are
// about the files of one step.

import type { Undone } from "../../interpreter/index.ts";
import type { UndoResult } from "../../machine/index.ts";
import type { Message } from "../../messages/index.ts";
import { InputProblem } from "../../settings/index.ts";
import { type How, loadUndoing } from "../effects/index.ts";
import { sanitize } from "../sanitize.ts";
import { foldWords } from "../text/fold-words.ts";
import type { ChatControls } from "./command.ts";

const nothing = "There is no turn to take back.\n";

export async function undo(chat: ChatControls, written: string): Promise<void> {
  if (/^(list|ls|--list)$/i.test(written)) return listSteps(chat);
  if (written !== "") return moveStep(chat, "undo", written);
  const undone = await moveTurn(chat, "undo");
  if (!undone) return;
  const { messages } = undone;
  if (messages.length === 0) return chat.print(nothing);
  chat.print(`Taken back: ${preview(wordsOf(messages))}\n`);
  await sayFiles(chat, "undo", undone);
}

export async function redo(chat: ChatControls, written: string): Promise<void> {
  if (written !== "") return moveStep(chat, "redo", written);
  const undone = await moveTurn(chat, "redo");
  if (!undone) return;
  const { messages } = undone;
  if (messages.length === 0) return chat.print("There is no turn to put back.\n");
  chat.print(`Put back: ${preview(wordsOf(messages))}\n`);
  await sayFiles(chat, "redo", undone);
}

export async function retry(chat: ChatControls): Promise<void> {
  const { interpreter, follow, print } = chat;
  const undone = await moveTurn(chat, "undo");
  if (!undone) return;
  const { messages } = undone;
  if (messages.length === 0) return print(nothing);
  await sayFiles(chat, "undo", undone);
  const words = wordsOf(messages);
  print(`> ${sanitize(words)}\n`);
  for (const message of attachedTo(messages)) interpreter.add(message);
  await follow(true, (signal) => interpreter.chat(words, { stream: true, signal }));
}

/** Where the line cannot be written on, the person's editor opens. */
export async function edit(chat: ChatControls): Promise<void> {
  const { interpreter, lines, print } = chat;
  const undone = await moveTurn(chat, "undo");
  if (!undone) return;
  const { messages } = undone;
  if (messages.length === 0) return print(nothing);
  await sayFiles(chat, "undo", undone);
  for (const message of attachedTo(messages)) interpreter.add(message);
  if (lines.write(wordsOf(messages))) return;
  const { editElsewhere } = await import("../external-editor.ts");
  const resume = lines.suspend();
  const edited = await editElsewhere(wordsOf(messages), "message.md").finally(resume);
  if (!edited?.trim()) return print("Nothing was said.\n");
  await chat.follow(true, (signal) => interpreter.chat(edited, { stream: true, signal }));
}

/** Conversation and files together; undefined when files were changed since and the person wants nothing done to them. */
async function moveTurn(chat: ChatControls, how: How): Promise<Undone | undefined> {
  const { interpreter, print } = chat;
  const undone = await interpreter[how]();
  if (!undone.files || undone.files.conflicts.length === 0 || undone.messages.length > 0) return undone;
  const changedSince = await askChanged(chat, how, undone.files);
  if (changedSince) return interpreter[how]({ changedSince });
  print("All is as it was.\n");
  return undefined;
}

async function askChanged({ interpreter, lines, view, print, ask }: ChatControls, how: How, files: UndoResult) {
  const { askConflicts } = await loadUndoing();
  const screen = { lines, style: view.style, print };
  return ask((signal) => askConflicts(files, how, interpreter.cwd, { ...screen, signal }));
}

/** What came back with the turn, and what did not. */
async function sayFiles(chat: ChatControls, how: How, { messages, files }: Undone): Promise<void> {
  const { view, print } = chat;
  if (files) for (const line of await linesOf(files, how, chat)) print(line);
  if (how === "redo" || !messages.some(({ type }) => type === "code")) return;
  const what = files ? "Variables, and whatever it did elsewhere," : "What its code did stays done: files and sessions";
  print(view.style.dim(`${what} ${files ? "stay" : "are"} as it left them.\n`));
}

/** What became of files, in lines. */
async function linesOf(result: UndoResult, how: How, { interpreter, view }: ChatControls): Promise<string[]> {
  const { resultLines } = await loadUndoing();
  const found = await Promise.all(result.done.map((number) => interpreter.effectsOf(number)));
  const { cwd } = interpreter;
  const columns = process.stdout.columns || 80;
  return [...resultLines(result, { how, cwd, columns, style: view.style, steps: found.flatMap((step) => step ?? []) })];
}

async function moveStep(chat: ChatControls, how: How, written: string): Promise<void> {
  const { interpreter, print } = chat;
  const number = Number(/^#?(\d+)$/.exec(written)?.[1]);
  if (!number) throw new InputProblem(`${JSON.stringify(written)} is no step.`, "/undo list shows those there are.");
  const { checkStep } = await loadUndoing();
  const steps = await interpreter.undoable();
  const problem = checkStep(steps, number, how);
  if (problem) return print(`${problem}\n`);
  let result = await interpreter.undoSteps([number], how);
  if (result.done.length === 0 && result.conflicts.length > 0) {
    const changedSince = await askChanged(chat, how, result);
    if (!changedSince) return print("All is as it was.\n");
    result = await interpreter.undoSteps([number], how, { changedSince });
  }
  for (const line of await linesOf(result, how, chat)) print(line);
}

async function listSteps({ interpreter, view, print }: ChatControls): Promise<void> {
  const { undoTable } = await loadUndoing();
  const steps = [...(await interpreter.undoable())].reverse();
  if (steps.length === 0) return print("No step that changed files is kept here.\n");
  const columns = process.stdout.columns || 80;
  for (const line of undoTable(steps, columns, view.style)) print(line);
  const how = "/undo NUMBER takes one back, /redo NUMBER puts one back, /effects NUMBER shows it.\n";
  print(view.style.dim(foldWords(how, columns - 1)));
}

/** What the person said to begin it. */
const wordsOf = (turn: readonly Message[]): string => turn.find(({ type }) => type === "message")?.content ?? "";

/** Pictures and files that went along. */
const attachedTo = (turn: readonly Message[]): Message[] =>
  turn.slice(
    0,
    turn.findIndex(({ type }) => type === "message"),
  );

function preview(words: string): string {
  const line = sanitize(words).replace(/\s+/g, " ").trim();
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
