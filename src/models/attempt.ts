// One request and its reply. A fault before anything was shown is handed back, to be tried again; after that the
// reply is closed where it broke, because nothing may be shown twice.

import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { newId } from "../messages/index.ts";
import { abortable } from "./abortable.ts";
import { createReader, type Ending, systemOf, toolsOf } from "./dialects/index.ts";
import { cutOff, endedEarly, judgeFailure, type Verdict } from "./failure.ts";
import type { EndpointModel } from "./model.ts";
import { toPrompt } from "./prompt/prompt.ts";
import { providerOptionsOf, withCacheMarks } from "./provider-options.ts";
import type { ModelEvent, ModelRequest, Usage } from "./types.ts";
import { joinCharacters } from "./whole-characters.ts";

type Finish = Extract<LanguageModelV4StreamPart, { type: "finish" }>;

export async function* attempt(
  model: EndpointModel,
  request: ModelRequest,
): AsyncGenerator<ModelEvent, Verdict | undefined, undefined> {
  const { endpoint } = model;
  const hangUp = new AbortController();
  const signal = AbortSignal.any([request.signal, hangUp.signal]);
  const events: ModelEvent[] = [];
  const reader = createReader(model.dialect, {
    languages: request.languages,
    emit: joinCharacters((event) => events.push(event)),
    newId,
    remember: (id, metadata) => model.remember(id, metadata),
  });
  let shown = false;
  let verdict: Verdict | undefined;
  let finish: Finish | undefined;
  let source: AsyncIterator<LanguageModelV4StreamPart> | undefined;

  try {
    const language = await model.load();
    const { stream } = await abortable(language.doStream(callOptions(model, request, signal)), signal);
    source = stream[Symbol.asyncIterator]();
    while (!verdict && !finish) {
      const { done, value } = await abortable(source.next(), signal);
      if (done) verdict = endedEarly(endpoint);
      else if (value.type === "error") verdict = judgeFailure(value.error, endpoint);
      else if (value.type !== "finish") reader.read(value);
      else if (isBroken(value)) verdict = endedEarly(endpoint);
      else finish = value;
      shown ||= events.length > 0;
      yield* events.splice(0);
    }
  } catch (error) {
    verdict = judgeFailure(error, endpoint);
  } finally {
    if (finish && source) void readOut(source, hangUp);
    else hangUp.abort();
  }

  const aborted = request.signal.aborted && !finish;
  if (verdict && !shown && !aborted) return verdict;
  reader.end(aborted || verdict ? "cut" : endingOf(finish!));
  yield* events.splice(0);
  if (aborted) yield { type: "finish", reason: "aborted" };
  else if (verdict) yield { type: "failure", failure: cutOff(endpoint, verdict.failure) };
  else {
    yield { type: "usage", usage: usageOf(finish!) };
    yield { type: "finish", reason: reasonOf(finish!) };
  }
  return undefined;
}

function callOptions(
  model: EndpointModel,
  request: ModelRequest,
  abortSignal: AbortSignal,
): LanguageModelV4CallOptions {
  const { dialect, settings, endpoint } = model;
  const { temperature, maxTokens } = settings;
  const tools = toolsOf(dialect, request.languages);
  const providerOptions = providerOptionsOf(endpoint.wire);
  const prompt = toPrompt(systemOf(dialect, request.system, request.languages), request.messages, {
    ...settings,
    dialect,
    recall: (id) => model.recall(id),
  });
  return {
    prompt: endpoint.wire === "anthropic" ? withCacheMarks(prompt) : prompt,
    abortSignal,
    ...(tools ? { tools } : {}),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(providerOptions ? { providerOptions } : {}),
  };
}

/** Reads what is left, so that the connection can be used again, but waits no longer than a moment for it. */
async function readOut(source: AsyncIterator<unknown>, hangUp: AbortController): Promise<void> {
  const timer = setTimeout(() => hangUp.abort(), 1_000).unref();
  try {
    while (!(await source.next()).done);
  } catch {
    // The reply was whole already.
  } finally {
    clearTimeout(timer);
  }
}

const isBroken = ({ finishReason: { unified } }: Finish): boolean => unified === "error" || unified === "interrupted";

function endingOf(finish: Finish): Ending {
  const { unified } = finish.finishReason;
  return unified === "length" || unified === "content-filter" ? "length" : "whole";
}

function reasonOf(finish: Finish): Extract<ModelEvent, { type: "finish" }>["reason"] {
  const { unified } = finish.finishReason;
  if (unified === "length" || unified === "content-filter") return unified;
  return unified === "stop" || unified === "tool-calls" ? "stop" : "other";
}

const usageOf = ({ usage }: Finish): Usage => ({
  inputTokens: usage.inputTokens.total ?? 0,
  outputTokens: usage.outputTokens.total ?? 0,
  cachedInputTokens: usage.inputTokens.cacheRead ?? 0,
  reasoningTokens: usage.outputTokens.reasoning ?? 0,
});
