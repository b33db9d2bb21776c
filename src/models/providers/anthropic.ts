// Anthropic's messages.

import { createAnthropic } from "@ai-sdk/anthropic";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Endpoint } from "../endpoint.ts";

export function open(endpoint: Endpoint): LanguageModelV4 {
  const provider = createAnthropic({ baseURL: endpoint.baseUrl, apiKey: endpoint.apiKey, headers: endpoint.headers });
  return provider.messages(endpoint.name);
}
