// The whole output of a step, on disk as soon as it is more than a message holds.

import { closeSync, mkdirSync, writeSync } from "node:fs";
import { basename, dirname } from "node:path";
import { holdFolder } from "../machine/index.ts";
import type { MaskedStream } from "../privacy/index.ts";

const largest = 2 * 1024 ** 3;

export class OutputFile {
  readonly #path: string;
  readonly #threshold: number;
  readonly #mask: MaskedStream | undefined;
  #held = "";
  #file: number | undefined;
  #written = 0;
  #broken = false;

  /** Nothing is written before `threshold` characters have come together, and nothing that is masked. */
  constructor(path: string, threshold: number, mask?: MaskedStream) {
    this.#path = path;
    this.#mask = mask;
    this.#threshold = threshold;
  }

  /** Takes more output; names the file when this piece began it. */
  add(text: string): { outputFile?: string } {
    const before = this.#file;
    this.#write(text);
    return before === undefined && this.#file !== undefined && !this.#broken ? { outputFile: this.#path } : {};
  }

  #write(text: string): void {
    if (this.#broken || this.#written > largest) return;
    if (this.#file === undefined) {
      this.#held += text;
      if (this.#held.length <= this.#threshold) return;
    }
    try {
      if (this.#file === undefined) {
        this.#file = create(this.#path);
        text = this.#held;
        this.#held = "";
      }
      this.#written += writeSync(this.#file, this.#mask?.push(text) ?? text);
    } catch {
      this.#broken = true; // a full or read-only disk: the output itself goes on
    }
  }

  /** Closes the file and names it, if there is one that holds everything it should. */
  finish(): { outputFile?: string } {
    if (this.#file === undefined) return {};
    this.#writeRest(this.#file);
    closeSync(this.#file);
    return this.#broken ? {} : { outputFile: this.#path };
  }

  /** What was held back because it might have become a secret. */
  #writeRest(file: number): void {
    try {
      const rest = this.#mask?.end();
      if (rest) writeSync(file, rest);
    } catch {
      this.#broken = true;
    }
  }
}

/** The folder of a conversation that is not kept is a temporary one, where code can write, too. */
function create(path: string): number {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const folder = holdFolder(dirname(path));
  try {
    folder.delete(basename(path));
    return folder.create(basename(path));
  } finally {
    folder.close();
  }
}
