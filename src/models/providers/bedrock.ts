// Amazon Bedrock: every model over Converse, with a key or with signed requests.

import { createAmazonBedrock } from "@ai-sdk/amazon-bedrock";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Endpoint } from "../endpoint.ts";

export function open({ baseUrl, apiKey, headers, name, credentials }: Endpoint): LanguageModelV4 {
  // Credentials of the process itself are not looked for: the endpoint was made of those that were chosen.
  const provider = createAmazonBedrock({ baseURL: baseUrl, apiKey, headers, ...credentials });
  return provider.languageModel(name);
}
