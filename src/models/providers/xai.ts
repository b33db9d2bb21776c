// xAI's responses.

import type { LanguageModelV4 } from "@ai-sdk/provider";
import { createXai } from "@ai-sdk/xai";
import type { Endpoint } from "../endpoint.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import type { LoadSettings } from "./load.ts";

export function open(endpoint: Endpoint, settings: LoadSettings): LanguageModelV4 {
  const { baseUrl, apiKey, headers, name } = endpoint;
  return createXai({ baseURL: baseUrl, apiKey, headers, fetch: boundedFetch(endpoint, settings) }).responses(name);
}
