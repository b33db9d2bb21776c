// The terminal that an interactive fish sits at. Most of what appears on it is fish drawing its prompt; what a program says
// there while a block runs is for the person, if one has been lent the terminal.

import type { TerminalDevice } from "../../machine/index.ts";
import { transcript } from "./transcript.ts";

const mostSaid = 100_000;
const endMayLag = 200;
const endOfInput = "\x04";
/** What fish draws over a line that it did not write itself. */
const abandonedLine = /\u23ce *\r\u23ce? *\r$/;

export class FishTerminal {
  readonly #device: TerminalDevice;
  /** How what the driver prints where a block begins (`<`) and ends (`>`) begins. */
  #mark = "";
  #inBlock = false;
  #held = "";
  #said = "";
  #person: ((data: string) => void) | undefined;
  #lent = false;
  /** From an interrupt on it is fish that draws, on its way back to the prompt. */
  #hushed = false;
  #ended = () => {};

  constructor(device: TerminalDevice) {
    this.#device = device;
    device.onData((data) => this.#read(data));
  }

  get path(): string {
    return this.#device.path;
  }

  set nonce(nonce: string) {
    this.#mark = `\x1e${nonce}`;
  }

  /** Types a line, after taking away what may be left of another. */
  type(line: string): void {
    this.#said = "";
    this.#hushed = false;
    this.#device.write(`\x15${line}\r`);
  }

  /** Types Ctrl-C. */
  interrupt(): void {
    this.#device.write("\x03");
  }

  hush(): void {
    this.#hushed = true;
  }

  /** The terminal as a program at it would be seen by the person. */
  lend(lend: (device: TerminalDevice) => () => void): () => void {
    this.#lent = true;
    const stop = lend({
      ...this.#device,
      onData: (listener) => {
        this.#person = listener;
      },
    });
    return () => {
      this.#lent = false;
      this.#person = undefined;
      stop();
    };
  }

  /** What programs said there during the last block. Waits for its end, which comes by another way than the block's. */
  async takeSaid(): Promise<string> {
    if (this.#inBlock && (this.#lent || this.#said !== ""))
      await new Promise<void>((resolve) => {
        this.#ended = resolve;
        setTimeout(resolve, endMayLag);
      });
    const said = this.#said.replace(abandonedLine, "");
    this.#said = "";
    return transcript(said);
  }

  close(): void {
    this.#device.close();
  }

  #read(data: string): void {
    let text = this.#held + data;
    for (let at = this.#find(text); at !== -1; at = this.#find(text)) {
      this.#show(text.slice(0, at));
      this.#inBlock = text[at + this.#mark.length] === "<";
      if (!this.#inBlock) this.#ended();
      text = text.slice(at + this.#mark.length + 2);
    }
    const keep = partOf(text, this.#mark);
    this.#held = text.slice(text.length - keep);
    this.#show(text.slice(0, text.length - keep));
  }

  /** Where the next whole mark is. */
  #find(text: string): number {
    const at = this.#mark === "" ? -1 : text.indexOf(this.#mark);
    return at === -1 || text.length < at + this.#mark.length + 2 ? -1 : at;
  }

  #show(text: string): void {
    if (text === "") return;
    if (!this.#inBlock) {
      // Newer ones ask what kind of terminal this is, and wait for the answer.
      if (/\x1b\[0?c/.test(text)) this.#device.write("\x1b[?6c");
      return;
    }
    this.#said = (this.#said + text).slice(-mostSaid);
    if (this.#lent) this.#person?.(text);
    // A program asks something at the terminal, and nobody can answer.
    else if (!this.#hushed && !abandonedLine.test(text)) this.#device.write(endOfInput);
  }
}

/** How much of the end of a text could be a mark, or the beginning of one. */
function partOf(text: string, mark: string): number {
  for (let length = Math.min(mark.length + 1, text.length); length > 0; length--)
    if (mark !== "" && text.slice(-length).startsWith(mark.slice(0, length))) return length;
  return 0;
}
