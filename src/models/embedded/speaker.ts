// A model that runs in this process, spoken to like any other: a prompt goes in, the parts of a reply come out.

import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { LanguageModelV4CallOptions, LanguageModelV4Prompt, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { abortable } from "../abortable.ts";
import type { Endpoint } from "../endpoint.ts";
import type { Speaker } from "../providers/load.ts";
import { type Engine, startEngine } from "./engine.ts";
import type { HistoryItem, Token } from "./llama.ts";
import { EmbeddedProblem } from "./problem.ts";
import { createStopGate } from "./stop-gate.ts";

/** Enough to leave a loop, little enough for code. */
const usualTemperature = 0.3;
const unlikely = 0.05;
/** Milliseconds of loading that need no words. */
const quietly = 1_000;

export interface SpeakerSettings {
  contextWindow?: number | undefined;
}

export function open(endpoint: Endpoint, settings: SpeakerSettings = {}): Speaker {
  const { path, engine: folder } = endpoint.embedded!;
  let engine: Promise<Engine> | undefined;
  /** Settles when the reply before is over: there is one memory, so one reply at a time. */
  let before: Promise<void> = Promise.resolve();

  function start(): Promise<Engine> {
    engine ??= startEngine({ path, folder, contextWindow: settings.contextWindow }).catch((error) => {
      engine = undefined;
      throw error;
    });
    return engine;
  }

  async function* speak(options: LanguageModelV4CallOptions): AsyncGenerator<LanguageModelV4StreamPart> {
    const signal = options.abortSignal ?? new AbortController().signal;
    const done = Promise.withResolvers<void>();
    const turn = before;
    before = done.promise;
    try {
      await turn;
      if (signal.aborted) return;
      const loading = start();
      const slow = await Promise.race([loading.then(() => false), sleep(quietly, true, { ref: false })]);
      if (slow) yield { type: "raw", rawValue: { notice: `Loading ${basename(path)} …` } };
      yield* reply(await abortable(loading, signal), endpoint, options, signal);
    } finally {
      done.resolve();
    }
  }

  return {
    async doStream(options) {
      if (options.tools?.length)
        throw new EmbeddedProblem("bad-request", "Models without a server have no tool calls.", "", { noTools: true });
      return { stream: speak(options) };
    },
    async close() {
      const started = engine;
      engine = undefined;
      await before;
      await (await started?.catch(() => undefined))?.close();
    },
  };
}

async function* reply(
  engine: Engine,
  endpoint: Endpoint,
  options: LanguageModelV4CallOptions,
  signal: AbortSignal,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const { tokens, stops } = engine.toTokens(toHistory(options.prompt));
  const room = engine.contextSize - tokens.length;
  if (room < 1)
    throw new EmbeddedProblem(
      "context-window",
      `The conversation has ${tokens.length} tokens, and ${endpoint.name} reads ${engine.contextSize}.`,
      "Start a new conversation, shorten this one, or raise --context_window.",
    );
  yield { type: "stream-start", warnings: [] };
  const cached = await engine.read(tokens.slice(0, -1), signal);
  if (signal.aborted) return;

  const most = Math.min(options.maxOutputTokens ?? room, room);
  const gate = createStopGate(stops);
  const written: Token[] = [];
  let waiting: Token[] = [];
  let ended = false;
  yield { type: "text-start", id: "text" };
  const temperature = options.temperature ?? usualTemperature;
  const sampling = { temperature, ...(temperature > 0 && { minP: unlikely }) };
  for await (const token of engine.write(tokens.at(-1)!, sampling)) {
    if (signal.aborted) return;
    waiting.push(token);
    const text = engine.toText(waiting, written.slice(-8));
    // A character may be spread over several tokens.
    if (!text.endsWith("\ufffd") || waiting.length > 4) {
      written.push(...waiting);
      waiting = [];
      const delta = gate.write(text);
      if (delta) yield { type: "text-delta", id: "text", delta };
    }
    ended = gate.stopped;
    if (ended || written.length + waiting.length >= most) break;
  }
  const rest = gate.end();
  if (rest) yield { type: "text-delta", id: "text", delta: rest };
  yield { type: "text-end", id: "text" };
  const output = written.length + waiting.length;
  const length = !ended && output >= most;
  yield {
    type: "finish",
    finishReason: { unified: length ? "length" : "stop", raw: undefined },
    usage: {
      inputTokens: { total: tokens.length, noCache: tokens.length - cached, cacheRead: cached, cacheWrite: undefined },
      outputTokens: { total: output, text: output, reasoning: undefined },
    },
  };
}

/** What the conversation says in text; there is nothing else for these models. */
function toHistory(prompt: LanguageModelV4Prompt): HistoryItem[] {
  return prompt.flatMap((message): HistoryItem[] => {
    if (message.role === "system") return [{ type: "system", text: message.content }];
    const text = message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
    if (message.role === "user") return [{ type: "user", text }];
    return message.role === "assistant" ? [{ type: "model", response: [text] }] : [];
  });
}
