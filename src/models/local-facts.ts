// What a model server on one's own machine says of a model. Each kind of server has its own question; all are asked at
// once, none is waited for longer than a moment, and what does not answer says nothing.

import type { Endpoint } from "./endpoint.ts";
import type { ModelFacts } from "./types.ts";

const answerWithin = 400;

export async function localFacts(endpoint: Endpoint): Promise<ModelFacts> {
  const questions = byServer[endpoint.provider?.name ?? ""] ?? anyServer;
  const answers = await Promise.all(questions.map((question) => question(endpoint).catch(() => ({}))));
  // The first question is the one that tells most.
  return Object.assign({}, ...answers.reverse());
}

type Question = (endpoint: Endpoint) => Promise<ModelFacts>;

/** Ollama's list of loaded models knows the window that is really used; a model's own may be far larger. */
const ollama: Question = async ({ baseUrl, name }) => {
  const [shown, running] = await Promise.all([
    ask(baseUrl, "/api/show", { model: name }),
    ask(baseUrl, "/api/ps").catch(() => undefined),
  ]);
  const wanted = name.includes(":") ? name : `${name}:latest`;
  const loaded = list(record(running).models).find((model) => model.name === wanted || model.model === wanted);
  const set = /^num_ctx\s+(\d+)/m.exec(String(record(shown).parameters ?? ""))?.[1];
  const own = Object.entries(record(record(shown).model_info)).find(([key]) => key.endsWith(".context_length"))?.[1];
  const { capabilities } = record(shown);
  const can = (ability: string): boolean => Array.isArray(capabilities) && capabilities.includes(ability);
  return {
    ...window(loaded?.context_length, set, own),
    ...(Array.isArray(capabilities) && {
      vision: can("vision"),
      tools: can("tools"),
      reasoning: can("thinking"),
    }),
  };
};

const lmStudio: Question = async ({ baseUrl, name }) => {
  const answer = await ask(baseUrl, "/api/v0/models");
  const model = list(record(answer).data).find(({ id }) => id === name);
  if (!model) return {};
  const { type, capabilities, loaded_context_length: loaded, max_context_length: longest } = model;
  return {
    ...window(loaded, longest),
    ...(typeof type === "string" && { vision: type === "vlm" }),
    ...(Array.isArray(capabilities) && { tools: capabilities.includes("tool_use") }),
  };
};

const llamaCpp: Question = async ({ baseUrl }) => {
  const props = record(await ask(baseUrl, "/props"));
  const sees = record(props.modalities).vision;
  return {
    ...window(record(props.default_generation_settings).n_ctx, props.n_ctx),
    ...(typeof sees === "boolean" && { vision: sees }),
  };
};

/** The list of models that all of them have; vLLM and some others say there how much a model reads. */
const listOfModels: Question = async ({ baseUrl, name }) => {
  const answer = await ask(baseUrl, `${new URL(baseUrl).pathname}/models`);
  const models = list(record(answer).data);
  const model = models.find(({ id }) => id === name) ?? (models.length === 1 ? models[0] : undefined);
  const { max_model_len: served, context_length: length, context_window: size, meta } = model ?? {};
  return window(served, length, size, record(meta).n_ctx, record(meta).n_ctx_train);
};

const byServer: Record<string, readonly Question[]> = {
  ollama: [ollama],
  lmstudio: [lmStudio],
  llamacpp: [llamaCpp, listOfModels],
  llamafile: [llamaCpp, listOfModels],
  jan: [llamaCpp, listOfModels],
  vllm: [listOfModels],
};

/** A server on this machine that was given by its address alone. */
const anyServer: readonly Question[] = [listOfModels, llamaCpp, lmStudio, ollama];

/** The first of these that is a number of tokens. */
function window(...candidates: readonly unknown[]): ModelFacts {
  for (const candidate of candidates) {
    const contextWindow = Number(candidate);
    if (Number.isInteger(contextWindow) && contextWindow > 0) return { contextWindow };
  }
  return {};
}

async function ask(baseUrl: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(new URL(path, baseUrl), {
    signal: AbortSignal.timeout(answerWithin),
    ...(body !== undefined && {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  });
  if (!response.ok) throw new Error(String(response.status));
  return response.json();
}

type Fields = Record<string, unknown>;

const record = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});
const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(record) : []);
