// Google's models in Vertex AI, with a key (express mode) or with Google's own sign-in.

import { createGoogleVertex } from "@ai-sdk/google-vertex";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Endpoint } from "../endpoint.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import type { LoadSettings } from "./load.ts";

export function open(endpoint: Endpoint, settings: LoadSettings): LanguageModelV4 {
  const { baseUrl, apiKey, headers, name, credentials = {} } = endpoint;
  const { keyFile, project, location } = credentials;
  const provider = createGoogleVertex({
    baseURL: baseUrl,
    headers,
    fetch: boundedFetch(endpoint, settings),
    apiKey,
    ...(project && { project }),
    ...(location && { location }),
    ...(keyFile && { googleAuthOptions: { keyFile } }),
  });
  return provider.languageModel(name);
}
