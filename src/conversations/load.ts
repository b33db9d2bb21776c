// Reads a conversation back. Whatever happened to the file, what can be read is read, and what cannot is said.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { checkMessage, createFolder, type Message } from "../messages/index.ts";
import type { Usage } from "../models/index.ts";
import { type DraftLine, draftName, type Header, logName } from "./log.ts";

export interface Conversation {
  folder: string;
  header: Header;
  messages: Message[];
  /** What each of its requests has used. */
  usage: Usage[];
  /** The last of the messages, when a process ended while it was being written: it is not in the log yet. */
  unfinished?: Message;
  /** One sentence for each thing that could not be read. */
  problems: string[];
}

export function loadConversation(folder: string): Conversation | undefined {
  const path = join(folder, logName);
  if (!existsSync(path)) return undefined;
  const problems: string[] = [];
  const messages: Message[] = [];
  let header: Header | undefined;
  const usage: Usage[] = [];
  for (const [index, line] of readFileSync(path, "utf8").split("\n").entries()) {
    if (line === "") continue;
    const value = parse(line);
    if (index === 0 && isHeader(value)) header = value;
    else if (value === undefined) problems.push(`Line ${index + 1} of ${path} is damaged and was left out.`);
    else if (isUsage(value)) usage.push(value.usage);
    else {
      const { message } = value as { message?: Message };
      const wrong = checkMessage(message);
      if (wrong) problems.push(`Line ${index + 1} of ${path} was left out: ${wrong}.`);
      else messages.push(message!);
    }
  }
  if (!header) return undefined;
  const unfinished = readDraft(join(folder, draftName), messages.length);
  if (!unfinished) return { folder, header, messages, usage, problems };
  return { folder, header, messages: [...messages, unfinished], usage, unfinished, problems };
}

/** The newest conversation held in `cwd`. */
export function latestConversation(conversations: string, cwd: string): Conversation | undefined {
  if (!existsSync(conversations)) return undefined;
  const folders = readdirSync(conversations)
    .map((name) => join(conversations, name))
    .flatMap((folder) => {
      const changed = statSync(join(folder, logName), { throwIfNoEntry: false })?.mtimeMs;
      return changed === undefined ? [] : [{ folder, changed }];
    })
    .sort((a, b) => b.changed - a.changed);
  for (const { folder } of folders) {
    if (headerOf(folder)?.cwd !== cwd) continue;
    const conversation = loadConversation(folder);
    if (conversation && conversation.messages.length > 0) return conversation;
  }
  return undefined;
}

/** The message that was being written when the process ended. */
function readDraft(path: string, messages: number): Message | undefined {
  if (!existsSync(path)) return undefined;
  const folder = createFolder();
  for (const line of readFileSync(path, "utf8").split("\n")) {
    const draft = parse(line) as DraftLine | undefined;
    if (draft?.after === messages && draft.chunk) folder.push(draft.chunk);
  }
  const open = folder.open;
  return open && open.content !== "" ? { ...open, incomplete: true } : undefined;
}

function headerOf(folder: string): Header | undefined {
  const line = readFileSync(join(folder, logName), "utf8").split("\n", 1)[0] ?? "";
  const value = parse(line);
  return isHeader(value) ? value : undefined;
}

function isHeader(value: unknown): value is Header {
  return typeof value === "object" && value !== null && typeof (value as Header).conversation === "string";
}

function isUsage(value: unknown): value is { usage: Usage } {
  const usage = (value as { usage?: Usage } | null)?.usage;
  return typeof usage?.inputTokens === "number" && typeof usage.outputTokens === "number";
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
