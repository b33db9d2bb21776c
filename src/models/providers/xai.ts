// xAI's responses.

import type { LanguageModelV4 } from "@ai-sdk/provider";
import { createXai } from "@ai-sdk/xai";
import type { Endpoint } from "../endpoint.ts";
import { boundedFetch } from "./bounded-fetch.ts";

export function open({ baseUrl, apiKey, headers, name }: Endpoint): LanguageModelV4 {
  return createXai({ baseURL: baseUrl, apiKey, headers, fetch: boundedFetch }).responses(name);
}
