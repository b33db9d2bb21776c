// Loads the code that speaks a wire, and only that: a provider package costs tens of milliseconds to import.

import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Wire } from "../catalogue.ts";
import type { Endpoint } from "../endpoint.ts";

/** The part of a provider's interface that we use. */
export interface Speaker {
  doStream(options: LanguageModelV4CallOptions): PromiseLike<{ stream: AsyncIterable<LanguageModelV4StreamPart> }>;
}

const loaders: Record<Wire, () => Promise<{ open(endpoint: Endpoint): Speaker }>> = {
  "openai-compatible": () => import("./openai-compatible.ts"),
  "openai-chat": () => import("./openai.ts"),
  "openai-responses": () => import("./openai.ts"),
  anthropic: () => import("./anthropic.ts"),
  google: () => import("./google.ts"),
};

export async function loadProvider(endpoint: Endpoint): Promise<Speaker> {
  const { open } = await loaders[endpoint.wire]();
  return open(endpoint);
}
