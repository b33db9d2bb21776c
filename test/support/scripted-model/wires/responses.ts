// OpenAI responses.

import type { Item } from "../deltas.ts";
import { type Issued, seal, thinkingBefore } from "../seals.ts";
import { event, rawEvent, type Wire } from "./wire.ts";

export const itemId = (item: Item): string => `item_${item.serial}`;

function outputItem(item: Item, done: boolean): unknown {
  if (item.kind === "text") return { type: "message", id: itemId(item), role: "assistant", content: [] };
  if (item.kind === "reasoning") {
    const encrypted = done ? { encrypted_content: seal(itemId(item) + item.text) } : {};
    return { type: "reasoning", id: itemId(item), summary: [], ...encrypted };
  }
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

interface InputItem {
  type?: string;
  role?: string;
  id?: string;
  arguments?: string;
  encrypted_content?: string;
  summary?: { text: string }[];
}

/** As the real one does when it keeps nothing: thinking comes back sealed, before what it led to. */
export function check(body: { input: InputItem[]; include?: string[] }, issued: readonly Issued[]): string | undefined {
  for (const [index, item] of body.input.entries()) {
    const next = body.input[index + 1];
    if (item.type === "reasoning") {
      const text = (item.summary ?? []).map(({ text }) => text).join("");
      if (!item.encrypted_content)
        return `Item with id '${item.id}' not found. Items are not persisted when \`store\` is set to false.`;
      if (item.encrypted_content !== seal(`${item.id}${text}`))
        return `The encrypted content for item ${item.id} could not be verified.`;
      if (next?.type !== "function_call" && next?.type !== "reasoning" && next?.role !== "assistant")
        return `Item '${item.id}' of type 'reasoning' was provided without its required following item.`;
    }
    if (item.type !== "function_call" || !body.include?.includes("reasoning.encrypted_content")) continue;
    const thought = thinkingBefore(issued, item.arguments ?? "");
    const ids = body.input.slice(0, index).map(({ id }) => id);
    const missing = thought.find((each) => !ids.includes(itemId(each)));
    if (missing)
      return `Item of type 'function_call' was provided without its required 'reasoning' item: '${itemId(missing)}'.`;
  }
  return undefined;
}

export const responses: Wire = {
  name: "responses",
  check,
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
