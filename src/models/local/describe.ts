// How much the models of a server read, as far as it says so in a moment.

import { findEndpoint } from "../endpoint.ts";
import { localFacts } from "../local-facts.ts";
import type { LocalServer } from "./servers.ts";

/** Asking after more would not be quick, and nobody reads such a list to its end. */
const mostAsked = 12;

/** Tokens, by the name of the model. */
export async function contextWindows(server: LocalServer): Promise<Map<string, number>> {
  const asked = server.models.slice(0, mostAsked).map(async ({ name }) => {
    const endpoint = findEndpoint({ model: `${server.provider}/${name}`, apiBase: server.url, env: {} });
    const { contextWindow } = await localFacts(endpoint).catch(() => ({ contextWindow: undefined }));
    return contextWindow === undefined ? [] : [[name, contextWindow] as const];
  });
  return new Map((await Promise.all(asked)).flat());
}
