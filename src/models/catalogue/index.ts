// Which providers and models there are: those we know by heart first, then those that are listed in the catalogue.

import { listedProvider, listedProviders } from "./file.ts";
import { ownProviders } from "./own-providers.ts";
import type { Provider } from "./provider.ts";

export { type Environment, findListed, listedModels } from "./file.ts";
export type { ListedModel } from "./lines.ts";
export { ownProviders } from "./own-providers.ts";
export type { Provider, Wire } from "./provider.ts";

/** A provider by its name or an alias, whatever the case. */
export function findProvider(name: string, env: NodeJS.ProcessEnv = process.env): Provider | undefined {
  const wanted = name.toLowerCase();
  const own = ownProviders.find((provider) => provider.name === wanted || provider.aliases?.includes(wanted));
  return own ?? listedProvider(wanted, env);
}

/** Every provider, in the order a person should be offered them. */
export const allProviders = (env: NodeJS.ProcessEnv = process.env): Provider[] => [
  ...ownProviders,
  ...listedProviders(env),
];
