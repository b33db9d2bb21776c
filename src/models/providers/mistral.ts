// Mistral's chat.

import { createMistral } from "@ai-sdk/mistral";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Endpoint } from "../endpoint.ts";
import { boundedFetch } from "./bounded-fetch.ts";

export function open({ baseUrl, apiKey, headers, name }: Endpoint): LanguageModelV4 {
  return createMistral({ baseURL: baseUrl, apiKey, headers, fetch: boundedFetch }).chat(name);
}
