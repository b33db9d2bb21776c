// Gemini's streamGenerateContent as server-sent events. Calls arrive whole, as they do from the real one.

import { event, rawEvent, type Wire } from "./wire.ts";

const finishReasons = { stop: "STOP", length: "MAX_TOKENS", "content-filter": "SAFETY" };

const statusNames: Record<number, string> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

const content = (part: unknown): string =>
  event({ candidates: [{ content: { role: "model", parts: [part] }, index: 0 }] });

function argumentsOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { code: text };
  }
}

export const google: Wire = {
  name: "google",
  contentType: "text/event-stream",
  open: () => [],
  delta({ item, last, text }) {
    if (item.kind === "text") return [content({ text })];
    if (item.kind === "reasoning") return [content({ text, thought: true })];
    if (!last) return [];
    const functionCall = { name: item.name, args: argumentsOf(item.text) };
    return [content({ functionCall, thoughtSignature: `signature-of-${item.id}` })];
  },
  close(_items, reply) {
    const usage = reply.options.usage ?? { input: 10, output: 5 };
    return [
      event({
        candidates: [
          {
            content: { role: "model", parts: [{ text: "" }] },
            finishReason: finishReasons[reply.options.finish ?? "stop"],
            index: 0,
          },
        ],
        usageMetadata: {
          promptTokenCount: usage.input,
          candidatesTokenCount: usage.output - (usage.reasoning ?? 0),
          thoughtsTokenCount: usage.reasoning ?? 0,
          cachedContentTokenCount: usage.cached ?? 0,
          totalTokenCount: usage.input + usage.output,
        },
      }),
    ];
  },
  errorEvent: (message) => [event({ error: { code: 503, message, status: "UNAVAILABLE" } })],
  garbage: (text) => [rawEvent(text)],
  errorBody: (status, message) => ({ error: { code: status, message, status: statusNames[status] ?? "INTERNAL" } }),
};
