// OpenAI responses.

import type { Item } from "../deltas.ts";
import { event, rawEvent, type Wire } from "./wire.ts";

const itemId = (item: Item): string => `item_${item.index}`;

function outputItem(item: Item, done: boolean): unknown {
  if (item.kind === "text") return { type: "message", id: itemId(item), role: "assistant", content: [] };
  if (item.kind === "reasoning") return { type: "reasoning", id: itemId(item), summary: [] };
  return {
    type: "function_call",
    id: itemId(item),
    call_id: item.id,
    name: item.name,
    arguments: done ? item.text : "",
    ...(done ? { status: "completed" } : {}),
  };
}

const deltaTypes = {
  text: "response.output_text.delta",
  reasoning: "response.reasoning_summary_text.delta",
  call: "response.function_call_arguments.delta",
};

const named = (data: { type: string } & Record<string, unknown>): string => event(data, data.type);

export const responses: Wire = {
  name: "responses",
  contentType: "text/event-stream",
  open: (model) => [
    named({ type: "response.created", response: { id: "resp_scripted", created_at: 1_700_000_000, model } }),
  ],
  delta({ item, first, last, text }) {
    const place = { output_index: item.index };
    const frames: string[] = [];
    if (first) frames.push(named({ type: "response.output_item.added", ...place, item: outputItem(item, false) }));
    frames.push(
      named({
        type: deltaTypes[item.kind],
        ...place,
        item_id: itemId(item),
        ...(item.kind === "text" ? { content_index: 0 } : {}),
        ...(item.kind === "reasoning" ? { summary_index: 0 } : {}),
        delta: text,
      }),
    );
    if (last) frames.push(named({ type: "response.output_item.done", ...place, item: outputItem(item, true) }));
    return frames;
  },
  close(_items, reply) {
    const usage = reply.options.usage ?? { input: 10, output: 5 };
    const cut = reply.options.finish === "length" || reply.options.finish === "content-filter";
    const reason = reply.options.finish === "length" ? "max_output_tokens" : "content_filter";
    return [
      named({
        type: cut ? "response.incomplete" : "response.completed",
        response: {
          ...(cut ? { incomplete_details: { reason } } : {}),
          usage: {
            input_tokens: usage.input,
            input_tokens_details: { cached_tokens: usage.cached ?? 0 },
            output_tokens: usage.output,
            output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
          },
        },
      }),
    ];
  },
  errorEvent: (message) => [
    named({ type: "error", sequence_number: 9, error: { type: "server_error", code: "server_error", message } }),
  ],
  garbage: (text) => [rawEvent(text)],
  errorBody: (status, message) => ({ error: { message, type: "error", param: null, code: String(status) } }),
};
