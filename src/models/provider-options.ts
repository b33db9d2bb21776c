// The few things single providers are told beyond what all understand.

import type { LanguageModelV4Prompt, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { Wire } from "./catalogue.ts";

export function providerOptionsOf(wire: Wire): SharedV4ProviderOptions | undefined {
  // The conversation stays with the user; OpenAI would keep a copy unless told not to.
  if (wire === "openai-responses") return { openai: { store: false } };
  return undefined;
}

/** Anthropic caches up to a mark: one after the system prompt and one at the end, which the next request begins with. */
export function withCacheMarks(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const providerOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };
  return prompt.map((message, index) =>
    message.role === "system" || index === prompt.length - 1 ? { ...message, providerOptions } : message,
  );
}
