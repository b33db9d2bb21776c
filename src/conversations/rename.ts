// Another name for a conversation that is not going on: a line more in its log.

import { join } from "node:path";
import { takeLock, theProcess } from "../machine/index.ts";
import { InputProblem } from "../settings/index.ts";
import { logVersion } from "./lines.ts";
import { loadConversation } from "./load.ts";
import { ConversationLog } from "./log.ts";
import { whyNotWritten } from "./not-written.ts";

/** `name` is one of those that findConversation gives. */
export function renameConversation(conversations: string, name: string, title: string): void {
  const folder = join(conversations, name);
  const conversation = loadConversation(folder);
  if (!conversation) throw new InputProblem(`${folder} holds no conversation.`);
  if (conversation.header.version > logVersion)
    throw new InputProblem("It was written by a newer version of this program: nothing was changed.");
  try {
    const lock = takeLock(folder);
    if ("process" in lock)
      throw new InputProblem(`It is open in ${theProcess(lock)}: nothing was changed.`, "Use /rename there.");
    try {
      const log = new ConversationLog(folder, conversation.header, conversation);
      log.title(title);
      log.rest();
      log.close();
    } finally {
      lock.release();
    }
  } catch (error) {
    const why = whyNotWritten(error, folder);
    throw why ? new InputProblem(`It could not be renamed: ${why}.`) : error;
  }
}
