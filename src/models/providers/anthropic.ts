// Anthropic's messages.

import { createAnthropic } from "@ai-sdk/anthropic";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Endpoint } from "../endpoint.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import type { LoadSettings } from "./load.ts";

export function open(endpoint: Endpoint, settings: LoadSettings): LanguageModelV4 {
  const { baseUrl, apiKey, headers, name } = endpoint;
  return createAnthropic({ baseURL: baseUrl, apiKey, headers, fetch: boundedFetch(endpoint, settings) }).messages(name);
}
