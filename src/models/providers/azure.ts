// OpenAI's models in Azure, over responses.

import { createAzure } from "@ai-sdk/azure";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Endpoint } from "../endpoint.ts";
import { boundedFetch } from "./bounded-fetch.ts";

export function open({ baseUrl, apiKey, name }: Endpoint): LanguageModelV4 {
  return createAzure({ baseURL: baseUrl, apiKey, fetch: boundedFetch }).responses(name);
}
