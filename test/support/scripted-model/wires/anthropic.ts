// Anthropic messages.

import type { Item } from "../deltas.ts";
import type { Reply } from "../script.ts";
import { type Issued, seal, thinkingBefore } from "../seals.ts";
import { event, rawEvent, type Wire } from "./wire.ts";

const named = (data: { type: string } & Record<string, unknown>): string => event(data, data.type);

function startOf(item: Item): unknown {
  if (item.kind === "text") return { type: "text", text: "" };
  if (item.kind === "reasoning" && item.redacted) return { type: "redacted_thinking", data: seal(item.text) };
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

interface Block {
  type: string;
  thinking?: string;
  signature?: string;
  data?: string;
  input?: unknown;
}
type Turn = { role: string; content: string | Block[] };

const isThinking = ({ type }: Block): boolean => type === "thinking" || type === "redacted_thinking";
const blocksOf = ({ content }: Turn): Block[] => (typeof content === "string" ? [] : content);

/** As the real one does: thinking comes back as it was, and, while thinking is on, before the calls it led to. */
function check(body: { messages: Turn[]; thinking?: { type: string } }, issued: readonly Issued[]): string | undefined {
  const seals = new Set(issued.flat().map(({ text }) => seal(text)));
  for (const [index, turn] of body.messages.entries()) {
    const blocks = blocksOf(turn);
    for (const [place, block] of blocks.entries()) {
      if (block.type === "thinking" && block.signature !== seal(block.thinking ?? ""))
        return `messages.${index}.content.${place}: Invalid \`signature\` in \`thinking\` block`;
      if (block.type === "redacted_thinking" && !seals.has(block.data ?? ""))
        return `messages.${index}.content.${place}: Invalid \`data\` in \`redacted_thinking\` block`;
    }
    const lost = blocks.some(
      (block) =>
        block.type === "tool_use" &&
        thinkingBefore(issued, JSON.stringify(block.input)).length > blocks.filter(isThinking).length,
    );
    const found = blocks[0]?.type;
    if (lost)
      return `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${found}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`;
  }
  if (body.thinking?.type !== "enabled") return undefined;
  const last = body.messages.findLastIndex(({ role }) => role === "assistant");
  let first = last;
  while (first >= 2 && blocksOf(body.messages[first - 1]!).every(({ type }) => type !== "text")) first -= 2;
  const isCalling = last >= 0 && blocksOf(body.messages[last]!).some(({ type }) => type === "tool_use");
  if (isCalling && !blocksOf(body.messages[first]!).slice(0, 1).some(isThinking))
    return `messages.${first}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`tool_use\`.`;
  return undefined;
}

export const anthropic: Wire = {
  name: "anthropic",
  check,
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
    const redacted = item.kind === "reasoning" && item.redacted;
    if (!redacted) frames.push(named({ type: "content_block_delta", index, delta: deltaOf(item, text) }));
    if (last && item.kind === "reasoning" && !redacted) {
      const delta = { type: "signature_delta", signature: seal(item.text) };
      frames.push(named({ type: "content_block_delta", index, delta }));
    }
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
          input_tokens: usage.input - (usage.cached ?? 0) - (usage.kept ?? 0),
          cache_read_input_tokens: usage.cached ?? 0,
          cache_creation_input_tokens: usage.kept ?? 0,
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
