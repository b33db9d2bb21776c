// OpenAI chat completions, which most other providers speak too, some in ways of their own.

import type { Item } from "../deltas.ts";
import type { Reply, ReplyUsage } from "../script.ts";
import { type Issued, seal, thinkingBefore } from "../seals.ts";
import { event, rawEvent, type Wire, type WireName } from "./wire.ts";

const chunk = (choice: unknown, extra: Record<string, unknown> = {}): string =>
  event({
    id: "chatcmpl-scripted",
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: "scripted",
    choices: choice === undefined ? [] : [choice],
    ...extra,
  });

const finishReasons = { stop: "stop", length: "length", "content-filter": "content_filter" };

function finishReason(items: readonly Item[], reply: Reply): string {
  if (reply.options.finish) return finishReasons[reply.options.finish];
  return items.some((item) => item.kind === "call") ? "tool_calls" : "stop";
}

interface ChatBody {
  messages: { reasoning_content?: string; tool_calls?: { function: { arguments: string } }[] }[];
  reasoning_effort?: string;
}

/** As some real ones do: DeepSeek wants its thinking back with each call, others know neither that field nor an effort. */
function check(body: ChatBody, issued: readonly Issued[], model: string): string | undefined {
  for (const { reasoning_content: back, tool_calls: calls = [] } of body.messages) {
    if (back !== undefined && /strict/.test(model)) return "property 'reasoning_content' is unsupported";
    for (const { function: called } of /deepseek/.test(model) ? calls : []) {
      const thought = thinkingBefore(issued, called.arguments);
      if (thought.length > 0 && back !== thought.map(({ text }) => text).join(""))
        return "The `reasoning_content` in the thinking mode must be passed back to the API.";
    }
  }
  if (body.reasoning_effort !== undefined && /strict/.test(model))
    return "Unrecognized request argument supplied: reasoning_effort";
  return undefined;
}

/** What the providers that speak chat completions do in ways of their own. */
interface Style {
  name: WireName;
  /** A piece of thinking, as their delta has it; `whole` is all of it, with the last piece. */
  thinking(text: string, whole?: string): unknown;
  /** Calls come in one piece. */
  wholeCalls?: true;
  /** The last chunk, which tells what was used. */
  used(usage: ReplyUsage): Record<string, unknown>;
  /** It is the one that tells the end as well. */
  usedAtEnd?: true;
  /** What stands before everything else. */
  before?: string;
}

const counts = ({ input, output, cached = 0, reasoning = 0 }: ReplyUsage) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached },
  completion_tokens_details: { reasoning_tokens: reasoning },
});

export const chatWire = ({ name, thinking, wholeCalls, used, usedAtEnd, before }: Style): Wire => ({
  name,
  check,
  contentType: "text/event-stream",
  open: () => [
    ...(before === undefined ? [] : [before]),
    chunk({ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }),
  ],
  delta({ item, first, last, text }) {
    if (item.kind === "text") return [chunk({ index: 0, delta: { content: text }, finish_reason: null })];
    if (item.kind === "reasoning")
      return [chunk({ index: 0, delta: thinking(text, last ? item.text : undefined), finish_reason: null })];
    if (wholeCalls && !last) return [];
    const start = wholeCalls || first;
    const head = start ? { id: item.id, type: "function" } : {};
    const part = { ...(start ? { name: item.name } : {}), arguments: wholeCalls ? item.text : text };
    const delta = { tool_calls: [{ index: item.index, ...head, function: part }] };
    return [chunk({ index: 0, delta, finish_reason: null })];
  },
  close(items, reply) {
    const end = { index: 0, delta: { content: "" }, finish_reason: finishReason(items, reply) };
    const usage = used(reply.options.usage ?? { input: 10, output: 5 });
    return [...(usedAtEnd ? [chunk(end, usage)] : [chunk(end), chunk(undefined, usage)]), rawEvent("[DONE]")];
  },
  errorEvent: (message) => [event({ error: { message, type: "server_error", code: null } })],
  garbage: (text) => [rawEvent(text)],
  errorBody: (status, message) => ({ error: { message, type: "error", param: null, code: status } }),
});

export const openai = chatWire({
  name: "openai",
  thinking: (text) => ({ reasoning_content: text }),
  used: (usage) => ({ usage: counts(usage) }),
});

/** Mistral: thoughts are parts of the content, calls come whole, and the error has no frame around it. */
export const mistral: Wire = {
  ...chatWire({
    name: "mistral",
    thinking: (text) => ({ content: [{ type: "thinking", thinking: [{ type: "text", text }] }] }),
    wholeCalls: true,
    usedAtEnd: true,
    used: ({ cached = 0, ...usage }) => ({ usage: { ...counts(usage), num_cached_tokens: cached } }),
  }),
  errorBody: (status, message) => ({ object: "error", message, type: "error", param: null, code: String(status) }),
};

/** Groq tells what was used in a place of its own as well. */
export const groq = chatWire({
  name: "groq",
  thinking: (text) => ({ reasoning: text }),
  used: (usage) => ({ usage: counts(usage), x_groq: { id: "req_scripted", usage: counts(usage) } }),
});

export const deepseek = chatWire({
  name: "deepseek",
  thinking: (text) => ({ content: null, reasoning_content: text }),
  used({ input, output, cached = 0, reasoning = 0 }) {
    const { prompt_tokens_details: _, ...usage } = counts({ input, output, reasoning });
    return { usage: { ...usage, prompt_cache_hit_tokens: cached, prompt_cache_miss_tokens: input - cached } };
  },
});

interface RouterBody {
  messages: {
    reasoning_details?: { text: string; signature: string }[];
    tool_calls?: { function: { arguments: string } }[];
  }[];
}

/** Thinking comes back in its details, with the signature of whoever thought. */
function checkDetails(body: RouterBody, issued: readonly Issued[]): string | undefined {
  for (const { reasoning_details: details = [], tool_calls: calls = [] } of body.messages) {
    if (details.some(({ text, signature }) => signature !== seal(text)))
      return "Invalid `signature` in `thinking` block";
    for (const { function: called } of calls)
      if (thinkingBefore(issued, called.arguments).length > details.length)
        return "Expected `thinking` or `redacted_thinking`, but found `tool_use`";
  }
  return undefined;
}

/** OpenRouter says that it is at work, and what it charges. */
const routed = chatWire({
  name: "openrouter",
  before: ": OPENROUTER PROCESSING\n\n",
  thinking: (text, whole) => ({
    content: "",
    reasoning: text,
    reasoning_details: [
      {
        type: "reasoning.text",
        text,
        format: "anthropic-claude-v1",
        index: 0,
        ...(whole && { signature: seal(whole) }),
      },
    ],
  }),
  used: (usage) => ({
    usage: {
      ...counts(usage),
      prompt_tokens_details: { cached_tokens: usage.cached ?? 0, cache_write_tokens: usage.kept ?? 0 },
      cost: 0.00125,
      is_byok: false,
    },
  }),
});

export const openrouter: Wire = { ...routed, check: checkDetails };
