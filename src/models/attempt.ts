// One request and its reply. A fault before anything was shown is handed back, to be tried again; after that the
// reply is closed where it broke, because nothing may be shown twice.

import type {
  JSONSchema7,
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { type Message, newId } from "../messages/index.ts";
import { abortable } from "./abortable.ts";
import { chargedCost, requestCost } from "./cost.ts";
import { type Ending, loadReader, type ReplyReader, systemOf, toolsOf } from "./dialects/index.ts";
import { type Effort, effortFor } from "./effort.ts";
import { cutOff, endedEarly, judgeFailure, type Verdict } from "./failure.ts";
import type { EndpointModel } from "./model.ts";
import { type Show, showTo } from "./prompt/images.ts";
import { pictureLimits } from "./prompt/picture-limits.ts";
import { toPrompt } from "./prompt/prompt.ts";
import { isImage } from "./prompt/steps.ts";
import { providerOptionsOf, withCacheMarks } from "./provider-options.ts";
import { mayThink } from "./thinking.ts";
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
  let reader: ReplyReader | undefined;
  let shown = false;
  let verdict: Verdict | undefined;
  let finish: Finish | undefined;
  let source: AsyncIterator<LanguageModelV4StreamPart> | undefined;

  try {
    const language = await model.load();
    const asked = abortable(language.doStream(await callOptions(model, request, signal)), signal);
    const [{ stream }, createReader] = await Promise.all([asked, loadReader(model.dialect)]);
    reader = createReader({
      languages: request.languages,
      emit: joinCharacters((event) => events.push(event)),
      newId,
      author: endpoint,
    });
    source = stream[Symbol.asyncIterator]();
    while (!verdict && !finish) {
      const { done, value } = await abortable(source.next(), signal);
      if (done) verdict = endedEarly(endpoint);
      else if (value.type === "error") verdict = judgeFailure(value.error, endpoint);
      else if (value.type === "raw") yield noticeIn(value.rawValue);
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
  reader?.end(aborted || verdict ? "cut" : endingOf(finish!));
  yield* events.splice(0);
  if (aborted) yield { type: "finish", reason: "aborted" };
  else if (verdict) yield { type: "failure", failure: cutOff(endpoint, verdict.failure) };
  else {
    yield { type: "usage", usage: await usageOf(finish!, model) };
    yield { type: "finish", reason: reasonOf(finish!) };
  }
  return undefined;
}

async function callOptions(
  model: EndpointModel,
  request: ModelRequest,
  abortSignal: AbortSignal,
): Promise<LanguageModelV4CallOptions> {
  const { dialect, settings, endpoint } = model;
  const { temperature, maxTokens } = settings;
  const answer = model.takes("format") ? answerFormat(request) : {};
  // Where calls are part of the conversation, these two want to know the tool, also when it may not be called.
  const tools =
    answer.responseFormat && !/anthropic|bedrock/.test(endpoint.wire) ? undefined : toolsOf(dialect, request.languages);
  const system = systemOf(dialect, request.system, request.languages, settings.executionInstructions);
  const prompt = toPrompt(system, request.messages, {
    ...settings,
    dialect,
    show: await showImages(model, request.messages),
    // Thinking goes back where it is welcome.
    author: model.takes("thoughts") ? endpoint : { wire: "", id: "" },
  });
  const effort = await effortOf(model, prompt);
  const providerOptions = providerOptionsOf(endpoint, { effort, answers: answer.responseFormat !== undefined });
  return {
    prompt: withCacheMarks(prompt, endpoint),
    abortSignal,
    ...(tools ? { tools } : {}),
    ...answer,
    ...(effort === undefined ? {} : { reasoning: effort }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(providerOptions ? { providerOptions } : {}),
  };
}

/** A reply that can only be the answer. */
function answerFormat({ answer }: ModelRequest): Pick<LanguageModelV4CallOptions, "responseFormat" | "toolChoice"> {
  if (typeof answer !== "object") return {};
  return {
    responseFormat: { type: "json", name: "answer", schema: answer as JSONSchema7 },
    toolChoice: { type: "none" },
  };
}

/** What is to be known about images is found out when there is one. */
async function showImages(model: EndpointModel, messages: readonly Message[]): Promise<Show | undefined> {
  if (!messages.some(isImage) || !(await model.sees())) return undefined;
  const { wire, provider } = model.endpoint;
  return showTo(messages, pictureLimits(wire, provider?.name));
}

/** Nothing is said of thinking unless the person did, and never to a model that is known not to think. */
async function effortOf(model: EndpointModel, prompt: LanguageModelV4Prompt): Promise<Effort | undefined> {
  const { settings, endpoint } = model;
  const wanted = model.takes("effort") ? settings.reasoningEffort : undefined;
  if (wanted === undefined || (await model.facts()).reasoning === false) return undefined;
  const effort = effortFor(endpoint, wanted);
  const isClaude = /anthropic|claude/.test(`${endpoint.wire} ${endpoint.name}`);
  return effort !== "none" && isClaude && !mayThink(prompt) ? undefined : effort;
}

/** Providers send these only when asked to; what runs in this process says so what it is busy with. */
const noticeIn = (value: unknown): ModelEvent => ({ type: "notice", text: (value as { notice: string }).notice });

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

/** Some packages end every stream with a finish; one that the server gave no reason for is none. */
const isBroken = ({ finishReason: { unified, raw } }: Finish): boolean =>
  unified === "error" || unified === "interrupted" || (unified === "other" && raw === undefined);

function endingOf(finish: Finish): Ending {
  const { unified } = finish.finishReason;
  return unified === "length" || unified === "content-filter" ? "length" : "whole";
}

function reasonOf(finish: Finish): Extract<ModelEvent, { type: "finish" }>["reason"] {
  const { unified } = finish.finishReason;
  if (unified === "length" || unified === "content-filter") return unified;
  return unified === "stop" || unified === "tool-calls" ? "stop" : "other";
}

async function usageOf({ usage, providerMetadata }: Finish, model: EndpointModel): Promise<Usage> {
  const { total, cacheRead, cacheWrite } = usage.inputTokens;
  const used: Usage = {
    inputTokens: total ?? 0,
    outputTokens: usage.outputTokens.total ?? 0,
    cachedInputTokens: cacheRead ?? cachedIn(usage.raw),
    ...(cacheWrite === undefined ? {} : { cacheWriteTokens: cacheWrite }),
    reasoningTokens: usage.outputTokens.reasoning ?? 0,
  };
  const charged = chargedCost(providerMetadata);
  const prices = charged === undefined ? await model.prices() : undefined;
  const cost = prices ? requestCost(used, prices) : charged;
  return cost === undefined ? used : { ...used, cost };
}

/** Cohere's package passes on what was cached, but does not count it. */
const cachedIn = (raw: Finish["usage"]["raw"]): number =>
  typeof raw?.cached_tokens === "number" ? raw.cached_tokens : 0;
