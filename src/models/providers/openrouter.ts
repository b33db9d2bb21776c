// OpenRouter: the models of many makers, with what each request cost.

import type { LanguageModelV4 } from "@ai-sdk/provider";
import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import type { Endpoint } from "../endpoint.ts";
import { boundedFetch } from "./bounded-fetch.ts";

export function open({ baseUrl, apiKey, headers, name }: Endpoint): LanguageModelV4 {
  const provider = createOpenRouter({
    baseURL: baseUrl,
    apiKey,
    headers,
    compatibility: "strict",
    fetch: boundedFetch,
  });
  return provider.chat(name, { usage: { include: true } });
}
