// Whose key a provider uses: several names of one service, which read the same variable, have one key together.

import type { KeyOwner } from "../settings/index.ts";
import { allProviders, type Environment, type Provider } from "./catalogue/index.ts";

/** Everybody who may have a key, each once, in the order a person should be offered them. */
export function keyOwners(env: Environment): KeyOwner[] {
  const owners = new Map<string, KeyOwner>();
  for (const { name, label, keyVariables: variables } of allProviders(env)) {
    const [first] = variables;
    if (first && !owners.has(first)) owners.set(first, { name, label, variables });
  }
  return [...owners.values()];
}

/** Undefined for a provider that needs no key. */
export const keyOwner = ({ keyVariables: [first] }: Provider, env: Environment): KeyOwner | undefined =>
  keyOwners(env).find(({ variables }) => variables[0] === first);
