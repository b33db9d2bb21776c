// Ollama's own chat: one JSON object a line.

import type { Wire } from "./wire.ts";

const line = (data: Record<string, unknown>): string =>
  `${JSON.stringify({ model: "scripted", created_at: "2024-01-01T00:00:00Z", ...data })}\n`;

function argumentsOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { code: text };
  }
}

export const ollama: Wire = {
  name: "ollama",
  contentType: "application/x-ndjson",
  open: () => [],
  delta({ item, last, text }) {
    const message = { role: "assistant", content: "" };
    if (item.kind === "text") return [line({ message: { ...message, content: text }, done: false })];
    if (item.kind === "reasoning") return [line({ message: { ...message, thinking: text }, done: false })];
    if (!last) return [];
    const calls = [{ function: { name: item.name, arguments: argumentsOf(item.text) } }];
    return [line({ message: { ...message, tool_calls: calls }, done: false })];
  },
  close(_items, reply) {
    const usage = reply.options.usage ?? { input: 10, output: 5 };
    return [
      line({
        message: { role: "assistant", content: "" },
        done: true,
        done_reason: reply.options.finish === "length" ? "length" : "stop",
        prompt_eval_count: usage.input,
        eval_count: usage.output,
      }),
    ];
  },
  errorEvent: (message) => [`${JSON.stringify({ error: message })}\n`],
  garbage: (text) => [`${text}\n`],
  errorBody: (_status, message) => ({ error: message }),
};
