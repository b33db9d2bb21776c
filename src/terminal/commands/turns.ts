// Commands that take back the last turn: /undo, /retry, /edit; and /redo, which puts it back.

import type { Message } from "../../messages/index.ts";
import { sanitize } from "../sanitize.ts";
import type { ChatControls } from "./command.ts";

const nothing = "There is no turn to take back.\n";

export async function undo({ interpreter, view, print }: ChatControls): Promise<void> {
  const undone = interpreter.undo();
  if (undone.length === 0) return print(nothing);
  print(`Taken back: ${preview(wordsOf(undone))}\n`);
  if (undone.some(({ type }) => type === "code"))
    print(view.style.dim("What its code did stays done: files and sessions are as it left them.\n"));
}

export async function redo({ interpreter, print }: ChatControls): Promise<void> {
  const again = interpreter.redo();
  print(again.length === 0 ? "There is no turn to put back.\n" : `Put back: ${preview(wordsOf(again))}\n`);
}

export async function retry({ interpreter, follow, print }: ChatControls): Promise<void> {
  const undone = interpreter.undo();
  if (undone.length === 0) return print(nothing);
  const words = wordsOf(undone);
  print(`> ${sanitize(words)}\n`);
  for (const message of attachedTo(undone)) interpreter.add(message);
  await follow(true, (signal) => interpreter.chat(words, { stream: true, signal }));
}

/** Where the line cannot be written on, the person's editor opens. */
export async function edit(chat: ChatControls): Promise<void> {
  const { interpreter, lines, print } = chat;
  const undone = interpreter.undo();
  if (undone.length === 0) return print(nothing);
  for (const message of attachedTo(undone)) interpreter.add(message);
  if (lines.write(wordsOf(undone))) return;
  const { editElsewhere } = await import("../external-editor.ts");
  const resume = lines.suspend();
  const edited = await editElsewhere(wordsOf(undone), "message.md").finally(resume);
  if (!edited?.trim()) return print("Nothing was said.\n");
  await chat.follow(true, (signal) => interpreter.chat(edited, { stream: true, signal }));
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
