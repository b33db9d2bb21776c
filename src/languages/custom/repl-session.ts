// A program that reads its own language from stdin, line by line, and stays. After each block it is made to print a mark
// that nobody else knows: everything before it on stdout belongs to the block. Stderr has no mark, so it gets a moment.

import { StringDecoder } from "node:string_decoder";
import { setTimeout as pause } from "node:timers/promises";
import type { Exit, Process } from "../../machine/index.ts";
import { newId } from "../../messages/index.ts";
import type { CustomLanguage } from "../../settings/index.ts";
import { EventQueue, untilEnd } from "../event-queue.ts";
import { explainExit } from "../explain-exit.ts";
import { type Session, type SessionEnd, type SessionEvent, SessionStartError } from "../language.ts";
import { Stopping } from "../stopping.ts";
import type { ProgramRequest } from "./file-session.ts";
import { PrivateFolder } from "./private-folder.ts";

const readyWithin = 30_000;
const stderrMayLag = 40;

export async function startRepl(request: ProgramRequest, described: CustomLanguage): Promise<Session> {
  let child: Process;
  try {
    child = await request.machine.spawn({ ...request, stdin: true });
  } catch (error) {
    throw new SessionStartError(
      `${request.title} could not be started (${request.command}): ${(error as Error).message}.`,
    );
  }
  const session = new ReplSession(request, described, child);
  const timer = setTimeout(() => child.signal("SIGKILL"), readyWithin);
  let said = "";
  // The first block is empty: what the program says about itself as it starts belongs to no block of the person's.
  for await (const event of session.run("", "<start>", described.setup ?? "")) {
    if (event.type === "output") said = (said + event.text).slice(-2_000);
    if (event.type !== "end" || event.status !== "exited") continue;
    clearTimeout(timer);
    await session.close();
    throw new SessionStartError(`${request.title} could not be started: ${event.explanation}. ${said}`.trim());
  }
  clearTimeout(timer);
  return session;
}

class ReplSession implements Session {
  readonly language: string;
  readonly description: string;
  readonly #described: CustomLanguage;
  readonly #child: Process;
  readonly #folder = new PrivateFolder();
  readonly #nonce = newId(16);
  #blocks = 0;
  #queue: EventQueue | undefined;
  #held = "";
  readonly #lineStart = { stdout: true, stderr: true };
  #interrupted = false;
  readonly #stopping = new Stopping();
  #alive = true;
  #killedBecause: string | undefined;

