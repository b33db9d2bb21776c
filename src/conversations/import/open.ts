// A notebook as a new conversation on disk, to go on with.

import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { logVersion } from "../lines.ts";
import { type Conversation, loadConversation } from "../load.ts";
import { ConversationLog } from "../log.ts";
import { newName } from "../name.ts";
import { importNotebook } from "./index.ts";

export interface OpenedNotebook {
  conversation: Conversation;
  /** How many blocks it has. */
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
  // Under a name that nobody lists until it is whole.
  const making = join(conversations, `.${name}`);
  const keep = (file: string, text: string): string => {
    mkdirSync(making, { recursive: true, mode: 0o700 });
    writeFileSync(join(making, file), text, { mode: 0o600 });
    return join(folder, file);
  };
  try {
    const { messages, title, problems } = await importNotebook(path, { maxOutput, keep });
    const log = new ConversationLog(making, {
      conversation: name,
      version: logVersion,
      created: new Date().toISOString(),
      cwd,
    });
    try {
      for (const message of messages) log.append(message);
      log.append({ role: "user", type: "message", recipient: "assistant", content: noteAbout(basename(path)) });
      log.title(title);
      log.rest();
    } finally {
      log.close();
    }
    renameSync(making, folder);
    const blocks = messages.filter(({ role, type }) => type === "code" && role !== "computer").length;
    return { conversation: loadConversation(folder)!, blocks, problems };
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    throw error;
  }
}

const noteAbout = (name: string): string =>
  `(What is above is the notebook ${name}, opened by the user. None of its code was run here: outputs are as the notebook has them, and its variables exist only once its blocks are run again.)`;
