// Who may be reached from inside of a sandbox, and who was: rules first, then the person, and each host is asked about once.

import type { Socket } from "node:net";
import { openRules } from "../../../settings/index.ts";
import { howToAllow } from "../refusals.ts";
import type { Deciding, Target } from "./proxy.ts";

/** A denial may say why, and in sentences what helps where allowing it does not. */
export type Verdict = "allow" | "deny" | "ask" | { verdict: "deny"; because: string; helps: readonly string[] };

export interface DecisionsRequest {
  /** What rules say of a host. */
  judge(target: Target): Verdict | Promise<Verdict>;
  /** Asks the person; undefined where nobody can answer. */
  ask?: ((target: Target, signal: AbortSignal) => Promise<"once" | "conversation" | "always" | "no">) | undefined;
}

/** Code that tries thousands must not have the person and the model read thousands of sentences. */
const mostRefused = 20;

export interface Refusal {
  /** Empty where several are counted. */
  host: string;
  port: number;
  /** In a sentence, with what to do about it. */
  why: string;
}

export interface Decisions extends Deciding {
  /** Hosts with which a connection stood since the last call, and what is to be said of the others. */
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
  /** How many refusals came after those. */
  let left = 0;

  async function decide(target: Target, client: Socket): Promise<string | undefined> {
    const { host, port: at } = target;
    const verdict = await judge(target);
    const key = await keyOf(target);
    const why =
      verdict === "allow"
        ? undefined
        : verdict === "ask"
          ? await question(target, key, client)
          : typeof verdict === "string"
            ? refusal(host, "a rule forbids it")
            : [sentence(host, verdict.because), ...verdict.helps].join(" ");
    if (why !== undefined) refuse(key, { host, port: at, why });
    return why;
  }

  function refuse(key: string, refusal: Refusal): void {
    if (refused.size < mostRefused || refused.has(key)) refused.set(key, refusal);
    else left++;
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
    reached({ host, port: at }) {
      reached.add(host);
      refused.delete(missing(host, at));
    },
    missed({ host, port: at }, why) {
      if (!reached.has(host)) refuse(missing(host, at), { host, port: at, why });
    },
    take() {
      // A block is over, and what it wanted to know with it.
      for (const { stop } of asking.values()) stop.abort();
      said.clear();
      const why = `${left} more times, the sandbox did not let code reach a host.`;
      const more: Refusal[] = left > 0 ? [{ host: "", port: 0, why }] : [];
      const taken = { reached: [...reached], refused: [...refused.values(), ...more] };
      reached = new Set();
      refused = new Map();
      left = 0;
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

const missing = (host: string, port: number): string => `missing ${host} ${port}`;

const sentence = (host: string, because: string): string => `The sandbox does not let code reach ${host}: ${because}.`;

const refusal = (host: string, because: string): string => `${sentence(host, because)} ${howToAllow("host", host)}`;
