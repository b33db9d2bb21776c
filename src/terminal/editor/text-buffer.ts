// The text being written and the cursor in it: moving, deleting, taking back. Knows nothing of the screen.

import { after, before, chunkStart, lineEnd, lineStart, wordEnd, wordStart } from "./graphemes.ts";

interface State {
  readonly text: string;
  readonly at: number;
}

/** So many steps can be taken back. */
const remembered = 500;

export class TextBuffer {
  #text = "";
  #at = 0;
  #past: State[] = [];
  /** What kind of change was the last one: typing goes on as one change, deleting adds to what was deleted. */
  #last: "typing" | "killing" | undefined;
  #killed = "";

  get text(): string {
    return this.#text;
  }

  /** The cursor stands before the character at this index. */
  get at(): number {
    return this.#at;
  }

  insert(text: string): void {
    if (text === "") return;
    // A word is taken back at once, not letter by letter.
    const goesOn = this.#last === "typing" && !/^\s/.test(text);
    this.#change(this.#text.slice(0, this.#at) + text + this.#text.slice(this.#at), this.#at + text.length, goesOn);
    this.#last = "typing";
  }

  /** Puts another text in place of this one; it can be taken back. */
  replace(text: string, at = text.length): void {
    this.#change(text, at);
  }

  /** Puts `text` in place of what stands between two places. */
  splice(from: number, to: number, text: string): void {
    this.#change(this.#text.slice(0, from) + text + this.#text.slice(to), from + text.length);
  }

  /** Begins anew, with nothing to take back. What was deleted can still be put in. */
  reset(text = ""): void {
    this.#text = text;
    this.#at = text.length;
    this.#past = [];
    this.#last = undefined;
  }

  moveTo(at: number): void {
    this.#at = Math.max(0, Math.min(this.#text.length, at));
    this.#last = undefined;
  }

  left = (): void => this.moveTo(before(this.#text, this.#at));
  right = (): void => this.moveTo(after(this.#text, this.#at));
  wordLeft = (): void => this.moveTo(wordStart(this.#text, this.#at));
  wordRight = (): void => this.moveTo(wordEnd(this.#text, this.#at));
  lineStart = (): void => this.moveTo(lineStart(this.#text, this.#at));
  lineEnd = (): void => this.moveTo(lineEnd(this.#text, this.#at));
  textStart = (): void => this.moveTo(0);
  textEnd = (): void => this.moveTo(this.#text.length);

  deleteLeft = (): void => this.#delete(before(this.#text, this.#at), this.#at);
  deleteRight = (): void => this.#delete(this.#at, after(this.#text, this.#at));

  killChunkLeft = (): void => this.#kill(chunkStart(this.#text, this.#at), this.#at);
  killWordLeft = (): void => this.#kill(wordStart(this.#text, this.#at), this.#at);
  killWordRight = (): void => this.#kill(this.#at, wordEnd(this.#text, this.#at));
  /** To the beginning of the line; there, the line end before it. */
  killToLineStart = (): void => {
    const start = lineStart(this.#text, this.#at);
    this.#kill(start === this.#at ? Math.max(0, start - 1) : start, this.#at);
  };
  /** To the end of the line; there, the line end itself. */
  killToLineEnd = (): void => {
    const end = lineEnd(this.#text, this.#at);
    this.#kill(this.#at, end === this.#at ? Math.min(this.#text.length, end + 1) : end);
  };

  /** Puts in what was deleted last. */
  yank = (): void => {
    if (this.#killed !== "") this.splice(this.#at, this.#at, this.#killed);
  };

  /** Exchanges the characters around the cursor; at the end of a line the two before it. */
  transpose = (): void => {
    const middle = this.#at === lineEnd(this.#text, this.#at) ? before(this.#text, this.#at) : this.#at;
    const [start, end] = [before(this.#text, middle), after(this.#text, middle)];
    if (start < lineStart(this.#text, this.#at) || start === middle || middle === end) return;
    const swapped = this.#text.slice(middle, end) + this.#text.slice(start, middle);
    this.splice(start, end, swapped);
  };

  undo = (): void => {
    const state = this.#past.pop();
    if (state) [this.#text, this.#at] = [state.text, state.at];
    this.#last = undefined;
  };

  #delete(from: number, to: number): void {
    if (from !== to) this.#change(this.#text.slice(0, from) + this.#text.slice(to), from);
  }

  #kill(from: number, to: number): void {
    if (from === to) return;
    const piece = this.#text.slice(from, to);
    const goesOn = this.#last === "killing";
    this.#killed = goesOn ? (to === this.#at ? piece + this.#killed : this.#killed + piece) : piece;
    this.#delete(from, to);
    this.#last = "killing";
  }

  #change(text: string, at: number, goesOn = false): void {
    if (!goesOn) this.#past.push({ text: this.#text, at: this.#at });
    if (this.#past.length > remembered) this.#past.shift();
    this.#text = text;
    this.#at = at;
    this.#last = undefined;
  }
}
