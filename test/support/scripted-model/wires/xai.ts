// xAI's responses: like OpenAI's, with every field there.

import type { Item } from "../deltas.ts";
import { seal } from "../seals.ts";
import { check, itemId } from "./responses.ts";
import { event, rawEvent, type Wire } from "./wire.ts";

const named = (data: { type: string } & Record<string, unknown>): string => event(data, data.type);

const whole = (status: string, more: Record<string, unknown> = {}) => ({
  id: "resp_scripted",
  object: "response",
  created_at: 1_700_000_000,
  model: "scripted",
  output: [],
  status,
  ...more,
});

function outputItem(item: Item, done: boolean): unknown {
  const place = { id: itemId(item), status: done ? "completed" : "in_progress" };
  if (item.kind === "text") {
    const content = done ? [{ type: "output_text", text: item.text, annotations: [] }] : [];
    return { type: "message", role: "assistant", content, ...place };
  }
  if (item.kind === "reasoning")
    return {
      type: "reasoning",
      summary: [],
      ...place,
      ...(done && { encrypted_content: seal(itemId(item) + item.text) }),
    };
  return { type: "function_call", call_id: item.id, name: item.name, arguments: done ? item.text : "", ...place };
}

const deltaTypes = {
  text: "response.output_text.delta",
  reasoning: "response.reasoning_text.delta",
  call: "response.function_call_arguments.delta",
};

export const xai: Wire = {
  name: "xai",
  check,
  contentType: "text/event-stream",
  open: () => [named({ type: "response.created", response: whole("in_progress") })],
  delta({ item, first, last, text }) {
    const place = { output_index: item.index };
    const frames: string[] = [];
    if (first) frames.push(named({ type: "response.output_item.added", ...place, item: outputItem(item, false) }));
    const index = item.kind === "call" ? {} : { content_index: 0 };
    frames.push(named({ type: deltaTypes[item.kind], ...place, item_id: itemId(item), ...index, delta: text }));
    if (last) frames.push(named({ type: "response.output_item.done", ...place, item: outputItem(item, true) }));
    return frames;
  },
  close(_items, reply) {
    const { input, output, cached = 0, reasoning = 0 } = reply.options.usage ?? { input: 10, output: 5 };
    const usage = {
      input_tokens: input,
      output_tokens: output,
      total_tokens: input + output,
      input_tokens_details: { cached_tokens: cached },
      output_tokens_details: { reasoning_tokens: reasoning },
    };
    const cut = reply.options.finish === "length" || reply.options.finish === "content-filter";
    const reason = reply.options.finish === "length" ? "max_output_tokens" : "content_filter";
    return [
      cut
        ? named({
            type: "response.incomplete",
            response: whole("incomplete", { usage, incomplete_details: { reason } }),
          })
        : named({ type: "response.completed", response: whole("completed", { usage }) }),
    ];
  },
  errorEvent: (message) => [named({ type: "error", code: "server_error", message, param: null, sequence_number: 9 })],
  garbage: (text) => [rawEvent(text)],
  errorBody: (_status, message) => ({ code: "scripted", error: message }),
};
