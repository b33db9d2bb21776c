// Runs each block as a process of its own, from a file: for programs that keep nothing between two runs.

import { StringDecoder } from "node:string_decoder";
import type { Process, SpawnRequest } from "../../machine/index.ts";
import { EventQueue } from "../event-queue.ts";
import { explainExit } from "../explain-exit.ts";
import type { Session, SessionEnd, SessionEvent } from "../language.ts";
import type { DriverRequest } from "../start-driver.ts";
import { Stopping } from "../stopping.ts";
import { PrivateFolder } from "./private-folder.ts";

export type ProgramRequest = Pick<DriverRequest, "language" | "title" | "machine" | "command" | "args" | "cwd" | "env">;

export class FileSession implements Session {
  readonly language: string;
  readonly description: string;
  readonly #request: ProgramRequest;
  readonly #extension: string;
  readonly #folder = new PrivateFolder();
  #child: Process | undefined;
  #interrupted = false;
  readonly #stopping = new Stopping();
  #closed = false;

  constructor(request: ProgramRequest, extension: string) {
    this.#request = request;
    this.#extension = extension;
    this.language = request.language;
    this.description = request.title;
  }

  get alive(): boolean {
    return !this.#closed;
  }

  async *run(code: string, name: string): AsyncIterable<SessionEvent> {
    const file = this.#folder.write(name, this.#extension, code);
    this.#interrupted = false;
    let child: Process;
    try {
      child = await this.#request.machine.spawn(this.#spawnRequest(file));
    } catch (error) {
      const message = `${this.description} could not be started: ${(error as Error).message}.`;
      yield { type: "error", name: "SessionStartError", message, traceback: `${message}\n` };
      yield { type: "end", status: "error" };
      return;
    }
    this.#child = child;
    if (this.#interrupted) this.#stop();
    let ended = false;
    try {
      for await (const event of follow(child, (exit) => this.#end(exit))) {
        ended = event.type === "end";
        yield event;
      }
    } finally {
      // A reader that leaves early ends the block.
      if (!ended) child.signal("SIGKILL");
      this.#stopping.done();
      this.#child = undefined;
    }
  }

  interrupt(): void {
    this.#interrupted = true;
    if (this.#child && !this.#stopping.begun) this.#stop();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#child?.signal("SIGKILL");
    await this.#child?.exited;
    this.#folder.remove();
  }

  #spawnRequest(file: string): SpawnRequest {
    const { command, args, cwd, env } = this.#request;
    return { command, args: args.map((word) => word.replaceAll("{file}", file)), cwd, env };
  }

  #stop(): void {
    const child = this.#child;
    if (!child?.signal("SIGINT")) child?.signal("SIGKILL");
    this.#stopping.begin(
      () => child?.signal("SIGINT"),
      () => child?.signal("SIGKILL"),
    );
  }

  #end(exit: Awaited<Process["exited"]>): SessionEnd {
    if (this.#interrupted) return { type: "end", status: "interrupted" };
    if (this.#closed) return { type: "end", status: "exited", exitCode: null, explanation: "it was closed" };
    if (exit.code === 0) return { type: "end", status: "ok", exitCode: 0 };
    if (exit.code !== null) return { type: "end", status: "error", exitCode: exit.code };
    return { type: "end", status: "error", exitCode: null, explanation: explainExit(exit) };
  }
}

/** Everything a process prints, as it prints it, and last how it ended. */
async function* follow(
  child: Process,
  end: (exit: Awaited<Process["exited"]>) => SessionEnd,
): AsyncGenerator<SessionEvent> {
  const streams = { stdout: child.stdout, stderr: child.stderr };
  const queue = new EventQueue((full) => {
    for (const stream of Object.values(streams)) full ? stream.pause() : stream.resume();
  });
  const closed = Object.entries(streams).map(([stream, source]) => {
    const decoder = new StringDecoder("utf8");
    const say = (text: string) => {
      if (text !== "") queue.push({ type: "output", stream: stream as "stdout" | "stderr", text });
    };
    source.on("data", (chunk: Buffer) => say(decoder.write(chunk)));
    return new Promise<void>((resolve) => {
      source.once("close", () => {
        say(decoder.end());
        resolve();
      });
    });
  });
  void child.exited.then(async (exit) => {
    // Something it left behind may hold its streams for ever.
    child.signal("SIGKILL");
    await Promise.race([Promise.all(closed), new Promise((resolve) => setTimeout(resolve, 500).unref())]);
    const last = end(exit);
    if (last.explanation && last.status === "error")
      queue.push({ type: "output", stream: "stderr", text: `[It ${last.explanation}.]\n` });
    queue.push(last);
  });
  for (;;) {
    const event = await queue.next();
    yield event;
    if (event.type === "end") return;
  }
}
