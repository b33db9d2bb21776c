// OpenAI itself, over responses or chat completions.

import { createOpenAI } from "@ai-sdk/openai";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Endpoint } from "../endpoint.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import type { LoadSettings } from "./load.ts";

export function open(endpoint: Endpoint, settings: LoadSettings): LanguageModelV4 {
  const { baseUrl, apiKey, headers, name, wire } = endpoint;
  const provider = createOpenAI({ baseURL: baseUrl, apiKey, headers, fetch: boundedFetch(endpoint, settings) });
  return wire === "openai-chat" ? provider.chat(name) : provider.responses(name);
}
