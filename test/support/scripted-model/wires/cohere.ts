// Cohere's chat, version 2. Calls follow one another; an error is an end like any other.

import type { Item } from "../deltas.ts";
import type { Reply } from "../script.ts";
import { event, rawEvent, type Wire } from "./wire.ts";

const named = (data: { type: string } & Record<string, unknown>): string => event(data, data.type);

const finishReasons = { stop: "COMPLETE", length: "MAX_TOKENS", "content-filter": "ERROR_TOXIC" };

function finishReason(items: readonly Item[], reply: Reply): string {
  if (reply.options.finish) return finishReasons[reply.options.finish];
  return items.some((item) => item.kind === "call") ? "TOOL_CALL" : "COMPLETE";
}

const usageOf = (input: number, output: number, cached = 0) => ({
  billed_units: { input_tokens: input, output_tokens: output },
  tokens: { input_tokens: input, output_tokens: output },
  cached_tokens: cached,
});

/** A call that ran into the limit is never said to be over. */
function isWhole(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

const content = (type: string, index: number, part: unknown): string =>
  named({ type, index, delta: { message: { content: part } } });

const calls = (type: string, index: number, part: unknown): string =>
  named({ type, index, delta: { message: { tool_calls: part } } });

export const cohere: Wire = {
  name: "cohere",
  contentType: "text/event-stream",
  open: () => [
    named({
      type: "message-start",
      id: "scripted",
      delta: { message: { role: "assistant", content: [], tool_calls: [] } },
    }),
  ],
  delta({ item, first, last, text }) {
    const { index } = item;
    const frames: string[] = [];
    if (item.kind === "call") {
      const called = { id: item.id, type: "function", function: { name: item.name, arguments: "" } };
      if (first) frames.push(calls("tool-call-start", index, called));
      frames.push(calls("tool-call-delta", index, { function: { arguments: text } }));
      if (last && isWhole(item.text)) frames.push(named({ type: "tool-call-end", index }));
      return frames;
    }
    const key = item.kind === "text" ? "text" : "thinking";
    if (first) frames.push(content("content-start", index, { type: key, [key]: "" }));
    frames.push(content("content-delta", index, { [key]: text }));
    if (last) frames.push(named({ type: "content-end", index }));
    return frames;
  },
  close(items, reply) {
    const { input, output, cached } = reply.options.usage ?? { input: 10, output: 5 };
    const delta = { finish_reason: finishReason(items, reply), usage: usageOf(input, output, cached) };
    return [named({ type: "message-end", delta }), rawEvent("[DONE]")];
  },
  errorEvent: (message) => [
    named({ type: "message-end", delta: { error: message, finish_reason: "ERROR", usage: usageOf(0, 0) } }),
  ],
  garbage: (text) => [rawEvent(text)],
  errorBody: (_status, message) => ({ id: "scripted", message }),
};