  constructor(request: ProgramRequest, described: CustomLanguage, child: Process) {
    this.language = request.language;
    this.description = request.title;
    this.#described = described;
    this.#child = child;
    const [out, err] = [new StringDecoder("utf8"), new StringDecoder("utf8")];
    child.stdout.on("data", (chunk: Buffer) => this.#read(out.write(chunk)));
    child.stderr.on("data", (chunk: Buffer) => this.#say("stderr", err.write(chunk)));
    void child.exited.then((exit) => this.#gone(exit));
  }

  get alive(): boolean {
    return this.#alive;
  }

  get pid(): number {
    return this.#child.pid;
  }

  async *run(code: string, name: string, text = this.#written(code, name)): AsyncIterable<SessionEvent> {
    if (!this.#alive) {
      yield { type: "end", status: "exited", explanation: `${this.description} had already ended` };
      return;
    }
    const queue = new EventQueue((full) => {
      for (const stream of [this.#child.stdout, this.#child.stderr]) full ? stream.pause() : stream.resume();
    });
    this.#queue = queue;
    this.#blocks++;
    this.#interrupted = false;
    const end = (this.#described.end ?? "").replaceAll("{end}", this.#mark);
    this.#child.stdin!.write(`${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${end}\n`);
    yield* untilEnd(queue, () => this.interrupt());
  }

  interrupt(): void {
    if (!this.#queue || this.#stopping.begun) return;
    this.#interrupted = true;
    const stop = () => {
      this.#killedBecause = "it did not stop when interrupted, so it was ended";
      this.#child.signal("SIGKILL");
    };
    if (!this.#child.signal("SIGINT")) {
      stop();
      return;
    }
    this.#stopping.begin(() => this.#child.signal("SIGINT"), stop);
  }

  async close(): Promise<void> {
    this.#killedBecause ??= "it was closed";
    this.#child.signal("SIGKILL");
    await this.#child.exited;
    for (const stream of [this.#child.stdin!, this.#child.stdout, this.#child.stderr]) stream.destroy();
    this.#folder.remove();
  }

  get #mark(): string {
    return `oi-end-${this.#nonce}-${this.#blocks}`;
  }

  #written(code: string, name: string): string {
    const { block = "{code}", extension = this.language } = this.#described;
    const file = block.includes("{file}") ? this.#folder.write(name, extension, code) : "";
    // Filled in by a function: `$&` in the code is only text.
    return block.replace(/\{(code|file|base64)\}/g, (_, what) =>
      what === "code" ? code : what === "file" ? file : Buffer.from(code).toString("base64"),
    );
  }

  /** Takes the mark out of stdout. Held back is only what could be the beginning of one. */
  #read(text: string): void {
    this.#held += text;
    const mark = this.#queue ? this.#mark : undefined;
    // The mark stands at the end of a line, perhaps with a status; in the echo of what we wrote, a quote follows it.
    const found = mark && new RegExp(`(\\n?)${mark}(?::(-?\\d+|True|False)?)?\\r?\\n`).exec(this.#held);
    if (found) {
      const before = this.#held.slice(0, found.index);
      this.#held = this.#held.slice(found.index + found[0].length);
      this.#say("stdout", before === "" ? "" : `${before}${found[1]}`);
      void this.#over(found[2]);
      return;
    }
    const keep = mark ? heldBack(this.#held, mark) : 0;
    this.#say("stdout", this.#held.slice(0, this.#held.length - keep));
    this.#held = this.#held.slice(this.#held.length - keep);
  }

  async #over(status: string | undefined): Promise<void> {
    await pause(stderrMayLag);
    const failed = status !== undefined && status !== "0" && status !== "True";
    const exitCode = status !== undefined && /\d/.test(status) ? { exitCode: Number(status) } : {};
    if (this.#interrupted) this.#finish({ type: "end", status: "interrupted" });
    else this.#finish({ type: "end", status: failed ? "error" : "ok", ...exitCode });
  }

  #say(stream: "stdout" | "stderr", text: string): void {
    const shown = this.#withoutPrompt(stream, text);
    if (shown !== "") this.#queue?.push({ type: "output", stream, text: shown });
  }

  #withoutPrompt(stream: "stdout" | "stderr", text: string): string {
    const { prompt } = this.#described;
    if (!prompt) return text;
    let shown = text;
    while (this.#lineStart[stream] && shown.startsWith(prompt)) shown = shown.slice(prompt.length);
    while (shown.includes(`\n${prompt}`)) shown = shown.replace(`\n${prompt}`, "\n");
    if (text !== "") this.#lineStart[stream] = shown === "" || shown.endsWith("\n");
    return shown;
  }

  #finish(end: SessionEnd): void {
    this.#stopping.done();
    const queue = this.#queue;
    this.#queue = undefined;
    queue?.push(end);
  }

  async #gone(exit: Exit): Promise<void> {
    this.#alive = false;
    this.#child.signal("SIGKILL");
    await pause(100);
    this.#say("stdout", this.#held);
    this.#folder.remove();
    this.#finish({
      type: "end",
      status: "exited",
      exitCode: exit.code,
      explanation: this.#killedBecause ?? explainExit(exit),
    });
  }
}

/** How much of the end of a text could be the beginning of the mark and what follows it. */
function heldBack(text: string, mark: string): number {
  const whole = text.lastIndexOf(mark);
  if (whole !== -1 && !text.includes("\n", whole)) return text.length - whole + (text[whole - 1] === "\n" ? 1 : 0);
  for (let length = Math.min(mark.length, text.length); length > 0; length--) {
    if (!text.endsWith(mark.slice(0, length))) continue;
    return length + (text[text.length - length - 1] === "\n" ? 1 : 0);
  }
  return 0;
}
