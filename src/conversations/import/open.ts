// A notebook as a new conversation on disk, to go on with.

import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Conversation, loadConversation } from "../load.ts";
import { ConversationLog } from "../log.ts";
import { newName } from "../name.ts";
import { importNotebook } from "./index.ts";

export interface OpenedNotebook {
  conversation: Conversation;
  /** How many of its blocks can be run, and in which languages. */
  blocks: number;
  problems: string[];
}

/** Throws InputProblem when the file is no notebook. Its blocks are not run. */
export async function openNotebook(
  path: string,
  { conversations, cwd, maxOutput }: { conversations: string; cwd: string; maxOutput: number },
): Promise<OpenedNotebook> {
  const name = newName();
  const folder = join(conversations, name);
  const header = { conversation: name, version: 1 as const, created: new Date().toISOString(), cwd };
  const files: [path: string, text: string][] = [];
  const keep = (file: string, text: string): string => {
    files.push([join(folder, file), text]);
    return join(folder, file);
  };
  const { messages, title, problems } = await importNotebook(path, { maxOutput, keep });
  const log = new ConversationLog(folder, header);
  for (const [file, text] of files) writeFileSync(file, text, { mode: 0o600 });
  for (const message of messages) log.append(message);
  log.append({ role: "user", type: "message", recipient: "assistant", content: noteAbout(basename(path)) });
  log.title(title);
  log.close();
  const blocks = messages.filter(({ role, type }) => type === "code" && role !== "computer").length;
  return { conversation: loadConversation(folder)!, blocks, problems };
}

const noteAbout = (name: string): string =>
  `(What is above is the notebook ${name}, opened by the user. None of its code was run here: outputs are as the notebook has them, and its variables exist only once its blocks are run again.)`;
