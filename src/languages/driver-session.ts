// A session that talks to a driver of ours inside the interpreter's process.
//
// Descriptor 3 carries commands to the driver, descriptor 4 its events, one JSON object a line. Stdout and stderr
// stay the process's own, so children and C code are heard too. An event with `mark: K` belongs after all output
// before mark K on both streams: the driver writes the marks first, we deliver the event when both have arrived.

import { type Exit, type LimitsWatch, type Machine, type Process, watchLimits } from "../machine/index.ts";
import { Bridge } from "./bridge.ts";
import { Delivery } from "./delivery.ts";
import { type DriverCommand, type DriverEvent, readEvent, sessionEvent } from "./driver-protocol.ts";
import { EventQueue, untilEnd } from "./event-queue.ts";
import { explainExit } from "./explain-exit.ts";
import { Hosts } from "./hosts.ts";
import { type Completion, readCompletion, readVariables, type Variable } from "./inspection.ts";
import type { Session, SessionEnd, SessionEvent } from "./language.ts";
import { LateOutput } from "./late-output.ts";
import { readLines } from "./read-lines.ts";
import { Requests } from "./requests.ts";
import type { DriverRequest } from "./start-driver.ts";
import { Stopping } from "./stopping.ts";
import { Succession } from "./succession.ts";
import { readTableAnswer, type TableAnswer, type TableRequest } from "./table-view.ts";
import { within } from "./within.ts";

const endsWithin = 2_000;
/** Of a copy that has taken over, nobody is told. */
const unknownExit: Exit = { code: null, signal: null };

export class DriverSession implements Session {
  readonly language: string;
  readonly channels: Process["channels"];
  /** Undefined when the driver said it is ready, otherwise why it is not. */
  readonly ready: Promise<string | undefined>;
  /** Copies of the process that may take over. */
  readonly copies: Succession;
  /** Settles once, when nothing goes on any more. */
  readonly exited: Promise<Exit>;
  #title: string;
  #child: Process;
  readonly #machine: Machine;
  #interruptBy: "signal" | "both";
  #encode: NonNullable<DriverRequest["encode"]>;
  #delivery: Delivery;
  #queue: EventQueue | undefined;
  readonly #late = new LateOutput();
  #running = 0;
  #started = 0;
  #alive = true;
  readonly #stopping = new Stopping();
  #killedBecause: string | undefined;
  #settleReady: (problem?: string) => void = () => {};
  #settleExited: (exit: Exit) => void = () => {};
  #bridge: Bridge | undefined;
  #requests = new Requests();
  #pid: number;
  #group: number;
  readonly #hosts: Hosts;
  /** What code in it said last of the hosts that it has reached. */
  #told: unknown;
  #limits: LimitsWatch | undefined;
  /** How the process whose copy takes over has ended. */
  #left: Exit | undefined;
  #channelEnded = Promise.withResolvers<void>();
  #closed = false;

