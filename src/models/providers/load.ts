// Loads the code that speaks a wire, and only that: a provider package costs tens of milliseconds to import.

import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Outbox } from "../../privacy/index.ts";
import type { Wire } from "../catalogue/index.ts";
import type { Endpoint } from "../endpoint.ts";

/** The part of a provider's interface that we use. */
export interface Speaker {
  doStream(options: LanguageModelV4CallOptions): PromiseLike<{ stream: AsyncIterable<LanguageModelV4StreamPart> }>;
  /** Gives back what it holds; only what runs in this process holds anything. */
  close?(): Promise<void>;
}

/** What has to be known before a model can be spoken to. */
export interface LoadSettings {
  contextWindow?: number | undefined;
  /** Told what is sent. */
  outbox?: Outbox | undefined;
}

export const loaders: Record<Wire, () => Promise<{ open(endpoint: Endpoint, settings: LoadSettings): Speaker }>> = {
  "openai-compatible": () => import("./openai-compatible.ts"),
  "openai-chat": () => import("./openai.ts"),
  "openai-responses": () => import("./openai.ts"),
  anthropic: () => import("./anthropic.ts"),
  google: () => import("./google.ts"),
  azure: () => import("./azure.ts"),
  bedrock: () => import("./bedrock.ts"),
  vertex: () => import("./vertex.ts"),
  "vertex-anthropic": () => import("./vertex-anthropic.ts"),
  mistral: () => import("./mistral.ts"),
  xai: () => import("./xai.ts"),
  cohere: () => import("./cohere.ts"),
  openrouter: () => import("./openrouter.ts"),
  embedded: () => import("../embedded/speaker.ts"),
};

export async function loadProvider(endpoint: Endpoint, settings: LoadSettings): Promise<Speaker> {
  const { open } = await loaders[endpoint.wire]();
  return open(endpoint, settings);
}
