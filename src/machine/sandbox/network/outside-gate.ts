// The way out where code has no network of its own: a port of this machine, behind a password that only code in the sandbox knows.

import { randomBytes, timingSafeEqual } from "node:crypto";
import { type AddressInfo, createServer } from "node:net";
import { type DecisionsRequest, openDecisions } from "./decisions.ts";
import type { Gate } from "./gate.ts";
import { type Password, serveProxy } from "./proxy.ts";
import { proxyVariables } from "./proxy-variables.ts";

/** It listens already. Ports of this machine are reached through it as other hosts are: where a rule or the person allows it. */
export interface OutsideGate extends Gate {
  /** The one port that code must be let reach. */
  readonly port: number;
}

const name = "code";

/** Whoever opens it keeps code from every other way out. Rejects where no port can be had. */
export async function openOutsideGate(request: DecisionsRequest): Promise<OutsideGate> {
  const decisions = openDecisions(request);
  const secret = randomBytes(24).toString("hex");
  const isOurs: Password = (said, password) => said === name && isSame(password, secret);
  const server = createServer((client) => serveProxy(client, decisions, isOurs));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    port,
    ready: () => Promise.resolve(),
    env: proxyVariables(`${name}:${secret}@127.0.0.1:${port}`, ""),
    take: decisions.take,
    passPort: () => Promise.resolve(),
    close: () => void server.close(),
  };
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
