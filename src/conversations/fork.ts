// A copy of a conversation up to one of its turns, to go on with in another direction. The one it comes from stays as it is,
// and may be deleted: files beside it that the copy speaks of are there for both.

import { copyFileSync, linkSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { Message } from "../messages/index.ts";
import type { Mask } from "../privacy/index.ts";
import { type Entry, logVersion } from "./lines.ts";
import { type Conversation, loadConversation } from "./load.ts";
import { ConversationLog } from "./log.ts";
import { newName } from "./name.ts";
import { pictureOf } from "./pictures.ts";
import { turnStarts } from "./turns.ts";

export interface Fork {
  /** What the copy begins with. */
  messages: readonly Message[];
  title: string;
  cwd: string;
  /** The conversation they are from, if it is kept. */
  from?: { conversation: string; folder: string } | undefined;
  /** What must not be written. */
  mask?: Mask | undefined;
}

/** What it cost stays with the conversation it comes from. */
export function forkConversation(conversations: string, { messages, title, cwd, from, mask }: Fork): Conversation {
  const conversation = newName();
  const folder = join(conversations, conversation);
  // Under a name that nobody lists until it is whole.
  const making = join(conversations, `.${conversation}`);
  const origin = from && { conversation: from.conversation, turns: turnStarts(messages).length };
  const created = new Date().toISOString();
  try {
    const header = { conversation, version: logVersion, created, cwd, ...(origin && { from: origin }) };
    const log = new ConversationLog(making, header, undefined, mask);
    try {
      const move = from ? mover(from.folder, folder, making) : (message: Message): Entry => ({ message });
      for (const message of messages) log.add(move(message));
      log.title(title);
      log.rest();
    } finally {
      log.close();
    }
    renameSync(making, folder);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    throw error;
  }
  return loadConversation(folder)!;
}

/** Gives messages the place of the copy, where they name files beside the conversation; the files come along. */
function mover(from: string, to: string, making: string): (message: Message) => Entry {
  const inside = JSON.stringify(join(from, "x")).slice(1, -2);
  const there = JSON.stringify(join(to, "x")).slice(1, -2);
  const named = new RegExp(`${inside.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}([\\w.-]+)`, "g");
  return (message) => {
    const picture = pictureOf(message);
    if (picture) bring(picture.path, join(making, basename(picture.path)));
    const text = JSON.stringify(picture?.rest ?? message);
    for (const [, name] of text.matchAll(named)) bring(join(from, name!), join(making, name!));
    const moved = JSON.parse(text.replaceAll(inside, () => there)) as Message;
    return picture ? { message: moved, picture: basename(picture.path) } : { message: moved };
  };
}

/** As a second name of the same file where that can be. What is not there any more is not missed. */
function bring(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" || code === "ENOENT") return;
    copyFileSync(from, to);
  }
}
