// Who may be reached from inside of a sandbox, and who was: rules first, then the person, and each host is asked about once.

import { connect, type Server, type Socket } from "node:net";
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
  ask?: ((target: Target, signal: AbortSignal) => Promise<"once" | "conversation" | "always" | "no">) | undefined;
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
  /** What the person said of hosts while this block runs. */
  const said = new Map<string, "once" | "no">();
  const asking = new Map<
    string,
    { answer: Promise<string | undefined>; waiting: Set<Socket>; stop: AbortController }
  >();
  /** One question at a time. */
  let turn: Promise<unknown> = Promise.resolve();
  let reached = new Set<string>();
  let refused = new Map<string, Refusal>();
  let server: Server | undefined;
  let closed = false;

  async function decide(target: Target, client: Socket): Promise<string | undefined> {
    const { host, port: at } = target;
    const verdict = await judge(target);
    const key = await keyOf(target);
    const why =
      verdict === "allow"
        ? undefined
        : verdict === "deny"
          ? refusal(host, "a rule forbids it")
          : await question(target, key, client);
    if (why === undefined) reached.add(host);
    else refused.set(key, { host, port: at, why });
    return why;
  }

  /** Whoever waits for the answer may go away: then nobody is asked any more. */
  function question(target: Target, key: string, client: Socket): Promise<string | undefined> {
    if (!ask) return Promise.resolve(refusal(target.host, "nobody is here to allow it"));
    const open = asking.get(key) ?? begin(target, key, ask);
    open.waiting.add(client);
    client.once("close", () => {
      open.waiting.delete(client);
      if (open.waiting.size === 0) open.stop.abort();
    });
    return open.answer;
  }

  function begin(target: Target, key: string, askPerson: NonNullable<typeof ask>) {
    const stop = new AbortController();
    const answer = turn.then(async () => {
      const known = said.get(key);
      const answered = known ?? (stop.signal.aborted ? "no" : await askPerson(target, stop.signal));
      if (!stop.signal.aborted && (answered === "once" || answered === "no")) said.set(key, answered);
      return answered === "no" ? refusal(target.host, "it was not allowed") : undefined;
    });
    turn = answer.catch(() => {});
    const open = { answer: answer.finally(() => asking.delete(key)), waiting: new Set<Socket>(), stop };
    asking.set(key, open);
    return open;
  }

  const stopPublishing = publishPorts(holder, openConnector(holder), new Set([port]));
  const passed: Server[] = [];

  const ready = listenInside(holder, port).then(
    (opened) => {
      server = opened;
      if (closed) server.close();
      else server.on("connection", (client) => serveProxy(client, (target) => decide(target, client)));
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
      // A block is over, and what it wanted to know with it.
      for (const { stop } of asking.values()) stop.abort();
      said.clear();
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
