// Reads what people type: messages at the prompt, answers to questions, and what is typed while a turn is running.

import type { Complete } from "./editor/completion.ts";
import { Editor, type GoesOn, type Wish } from "./editor/editor.ts";
import { type History, openHistory } from "./editor/history.ts";
import { Keyboard } from "./editor/keyboard.ts";
import type { Key } from "./editor/keys.ts";
import { foldingOf, modesFor } from "./editor/modes.ts";
import { createStyle, type Style, wantsColour } from "./style.ts";
import { Tail } from "./tail.ts";

export interface LineReaderOptions {
  /** Lines are read as they come, and nothing is painted. */
  plain?: boolean;
  /** The file messages are kept in, to be found again in another conversation. */
  history?: string;
}

export interface LineOptions {
  /** What is typed is not shown. */
  hidden?: boolean;
  /** A message, not the answer to a question: it may have several lines, Tab completes, and it is remembered. */
  message?: boolean;
  signal?: AbortSignal;
}

interface Asked {
  editor: Editor;
  hidden: boolean;
  message: boolean;
  settled: Promise<string | undefined>;
  settle: (text: string | undefined) => void;
}

export class LineReader {
  readonly #output: NodeJS.WriteStream;
  readonly #style: Style;
  readonly #keyboard: Keyboard;
  readonly #tail: Tail;
  readonly #history: History;
  /** Whether what is typed is painted, or the terminal does that itself. */
  readonly #paints: boolean;
  /** What is written for the next message; questions have an editor of their own, which is forgotten with the answer. */
  readonly #message: Editor;
  #asked: Asked | undefined;
  #closed = false;
  #suspended = false;
  /** Called with a line nobody waits for. */
  onStray: (line: string) => void = () => {};
  /** What Tab offers for the text before the cursor. */
  onTab: Complete = async () => ({ matches: [], replaced: "" });
  /** Called on Ctrl-C. */
  onInterrupt: () => void = () => {};
  /** Called when a picture in the clipboard may be meant: Ctrl-V, or a paste without text. */
  onClipboard: () => void = () => {};
  /** Called on Ctrl-O, which asks for the whole of what was shown in part. */
  onMore: () => void = () => {};
  /** Whether Enter breaks the line of a message. */
  goesOn: GoesOn = () => undefined;

