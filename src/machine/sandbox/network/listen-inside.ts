// Listens inside of a sandbox for us: a process that is there for a moment opens the socket and hands it over.

import { spawn } from "node:child_process";
import type { Server } from "node:net";
import type { Holder } from "../../layer/holder.ts";

const script = `const server = require("node:net").createServer();
server.on("error", (error) => process.send({ problem: error.message }, () => process.exit()));
server.listen(Number(process.argv[1]), "127.0.0.1", () => process.send({}, server, () => process.exit()));`;

const readyWithin = 20_000;

/** Rejects in plain words. What connects there arrives at this server, in this process. */
export function listenInside(holder: Holder, port: number): Promise<Server> {
  const [command, ...args] = holder.enterNetwork();
  const child = spawn(command!, [...args, process.execPath, "-e", script, String(port)], {
    cwd: "/",
    detached: true,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    env: {},
  });
  return new Promise<Server>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`The way out of the sandbox could not be opened: ${why}.`));
    const late = setTimeout(() => {
      child.kill("SIGKILL");
      fail("it took too long");
    }, readyWithin);
    child.once("error", (error) => fail(error.message));
    child.once("exit", (code) => fail(`its process ended with status ${code}`));
    child.once("message", (said: { problem?: string }, server) => {
      clearTimeout(late);
      if (said.problem !== undefined || !server) return fail(said.problem ?? "nothing was handed over");
      (server as Server).unref();
      resolve(server as Server);
    });
    child.unref();
    child.channel?.unref();
  });
}
