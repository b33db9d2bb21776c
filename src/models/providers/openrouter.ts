// OpenRouter: the models of many makers, with what each request cost.

import type { LanguageModelV4 } from "@ai-sdk/provider";
import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import type { Endpoint } from "../endpoint.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import type { LoadSettings } from "./load.ts";

export function open(endpoint: Endpoint, settings: LoadSettings): LanguageModelV4 {
  const { baseUrl, apiKey, headers, name } = endpoint;
  const provider = createOpenRouter({
    baseURL: baseUrl,
    apiKey,
    headers,
    compatibility: "strict",
    fetch: boundedFetch(endpoint, settings),
  });
  return provider.chat(name, { usage: { include: true } });
}
