// What the person never wants to be sent. Without patterns nothing is loaded and nothing is read.

import type { Message } from "../../messages/index.ts";
import { InputProblem } from "../../settings/index.ts";
import type { HiddenData } from "./never-send.ts";
import { patternOf, readPattern } from "./patterns.ts";

/** Files that words mention: @notes.txt, @"my notes.txt". */
const mentions = /(?:^|\s)@(?:"([^"\n]+)"|([^\s"]+))/g;

export class NeverSend {
  readonly #patterns: () => readonly string[];
  readonly #cwd: string;
  #made: { of: string; data: Promise<HiddenData> } | undefined;

  /** `patterns` are asked for each time: a profile may change them. */
  constructor(patterns: () => readonly string[], cwd: string) {
    this.#patterns = patterns;
    this.#cwd = cwd;
  }

  get patterns(): readonly string[] {
    return this.#patterns();
  }

  /** What may be sent of these messages. */
  async hide(messages: readonly Message[]): Promise<readonly Message[]> {
    if (this.patterns.length === 0) return messages;
    return (await this.#data()).hide(messages);
  }

  /** Throws InputProblem for a message that brings along a file which is not to be sent. */
  check({ role, type, format, content }: Message): void {
    if (this.patterns.length === 0 || role !== "user") return;
    if (type === "file" || (type === "image" && format === "path")) this.#refuse(content);
    else if (type === "message")
      for (const [, quoted, bare] of content.matchAll(mentions))
        this.#refuse(quoted ?? bare!.replace(/[.,;:!?)]+$/, ""));
  }

  #refuse(path: string): void {
    const pattern = patternOf(path, this.patterns.map(readPattern), this.#cwd);
    if (!pattern) return;
    throw new InputProblem(
      `${path} is not sent: never_send has ${JSON.stringify(pattern.written)}.`,
      "Nothing was said. Name the file without @ and let code work with it: its values stay hidden from the model.",
    );
  }

  #data(): Promise<HiddenData> {
    const of = this.patterns.join("\n");
    if (this.#made?.of !== of) this.#made = { of, data: this.#open() };
    return this.#made.data;
  }

  async #open(): Promise<HiddenData> {
    const { HiddenData } = await import("./never-send.ts");
    return new HiddenData(this.patterns.map(readPattern), this.#cwd);
  }
}
