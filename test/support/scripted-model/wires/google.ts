// Gemini's streamGenerateContent as server-sent events. Calls arrive whole, as they do from the real one.

import { type Issued, seal } from "../seals.ts";
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

interface Part {
  text?: string;
  functionCall?: unknown;
  thoughtSignature?: string;
}

/** As the real one does: a signature is its own, and since Gemini 3 the first call of each step has one. */
function check(
  body: { contents: { role: string; parts: Part[] }[] },
  issued: readonly Issued[],
  model: string,
): string | undefined {
  const seals = new Set(
    issued.flatMap((items) => [...items.map(({ text }) => seal(text)), seal(items.map(({ text }) => text).join(""))]),
  );
  seals.add("skip_thought_signature_validator");
  for (const { role, parts } of body.contents) {
    if (role !== "model") continue;
    for (const { thoughtSignature } of parts)
      if (thoughtSignature !== undefined && !seals.has(thoughtSignature)) return "Thought signature is not valid.";
    const first = parts.find(({ functionCall }) => functionCall);
    if (first && !first.thoughtSignature && /gemini-3/.test(model))
      return "Function call is missing a thought_signature in functionCall parts.";
  }
  return undefined;
}

export const google: Wire = {
  name: "google",
  check,
  contentType: "text/event-stream",
  open: () => [],
  delta({ item, last, text }) {
    if (item.kind === "text") return [content({ text })];
    if (item.kind === "reasoning") return [content({ text, thought: true })];
    if (!last) return [];
    const functionCall = { name: item.name, args: argumentsOf(item.text) };
    return [content({ functionCall, thoughtSignature: seal(item.text) })];
  },
  close(items, reply) {
    const usage = reply.options.usage ?? { input: 10, output: 5 };
    // An answer that was thought about is signed at its end.
    const isAnswer = items.some(({ kind }) => kind === "reasoning") && !items.some(({ kind }) => kind === "call");
    const signed = isAnswer ? { thoughtSignature: seal(items.map(({ text }) => text).join("")) } : {};
    return [
      event({
        candidates: [
          {
            content: { role: "model", parts: [{ text: "", ...signed }] },
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
