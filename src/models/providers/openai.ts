// OpenAI itself, over responses or chat completions.

import { createOpenAI } from "@ai-sdk/openai";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Endpoint } from "../endpoint.ts";

export function open(endpoint: Endpoint): LanguageModelV4 {
  const provider = createOpenAI({ baseURL: endpoint.baseUrl, apiKey: endpoint.apiKey, headers: endpoint.headers });
  return endpoint.wire === "openai-chat" ? provider.chat(endpoint.name) : provider.responses(endpoint.name);
}
