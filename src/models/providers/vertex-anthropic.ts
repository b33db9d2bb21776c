// Anthropic's models in Vertex AI, with Google's own sign-in.

import { createGoogleVertexAnthropic } from "@ai-sdk/google-vertex/anthropic";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Endpoint } from "../endpoint.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import type { LoadSettings } from "./load.ts";

export function open(endpoint: Endpoint, settings: LoadSettings): LanguageModelV4 {
  const { baseUrl, apiKey, headers, name, credentials = {} } = endpoint;
  const { keyFile, project, location } = credentials;
  const provider = createGoogleVertexAnthropic({
    baseURL: baseUrl,
    headers,
    fetch: boundedFetch(endpoint, settings),
    // Behind an address of the person's own a key may do.
    ...(apiKey && { generateAuthToken: async () => apiKey }),
    ...(project && { project }),
    ...(location && { location }),
    ...(keyFile && { googleAuthOptions: { keyFile } }),
  });
  return provider.languageModel(name);
}
