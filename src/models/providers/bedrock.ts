// Amazon Bedrock: every model over Converse, with a key or with signed requests.

import { createAmazonBedrock } from "@ai-sdk/amazon-bedrock";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Endpoint } from "../endpoint.ts";
import { recordedFetch } from "./bounded-fetch.ts";
import type { LoadSettings } from "./load.ts";

export function open(endpoint: Endpoint, settings: LoadSettings): LanguageModelV4 {
  const { baseUrl, apiKey, headers, name, credentials } = endpoint;
  const fetch = recordedFetch(endpoint, settings);
  // Credentials of the process itself are not looked for: the endpoint was made of those that were chosen.
  const provider = createAmazonBedrock({ baseURL: baseUrl, apiKey, headers, fetch, ...credentials });
  return provider.languageModel(name);
}
