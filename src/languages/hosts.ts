// The hosts that blocks of a session reach: what code inside says, which knows names, and what is seen from outside.

import { watchConnections } from "../machine/index.ts";

const most = 100;
const mostNames = 10_000;

export class Hosts {
  readonly #leader: number;
  /** By address, the name it is known by. */
  readonly #names = new Map<string, string>();
  /** Connections that were looked at. */
  readonly #known = new Set<string>();
  #watch: { stop(): string[] } | undefined;

  /** `leader` is the process that the session began with. */
  constructor(leader: number) {
    this.#leader = leader;
  }

  begin(): void {
    this.#watch?.stop();
    this.#watch = watchConnections(this.#leader, this.#known);
  }

  /** Those of the block that has ended. `told` comes from inside: by name, the addresses of it. */
  end(told: unknown): string[] {
    const seen = this.#watch?.stop() ?? [];
    this.#watch = undefined;
    const names = this.#read(told);
    return [...new Set([...names, ...seen.map((address) => this.#names.get(address) ?? address)])].slice(0, most);
  }

  #read(told: unknown): string[] {
    const entries = typeof told === "object" && told !== null ? Object.entries(told) : [];
    return entries.flatMap(([name, addresses]: [string, unknown]) => {
      if (!/^[^\s\p{C}]{1,253}$/u.test(name)) return [];
      for (const address of Array.isArray(addresses) ? addresses : [])
        if (typeof address === "string" && this.#names.size < mostNames) this.#names.set(address, name);
      return [name];
    });
  }
}