  constructor(request: DriverRequest, child: Process, nonce: string) {
    this.language = request.language;
    this.#title = request.title;
    this.#child = child;
    this.#machine = request.machine;
    this.#interruptBy = request.interrupt ?? "signal";
    this.channels = child.channels;
    this.#pid = this.#group = child.pid;
    this.#hosts = new Hosts(child.pid);
    this.exited = new Promise((resolve) => {
      this.#settleExited = resolve;
    });
    this.#encode = request.encode ?? ((command) => `${JSON.stringify(command)}\n`);
    this.ready = new Promise((resolve) => {
      this.#settleReady = resolve;
    });
    this.copies = new Succession({
      ask: (hold) => this.#ask((id) => this.#send({ op: "hold", id, ...hold })),
      end: () => void (this.#alive && process.kill(this.#pid, "SIGKILL")),
    });
    this.#delivery = new Delivery(child, nonce, {
      output: (stream, text) => this.#output(stream, text),
      event: (event) => this.#handOver(event),
    });
    const [commands, events] = [child.channels[0]!, child.channels[1]!];
    readLines(events, (line) => this.#event(line));
    const { onCall, language, cwd } = request;
    const onPressure = (full: boolean) => void (full ? events.pause() : events.resume());
    if (onCall) this.#bridge = new Bridge({ onCall, language, cwd, commands, onPressure });
    this.#watch();
    void child.exited.then((exit) => this.#processGone(exit));
    events.once("end", () => this.#channelGone());
    child.channels[0]!.write(this.#encode({ nonce }));
  }

  get description(): string {
    return this.#title;
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** The process id of the interpreter. */
  get pid(): number {
    return this.#pid;
  }

  async *run(code: string, name: string): AsyncIterable<SessionEvent> {
    if (this.#running !== 0) throw new Error("A session runs one block at a time.");
    const queue = new EventQueue((full) => this.#delivery.pause(full));
    if (!this.#alive) {
      yield { type: "end", status: "exited", explanation: `${this.#title} had already ended` };
      return;
    }
    for (const event of this.#late.take()) queue.push(event);
    this.#queue = queue;
    this.#running = ++this.#started;
    this.#hosts.begin();
    this.#limits?.begin();
    this.#send({ op: "run", id: this.#running, code, name });
    yield* untilEnd(queue, () => this.interrupt());
  }

  interrupt(): void {
    if (this.#running === 0 || !this.#alive || this.#stopping.begun) return;
    this.#signalInterrupt();
    this.#stopping.begin(
      () => this.#signalInterrupt(),
      () => {
        this.#killedBecause = "it did not stop when interrupted, so it was ended";
        this.#child.signal("SIGKILL");
      },
    );
  }

  async inspect(): Promise<Variable[]> {
    return readVariables(await this.#ask((id) => this.#send({ op: "inspect", id })));
  }

  async complete(code: string, cursor: number): Promise<Completion> {
    return readCompletion(await this.#ask((id) => this.#send({ op: "complete", id, code, cursor })), cursor);
  }

  async viewTable(request: TableRequest, signal?: AbortSignal): Promise<TableAnswer> {
    try {
      return readTableAnswer(await this.#askBetweenBlocks((id) => this.#send({ op: "table", id, ...request }), signal));
    } catch (error) {
      return { problem: (error as Error).message };
    }
  }

  /** Asks about what is in the session, to save it or to bring it back. Rejects when the session ends meanwhile. */
  askState(
    request: { do: "save" | "restore" | "facts"; [detail: string]: unknown },
    signal?: AbortSignal,
  ): Promise<unknown> {
    return this.#askBetweenBlocks((id) => this.#send({ op: "state", id, ...request }), signal);
  }

  /** What is done where a block would run, as long as it takes, or until the signal. */
  async #askBetweenBlocks(send: (id: number) => void, signal?: AbortSignal): Promise<unknown> {
    // Not by a signal: what earlier blocks have started goes on.
    const interrupt = () => this.#running === 0 && this.#send({ op: "interrupt" });
    signal?.addEventListener("abort", interrupt);
    try {
      return await this.#ask(send, true);
    } finally {
      signal?.removeEventListener("abort", interrupt);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#killedBecause ??= "it was closed";
    this.#child.signal("SIGKILL");
    this.channels[0]!.destroy(); // a copy hears it in this way
    await (this.copies.times > 0 ? within(this.exited, endsWithin) : this.#child.exited);
    this.#child.gone();
    for (const stream of [this.#child.stdout, this.#child.stderr, ...this.channels]) stream.destroy();
  }

  #signalInterrupt(): void {
    if (this.#interruptBy === "both") this.#send({ op: "interrupt" });
    const heard = this.#child.signal("SIGINT");
    if (!heard && this.#interruptBy === "signal") this.#send({ op: "interrupt" });
  }

  #ask(send: (id: number) => void, patient?: boolean): Promise<unknown> {
    const answer = this.#requests.ask(send, patient);
    if (!this.#alive) this.#requests.close();
    return answer;
  }

  #send(command: DriverCommand): void {
    this.channels[0]!.write(this.#encode(command));
  }

  #output(stream: "stdout" | "stderr", text: string): void {
    const event = { type: "output", stream, text } as const;
    if (this.#queue) this.#queue.push(event);
    else this.#late.add(event);
  }

  #event(line: string): void {
    const event = readEvent(line);
    if (!event) return;
    if (event.op === "call" || event.op === "cancel" || event.op === "more") {
      this.#bridge?.receive(event, line.length);
      return;
    }
    if (event.op === "reply") {
      this.#requests.answer(event.id, event.value);
      return;
    }
    if (event.op === "leaving") {
      this.#left = { code: Number(event.code), signal: null };
      this.#told = event.hosts;
      return;
    }
    if (event.op === "moved" && (this.#closed || !this.#alive || !this.copies.takes(event))) return;
    if (event.op === "ready") {
      if (event.version) this.#title = `${this.#title} ${event.version}`;
      // Only now it is certain that it is there under its own number.
      this.#pid = this.#group = this.#child.pid;
      this.#watch();
      this.#settleReady();
      return;
    }
    this.#delivery.push(event);
  }

  #handOver(event: DriverEvent): void {
    if (event.op === "moved") void this.#moved(event);
    if (event.op === "resumed") this.#resumed();
    const queue = this.#queue;
    // Something that goes on between blocks asks, and there is nobody to hear it.
    if (!queue && event.op === "ask") this.#send({ op: "answer", id: event.id, text: null });
    if (!queue) return;
    if (event.op !== "end") {
      const shown = sessionEvent(event, (answer) => this.#send(answer));
      if (shown) queue.push(shown);
    } else if (event.id === this.#running) {
      this.#told = event.hosts;
      this.#finish({
        type: "end",
        status: event.status,
        ...(event.exitCode === undefined ? {} : { exitCode: event.exitCode }),
        ...(typeof event.memory === "number" ? { memory: event.memory } : {}),
      });
    }
  }

  #finish(end: SessionEnd): void {
    this.#stopping.done();
    this.#running = 0;
    this.#limits?.end();
    const hosts = this.#hosts.end(this.#told);
    this.#told = undefined;
    this.#queue?.push(hosts.length > 0 ? { ...end, hosts } : end);
    this.#queue = undefined;
  }

  #watch(): void {
    this.#limits?.close();
    const { limits = {} } = this.#machine;
    this.#limits = watchLimits({
      pid: this.#pid,
      group: this.#group,
      limits,
      onOver: (why) => {
        this.#killedBecause = `it ${why}`;
        this.#child.signal("SIGKILL");
      },
    });
    if (this.#running !== 0) this.#limits.begin();
  }

  /** The process that we have started is gone; a copy may go on in its place. */
  async #processGone(exit: Exit): Promise<void> {
    if (!this.#closed) await this.copies.settled(this.#channelEnded.promise);
    if (this.copies.times === 0) await this.#gone(exit);
  }

  /** A copy that has taken over is not our child: this is how we hear that it is gone. */
  async #channelGone(): Promise<void> {
    this.#channelEnded.resolve();
    if (this.copies.times > 0) await this.#gone(this.#left ?? unknownExit);
  }

  /** All that the process had told was handed over: the copy may begin. */
  async #moved({ pid, group, token }: Extract<DriverEvent, { op: "moved" }>): Promise<void> {
    if (this.copies.times === 1) this.#left = await this.#child.exited;
    const outside = this.#child.moved(pid, group);
    this.#pid = outside.pid;
    this.#group = outside.group;
    this.#watch();
    this.#requests.close();
    this.#bridge?.close();
    const { marks } = this.copies;
    this.#delivery.countFrom(marks);
    this.copies.begins(this.#running);
    this.channels[0]!.write("\n"); // after a line that nobody has read to its end
    this.#send({ op: "resume", token, marks });
  }

  /** What the process had printed has arrived: the session goes on, without the block that ran. */
  #resumed(): void {
    const heir = this.copies.resumed();
    if (!heir) return;
    const exit = this.#left ?? unknownExit;
    const why = this.#killedBecause ?? explainExit(exit);
    this.#left = this.#killedBecause = undefined;
    if (heir.block !== 0 && heir.block === this.#running) {
      const explanation = `${why}; it goes on with what it held before this block`;
      this.#finish({ type: "end", status: "exited", exitCode: exit.code, explanation });
    }
    heir.standby.settleResumed(heir.notes);
  }

  async #gone(exit: Exit): Promise<void> {
    if (!this.#alive) return;
    this.#alive = false;
    this.#limits?.close();
    this.#settleExited(exit);
    this.copies.close();
    this.#bridge?.close();
    this.#requests.close();
    this.#settleReady(`it ended at once (${explainExit(exit)}). ${this.#late.words()}`.trim());
    // What is in the pipes was printed before the end: it is shown first. Children may keep them open for ever.
    this.#child.signal("SIGKILL");
    this.#child.gone();
    this.channels[0]!.destroy(); // a copy that wakes up too late hears that nobody is there
    await within(this.#delivery.end(), 500);
    if (this.#running === 0) return;
    this.#finish({
      type: "end",
      status: "exited",
      exitCode: exit.code,
      explanation: this.#killedBecause ?? explainExit(exit),
    });
  }
}
