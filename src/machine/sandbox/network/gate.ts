// Who may be reached from inside of a sandbox, and who was: rules first, then the person, and each host is asked about once.

import { connect, type Server } from "node:net";
import { openRules } from "../../../settings/index.ts";
import type { Holder } from "../../layer/holder.ts";
import { openConnector } from "./connect-inside.ts";
import { listenInside } from "./listen-inside.ts";
import { serveProxy, type Target } from "./proxy.ts";
import { publishPorts } from "./publish.ts";

export type Verdict = "allow" | "deny" | "ask";

export interface GateRequest {
  holder: Holder;
  /** What rules say of a host. */
  judge(target: Target): Verdict | Promise<Verdict>;
  /** Asks the person; undefined where nobody can answer. */
  ask?: ((target: Target) => Promise<"once" | "conversation" | "always" | "no">) | undefined;
}

export interface Refusal {
  host: string;
  port: number;
  /** In a sentence, with what to do about it. */
  why: string;
}

export interface Gate {
  /** Settles when it can be found. */
  readonly ready: Promise<void>;
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
const web = `http://${address}`;
const names = "localhost,127.0.0.1,::1";

export function openGate({ holder, judge, ask }: GateRequest): Gate {
  const allowed = new Set<string>();
  const denied = new Set<string>();
  const asking = new Map<string, Promise<string | undefined>>();
  let reached = new Set<string>();
  let refused = new Map<string, Refusal>();
  let server: Server | undefined;
  let closed = false;

  async function decide(target: Target): Promise<string | undefined> {
    const { host, port: at } = target;
    const key = await keyOf(target);
    const why = allowed.has(key) ? undefined : await (asking.get(key) ?? consider(target, key));
    if (why === undefined) reached.add(host);
    else refused.set(key, { host, port: at, why });
    return why;
  }

  function consider(target: Target, key: string): Promise<string | undefined> {
    const { host } = target;
    const answer = (async () => {
      const verdict = await judge(target);
      if (verdict === "allow") return void allowed.add(key);
      if (verdict === "deny" || denied.has(key)) return refusal(host, "a rule forbids it");
      if (!ask) return refusal(host, "nobody is here to allow it");
      const said = await ask(target);
      if (said === "no") {
        denied.add(key);
        return refusal(host, "you did not allow it");
      }
      if (said !== "once") allowed.add(key);
      return undefined;
    })().finally(() => asking.delete(key));
    asking.set(key, answer);
    return answer;
  }

  const stopPublishing = publishPorts(holder, openConnector(holder), new Set([port]));
  const passed: Server[] = [];

  const ready = listenInside(holder, port).then(
    (opened) => {
      server = opened;
      if (closed) server.close();
      else server.on("connection", (client) => serveProxy(client, decide));
    },
    () => {},
  );

  return {
    ready,
    env: {
      HTTP_PROXY: web,
      http_proxy: web,
      HTTPS_PROXY: web,
      https_proxy: web,
      ALL_PROXY: `socks5h://${address}`,
      all_proxy: `socks5h://${address}`,
      NO_PROXY: names,
      no_proxy: names,
      NODE_USE_ENV_PROXY: "1",
    },
    take() {
      const taken = { reached: [...reached], refused: [...refused.values()] };
      reached = new Set();
      refused = new Map();
      return taken;
    },
    async passPort(wanted) {
      const inside = await listenInside(holder, wanted);
      passed.push(inside);
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
      stopPublishing();
      for (const each of [...passed, ...(server ? [server] : [])]) each.close();
    },
  };
}

/** One port of a host is not the other; and a name that leads to this machine or a private network is asked about as such. */
async function keyOf({ host, port: at, addresses = [] }: Target): Promise<string> {
  const { placeOf, readHost } = await openRules();
  const inside = addresses.filter((address) => {
    const read = readHost(address);
    return !read || placeOf(read) !== "public";
  });
  return [host, at, ...inside.sort()].join(" ");
}

const refusal = (host: string, because: string): string =>
  `The sandbox does not let code reach ${host}: ${because}. To allow it: /allow host ${host}, or --sandbox off.`;
