// Connects with what listens inside of a sandbox: a process in its network opens each connection and hands it over.

import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import type { Holder } from "../../layer/holder.ts";

const script = `const { connect } = require("node:net");
process.on("message", ({ id, port }) => {
  // What is said first there is for whoever gets it.
  const socket = connect({ port, host: "localhost", autoSelectFamily: true }).pause();
  socket.once("connect", () => process.send({ id }, socket));
  socket.once("error", (error) => process.send({ id, problem: error.message }));
});
process.on("disconnect", () => process.exit());`;

export interface Connector {
  /** Rejects when nobody listens there. */
  connect(port: number): Promise<Socket>;
  close(): void;
}

/** The process is started with the first connection. */
export function openConnector(holder: Holder): Connector {
  let child: ChildProcess | undefined;
  let last = 0;
  const waiting = new Map<number, { resolve(socket: Socket): void; reject(error: Error): void }>();

  function start(): ChildProcess {
    const [command, ...args] = holder.enterNetwork();
    const started = spawn(command!, [...args, process.execPath, "-e", script], {
      cwd: "/",
      detached: true,
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      env: {},
    });
    started.on("message", ({ id, problem }: { id: number; problem?: string }, socket) => {
      const asked = waiting.get(id);
      waiting.delete(id);
      if (problem !== undefined || !socket) asked?.reject(new Error(problem ?? "Nothing was handed over."));
      else if (asked) asked.resolve(socket as Socket);
      else (socket as Socket).destroy();
    });
    const gone = () => {
      child = undefined;
      for (const { reject } of waiting.values()) reject(new Error("The sandbox has ended."));
      waiting.clear();
    };
    started.once("exit", gone).once("error", gone);
    started.unref();
    started.channel?.unref();
    return started;
  }

  return {
    connect: (port) =>
      new Promise<Socket>((resolve, reject) => {
        child ??= start();
        const id = ++last;
        waiting.set(id, { resolve, reject });
        child.send({ id, port }, (error) => error && reject(error));
      }),
    close() {
      if (child?.connected) child.disconnect();
    },
  };
}
