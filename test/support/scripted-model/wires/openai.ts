// OpenAI chat completions, which most other providers speak too.

import type { Item } from "../deltas.ts";
import type { Reply } from "../script.ts";
import { event, rawEvent, type Wire } from "./wire.ts";

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

export const openai: Wire = {
  name: "openai",
  contentType: "text/event-stream",
  open: () => [chunk({ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null })],
  delta({ item, first, text }) {
    if (item.kind === "text") return [chunk({ index: 0, delta: { content: text }, finish_reason: null })];
    if (item.kind === "reasoning")
      return [chunk({ index: 0, delta: { reasoning_content: text }, finish_reason: null })];
    const head = first ? { id: item.id, type: "function" } : {};
    const part = { ...(first ? { name: item.name } : {}), arguments: text };
    const delta = { tool_calls: [{ index: item.index, ...head, function: part }] };
    return [chunk({ index: 0, delta, finish_reason: null })];
  },
  close(items, reply) {
    const usage = reply.options.usage ?? { input: 10, output: 5 };
    return [
      chunk({ index: 0, delta: {}, finish_reason: finishReason(items, reply) }),
      chunk(undefined, {
        usage: {
          prompt_tokens: usage.input,
          completion_tokens: usage.output,
          total_tokens: usage.input + usage.output,
          prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
          completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
        },
      }),
      rawEvent("[DONE]"),
    ];
  },
  errorEvent: (message) => [event({ error: { message, type: "server_error", code: null } })],
  garbage: (text) => [rawEvent(text)],
  errorBody: (status, message) => ({ error: { message, type: "error", param: null, code: status } }),
};
