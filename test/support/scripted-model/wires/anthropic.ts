// Anthropic messages.

import type { Item } from "../deltas.ts";
import type { Reply } from "../script.ts";
import { event, rawEvent, type Wire } from "./wire.ts";

const named = (data: { type: string } & Record<string, unknown>): string => event(data, data.type);

function startOf(item: Item): unknown {
  if (item.kind === "text") return { type: "text", text: "" };
  if (item.kind === "reasoning") return { type: "thinking", thinking: "", signature: "" };
  return { type: "tool_use", id: item.id, name: item.name, input: {} };
}

function deltaOf(item: Item, text: string): unknown {
  if (item.kind === "text") return { type: "text_delta", text };
  if (item.kind === "reasoning") return { type: "thinking_delta", thinking: text };
  return { type: "input_json_delta", partial_json: text };
}

const stopReasons = { stop: "end_turn", length: "max_tokens", "content-filter": "refusal" };

function stopReason(items: readonly Item[], reply: Reply): string {
  if (reply.options.finish) return stopReasons[reply.options.finish];
  return items.some((item) => item.kind === "call") ? "tool_use" : "end_turn";
}

const errorTypes: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  429: "rate_limit_error",
  529: "overloaded_error",
};

export const anthropic: Wire = {
  name: "anthropic",
  contentType: "text/event-stream",
  open: (model) => [
    named({
      type: "message_start",
      message: {
        id: "msg_scripted",
        type: "message",
        role: "assistant",
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 10, output_tokens: 1 },
      },
    }),
  ],
  delta({ item, first, last, text }) {
    const { index } = item;
    const frames: string[] = [];
    if (first) frames.push(named({ type: "content_block_start", index, content_block: startOf(item) }));
    frames.push(named({ type: "content_block_delta", index, delta: deltaOf(item, text) }));
    if (last) frames.push(named({ type: "content_block_stop", index }));
    return frames;
  },
  close(items, reply) {
    const usage = reply.options.usage ?? { input: 10, output: 5 };
    return [
      named({
        type: "message_delta",
        delta: { stop_reason: stopReason(items, reply), stop_sequence: null },
        usage: {
          input_tokens: usage.input - (usage.cached ?? 0),
          cache_read_input_tokens: usage.cached ?? 0,
          output_tokens: usage.output,
        },
      }),
      named({ type: "message_stop" }),
    ];
  },
  errorEvent: (message) => [named({ type: "error", error: { type: "overloaded_error", message } })],
  garbage: (text) => [rawEvent(text)],
  errorBody: (status, message) => ({ type: "error", error: { type: errorTypes[status] ?? "api_error", message } }),
};
