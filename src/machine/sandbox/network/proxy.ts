// The one way out of a sandbox: a proxy for HTTP and SOCKS that asks about each host before it connects to it.

import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction, connect as netConnect, type Socket } from "node:net";
import { readHttp } from "./http-request.ts";
import { readSocks, type Stage, socksAnswer } from "./socks-request.ts";

export interface Target {
  /** As it was asked for: a name, or an address where no name was given. */
  host: string;
  port: number;
  /** Where the name leads, when that is known. */
  addresses?: readonly string[];
}

/** Who decides about a client's targets, and hears what became of those that it let pass. */
export interface Deciding {
  /** Undefined lets it pass; otherwise why not, in a sentence for whoever reads the error. */
  decide(target: Target, client: Socket): Promise<string | undefined>;
  /** A connection stands. */
  reached(target: Target): void;
  /** There is none, and why, in a sentence. */
  missed(target: Target, why: string): void;
}

/** Whether it is somebody who was let know. */
export type Password = (name: string, password: string) => boolean;

/** What the client wants, once it has said enough. */
export type Request =
  | { kind: "tunnel"; target: Target; rest: Buffer }
  /** Plain HTTP: what is to be sent on instead of what came. */
  | { kind: "forward"; target: Target; rest: Buffer }
  | { kind: "bad"; answer: Buffer };

const longestRequest = 64 * 1024;
const saidWithin = 30_000;

/** Serves one connection: of anybody, or of whoever knows the password. Never throws; whatever fails ends the connection. */
export function serveProxy(client: Socket, deciding: Deciding, password?: Password): void {
  client.on("error", () => client.destroy());
  client.setTimeout(saidWithin, () => client.destroy());
  let said = Buffer.alloc(0);
  let stage: Stage = "greeting";

  const take = (bytes: Buffer): void => {
    said = Buffer.concat([said, bytes]);
    if (said.length > longestRequest) return void client.destroy();
    const isSocks = stage !== "greeting" || said[0] === 0x05;
    const read = isSocks ? readSocks(said, stage, password) : readHttp(said, password);
    if (read === undefined) return;
    if (read.kind === "greeting") {
      stage = read.next;
      said = Buffer.from(read.rest);
      client.write(read.answer);
      if (said.length > 0) take(Buffer.alloc(0));
      return;
    }
    client.off("data", take);
    client.pause();
    client.setTimeout(0);
    if (read.kind === "bad") return void client.end(read.answer);
    void pass(client, read, isSocks ? socks : read.kind === "tunnel" ? tunnel : forward, deciding);
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
  deciding: Deciding,
): Promise<void> {
  const found = await find(target, (each) => deciding.decide(each, client));
  if (client.destroyed) return;
  if ("why" in found) return void client.end(manner.refused(found.why));
  const server = open(found);
  let connected = false;
  server.once("connect", () => {
    connected = true;
    deciding.reached(target);
    if (kind === "tunnel" || manner === socks) client.write(manner.open);
    if (rest.length > 0) server.write(rest);
    client.pipe(server);
    server.pipe(client);
    client.resume();
  });
  server.on("error", (error) => {
    if (connected) return void client.destroy();
    const isFound = isIP(target.host) || (found.addresses ?? []).length > 0;
    const problem = error.message || (error as NodeJS.ErrnoException).code;
    const why = isFound
      ? `${target.host} could not be reached: ${problem}`
      : `${target.host} could not be found: there is no such host, or it cannot be looked up here`;
    deciding.missed(target, `${why}.`);
    client.end(manner.unreachable(why));
  });
  server.on("close", () => connected && client.end());
  client.on("close", () => server.destroy());
}

/**
 * Nobody is asked for the address of a host that is not allowed: the question itself would tell something. Then it is decided again,
 * since a name may lead anywhere; and what was decided upon is what is connected to.
 */
async function find(
  target: Target,
  decide: (target: Target) => Promise<string | undefined>,
): Promise<Target | { why: string }> {
  try {
    const why = await decide(target);
    if (why !== undefined) return { why };
    if (isIP(target.host)) return target;
    const addresses = (await lookup(target.host, { all: true }).catch(() => [])).map(({ address }) => address);
    const led = { ...target, addresses };
    const second = addresses.length === 0 ? undefined : await decide(led);
    return second === undefined ? led : { why: second };
  } catch (error) {
    return { why: (error as Error).message };
  }
}

function open({ host, port, addresses = [] }: Target): Socket {
  if (isIP(host)) return netConnect({ host, port });
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const known: LookupFunction = (_host, { all }, tell) => {
    const [first] = found;
    if (!first) tell(new Error("there is no such host"), []);
    else if (all) tell(null, found);
    else tell(null, first.address, first.family);
  };
  return netConnect({ host, port, lookup: known, autoSelectFamily: true });
}
