// The hosts that a block has reached: what code in the session says, which knows names, and what is seen from outside.

const most = 100;

/** `told` comes from inside: by name, the addresses of it. `seen` are addresses; those that have a name are not said again. */
export function hostsReached(told: unknown, seen: readonly string[]): string[] {
  const entries = Object.entries(Object(told)).filter(([name]) => /^[^\s\p{C}]{1,253}$/u.test(name));
  const known = new Set(entries.flatMap(([name, addresses]) => [name, ...(Array.isArray(addresses) ? addresses : [])]));
  return [...entries.map(([name]) => name), ...seen.filter((address) => !known.has(address))].slice(0, most);
}
