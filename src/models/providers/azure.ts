// OpenAI's models in Azure, over responses.

import { createAzure } from "@ai-sdk/azure";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Endpoint } from "../endpoint.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import type { LoadSettings } from "./load.ts";

export function open(endpoint: Endpoint, settings: LoadSettings): LanguageModelV4 {
  const { baseUrl, apiKey, name } = endpoint;
  return createAzure({ baseURL: baseUrl, apiKey, fetch: boundedFetch(endpoint, settings) }).responses(name);
}
