// What listens inside of a sandbox is found at the same port of this machine, and nowhere else: a page that code serves can be opened.

import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import type { Holder } from "../../layer/holder.ts";
import type { Connector } from "./connect-inside.ts";

const lookEvery = 500;
/** One may have come as another went. */
const readAtLeastEvery = 10_000;
/** Ports below are the system's. */
const lowest = 1_024;
/** Each takes a descriptor of this process: code that listens everywhere must not take all of them. */
const mostPublished = 100;
/** At one port, for the same reason. */
const mostVisitors = 100;

/** `except`: ports inside that are ours. Returns what ends it. */
export function publishPorts(holder: Holder, connector: Connector, except: ReadonlySet<number>): () => void {
  const servers = new Map<number, Server>();
  let known = "";
  let lastRead = 0;
  const look = () => {
    // The list of ports takes the kernel a hundred times as long as their number.
    const now = socketsInUse(holder.pid);
    if (now === known && Date.now() - lastRead < readAtLeastEvery) return;
    known = now;
    lastRead = Date.now();
    const ports = listeningPorts(holder.pid);
    for (const [port, server] of servers)
      if (!ports.has(port)) {
        servers.delete(port);
        server.close();
      }
    for (const port of ports)
      if (port >= lowest && !except.has(port) && !servers.has(port) && servers.size < mostPublished) publish(port);
  };

  function publish(port: number): void {
    const server = createServer((client) => {
      client.on("error", () => client.destroy());
      connector.connect(port).then(
        (inside) => {
          inside.on("error", () => client.destroy());
          inside.on("close", () => client.destroy());
          client.on("close", () => inside.destroy());
          client.pipe(inside).pipe(client);
        },
        () => client.destroy(),
      );
    });
    server.maxConnections = mostVisitors;
    // Somebody else has it: then it is theirs.
    server.on("error", () => {});
    server.listen(port, "127.0.0.1").unref();
    servers.set(port, server);
  }

  const timer = setInterval(look, lookEvery);
  timer.unref();
  return () => {
    clearInterval(timer);
    for (const server of servers.values()) server.close();
    connector.close();
  };
}

/** How many there are inside; only good for seeing that it changes. */
function socketsInUse(pid: number): string {
  const counts = ["sockstat", "sockstat6"].map((table) => readTable(pid, table));
  return counts.map((text) => /^TCP6?: inuse (\d+)/m.exec(text)?.[1] ?? "").join(" ");
}

/** A kernel without one of them has nothing in it. */
function readTable(pid: number | "self", name: string): string {
  try {
    return readFileSync(`/proc/${pid}/net/${name}`, "latin1");
  } catch {
    return "";
  }
}

/** Of all addresses in the network of a process; none where the system does not tell. */
export function listeningPorts(pid: number | "self"): Set<number> {
  const ports = new Set<number>();
  for (const table of ["tcp", "tcp6"]) {
    for (const line of readTable(pid, table).split("\n").slice(1)) {
      const [, local = "", , state] = line.trim().split(/\s+/);
      if (state === "0A") ports.add(Number.parseInt(local.split(":").at(-1)!, 16));
    }
  }
  return ports;
}
