// Who may be reached from inside of a sandbox, and who was: rules first, then the person, and each host is asked about once.

import type { Socket } from "node:net";
import { openRules } from "../../../settings/index.ts";
import { howToAllow } from "../refusals.ts";
import type { Target } from "./proxy.ts";

export type Verdict = "allow" | "deny" | "ask";

export interface DecisionsRequest {
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

export interface Decisions {
  /** Resolves with undefined where a client may go on, and with why not otherwise. */
  decide(target: Target, client: Socket): Promise<string | undefined>;
  /** Hosts that were reached since the last call, and those that were not. */
  take(): { reached: string[]; refused: Refusal[] };
}

export function openDecisions({ judge, ask }: DecisionsRequest): Decisions {
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

  return {
    decide,
    take() {
      // A block is over, and what it wanted to know with it.
      for (const { stop } of asking.values()) stop.abort();
      said.clear();
      const taken = { reached: [...reached], refused: [...refused.values()] };
      reached = new Set();
      refused = new Map();
      return taken;
    },
  };
}

/** One port of a host is not the other; and a name that leads to this machine or a private network is asked about as such. */
async function keyOf({ host, port: at, addresses = [] }: Target): Promise<string> {
  const { placeOf, readHost } = await openRules();
  const named = readHost(host);
  // `localhost` leads to where it says.
  const expected = ["public", ...(named && placeOf(named) === "here" ? ["here"] : [])];
  const inside = addresses.filter((address) => {
    const read = readHost(address);
    return !read || !expected.includes(placeOf(read));
  });
  return [host, at, ...inside.sort()].join(" ");
}

const refusal = (host: string, because: string): string =>
  `The sandbox does not let code reach ${host}: ${because}. ${howToAllow("host", host)}`;
