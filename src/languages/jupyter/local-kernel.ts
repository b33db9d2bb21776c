// A kernel that is a process on the session's machine, spoken to over ZeroMQ.

import { StringDecoder } from "node:string_decoder";
import type { Exit, Machine, Process } from "../../machine/index.ts";
import { newId } from "../../messages/index.ts";
import { explainExit } from "../explain-exit.ts";
import { type SessionOptions, SessionStartError } from "../language.ts";
import { type MeetingPlace, makeMeetingPlace } from "./connection-file.ts";
import type { Kernel, KernelListener } from "./kernel.ts";
import { type Kernelspec, kernelCommand, kernelEnvironment } from "./kernelspecs.ts";
import type { Channel, Header } from "./message.ts";
import { newMessage } from "./message.ts";
import { fromParts, toParts } from "./signed-parts.ts";
import { connectZmtp, type ZmtpConnection } from "./zmtp/connection.ts";

const startsTried = 3;
const listensWithin = 60_000;
const leavesWithin = 1_000;
const lastWordsKept = 4_000;

// The kernel takes the shell's place; what stays behind waits for us to be gone and then ends the whole group.
const keeper = '{ read -r _ <&3; kill -9 0; } >/dev/null 2>&1 & exec 3<&-; exec "$@"';

/** Starts the kernel and connects to it. Rejects with a plain-words `SessionStartError`. */
export async function startLocalKernel(
  spec: Kernelspec,
  options: SessionOptions,
  listener: KernelListener,
): Promise<LocalKernel> {
  for (let tried = 1; ; tried++) {
    // Sockets that are files are private and cannot be taken by others, but not every kernel knows them: ipykernel does.
    const place = await makeMeetingPlace(spec.argv.some((word) => /ipykernel/.test(word)) ? "files" : "ports");
    const kernel = new LocalKernel(spec, place, listener, await spawn(spec, place, options), options.machine.connect);
    const problem = await kernel.connect();
    if (problem === undefined) return kernel;
    kernel.kill("it could not be started");
    place.remove();
    // Somebody else took one of the ports before the kernel could.
    const taken = /address (already )?in use|EADDRINUSE/i.test(problem);
    if (!taken || tried === startsTried) throw new SessionStartError(`${spec.title} could not be started: ${problem}`);
  }
}

async function spawn(spec: Kernelspec, place: MeetingPlace, options: SessionOptions): Promise<Process> {
  const command = kernelCommand(spec, place.connectionFile, options);
  const windows = process.platform === "win32";
  const env = {
    ...kernelEnvironment(spec, options.env),
    // A debugger nobody uses warns about files it cannot see.
    PYDEVD_DISABLE_FILE_VALIDATION: "1",
  };
  const args = windows ? command : ["/bin/sh", "-c", keeper, "kernel", ...command];
  try {
    return await options.machine.spawn({
      command: args[0]!,
      args: args.slice(1),
      cwd: options.cwd,
      env,
      channels: windows ? 0 : 1,
    });
  } catch (error) {
    place.remove();
    throw new SessionStartError(`${spec.title} could not be started: ${(error as Error).message}`);
  }
}

export class LocalKernel implements Kernel {
  readonly #spec: Kernelspec;
  readonly #place: MeetingPlace;
  readonly #listener: KernelListener;
  readonly #process: Process;
  readonly #connectPort: Machine["connect"];
  readonly #session = newId(24);
  readonly #connections = new Map<Channel, ZmtpConnection>();
  readonly #giveUp = new AbortController();
  readonly #ended: Promise<void>;
  #lastWords = "";
  #killedBecause: string | undefined;

  constructor(
    spec: Kernelspec,
    place: MeetingPlace,
    listener: KernelListener,
    process: Process,
    connectPort: Machine["connect"],
  ) {
    this.#connectPort = connectPort;
    this.#spec = spec;
    this.#place = place;
    this.#listener = listener;
    this.#process = process;
    // Kernels repeat here what they already published; only what one says about its own end is not heard otherwise.
    process.stdout.resume();
    const decoder = new StringDecoder("utf8");
    process.stderr.on("data", (chunk: Buffer) => {
      this.#lastWords = (this.#lastWords + decoder.write(chunk)).slice(-lastWordsKept);
    });
    this.#ended = process.exited.then((exit) => this.#gone(exit));
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** Undefined when connected, otherwise why not. */
  async connect(): Promise<string | undefined> {
    const timer = setTimeout(() => this.#giveUp.abort(), listensWithin);
    try {
      const channels: Channel[] = ["iopub", "shell", "stdin", "control"];
      const connections = await Promise.all(channels.map((channel) => this.#connect(channel)));
      channels.forEach((channel, index) => {
        this.#connections.set(channel, connections[index]!);
      });
      return undefined;
    } catch (error) {
      if (!this.#giveUp.signal.aborted) return `${(error as Error).message}.`;
      if (this.#killedBecause === undefined) return "it did not listen in time.";
      return `it ended at once (${this.#killedBecause}). ${this.#lastWords.trim()}`.trim();
    } finally {
      clearTimeout(timer);
    }
  }

  send(channel: Channel, type: string, content: Record<string, unknown>, parent?: Partial<Header>): Header {
    if (type === "execute_request") this.#lastWords = "";
    const message = newMessage(this.#session, channel, type, content, parent);
    this.#connections.get(channel)?.send(toParts(message, this.#place.key));
    return message.header;
  }

  interrupt(): void {
    const heard = this.#spec.interruptMode === "signal" && this.#process.signal("SIGINT");
    if (!heard) this.send("control", "interrupt_request", {});
  }

  kill(because: string): void {
    this.#killedBecause ??= because;
    this.#process.signal("SIGKILL");
  }

  async close(): Promise<void> {
    this.#killedBecause ??= "it was closed";
    this.send("control", "shutdown_request", { restart: false });
    let timer: NodeJS.Timeout | undefined;
    const waited = new Promise((resolve) => {
      timer = setTimeout(resolve, leavesWithin);
    });
    await Promise.race([this.#process.exited, waited]);
    clearTimeout(timer);
    this.#process.signal("SIGKILL");
    await this.#ended;
  }

  async #connect(channel: Channel): Promise<ZmtpConnection> {
    const connection = await connectZmtp({
      address: this.#place.address(channel),
      type: channel === "iopub" ? "SUB" : "DEALER",
      identity: this.#session,
      connectPort: this.#connectPort,
      signal: this.#giveUp.signal,
      onMessage: (parts) => {
        const message = fromParts(channel, parts, this.#place.key);
        if (message) this.#listener.message(message);
      },
    });
    this.#giveUp.signal.addEventListener("abort", () => connection.close());
    return connection;
  }

  async #gone(exit: Exit): Promise<void> {
    this.#killedBecause ??= explainExit(exit);
    this.#process.signal("SIGKILL");
    // What it said last is still in the pipes and sockets.
    await new Promise((resolve) => setTimeout(resolve, 50));
    this.#giveUp.abort();
    for (const connection of this.#connections.values()) connection.close();
    for (const stream of [this.#process.stdout, this.#process.stderr, ...this.#process.channels]) stream.destroy();
    this.#place.remove();
    this.#listener.gone({ explanation: this.#killedBecause, exitCode: exit.code, lastWords: this.#lastWords });
  }
}
