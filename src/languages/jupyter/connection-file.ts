// Where a kernel and we will meet, written down for the kernel in a file that only this person can read.

import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { holdFolder } from "../../machine/index.ts";
import type { Channel } from "./message.ts";
import type { Address } from "./zmtp/connection.ts";

export interface MeetingPlace {
  connectionFile: string;
  key: string;
  address(channel: Channel): Address;
  remove(): void;
}

const sockets = ["shell", "control", "stdin", "iopub", "hb"] as const;
const loopback = "127.0.0.1";
/** The longest path a Unix socket can have on every system. */
const longestSocketPath = 100;

/** `files`: sockets that are files in a private folder where the system has them, else ports of this computer. */
export async function makeMeetingPlace(transport: "files" | "ports"): Promise<MeetingPlace> {
  const folder = mkdtempSync(join(tmpdir(), "interpreter-kernel-"));
  // Code can write there, too.
  const held = holdFolder(folder);
  const connectionFile = join(folder, "kernel.json");
  const key = randomBytes(32).toString("hex");
  const path = join(folder, "socket");
  const byFile = transport === "files" && process.platform !== "win32" && path.length < longestSocketPath;
  const ports = byFile ? sockets.map((_, index) => index + 1) : await freePorts(sockets.length);
  const named = Object.fromEntries(sockets.map((name, index) => [`${name}_port`, ports[index]!]));
  const connection = {
    ...named,
    transport: byFile ? "ipc" : "tcp",
    ip: byFile ? path : loopback,
    key,
    signature_scheme: "hmac-sha256",
  };
  held.write("kernel.json", JSON.stringify(connection));
  return {
    connectionFile,
    key,
    address(channel) {
      const port = named[`${channel}_port`]!;
      return byFile ? { path: `${path}-${port}` } : { host: loopback, port };
    },
    remove: () => held.remove(),
  };
}

/**
 * Ports nobody uses now. They are taken from below the range that systems give to outgoing connections, so that they are
 * most likely still free when the kernel asks for them.
 */
async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (!ports.has(port) && (await isFree(port))) ports.add(port);
  }
  return [...ports];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, loopback, () => server.close(() => resolve(true)));
  });
}
