// A kernel on a Jupyter server, spoken to over its WebSocket. When the connection breaks it is made again under the same
// name: the server has kept what the kernel said meanwhile.

import { newId } from "../../messages/index.ts";
import type { Kernel, KernelListener } from "./kernel.ts";
import { type Channel, type Header, type KernelMessage, newMessage } from "./message.ts";
import { askServer, MachineError, type Server } from "./server.ts";
import { fromSocketFrame, toSocketFrame } from "./socket-frames.ts";

interface KernelModel {
  id: string;
  execution_state?: string;
  /** How many clients the server thinks are connected. */
  connections?: number;
}

const reconnectFirstAfter = 100;
const reconnectAtMostEvery = 5_000;
const reconnectFor = 120_000;
const lookEvery = 5_000;

/** Starts a kernel on the server and connects to it. Rejects with a `MachineError`. */
export async function startServerKernel(
  server: Server,
  name: string,
  env: NodeJS.ProcessEnv,
  listener: KernelListener,
): Promise<ServerKernel> {
  // What gateways let a person say about the place where the kernel is to run.
  const about = Object.fromEntries(Object.entries(env).filter(([key]) => key.startsWith("KERNEL_")));
  const body = { name, ...(Object.keys(about).length > 0 && { env: about }) };
  const { id } = await askServer<KernelModel>(server, "POST", "api/kernels", { body, within: 600_000 });
  const kernel = new ServerKernel(server, id, listener);
  if (await kernel.connect()) return kernel;
  await kernel.close();
  throw new MachineError(
    `The Jupyter server at ${server.base.host} started a kernel, but a WebSocket to it cannot be opened.`,
    "Is there a proxy in between that does not let WebSockets through?",
  );
}

export class ServerKernel implements Kernel {
  readonly #server: Server;
  readonly #path: string;
  readonly #listener: KernelListener;
  /** The name the server keeps messages under. */
  readonly #session = newId(24);
  readonly #waiting: KernelMessage[] = [];
  readonly #looking: NodeJS.Timeout;
  #socket: WebSocket | undefined;
  #gone = false;
  #reconnecting = false;
  #deleted: Promise<void> | undefined;

  constructor(server: Server, id: string, listener: KernelListener) {
    this.#server = server;
    this.#path = `api/kernels/${encodeURIComponent(id)}`;
    this.#listener = listener;
    this.#looking = setInterval(() => void this.#look(), lookEvery);
    this.#looking.unref();
  }

  /** Whether a connection could be opened. */
  connect(): Promise<boolean> {
    const url = new URL(`${this.#path}/channels`, this.#server.base);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    url.searchParams.set("session_id", this.#session);
    if (this.#server.token) url.searchParams.set("token", this.#server.token);
    const socket = new WebSocket(url);
    socket.binaryType = "arraybuffer";
    return new Promise((resolve) => {
      socket.addEventListener("open", () => {
        this.#socket = socket;
        for (const message of this.#waiting.splice(0)) socket.send(toSocketFrame(message));
        resolve(true);
      });
      socket.addEventListener("message", ({ data }) => this.#hear(data));
      socket.addEventListener("close", () => {
        resolve(false);
        if (this.#socket !== socket) return;
        this.#socket = undefined;
        void this.#reconnect();
      });
      // "close" follows.
      socket.addEventListener("error", () => {});
    });
  }

  send(channel: Channel, type: string, content: Record<string, unknown>, parent?: Partial<Header>): Header {
    const message = newMessage(this.#session, channel, type, content, parent);
    if (this.#socket) this.#socket.send(toSocketFrame(message));
    else if (!this.#gone) this.#waiting.push(message);
    return message.header;
  }

  interrupt(): void {
    askServer(this.#server, "POST", `${this.#path}/interrupt`, { missing: undefined }).catch(() => {});
  }

  kill(because: string): void {
    this.#end(because);
  }

  async close(): Promise<void> {
    this.#end("it was closed");
    await this.#deleted;
  }

  async isIdle(): Promise<boolean> {
    const model = await this.#model().catch(() => undefined);
    return model?.execution_state === undefined || model.execution_state === "idle";
  }

  #hear(data: unknown): void {
    const message = fromSocketFrame(data as string | ArrayBuffer);
    if (!message || this.#gone) return;
    const state = message.header.msg_type === "status" ? message.content.execution_state : undefined;
    // The server starts a dead kernel again, empty; that is another session.
    if (state === "dead" || state === "restarting" || state === "autorestarting") {
      this.#end("its kernel died on the Jupyter server: it crashed, was killed, or memory ran out");
    } else this.#listener.message(message);
  }

  async #reconnect(): Promise<void> {
    if (this.#reconnecting) return;
    this.#reconnecting = true;
    const deadline = Date.now() + reconnectFor;
    let problem = "";
    for (let pause = reconnectFirstAfter; !this.#gone; pause = Math.min(pause * 2, reconnectAtMostEvery)) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      try {
        const model = await this.#model();
        if (!model) {
          this.#end("the Jupyter server no longer has its kernel");
          break;
        }
        if (await this.connect()) {
          this.#reconnecting = false;
          this.#listener.reconnected();
          return;
        }
      } catch (error) {
        problem = (error as Error).message;
      }
      if (Date.now() > deadline) {
        this.#end(`the connection to ${this.#server.base.host} was lost and cannot be made again. ${problem}`.trim());
      }
    }
    this.#reconnecting = false;
  }

  /** Looks whether both sides still believe in the connection: one that died silently is made again. */
  async #look(): Promise<void> {
    if (this.#gone || !this.#socket) return;
    const socket = this.#socket;
    try {
      const model = await this.#model();
      if (!model) this.#end("the Jupyter server no longer has its kernel");
      else if (model.connections === 0 && this.#socket === socket) socket.close();
    } catch {
      // Then there is nothing new to know.
    }
  }

  /** Undefined when the server does not know the kernel. */
  async #model(): Promise<KernelModel | undefined> {
    const model = await askServer<KernelModel | null>(this.#server, "GET", this.#path, {
      missing: null,
      within: 10_000,
    });
    return model ?? undefined;
  }

  #end(explanation: string): void {
    if (this.#gone) return;
    this.#gone = true;
    clearInterval(this.#looking);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
    this.#deleted = this.#delete();
    this.#listener.gone({ explanation });
  }

  /** A server that is just starting a dead kernel again refuses to let it go, and a little later does. */
  async #delete(): Promise<void> {
    for (let pause = 200; pause < 3_000; pause *= 2) {
      try {
        await askServer(this.#server, "DELETE", this.#path, { missing: null, within: 10_000 });
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }
}
