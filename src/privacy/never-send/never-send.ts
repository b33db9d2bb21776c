// Keeps values of files and columns from being sent: in every text for the model they are replaced, as far as they can be known.
// What is read once is not forgotten while the program runs: a block may have changed or deleted the file since.

import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, relative } from "node:path";
import type { Message } from "../../messages/index.ts";
import { isPicture } from "../secrets/messages.ts";
import { findFiles } from "./find-files.ts";
import { HiddenValues } from "./hidden-values.ts";
import { columnsOf, type Pattern, patternOf } from "./patterns.ts";
import { hasColumns, isUnread, readValues } from "./read-values.ts";

/** Of one message, so many columns are described. */
const mostDescribed = 10;

export class HiddenData {
  readonly #patterns: readonly Pattern[];
  readonly #cwd: string;
  readonly #values = new HiddenValues();
  /** The state in which each file was read. */
  readonly #read = new Map<string, string>();
  /** What was made of a message, as long as it and what is known stay the same. */
  readonly #made = new WeakMap<Message, { content: string; version: number; message: Message }>();
  #reading: Promise<void> = Promise.resolve();

  constructor(patterns: readonly Pattern[], cwd: string) {
    this.#patterns = patterns;
    this.#cwd = cwd;
  }

  /** What may be sent of these messages. What the model wrote itself is left as it is. */
  async hide(messages: readonly Message[]): Promise<readonly Message[]> {
    this.#reading = this.#reading.then(() => this.#refresh());
    await this.#reading;
    if (this.#values.empty) return messages;
    return messages.map((message) => this.#hideIn(message));
  }

  #hideIn(message: Message): Message {
    if (message.role === "assistant" || message.recipient === "user" || isPicture(message)) return message;
    const { content } = message;
    const { version } = this.#values;
    const before = this.#made.get(message);
    if (before?.content === content && before.version === version) return before.message;
    const { text, columns } = this.#values.hide(content);
    const said = columns.slice(0, mostDescribed).map((column) => this.#values.describe(column));
    const hidden = `${text.replace(/\n$/, "")}\n${said.join("\n")}\n`;
    const made = columns.length === 0 ? message : { ...message, content: hidden };
    this.#made.set(message, { content, version, message: made });
    return made;
  }

  async #refresh(): Promise<void> {
    for (const root of this.#roots()) for await (const path of findFiles(root)) await this.#look(path);
  }

  /** The working folder, and where patterns lead to that are about other places. */
  #roots(): string[] {
    const named = this.#patterns.flatMap(({ file = "" }) => {
      const whole = file.replace(/^~(?=[\\/]|$)/, () => homedir());
      if (!isAbsolute(whole)) return [];
      let folder = whole.replace(/[*?].*$/, "");
      while (!existsSync(folder) || folder.endsWith("*")) folder = dirname(folder);
      return [folder === whole ? dirname(whole) : folder];
    });
    return [...new Set([this.#cwd, ...named.filter((folder) => relative(this.#cwd, folder).startsWith(".."))])];
  }

  async #look(path: string): Promise<void> {
    const tests = columnsOf(path, this.#patterns, this.#cwd);
    const whole = patternOf(path, this.#patterns, this.#cwd) !== undefined;
    if (tests.length === 0 || isUnread(path) || (!whole && !hasColumns(path))) return;
    try {
      const { mtimeMs, size } = await stat(path);
      const state = `${mtimeMs} ${size}`;
      if (this.#read.get(path) === state) return;
      this.#read.set(path, state);
      const name = relative(this.#cwd, path);
      this.#values.begin(name);
      const wanted = (column: string): boolean => whole || tests.some((test) => test(column));
      await readValues(path, wanted, (column, value) => this.#values.add(name, column, value));
    } catch {
      // Gone, not ours to read, or not what its name says: then nobody here has read it either.
    }
  }
}
