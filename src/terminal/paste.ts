// Bracketed paste: what is pasted arrives as one piece and is never taken for a pressed Enter.
// While it stands in the input line its line ends are shown as ⏎; they become line ends again when it is sent.

import { Transform } from "node:stream";

const begin = "\x1b[200~";
const finish = "\x1b[201~";
const shownBreak = "⏎";

export const enablePaste = "\x1b[?2004h";
export const disablePaste = "\x1b[?2004l";

/** Stands between the terminal and the line editor. */
export class PasteInput extends Transform {
  readonly isTTY = true;
  readonly #terminal: NodeJS.ReadStream;
  #inside = false;
  #held = "";

  constructor(terminal: NodeJS.ReadStream) {
    super({ encoding: "utf8" });
    this.#terminal = terminal;
  }

  setRawMode(on: boolean): this {
    this.#terminal.setRawMode(on);
    return this;
  }

  override _transform(chunk: Buffer, _encoding: string, done: () => void): void {
    let text = this.#held + chunk.toString("utf8");
    this.#held = "";
    for (;;) {
      const mark = this.#inside ? finish : begin;
      const at = text.indexOf(mark);
      if (at === -1) break;
      this.#pass(text.slice(0, at));
      this.#inside = !this.#inside;
      text = text.slice(at + mark.length);
    }
    const keep = this.#inside ? partial(text, finish) : 0;
    this.#held = text.slice(text.length - keep);
    this.#pass(text.slice(0, text.length - keep));
    done();
  }

  #pass(text: string): void {
    if (text === "") return;
    this.push(
      this.#inside
        ? text.replace(/\r\n|\r|\n/g, shownBreak).replace(/\x1b|\t/g, (key) => (key === "\t" ? "    " : ""))
        : text,
    );
  }
}

/** The text of a line as it was meant. */
export function withLineBreaks(line: string): string {
  return line.replaceAll(shownBreak, "\n");
}

function partial(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(mark.slice(0, length))) return length;
  }
  return 0;
}
