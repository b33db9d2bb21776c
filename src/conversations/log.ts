// The append-only log of one conversation: a header line, then one line a message, written before it is shown complete.
// While a message is still being written its chunks go to a draft beside the log, so that a killed process loses nothing shown.
// Whatever cannot be written is thrown, and can be written again later: nothing that was there is ever touched.

import {
  closeSync,
  existsSync,
  fchmodSync,
  fdatasync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { Chunk, Message } from "../messages/index.ts";
import type { Usage } from "../models/index.ts";
import { type Mask, type MaskedStream, maskBundle, maskMessage } from "../privacy/index.ts";
import { type DraftLine, draftName, type Entry, type Header, logName, written } from "./lines.ts";
import { savePicture } from "./pictures.ts";
import { Standing, type StandingOf } from "./standing.ts";

export class ConversationLog {
  readonly id: string;
  readonly folder: string;
  readonly #log: number;
  #draft: number | undefined;
  /** Whether there is something in the draft, be it of a process that was killed. */
  #drafted: boolean;
  readonly #standing: Standing;
  /** Whether the last line of the log is a part of one. */
  #torn: boolean;
  /** The last picture that was saved, to be named again when its message is whole. */
  #picture = { content: "", file: "" };
  #syncing: NodeJS.Timeout | undefined;
  readonly #mask: Mask | undefined;
  /** What is being drafted, since a secret may come in pieces. */
  #masked: MaskedStream | undefined;

  /**
   * Opens the log in `folder`, beginning it with `header` when it is new. `before` is what it holds already. Nothing that `mask`
   * knows is written.
   */
  constructor(folder: string, header: Header, before: StandingOf = { messages: [] }, mask?: Mask) {
    this.folder = folder;
    this.#mask = mask;
    this.id = header.conversation;
    this.#standing = new Standing(header.cwd, before);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#drafted = existsSync(join(folder, draftName));
    this.#log = openSync(join(folder, logName), "a+", 0o600);
    try {
      const { size, mode, uid } = fstatSync(this.#log);
      if ((mode & 0o077) !== 0 && uid === process.getuid?.()) fchmodSync(this.#log, 0o600);
      this.#torn = size > 0 && !endsWithNewline(this.#log, size); // a process ended in the middle of a line
      if (size === 0) this.#write(`${JSON.stringify(header)}\n`);
    } catch (error) {
      closeSync(this.#log);
      throw error;
    }
  }

  /** Where files that belong to the conversation go: long outputs, attachments. */
  fileFor(name: string): string {
    return join(this.folder, name);
  }

  /** How many messages it holds. */
  get messages(): number {
    return this.#standing.messages;
  }

  append(message: Message): void {
    this.add({ message });
  }

  used(model: string, usage: Usage): void {
    this.add({ model, usage });
  }

  /** Takes back the last `count` messages; their lines stay. */
  undo(count: number): void {
    this.add({ undo: count });
  }

  title(title: string): void {
    this.add({ title });
  }

  /** `at` is when it happened. A line that could not be written whole is the same when it is written again. */
  add(given: Entry, at = new Date().toISOString()): void {
    const entry = this.#withoutSecrets(given);
    this.#write(written("message" in entry && !entry.picture ? this.#withPictureBeside(entry.message) : entry, at));
    this.#standing.add(entry);
    if ("message" in entry && this.#drafted) this.#clearDraft();
  }

  /** Keeps a piece of a message that is not complete yet. */
  draft(given: Chunk): void {
    const chunk = this.#draftable(given);
    if (!chunk) return;
    this.#draft ??= openSync(join(this.folder, draftName), "a", 0o600);
    const picture = typeof chunk.content === "string" ? this.#save(chunk.type, chunk.format, chunk.content) : undefined;
    const kept = picture ? { ...chunk, content: "" } : chunk;
    const line = { after: this.messages, chunk: kept, ...(picture && { picture }) } satisfies DraftLine;
    this.#drafted = true;
    writeAll(this.#draft, `${JSON.stringify(line)}\n`);
  }

  /** Ends with what all of it comes to, for those who only list it. */
  rest(): void {
    const digest = this.#standing.news();
    if (digest) this.add({ digest });
  }

  close(): void {
    clearTimeout(this.#syncing);
    closeSync(this.#log);
    if (this.#draft === undefined) return;
    closeSync(this.#draft);
    if (!this.#drafted) rmSync(join(this.folder, draftName), { force: true });
  }

  #withoutSecrets(entry: Entry): Entry {
    const mask = this.#mask;
    if (!mask) return entry;
    if ("message" in entry) return { ...entry, message: maskMessage(entry.message, mask) };
    return "title" in entry ? { title: mask.mask(entry.title) } : entry;
  }

  /** What may be written of a piece now; its end may be the beginning of a secret. */
  #draftable(chunk: Chunk): Chunk | undefined {
    const mask = this.#mask;
    if (chunk.start) this.#masked = mask?.stream();
    if (!mask || chunk.type === "image" || typeof chunk.content !== "string") return chunk;
    this.#masked ??= mask.stream();
    const content = this.#masked.push(chunk.content);
    if (content === "" && !chunk.outputFile && !chunk.bundle) return undefined;
    return { ...chunk, content, ...(chunk.bundle && { bundle: maskBundle(chunk.bundle, mask.mask) }) };
  }

  #clearDraft(): void {
    if (this.#draft !== undefined) ftruncateSync(this.#draft, 0);
    else rmSync(join(this.folder, draftName), { force: true });
    this.#drafted = false;
  }

  #withPictureBeside(message: Message): Entry {
    const picture = this.#save(message.type, message.format, message.content);
    return picture ? { message: { ...message, content: "" }, picture } : { message };
  }

  #save(type: string, format: string | undefined, content: string): string | undefined {
    if (type !== "image" || content === "") return undefined;
    if (content === this.#picture.content) return this.#picture.file;
    const file = savePicture(this.folder, type, format, content);
    if (file) this.#picture = { content, file };
    return file;
  }

  /** One line in one write: what several processes append never mixes within a line. */
  #write(line: string): void {
    if (this.#torn) writeAll(this.#log, "\n");
    this.#torn = true;
    writeAll(this.#log, line);
    this.#torn = false;
    this.#syncing ??= setTimeout(() => this.#sync(), 1_000).unref();
  }

  /** A killed process loses nothing without this; a machine that loses its power loses a second. */
  #sync(): void {
    this.#syncing = undefined;
    fdatasync(this.#log, () => {});
  }
}

function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}

function endsWithNewline(file: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return readSync(file, last, 0, 1, size - 1) === 1 && last[0] === 0x0a;
}
