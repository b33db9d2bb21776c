// The few things single providers are told beyond what all understand.

import type { LanguageModelV4Prompt, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { Wire } from "./catalogue/index.ts";
import { type Effort, effortOptions } from "./effort.ts";
import type { Endpoint } from "./endpoint.ts";

/** Wires whose servers keep conversations, and the name under which they are told not to. */
const keeping: Partial<Record<Wire, string>> = { "openai-responses": "openai", azure: "azure", xai: "xai" };

export function providerOptionsOf(
  endpoint: Endpoint,
  { effort, answers }: { effort: Effort | undefined; answers: boolean },
): SharedV4ProviderOptions | undefined {
  const options: SharedV4ProviderOptions = {
    // The conversation stays with the user; servers of responses would keep a copy unless told not to. What they think
    // they then hand out sealed, to be given back.
    ...(endpoint.wire in keeping ? { [keeping[endpoint.wire]!]: { store: false } } : {}),
    ...(effort === undefined ? {} : effortOptions(endpoint, effort)),
  };
  // OpenAI's strict schemas allow less than JSON Schema does; what is said is checked here.
  if (answers && /^(openai-responses|openai-chat|azure)$/.test(endpoint.wire)) {
    const name = keeping[endpoint.wire] ?? "openai";
    options[name] = { ...options[name], strictJsonSchema: false };
  }
  return Object.keys(options).length > 0 ? options : undefined;
}

/** How a mark is written; most providers cache by themselves and need none. */
function cacheMark({ wire, name }: Endpoint): SharedV4ProviderOptions | undefined {
  const isClaude = wire === "anthropic" || wire === "vertex-anthropic" || /^~?anthropic\//.test(name);
  if (isClaude && wire !== "openai-compatible") return { anthropic: { cacheControl: { type: "ephemeral" } } };
  const marked = wire === "bedrock" && /anthropic\.|amazon\.nova/.test(name);
  return marked ? { bedrock: { cachePoint: { type: "default" } } } : undefined;
}

/** Anthropic caches up to a mark: one after the system prompt and one at the end, which the next request begins with. */
export function withCacheMarks(prompt: LanguageModelV4Prompt, endpoint: Endpoint): LanguageModelV4Prompt {
  const providerOptions = cacheMark(endpoint);
  if (!providerOptions) return prompt;
  return prompt.map((message, index) =>
    message.role === "system" || index === prompt.length - 1 ? { ...message, providerOptions } : message,
  );
}
