// Keeps the conversation on disk in step with what is shown: every chunk before it is handed out, every message when complete.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Conversation, type Entry, Keeper, type Told } from "../conversations/index.ts";
import { type Chunk, createFolder, type Message } from "../messages/index.ts";
import type { Mask } from "../privacy/index.ts";

/** Of output, whose whole is in a file of its own when it is long. */
const draftedOutput = 64 * 1024;

export interface Recorder {
  /** The name of the conversation; empty when it is not kept. */
  readonly name: string;
  /** Where its files are. */
  readonly folder: string;
  /** Called with each chunk before anybody sees it. */
  chunk(chunk: Chunk): void;
  message(message: Message): void;
  /** What is not a message: what was used, a title, an undo. */
  note(entry: Entry): void;
  /** Other messages are in the place of all there were. */
  replace(messages: readonly Message[]): void;
  /** A file beside the log. `now`: it is about to be written. */
  fileFor(name: string, now?: boolean): string;
  /** What the person has to know about the keeping, once. */
  notices(): Chunk[];
  /** A turn is over. */
  rest(): void;
  close(): void;
}

/** Nothing that `mask` knows is written. */
export function createRecorder(conversations: string, cwd: string, mask: Mask, resumed?: Conversation): Recorder {
  const folding = createFolder(0);
  const told: Chunk[] = [];
  const tell = (notice: Told): void => void told.push({ role: "server", type: "notice", ...notice });
  const keeper = new Keeper(conversations, cwd, resumed, tell, mask);
  let drafted = 0;

  return {
    get name() {
      return keeper.id;
    },
    get folder() {
      return keeper.folder;
    },
    chunk(chunk) {
      folding.push(chunk);
      if (chunk.start) drafted = 0;
      if (!folding.open || chunk.end) return;
      if (chunk.type === "console" && typeof chunk.content === "string") drafted += chunk.content.length;
      if (drafted <= draftedOutput || chunk.outputFile) keeper.draft(chunk);
    },
    message: (message) => keeper.add({ message }),
    note: (entry) => keeper.add(entry),
    replace: (messages) => keeper.replace(messages),
    fileFor: (name, now) => keeper.fileFor(name, now),
    notices: () => told.splice(0),
    rest: () => keeper.rest(),
    close: () => keeper.close(),
  };
}

/** A recorder that keeps nothing, for programs that keep conversations themselves. */
export function forgetfulRecorder(folder: string): Recorder {
  const fileFor = (name: string, now?: boolean): string => {
    if (now) mkdirSync(folder, { recursive: true, mode: 0o700 });
    return join(folder, name);
  };
  const nothing = () => {};
  return {
    name: "",
    folder,
    chunk: nothing,
    message: nothing,
    note: nothing,
    replace: nothing,
    fileFor,
    notices: () => [],
    rest: nothing,
    close: nothing,
  };
}
