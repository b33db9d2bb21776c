// Cohere's chat.

import { createCohere } from "@ai-sdk/cohere";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Endpoint } from "../endpoint.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import type { LoadSettings } from "./load.ts";

export function open(endpoint: Endpoint, settings: LoadSettings): LanguageModelV4 {
  const { baseUrl, apiKey, headers, name } = endpoint;
  return createCohere({ baseURL: baseUrl, apiKey, headers, fetch: boundedFetch(endpoint, settings) }).languageModel(
    name,
  );
}
