// Anthropic's messages.

import { createAnthropic } from "@ai-sdk/anthropic";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Endpoint } from "../endpoint.ts";
import { boundedFetch } from "./bounded-fetch.ts";

export function open(endpoint: Endpoint): LanguageModelV4 {
  const { baseUrl, apiKey, headers, name } = endpoint;
  return createAnthropic({ baseURL: baseUrl, apiKey, headers, fetch: boundedFetch }).messages(name);
}
