// One ZeroMQ connection to a kernel's socket: DEALER to ask and be answered, SUB to hear everything it publishes.

import { connect, type Socket } from "node:net";
import { ByteReader, encodeFrame, encodeMessage, type Frame, readFrame } from "./frames.ts";
import {
  greeting,
  greetingProblem,
  greetingSize,
  pongCommand,
  readCommand,
  readyCommand,
  type SocketType,
} from "./greeting.ts";

export type Address = { host: string; port: number } | { path: string };

export interface ConnectionRequest {
  address: Address;
  type: SocketType;
  /** What a ROUTER on the other side knows us by; two sockets with one identity belong together. */
  identity: string;
  onMessage: (parts: Buffer[]) => void;
  /** How a port is connected with, where it is none of ours. */
  connectPort?: ((port: number) => Promise<Socket>) | undefined;
  /** Gives up waiting for somebody to listen there. */
  signal: AbortSignal;
}

const retryEvery = 20;

/** Connects as soon as somebody listens. Rejects when the signal says so, or when what listens is no ZeroMQ. */
export async function connectZmtp(request: ConnectionRequest): Promise<ZmtpConnection> {
  for (;;) {
    request.signal.throwIfAborted();
    const socket = await open(request);
    if (socket) {
      const connection = new ZmtpConnection(socket, request);
      const problem = await connection.ready;
      if (problem === undefined) return connection;
      connection.close();
      if (problem) throw new Error(problem);
    }
    await new Promise((resolve) => setTimeout(resolve, retryEvery));
  }
}

export class ZmtpConnection {
  /** Undefined when greeted; why not otherwise, "" when the connection was closed on us. */
  readonly ready: Promise<string | undefined>;
  #socket: Socket;
  #bytes = new ByteReader();
  #greeted = false;
  #parts: Buffer[] = [];
  #request: ConnectionRequest;
  #settle: (problem?: string) => void = () => {};

  constructor(socket: Socket, request: ConnectionRequest) {
    this.#socket = socket;
    this.#request = request;
    this.ready = new Promise((resolve) => {
      this.#settle = resolve;
    });
    const stop = () => this.#fail("");
    request.signal.addEventListener("abort", stop);
    void this.ready.then(() => request.signal.removeEventListener("abort", stop));
    socket.on("error", () => {});
    socket.on("close", () => this.#settle(""));
    socket.on("data", (chunk) => {
      this.#bytes.push(chunk);
      try {
        this.#read();
      } catch (error) {
        this.#fail((error as Error).message);
      }
    });
    socket.write(greeting());
  }

  send(parts: readonly Buffer[]): void {
    this.#socket.write(encodeMessage(parts));
  }

  close(): void {
    this.#socket.destroy();
  }

  #fail(problem: string): void {
    this.#settle(problem);
    this.#socket.destroy();
  }

  #read(): void {
    if (!this.#greeted) {
      const theirs = this.#bytes.take(greetingSize);
      if (!theirs) return;
      const problem = greetingProblem(theirs);
      if (problem) throw new Error(problem);
      this.#greeted = true;
      this.#command(readyCommand(this.#request.type, this.#request.identity));
    }
    for (let frame = readFrame(this.#bytes); frame; frame = readFrame(this.#bytes)) {
      if (frame.command) this.#heed(frame);
      else this.#collect(frame);
    }
  }

  #heed(frame: Frame): void {
    const { name, rest } = readCommand(frame.body);
    if (name === "PING") this.#command(pongCommand(rest));
    else if (name === "ERROR") this.#fail(`it refused: ${rest.toString("utf8", 1)}`);
    else if (name === "READY") {
      // An empty topic: everything.
      if (this.#request.type === "SUB") this.send([Buffer.of(1)]);
      this.#settle();
    }
  }

  #collect({ body, more }: Frame): void {
    this.#parts.push(body);
    if (more) return;
    const parts = this.#parts;
    this.#parts = [];
    this.#request.onMessage(parts);
  }

  #command(body: Buffer): void {
    this.#socket.write(encodeFrame({ more: false, command: true, body }));
  }
}

/** A connected socket, or undefined when nobody listens. */
function open({ address, connectPort }: ConnectionRequest): Promise<Socket | undefined> {
  if (connectPort && "port" in address)
    return connectPort(address.port).then(
      (socket) => socket.setNoDelay(true),
      () => undefined,
    );
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.setNoDelay(true);
    socket.once("error", () => resolve(undefined));
    socket.once("connect", () => {
      // Asking for a port nobody listens on can connect a socket to itself, and then nobody else ever can.
      const itself = "port" in address && socket.localPort === address.port;
      if (itself) socket.resetAndDestroy();
      resolve(itself ? undefined : socket);
    });
  });
}
