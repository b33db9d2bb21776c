// The way out of a network that has nothing else in it, and the ways in.

import { connect, type Server } from "node:net";
import type { Holder } from "../../layer/holder.ts";
import { openConnector } from "./connect-inside.ts";
import { type DecisionsRequest, openDecisions, type Refusal } from "./decisions.ts";
import { listenInside } from "./listen-inside.ts";
import { serveProxy } from "./proxy.ts";
import { proxyVariables } from "./proxy-variables.ts";
import { publishPorts } from "./publish.ts";

export interface GateRequest extends DecisionsRequest {
  holder: Holder;
}

export interface Gate {
  /** Settles when it can be found. It is opened when first asked for, or a moment later. */
  ready(): Promise<void>;
  /** What programs inside must know to find it. */
  readonly env: Readonly<Record<string, string>>;
  /** Hosts that were reached since the last call, and those that were not. */
  take(): { reached: string[]; refused: Refusal[] };
  /** What listens at a port of this machine is found inside, too. Rejects in plain words. */
  passPort(port: number): Promise<void>;
  close(): void;
}

/** Inside, every port is free. */
const port = 3128;
const address = `127.0.0.1:${port}`;
const names = "localhost,127.0.0.1,::1";

/** Each takes descriptors of this process: more are closed at once. */
const mostClients = 400;

/** Most first blocks want no way out, and opening one would take the time from them. */
const soon = 150;

export function openGate({ holder, judge, ask }: GateRequest): Gate {
  const decisions = openDecisions({ judge, ask });
  let server: Server | undefined;
  let closed = false;

  const stopPublishing = publishPorts(holder, openConnector(holder), new Set([port]));
  const passed: Server[] = [];

  let listening: Promise<void> | undefined;
  const ready = (): Promise<void> => {
    clearTimeout(later);
    listening ??= listenInside(holder, port).then(
      (opened) => {
        server = opened;
        server.maxConnections = mostClients;
        if (closed) server.close();
        else server.on("connection", (client) => serveProxy(client, decisions));
      },
      () => {},
    );
    return listening;
  };
  const later = setTimeout(() => void ready(), soon).unref();

  return {
    ready,
    env: proxyVariables(address, names),
    take: decisions.take,
    async passPort(wanted) {
      const inside = await listenInside(holder, wanted);
      passed.push(inside);
      inside.maxConnections = mostClients;
      inside.on("connection", (client) => {
        const host = connect({ port: wanted, host: "localhost", autoSelectFamily: true });
        for (const [one, other] of [
          [client, host],
          [host, client],
        ] as const)
          one.on("error", () => other.destroy()).on("close", () => other.destroy());
        client.pipe(host).pipe(client);
      });
    },
    close() {
      closed = true;
      clearTimeout(later);
      stopPublishing();
      for (const each of [...passed, ...(server ? [server] : [])]) each.close();
    },
  };
}
