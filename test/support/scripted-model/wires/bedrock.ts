// Amazon Bedrock's ConverseStream: events in binary frames, each with its lengths and checksums.

import { crc32 } from "node:zlib";
import type { Item } from "../deltas.ts";
import type { Reply } from "../script.ts";
import { type Issued, seal, thinkingBefore } from "../seals.ts";
import type { Wire } from "./wire.ts";

const stopReasons = { stop: "end_turn", length: "max_tokens", "content-filter": "guardrail_intervened" };

function stopReason(items: readonly Item[], reply: Reply): string {
  if (reply.options.finish) return stopReasons[reply.options.finish];
  return items.some((item) => item.kind === "call") ? "tool_use" : "end_turn";
}

/** Name, type 7 (text), length, value. */
function header(name: string, value: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(value));
  return Buffer.concat([Buffer.of(name.length), Buffer.from(name), Buffer.of(7), length, Buffer.from(value)]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Both lengths and their checksum, the headers, the payload, and a checksum of it all. */
function frame(kind: "event" | "exception", type: string, payload: string): Uint8Array {
  const headers = Buffer.concat([
    header(`:${kind}-type`, type),
    header(":content-type", "application/json"),
    header(":message-type", kind),
  ]);
  const body = Buffer.from(payload);
  const lengths = Buffer.concat([number(headers.length + body.length + 16), number(headers.length)]);
  const start = Buffer.concat([lengths, number(crc32(lengths)), headers, body]);
  return Buffer.concat([start, number(crc32(start))]);
}

const event = (type: string, data: unknown): Uint8Array => frame("event", type, JSON.stringify(data));

function deltaOf(item: Item, text: string): unknown {
  if (item.kind === "text") return { text };
  return item.kind === "reasoning" ? { reasoningContent: { text } } : { toolUse: { input: text } };
}

interface Content {
  reasoningContent?: { reasoningText: { text: string; signature: string } };
  toolUse?: { input: unknown };
}

/** As for Anthropic's own: thinking comes back as it was, before the calls it led to. */
function check(body: { messages: { content: Content[] }[] }, issued: readonly Issued[]): string | undefined {
  for (const { content } of body.messages) {
    const thoughts = content.flatMap(({ reasoningContent }) => reasoningContent?.reasoningText ?? []);
    if (thoughts.some(({ text, signature }) => signature !== seal(text)))
      return "Invalid `signature` in thinking block";
    for (const { toolUse } of content)
      if (toolUse && thinkingBefore(issued, JSON.stringify(toolUse.input)).length > thoughts.length)
        return "Expected `thinking` before `toolUse`";
  }
  return undefined;
}

export const bedrock: Wire = {
  name: "bedrock",
  check,
  contentType: "application/vnd.amazon.eventstream",
  open: () => [event("messageStart", { role: "assistant" })],
  delta({ item, first, last, text }) {
    const place = { contentBlockIndex: item.index };
    const frames: Uint8Array[] = [];
    if (first && item.kind === "call")
      frames.push(
        event("contentBlockStart", { ...place, start: { toolUse: { toolUseId: item.id, name: item.name } } }),
      );
    frames.push(event("contentBlockDelta", { ...place, delta: deltaOf(item, text) }));
    if (last && item.kind === "reasoning")
      frames.push(
        event("contentBlockDelta", { ...place, delta: { reasoningContent: { signature: seal(item.text) } } }),
      );
    if (last) frames.push(event("contentBlockStop", place));
    return frames;
  },
  close(items, reply) {
    const { input, output, cached = 0, kept = 0 } = reply.options.usage ?? { input: 10, output: 5 };
    const usage = {
      inputTokens: input - cached - kept,
      outputTokens: output,
      totalTokens: input + output,
      cacheReadInputTokens: cached,
      cacheWriteInputTokens: kept,
    };
    return [
      event("messageStop", { stopReason: stopReason(items, reply) }),
      event("metadata", { usage, metrics: { latencyMs: 1 } }),
    ];
  },
  errorEvent: (message) => [frame("exception", "modelStreamErrorException", JSON.stringify({ message }))],
  garbage: (text) => [frame("event", "contentBlockDelta", text)],
  errorBody: (_status, message) => ({ message }),
};
