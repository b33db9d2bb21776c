// Reads a conversation back. Whatever happened to the file, what can be read is read, and what cannot is said.

import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { checkMessage, createFolder, type Message } from "../messages/index.ts";
import type { Usage } from "../models/index.ts";
import {
  type DraftLine,
  draftName,
  type Header,
  isHeader,
  logName,
  logVersion,
  parseLine as parse,
  readLines,
} from "./lines.ts";
import { readPicture, withPicture } from "./pictures.ts";

export interface Conversation {
  folder: string;
  header: Header;
  /** What the person calls it. */
  title?: string;
  messages: Message[];
  /** What each of its requests has used. */
  usage: Usage[];
  /** The last of the messages, when a process ended while it was being written: it is not in the log yet. */
  unfinished?: Message;
  /** One sentence for each thing that could not be read. */
  problems: string[];
  /** Bytes of the log when it was read. */
  size: number;
}

export function loadConversation(folder: string): Conversation | undefined {
  const path = join(folder, logName);
  const facts = statSync(path, { throwIfNoEntry: false });
  if (!facts) return undefined;
  const log = new Reading(folder, path, facts.size);
  for (const line of readLines(path)) log.take(line);
  return log.whole();
}

class Reading {
  readonly #folder: string;
  readonly #path: string;
  readonly #size: number;
  readonly #problems: string[] = [];
  readonly #messages: Message[] = [];
  readonly #undone: Message[][] = [];
  readonly #usage: Usage[] = [];
  #header: Header | undefined;
  #title: string | undefined;
  #lines = 0;
  /** Lines of kinds that only newer versions know. */
  #unknown = 0;
  /** A damaged line, until it is known whether it was written again. */
  #damaged: { line: string; number: number } | undefined;

  constructor(folder: string, path: string, size: number) {
    this.#folder = folder;
    this.#path = path;
    this.#size = size;
  }

  take(line: string): void {
    const number = ++this.#lines;
    if (line === "") return;
    // On a full disk a line can be cut off; it is written again, whole, when there is room.
    if (this.#damaged && !line.startsWith(this.#damaged.line)) this.#tellDamage();
    this.#damaged = undefined;
    const value = parse(line);
    if (number === 1 && isHeader(value)) this.#header = value;
    else if (typeof value !== "object" || value === null) this.#damaged = { line, number };
    else this.#takeEntry(value, number);
  }

  #takeEntry(value: object, number: number): void {
    const { message, picture, usage, undo, redo, title, missing, digest } = value as Record<string, unknown>;
    if (message !== undefined) this.#takeMessage(message, picture, number);
    else if (isUsage(usage)) this.#usage.push(usage);
    else if (isCount(undo)) this.#undone.push(this.#messages.splice(Math.max(0, this.#messages.length - undo)));
    else if (isCount(redo)) this.#messages.push(...(this.#undone.pop() ?? []));
    else if (typeof title === "string") this.#title = title;
    else if (isCount(missing))
      this.#problems.push(`${missing} messages are missing: the disk was full when they should have been written.`);
    else if (digest === undefined) this.#unknown++;
  }

  #takeMessage(message: unknown, picture: unknown, number: number): void {
    const wrong = checkMessage(message);
    if (wrong) {
      this.#problems.push(`Line ${number} of ${this.#path} was left out: ${wrong}.`);
      return;
    }
    this.#undone.length = 0;
    if (typeof picture !== "string") this.#messages.push(message as Message);
    else {
      const { message: whole, problem } = withPicture(this.#folder, message as Message, picture);
      this.#messages.push(whole);
      if (problem) this.#problems.push(problem);
    }
  }

  #tellDamage(): void {
    this.#problems.push(`Line ${this.#damaged!.number} of ${this.#path} is damaged and was left out.`);
  }

  whole(): Conversation | undefined {
    if (this.#lines === 0) return undefined;
    if (this.#damaged) this.#tellDamage();
    const header = this.#header ?? { conversation: basename(this.#folder), version: logVersion, created: "", cwd: "" };
    if (!this.#header) this.#problems.push(`${this.#path} does not say where and when it was begun.`);
    const version = header.version > logVersion ? ` It was written by a newer version (${header.version}).` : "";
    if (this.#unknown > 0 || version)
      this.#problems.push(
        `${this.#unknown} lines of ${this.#path} are of kinds unknown here and were skipped.${version}`,
      );
    const whole = {
      folder: this.#folder,
      header,
      ...(this.#title && { title: this.#title }),
      usage: this.#usage,
      problems: this.#problems,
      size: this.#size,
    };
    const unfinished = readDraft(this.#folder, this.#messages.length);
    return unfinished
      ? { ...whole, messages: [...this.#messages, unfinished], unfinished }
      : { ...whole, messages: this.#messages };
  }
}

/** Folders of conversations that have a log, the last changed first. */
export function foldersByChange(conversations: string): { folder: string; changed: number; size: number }[] {
  return namesIn(conversations)
    .flatMap((name) => {
      const folder = join(conversations, name);
      const facts = statSync(join(folder, logName), { throwIfNoEntry: false });
      return facts ? [{ folder, changed: facts.mtimeMs, size: facts.size }] : [];
    })
    .sort((a, b) => b.changed - a.changed);
}

/** The names of the conversations' folders; a dot begins the name of one that is being made. */
export function namesIn(conversations: string): string[] {
  try {
    return readdirSync(conversations).filter((name) => !name.startsWith("."));
  } catch {
    return [];
  }
}

/** The newest conversation held in `cwd`. */
export function latestConversation(conversations: string, cwd: string): Conversation | undefined {
  for (const { folder } of foldersByChange(conversations)) {
    if (headerOf(folder)?.cwd !== cwd) continue;
    const conversation = loadConversation(folder);
    if (conversation && conversation.messages.length > 0) return conversation;
  }
  return undefined;
}

/** Whether a message was being written when a process ended, or is now. */
export const hasDraft = (folder: string): boolean =>
  (statSync(join(folder, draftName), { throwIfNoEntry: false })?.size ?? 0) > 0;

/** The message that was being written when the process ended. */
function readDraft(folder: string, messages: number): Message | undefined {
  if (!hasDraft(folder)) return undefined;
  const fold = createFolder();
  for (const line of readLines(join(folder, draftName))) {
    const { after, chunk, picture } = Object(parse(line)) as Partial<DraftLine>;
    if (after !== messages || !chunk) continue;
    fold.push(picture ? { ...chunk, content: readPicture(join(folder, basename(picture))) } : chunk);
  }
  const { open } = fold;
  return open && open.content !== "" && !checkMessage(open) ? { ...open, incomplete: true } : undefined;
}

const longestHeader = 16_384;

/** Without reading more than the first line. */
export function headerOf(folder: string): Header | undefined {
  const file = openSync(join(folder, logName), "r");
  try {
    const bytes = Buffer.allocUnsafe(longestHeader);
    const text = bytes.toString("utf8", 0, readSync(file, bytes, 0, longestHeader, 0));
    const value = parse(text.split("\n", 1)[0]!);
    return isHeader(value) ? value : undefined;
  } finally {
    closeSync(file);
  }
}

function isUsage(usage: unknown): usage is Usage {
  const { inputTokens, outputTokens } = Object(usage) as Partial<Usage>;
  return typeof inputTokens === "number" && typeof outputTokens === "number";
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;
