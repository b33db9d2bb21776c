// What a command of the chat is, and what it may use of the chat.

import type { Interpreter, InterpreterOptions } from "../../interpreter/index.ts";
import type { Chunk } from "../../messages/index.ts";
import type { Settings } from "../../settings/index.ts";
import type { FoundImage } from "../image-names.ts";
import type { LineReader } from "../line-reader.ts";
import type { ShownFiles } from "../pictures/index.ts";
import type { View } from "../view.ts";

export interface Command {
  /** As it is written after / or %. */
  name: string;
  /** Other names it has. */
  aliases?: readonly string[];
  /** What may follow it, as the help shows it. */
  argument?: string;
  /** What the argument can be, for Tab. */
  words?: readonly string[];
  help: string;
  /** Known from the original: listed apart. */
  legacy?: true;
  /** `argument` is what was written after the name, without the spaces around it. */
  run(chat: ChatControls, argument: string): void | Promise<void>;
}

export interface ChatControls {
  readonly interpreter: Interpreter;
  readonly view: View;
  readonly lines: LineReader;
  /** Pictures and pages that were shown. */
  readonly files: ShownFiles;
  /** Pictures for the next message. */
  readonly images: FoundImage[];
  /** What holds now; a profile changes it. */
  settings: Settings;
  /** The session that typed lines go to; undefined means the model. */
  language: string | undefined;
  print(text: string): void;
  /** Shows what comes of something, until it ends or the person stops it. `saying`: what is typed meanwhile is for the model. */
  follow(saying: boolean, start: (signal: AbortSignal) => AsyncIterable<Chunk>): Promise<void>;
  /** Does something that Ctrl-C ends. */
  stoppable<T>(action: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Asks something that Ctrl-C gives up. */
  ask<T>(question: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Whoever wants to know what is asked of the model is told with this. */
  readonly trace: (line: string) => void;
  readonly start: ChatStart;
  quit(): void;
}

/** What the chat has from the command that started it. */
export interface ChatStart {
  version: string;
  /** What is said first. */
  said: string;
  /** It begins with a notebook, whose blocks may be run before anything is said. */
  notebook?: boolean;
  /** What holds with another profile; the flags of this start still win. */
  loadProfile(name: string): Promise<{ settings: Settings; options: InterpreterOptions }>;
}
