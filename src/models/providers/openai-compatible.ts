// Any server that speaks OpenAI's chat completions: most hosted providers and every local one.

import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Endpoint } from "../endpoint.ts";

export function open(endpoint: Endpoint): LanguageModelV4 {
  const provider = createOpenAICompatible({
    name: "compatible",
    baseURL: endpoint.baseUrl,
    apiKey: endpoint.apiKey,
    headers: endpoint.headers,
    includeUsage: true,
    ...(Object.keys(endpoint.query).length > 0 ? { queryParams: endpoint.query } : {}),
  });
  return provider.chatModel(endpoint.name);
}
