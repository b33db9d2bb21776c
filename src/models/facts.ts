// What is known of a model before it is asked: what the person said goes first, then what a server on this machine
// says, then the catalogue. Hosted providers are never asked.

import { isOnThisMachine } from "../machine/index.ts";
import type { Environment } from "./catalogue/index.ts";
import { free } from "./cost.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Dialect, ModelFacts } from "./types.ts";

/** What the person says of a model, whatever is known of it otherwise. */
export interface ChosenFacts {
  contextWindow?: number | undefined;
  vision?: boolean | undefined;
  dialect?: Dialect | undefined;
}

export async function findFacts(endpoint: Endpoint, chosen: ChosenFacts, env: Environment): Promise<ModelFacts> {
  const { contextWindow, vision, dialect } = chosen;
  const [listed, said] = await Promise.all([catalogueFacts(endpoint, env), askServer(endpoint, contextWindow)]);
  return {
    ...listed,
    ...said,
    // Weights cannot be made to read more than they were trained for.
    ...(contextWindow !== undefined && !endpoint.embedded && { contextWindow }),
    ...(vision !== undefined && { vision }),
    ...(dialect !== undefined && { tools: dialect === "tool" }),
  };
}

/** What is known without asking anybody. */
export async function catalogueFacts({ provider, name }: Endpoint, env: Environment): Promise<ModelFacts> {
  // The same model may read less here than at the one who makes it.
  if (provider?.local) return { prices: free };
  try {
    const { listedFacts } = await import("./catalogue/find-facts.ts");
    return listedFacts(provider, name, env);
  } catch {
    return {};
  }
}

async function askServer(endpoint: Endpoint, contextWindow: number | undefined): Promise<ModelFacts> {
  if (endpoint.embedded) {
    const { embeddedFacts } = await import("./embedded/facts.ts");
    return embeddedFacts(endpoint.embedded.path, contextWindow);
  }
  if (!endpoint.provider?.local && (endpoint.provider || !isOnThisMachine(endpoint.baseUrl))) return {};
  try {
    const { localFacts } = await import("./local-facts.ts");
    return await localFacts(endpoint);
  } catch {
    return {};
  }
}
