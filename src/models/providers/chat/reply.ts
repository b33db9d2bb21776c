// Reads the chunks of a chat completion into stream parts, and forgives what servers do differently.

import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { type ThoughtDelta, Thoughts } from "./reasoning.ts";

interface CallDelta {
  index?: number | null;
  id?: string | null;
  function?: { name?: string | null; arguments?: unknown } | null;
  extra_content?: { google?: { thought_signature?: string | null } | null } | null;
}

interface Delta extends ThoughtDelta {
  content?: string | { type?: string; text?: string; thinking?: { text?: string }[] }[] | null;
  refusal?: unknown;
  tool_calls?: CallDelta[] | null;
  function_call?: CallDelta["function"];
}

export interface Chunk {
  error?: unknown;
  choices?: { delta?: Delta | null; message?: Delta | null; finish_reason?: string | null }[] | null;
  usage?: {
    prompt_tokens?: number | null;
    completion_tokens?: number | null;
    prompt_tokens_details?: { cached_tokens?: number | null; cache_write_tokens?: number | null } | null;
    /** DeepSeek's name for what was cached. */
    prompt_cache_hit_tokens?: number | null;
    completion_tokens_details?: { reasoning_tokens?: number | null } | null;
  } | null;
}

interface OpenCall {
  key: number | undefined;
  wireId: string | undefined;
  id: string;
  name: string;
  input: string;
  signature: string | undefined;
}

export interface ChatReply {
  read(chunk: Chunk): LanguageModelV4StreamPart[];
  /** `done`: the server said that this is all. */
  end(done: boolean): LanguageModelV4StreamPart[];
}

const finishReasons: Record<string, LanguageModelV4FinishReason["unified"]> = {
  stop: "stop",
  length: "length",
  max_tokens: "length",
  content_filter: "content-filter",
  tool_calls: "tool-calls",
  function_call: "tool-calls",
};

export function createChatReply(): ChatReply {
  const calls: OpenCall[] = [];
  let reason: string | undefined;
  let usage: Chunk["usage"];
  let thoughts: Thoughts | undefined;
  let thinking = 0;

  /** Most servers number their calls; some repeat a number for the next call, and some do not number at all. */
  const findCall = ({ index, id, function: called }: CallDelta): OpenCall | undefined => {
    const current = calls.findLast((call) => index === undefined || index === null || call.key === index);
    if (!current || !called?.name) return current;
    if (id ? id !== current.wireId : isWhole(current.input)) return undefined;
    return current;
  };

  const readCall = (delta: CallDelta): LanguageModelV4StreamPart[] => {
    const parts: LanguageModelV4StreamPart[] = [];
    const given = delta.function?.arguments ?? "";
    const text = typeof given === "string" ? given : JSON.stringify(given);
    let call = findCall(delta);
    if (!call) {
      const name = typeof delta.function?.name === "string" ? delta.function.name || "execute" : "execute";
      const wireId = delta.id || undefined;
      call = {
        key: delta.index ?? undefined,
        wireId,
        id: `call${calls.length}`,
        name,
        input: "",
        signature: undefined,
      };
      calls.push(call);
      call.signature = delta.extra_content?.google?.thought_signature ?? undefined;
      parts.push({ type: "tool-input-start", id: call.id, toolName: name, ...metadataOf(call) });
    }
    call.signature ??= delta.extra_content?.google?.thought_signature ?? undefined;
    call.input += text;
    if (text) parts.push({ type: "tool-input-delta", id: call.id, delta: text });
    return parts;
  };

  /** Thinking may come as details alone, of which some are for the model itself. */
  const readThoughts = (delta: Delta): LanguageModelV4StreamPart[] => {
    const parts: LanguageModelV4StreamPart[] = [];
    const before = thoughts ?? new Thoughts();
    const text = before.read(delta);
    if (!thoughts && before.metadata) {
      thoughts = before;
      parts.push({ type: "reasoning-start", id: `thought${thinking}` });
    }
    if (text) parts.push({ type: "reasoning-delta", id: `thought${thinking}`, delta: text });
    return parts;
  };

  const endThinking = (): LanguageModelV4StreamPart[] => {
    if (!thoughts) return [];
    const { metadata } = thoughts;
    thoughts = undefined;
    return [{ type: "reasoning-end", id: `thought${thinking++}`, ...(metadata ? { providerMetadata: metadata } : {}) }];
  };

  const readDelta = (delta: Delta): LanguageModelV4StreamPart[] => {
    const parts: LanguageModelV4StreamPart[] = [];
    const think = (text: unknown): void => {
      if (typeof text !== "string" || !text) return;
      if (!thoughts) {
        thoughts = new Thoughts();
        parts.push({ type: "reasoning-start", id: `thought${thinking}` });
      }
      parts.push({ type: "reasoning-delta", id: `thought${thinking}`, delta: text });
    };
    const say = (text: unknown): void => {
      if (typeof text !== "string" || !text) return;
      parts.push(...endThinking(), { type: "text-delta", id: "0", delta: text });
    };
    parts.push(...readThoughts(delta));
    if (Array.isArray(delta.content))
      for (const part of delta.content) {
        for (const thought of part.thinking ?? []) think(thought.text);
        if (part.type === "text") say(part.text);
      }
    else say(delta.content);
    say(delta.refusal);
    const called = [...(delta.tool_calls ?? []), ...(delta.function_call ? [{ function: delta.function_call }] : [])];
    for (const call of called) parts.push(...endThinking(), ...readCall(call));
    return parts;
  };

  return {
    read(chunk) {
      if (chunk.error)
        return [{ type: "error", error: typeof chunk.error === "string" ? { message: chunk.error } : chunk.error }];
      usage = chunk.usage ?? usage;
      const choice = chunk.choices?.[0];
      reason = choice?.finish_reason ?? reason;
      const delta = choice?.delta ?? choice?.message;
      return delta ? readDelta(delta) : [];
    },
    end(done) {
      if (!reason && !done) return [{ type: "error", error: { message: "the stream ended without a finish" } }];
      const ends = calls.map((call): LanguageModelV4StreamPart => {
        const { id, name, input } = call;
        return { type: "tool-call", toolCallId: id, toolName: name, input, ...metadataOf(call) };
      });
      return [...endThinking(), ...ends, { type: "finish", finishReason: toReason(reason), usage: toUsage(usage) }];
    },
  };
}

const metadataOf = ({ signature }: OpenCall) =>
  signature ? { providerMetadata: { google: { thoughtSignature: signature } } } : {};

function toReason(raw: string | undefined): LanguageModelV4FinishReason {
  const known = raw === undefined ? "stop" : Object.hasOwn(finishReasons, raw) ? finishReasons[raw] : undefined;
  return { unified: known ?? "other", raw };
}

function toUsage(usage: Chunk["usage"]): Extract<LanguageModelV4StreamPart, { type: "finish" }>["usage"] {
  const read = usage?.prompt_tokens_details;
  return {
    inputTokens: {
      total: count(usage?.prompt_tokens),
      noCache: undefined,
      cacheRead: count(read?.cached_tokens) ?? count(usage?.prompt_cache_hit_tokens),
      cacheWrite: count(read?.cache_write_tokens),
    },
    outputTokens: {
      total: count(usage?.completion_tokens),
      text: undefined,
      reasoning: count(usage?.completion_tokens_details?.reasoning_tokens),
    },
  };
}

const count = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
