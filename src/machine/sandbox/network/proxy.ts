// The one way out of a sandbox: a proxy for HTTP and SOCKS that asks about each host before it connects to it.

import { isIP, connect as netConnect, type Socket } from "node:net";
import { readHttp } from "./http-request.ts";
import { readSocks, socksAnswer } from "./socks-request.ts";

export interface Target {
  /** As it was asked for: a name, or an address where no name was given. */
  host: string;
  port: number;
}

/** Undefined lets it pass; otherwise why not, in a sentence for whoever reads the error. */
export type Decide = (target: Target) => Promise<string | undefined>;

/** What the client wants, once it has said enough. */
export type Request =
  | { kind: "tunnel"; target: Target; rest: Buffer }
  /** Plain HTTP: what is to be sent on instead of what came. */
  | { kind: "forward"; target: Target; rest: Buffer }
  | { kind: "bad"; answer: Buffer };

const longestRequest = 64 * 1024;
const saidWithin = 30_000;

/** Serves one connection. Never throws; whatever fails ends the connection. */
export function serveProxy(client: Socket, decide: Decide, connect: (target: Target) => Socket = open): void {
  client.on("error", () => client.destroy());
  client.setTimeout(saidWithin, () => client.destroy());
  let said = Buffer.alloc(0);
  let greeted = false;

  const take = (bytes: Buffer): void => {
    said = Buffer.concat([said, bytes]);
    if (said.length > longestRequest) return void client.destroy();
    const isSocks = greeted || said[0] === 0x05;
    const read = isSocks ? readSocks(said, greeted) : readHttp(said);
    if (read === undefined) return;
    if (read.kind === "greeting") {
      greeted = true;
      said = Buffer.from(read.rest);
      client.write(read.answer);
      if (said.length > 0) take(Buffer.alloc(0));
      return;
    }
    client.off("data", take);
    client.pause();
    client.setTimeout(0);
    if (read.kind === "bad") return void client.end(read.answer);
    void pass(client, read, isSocks ? socks : read.kind === "tunnel" ? tunnel : forward, decide, connect);
  };
  client.on("data", take);
}

/** How a way tells its client what came of it. */
interface Manner {
  open: Buffer;
  refused(why: string): Buffer;
  unreachable(why: string): Buffer;
}

const page = (status: string, text: string): Buffer =>
  Buffer.from(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  );
const forward: Manner = {
  open: Buffer.alloc(0),
  refused: (why) => page("403 Forbidden by the sandbox", `${why}\n`),
  unreachable: (why) => page("502 Bad Gateway", `${why}\n`),
};
const tunnel: Manner = { ...forward, open: Buffer.from("HTTP/1.1 200 Connection established\r\n\r\n") };
const socks: Manner = { open: socksAnswer(0), refused: () => socksAnswer(2), unreachable: () => socksAnswer(4) };

async function pass(
  client: Socket,
  { target, rest, kind }: Extract<Request, { target: Target }>,
  manner: Manner,
  decide: Decide,
  connect: (target: Target) => Socket,
): Promise<void> {
  const why = await decide(target).catch((error: Error) => error.message);
  if (client.destroyed) return;
  if (why !== undefined) return void client.end(manner.refused(why));
  const server = connect(target);
  let connected = false;
  server.once("connect", () => {
    connected = true;
    if (kind === "tunnel" || manner === socks) client.write(manner.open);
    if (rest.length > 0) server.write(rest);
    client.pipe(server);
    server.pipe(client);
    client.resume();
  });
  server.on("error", (error) => {
    if (connected) client.destroy();
    else client.end(manner.unreachable(`${target.host} could not be reached: ${error.message}`));
  });
  server.on("close", () => connected && client.end());
  client.on("close", () => server.destroy());
}

const open = ({ host, port }: Target): Socket =>
  netConnect({ host, port, ...(isIP(host) ? {} : { autoSelectFamily: true }) });