  constructor(
    input: NodeJS.ReadStream,
    output: NodeJS.WriteStream,
    { plain = false, history }: LineReaderOptions = {},
  ) {
    const { env } = process;
    this.#output = output;
    this.#paints = !plain && env.TERM !== "dumb" && input.isTTY === true && output.isTTY === true;
    this.#style = createStyle(this.#paints && wantsColour(output, plain, env));
    this.#tail = new Tail({ writer: output, ...this.#size, folding: foldingOf(env) });
    this.#history = openHistory(history);
    this.#message = new Editor({
      ...this.#size,
      style: this.#style,
      history: this.#history,
      complete: (before) => this.onTab(before),
      goesOn: (text) => this.goesOn(text),
      onChange: () => this.#paint(),
    });
    this.#keyboard = new Keyboard({
      input,
      output,
      modes: this.#paints ? modesFor(env) : undefined,
      onKey: (key) => this.#press(key),
      onEnd: () => this.close(),
      onInterrupt: () => this.onInterrupt(),
      onLeave: () => this.#tail.commit(),
      onReturn: () => this.#paintAnew(),
      onResize: () => this.#paint(),
    });
    this.#keyboard.open();
  }

  /** Whether the person is being asked something, or has lent the terminal to a program. */
  get typing(): boolean {
    return this.#asked !== undefined || this.#suspended;
  }

  /** What stands on the line now. */
  get draft(): string {
    return (this.#asked?.editor ?? this.#message).text;
  }

  /** What has been typed for the next message while nobody waited for it. */
  get typedAhead(): string {
    return this.#asked ? "" : this.#message.shown;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Shows `prompt` and waits for a line; undefined when the input has ended or the wait was given up. */
  async line(
    prompt: string,
    { hidden = false, message = false, signal }: LineOptions = {},
  ): Promise<string | undefined> {
    while (this.#asked) await this.#asked.settled;
    if (signal?.aborted || this.#closed) return undefined;
    const editor = message ? this.#message : new Editor({ ...this.#size, style: this.#style, hidden });
    editor.prompt = prompt;
    const { promise: settled, resolve: settle } = Promise.withResolvers<string | undefined>();
    this.#asked = { editor, hidden, message, settled, settle };
    const giveUp = () => this.#answer(undefined);
    signal?.addEventListener("abort", giveUp, { once: true });
    if (hidden) this.#keyboard.unseen(true);
    if (!this.#paints) this.#output.write(prompt);
    this.#paint();
    try {
      return await settled;
    } finally {
      signal?.removeEventListener("abort", giveUp);
    }
  }

  /** Shows a text where the questions are shown; above the one that is open. */
  say(text: string): void {
    this.#tail.erase();
    this.#output.write(text);
    if (!this.#paints && this.#asked) this.#output.write(this.#asked.editor.prompt);
    this.#paint();
  }

  /** Keeps a line for the history that came while nobody waited. */
  remember(line: string): void {
    this.#history.add({ text: line });
  }

  /** Drops what has been typed on the current line. */
  clear(): void {
    (this.#asked?.editor ?? this.#message).clear();
    this.#paint();
  }

  /** Puts a text on the line of the next message, to be changed; tells whether that can be done here. */
  write(text: string): boolean {
    if (this.#paints) this.#message.replace(text);
    return this.#paints;
  }

  /** Lets go of the terminal, for another program to use it, until the returned function is called. */
  suspend(): () => void {
    this.#suspended = true;
    this.#tail.erase();
    this.#keyboard.shut();
    return () => {
      this.#suspended = false;
      if (this.#closed) return;
      this.#keyboard.open();
      this.#paint();
    };
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#answer(undefined);
    this.#keyboard.shut();
  }

  #press(key: Key): void {
    const asked = this.#asked;
    const editor = asked?.editor ?? this.#message;
    const wish = editor.press(key, asked !== undefined);
    if (wish) this.#grant(wish, editor);
    if (asked && this.#asked === asked) {
      if (key.type === "press" && key.name === "enter" && !this.#paints) this.#output.write("… ");
      this.#paint();
    }
  }

  #grant(wish: Wish, editor: Editor): void {
    const asked = this.#asked;
    if (wish === "interrupt") this.onInterrupt();
    else if (wish === "stop") this.#stop(editor);
    else if (!asked) {
      if (wish === "submit") this.#stray();
    } else if (wish === "submit") this.#answer(editor.text);
    else if (wish === "end") this.close();
    else if (wish === "clear screen") this.#clearScreen();
    else if (wish === "edit elsewhere" && !asked.hidden) void this.#editElsewhere(editor);
    else if (wish === "clipboard" && asked.message) this.onClipboard();
    else if (wish === "more" && !asked.hidden) this.onMore();
  }

  #answer(text: string | undefined): void {
    const asked = this.#asked;
    if (!asked) return;
    const { editor, hidden, message, settle } = asked;
    if (this.#paints && !this.#suspended) {
      this.#tail.show(editor.finished());
      this.#tail.commit();
    } else if (!this.#paints && (hidden || text === undefined)) this.#output.write("\n");
    if (hidden) this.#keyboard.unseen(false);
    if (message && text !== undefined) this.#history.add(editor.entry);
    this.#asked = undefined;
    // What was being written when the wait was given up is still there for the next one.
    if (text !== undefined) editor.clear();
    settle(text);
  }

  #stray(): void {
    const line = this.#message.text;
    this.#message.clear();
    this.onStray(line);
  }

  #clearScreen(): void {
    this.#tail.erase();
    this.#output.write("\x1b[H\x1b[2J");
  }

  #stop(editor: Editor): void {
    // Where nothing can be stopped, the key takes back.
    if (process.platform === "win32") editor.press({ type: "press", name: "ctrl-_" });
    else {
      this.#tail.commit();
      this.#suspended = true;
      this.#keyboard.stop();
    }
  }

  async #editElsewhere(editor: Editor): Promise<void> {
    const { editElsewhere } = await import("./external-editor.ts");
    const resume = this.suspend();
    try {
      const edited = await editElsewhere(editor.text, "message.md");
      if (edited !== undefined) editor.replace(edited);
    } finally {
      resume();
    }
  }

  #paint(): void {
    if (!this.#paints || !this.#asked || this.#suspended) return;
    const { rows, cursor } = this.#asked.editor.frame();
    this.#tail.show(rows, cursor);
  }

  /** Somebody else may have written in the meantime. */
  #paintAnew(): void {
    this.#suspended = false;
    this.#tail.erase();
    this.#paint();
  }

  get #size() {
    return { columns: () => this.#output.columns || 80, rows: () => this.#output.rows || 24 };
  }
}
