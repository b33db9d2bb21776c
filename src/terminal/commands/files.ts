// Commands about files: the conversation as one, messages as JSON, opening what was shown, pictures for the model.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { ExportKind } from "../../conversations/index.ts";
import { checkMessages } from "../../messages/index.ts";
import { maskMessage } from "../../privacy/index.ts";
import { InputProblem } from "../../settings/index.ts";
import { sanitize } from "../sanitize.ts";
import type { ChatControls } from "./command.ts";

export async function open({ files, interpreter, print }: ChatControls, written: string): Promise<void> {
  const { findFile, openFile } = await import("../pictures/open.ts");
  const found = findFile(written || undefined, files, interpreter.cwd);
  print("problem" in found ? `${found.problem}\n` : `${sanitize(await openFile(found.path))}\n`);
}

export async function takeImage({ interpreter, images, view, print }: ChatControls, written: string): Promise<void> {
  const { describe, takeImage: take } = await import("../images.ts");
  const taken = await take(written || undefined, interpreter);
  if ("problem" in taken) return print(`${taken.problem}\n`);
  images.push(taken);
  print(view.style.dim(`${describe(taken)} goes along with your next message.\n`));
}

export async function exportTo(chat: ChatControls, written: string): Promise<void> {
  const { readExport } = await import("../export-file.ts");
  const { kind, file, clean } = await readExport(written);
  if (!clean) return write(chat, kind, file, chat.interpreter.cwd);
  if (chat.interpreter.messages.length === 0) return chat.print("There is nothing to export yet.\n");
  const { exportCleanFrom } = await import("./export-clean.ts");
  return exportCleanFrom(chat, kind, file ? within(chat.interpreter.cwd, file) : undefined);
}

export async function exportToDownloads(chat: ChatControls, kind: ExportKind, file: string): Promise<void> {
  const downloads = join(homedir(), "Downloads");
  await write(chat, kind, file, existsSync(downloads) ? downloads : chat.interpreter.cwd);
}

/** Into `folder` where no file is named. */
async function write(
  { interpreter, print }: ChatControls,
  kind: ExportKind,
  file: string,
  folder: string,
): Promise<void> {
  const { title, cwd, secrets } = interpreter;
  // A file may be handed on: it says no more than what is kept.
  const messages = interpreter.messages.map((message) => maskMessage(message, secrets));
  if (messages.length === 0) return print("There is nothing to export yet.\n");
  const { exportToFile } = await import("../export-file.ts");
  const named = file && { path: within(cwd, file) };
  const path = await exportToFile({ kind, messages, folder, ...(title !== undefined && { title }), ...named });
  print(`Written: ${sanitize(path)}\n`);
}

export function saveMessages({ interpreter, print }: ChatControls, file: string): void {
  const path = asJson(interpreter.cwd, file);
  create(path, `${JSON.stringify(interpreter.messages, null, 2)}\n`);
  print(`Written: ${sanitize(path)}\n`);
}

export async function loadMessages({ interpreter, print }: ChatControls, file: string): Promise<void> {
  const path = asJson(interpreter.cwd, file);
  let messages: unknown;
  try {
    messages = JSON.parse(readFileSync(path, "utf8"));
    checkMessages(messages);
  } catch (error) {
    throw new InputProblem(`${path} cannot be loaded: ${(error as Error).message}`, "Nothing was changed.");
  }
  await interpreter.reset();
  for (const message of messages) interpreter.add(message);
  print(`A new conversation with ${messages.length} messages. The sessions are new, too.\n`);
}

const asJson = (cwd: string, file: string): string =>
  within(cwd, file === "" ? "messages.json" : file.endsWith(".json") ? file : `${file}.json`);

const within = (cwd: string, file: string): string =>
  resolve(
    cwd,
    file.replace(/^(["'])(.*)\1$/, "$2").replace(/^~(?=[/\\]|$)/, () => homedir()),
  );

/** A file of ours never takes the place of one of theirs. */
function create(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: "wx", mode: 0o600 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw new InputProblem(`${path} is there already.`, "Name another file.");
    throw new InputProblem(`${path} cannot be written: ${message}`, "Name another file.");
  }
}
