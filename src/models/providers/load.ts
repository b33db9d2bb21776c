// Loads the code that speaks a wire, and only that: a provider package costs tens of milliseconds to import.

import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Wire } from "../catalogue.ts";
import type { Endpoint } from "../endpoint.ts";

const loaders: Record<Wire, () => Promise<{ open(endpoint: Endpoint): LanguageModelV4 }>> = {
  "openai-compatible": () => import("./openai-compatible.ts"),
  "openai-chat": () => import("./openai.ts"),
  "openai-responses": () => import("./openai.ts"),
  anthropic: () => import("./anthropic.ts"),
  google: () => import("./google.ts"),
};

export async function loadProvider(endpoint: Endpoint): Promise<LanguageModelV4> {
  const { open } = await loaders[endpoint.wire]();
  return open(endpoint);
}
