// Thinking that goes back to the model. What it has thought, and the signatures on it, are kept with the conversation and sent
// again to the very model that made them; to any other they mean nothing, and it would refuse them.
//
// All of it is sent, also that of earlier turns. Providers that have no use for old thinking pass over it themselves (Anthropic,
// OpenAI, Gemini), and a conversation that begins with the same bytes each time is cached. Thinking without a signature
// (`reasoning_content` of DeepSeek, Kimi, GLM …) goes back only with the calls it led to: that is where it is demanded, and of an answer it would be
// nothing but tokens.

import type { LanguageModelV4Prompt, SharedV4ProviderMetadata, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { FromProvider, Message } from "../messages/index.ts";

export interface Author {
  wire: string;
  /** `provider/name`. */
  id: string;
}

/** Facts that a provider wants back with a piece of its reply, under the names it has for them. */
const wanted = [
  "signature",
  "redactedData",
  "redactedContent",
  "reasoningEncryptedContent",
  "phase",
  "thoughtSignature",
  "reasoning_details",
  "field",
];

/** These seal what they think; of what comes without a seal they want nothing back. */
const sealing = /anthropic|openai-responses|openai-chat|google|vertex|bedrock|azure|xai|openrouter/;

/** What is to be kept of the facts that came with a piece of a reply. */
export function keepFacts(
  author: Author,
  metadata: SharedV4ProviderMetadata | undefined,
  names = wanted,
): FromProvider | undefined {
  const data: FromProvider["data"] = {};
  for (const [name, facts] of Object.entries(metadata ?? {})) {
    const found = Object.entries(facts).filter(
      ([key, value]) => names.includes(key) && value !== null && value !== undefined,
    );
    if (found.length > 0) data[name] = Object.fromEntries(found);
  }
  return Object.keys(data).length === 0 ? undefined : { wire: author.wire, model: author.id, data };
}

/** The same for thinking, which some providers want back without any seal on it. */
export function keepThinking(author: Author, metadata: SharedV4ProviderMetadata | undefined): FromProvider | undefined {
  // The parts of a summary belong together by the id of their item.
  const kept = keepFacts(author, metadata, [...wanted, "itemId"]);
  if (kept || sealing.test(author.wire)) return kept;
  return { wire: author.wire, model: author.id, data: {} };
}

/** What goes back with a message; nothing when another model made it. */
export function factsFor(author: Author, { provider }: Message): SharedV4ProviderOptions | undefined {
  if (!provider || provider.wire !== author.wire || provider.model !== author.id) return undefined;
  return provider.data as SharedV4ProviderOptions;
}

/** Whether thinking has a seal, or is only words. */
export const isSealed = (facts: SharedV4ProviderOptions): boolean =>
  Object.values(facts).some((entry) => Object.keys(entry).some((key) => key !== "field"));

/**
 * Anthropic refuses to think in a turn whose first call came without thinking: another model made it, or thinking was off.
 * Such a turn goes on as it began.
 */
export function mayThink(prompt: LanguageModelV4Prompt): boolean {
  let at = prompt.findLastIndex(({ role }) => role === "assistant");
  if (prompt[at + 1]?.role !== "tool") return true;
  for (let before = at - 1; before >= 0; before--) {
    const message = prompt[before]!;
    if (message.role === "assistant") at = before;
    else if (message.role === "system" || (message.role === "user" && message.content.some(isText))) break;
  }
  const first = prompt[at];
  return first?.role === "assistant" && first.content[0]?.type === "reasoning";
}

const isText = (part: { type: string }): boolean => part.type === "text";
