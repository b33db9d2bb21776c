// Cohere's chat.

import { createCohere } from "@ai-sdk/cohere";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Endpoint } from "../endpoint.ts";
import { boundedFetch } from "./bounded-fetch.ts";

export function open({ baseUrl, apiKey, headers, name }: Endpoint): LanguageModelV4 {
  return createCohere({ baseURL: baseUrl, apiKey, headers, fetch: boundedFetch }).languageModel(name);
}
