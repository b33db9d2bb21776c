// Google's Gemini.

import { createGoogle } from "@ai-sdk/google";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Endpoint } from "../endpoint.ts";

export function open(endpoint: Endpoint): LanguageModelV4 {
  const provider = createGoogle({ baseURL: endpoint.baseUrl, apiKey: endpoint.apiKey, headers: endpoint.headers });
  return provider.chat(endpoint.name);
}
