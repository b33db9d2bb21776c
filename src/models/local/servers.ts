// Looks for model servers on this machine: the usual ports, all at once, and never for longer than a moment. What answers
// is known by what it says, not by its port: others use these ports too.

import { findEndpoint } from "../endpoint.ts";
import { findEndpointHere } from "../offline.ts";

export interface LocalModel {
  /** As the server knows it. */
  name: string;
  /** Of its weights, where the server says it. */
  bytes?: number;
}

export interface LocalServer {
  /** For people: "Ollama". */
  name: string;
  /** As `--model` writes it. */
  provider: string;
  /** Where it speaks OpenAI's format. */
  url: string;
  models: LocalModel[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Kinds of servers that are looked for, each at its own port. */
const usual = ["ollama", "lmstudio", "jan", "llamacpp", "vllm"] as const;
type Kind = (typeof usual)[number];

export interface LookOptions {
  env?: Environment;
  /** Looks at nothing that is not on this machine, whatever the environment says. */
  offline?: boolean;
  /** Ports to look at instead of the usual ones. */
  ports?: Partial<Record<Kind, number>>;
  /** Milliseconds that one may take to answer; a moment unless told. Where nothing listens, nothing is waited for. */
  within?: number;
}

/** Long enough for a busy machine: only what listens and says nothing is waited for. */
const moment = 600;

export async function findLocalServers(look: LookOptions = {}): Promise<LocalServer[]> {
  const signal = AbortSignal.timeout(look.within ?? moment);
  const asked = usual.map((kind) => {
    const url = urlOf(kind, look);
    return url ? questions[kind](url, signal).catch(() => undefined) : undefined;
  });
  return (await Promise.all(asked)).filter((server) => server !== undefined);
}

function urlOf(kind: Kind, { env = process.env, ports, offline }: LookOptions): string | undefined {
  const port = ports?.[kind];
  try {
    if (port) return `http://127.0.0.1:${port}/v1`;
    return (offline ? findEndpointHere : findEndpoint)({ model: `${kind}/any`, env }).baseUrl;
  } catch {
    return undefined;
  }
}

type Question = (url: string, signal: AbortSignal) => Promise<LocalServer | undefined>;

const questions: Record<Kind, Question> = {
  async ollama(url, signal) {
    const { body } = await ask(url, "/api/tags", signal);
    const models = list(body.models).flatMap(({ name, size }) => named(name, size));
    return Array.isArray(body.models) ? { name: "Ollama", provider: "ollama", url, models } : undefined;
  },

  /** Its own list knows which models are for embeddings, and is nobody else's. */
  async lmstudio(url, signal) {
    const [own, common] = await Promise.all([
      ask(url, "/api/v0/models", signal).catch(() => undefined),
      ask(url, "/v1/models", signal),
    ]);
    const listed = list(own?.body.data).filter(({ type }) => type !== "embeddings" && type !== undefined);
    const models = (listed.length > 0 ? listed : list(common.body.data)).flatMap(({ id }) => named(id));
    return isModelList(common.body) ? { name: "LM Studio", provider: "lmstudio", url, models } : undefined;
  },

  async jan(url, signal) {
    const { body } = await ask(url, "/v1/models", signal);
    const models = list(body.data).flatMap(({ id }) => named(id));
    return isModelList(body) ? { name: "Jan", provider: "jan", url, models } : undefined;
  },

  /** Its port is many programs'; llamafile is a llama.cpp server that says so, others only speak the same format. */
  async llamacpp(url, signal) {
    const [answer, props] = await Promise.all([
      ask(url, "/v1/models", signal),
      ask(url, "/props", signal).catch(() => undefined),
    ]);
    const models = list(answer.body.data).flatMap(({ id, meta }) => named(id, record(meta).size));
    if (!isModelList(answer.body)) return undefined;
    const owners = list(answer.body.data).map(({ owned_by: owner }) => owner);
    const signs = [answer.server, ...owners, props?.body.build_info, props?.body.model_path, models[0]?.name].join(" ");
    if (/llamafile/i.test(signs)) return { name: "llamafile", provider: "llamafile", url, models };
    if (/llama[-_.]?cpp/i.test(signs) || record(props?.body.default_generation_settings).n_ctx !== undefined)
      return { name: "llama.cpp", provider: "llamacpp", url, models };
    return models.length > 0
      ? { name: `A server on port ${portOf(url)}`, provider: "llamacpp", url, models }
      : undefined;
  },

  async vllm(url, signal) {
    const { body } = await ask(url, "/v1/models", signal);
    const models = list(body.data).flatMap(({ id }) => named(id));
    if (!isModelList(body) || models.length === 0) return undefined;
    const isVllm = list(body.data).some(({ owned_by: owner }) => owner === "vllm");
    return { name: isVllm ? "vLLM" : `A server on port ${portOf(url)}`, provider: "vllm", url, models };
  },
};

const portOf = (url: string): string => new URL(url).port;

interface Answer {
  body: Fields;
  /** What the server calls itself. */
  server: string;
}

async function ask(url: string, path: string, signal: AbortSignal): Promise<Answer> {
  const response = await fetch(new URL(path, url), { signal });
  if (!response.ok) throw new Error(String(response.status));
  return { body: record(await response.json()), server: response.headers.get("server") ?? "" };
}

/** OpenAI's list: data with an id in every entry. */
const isModelList = ({ data }: Fields): boolean =>
  Array.isArray(data) && data.every((entry) => typeof record(entry).id === "string");

type Fields = Record<string, unknown>;

const record = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});
const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(record) : []);

/** Servers have other models, too: for searching, for speech. */
const notForWords = /embed|rerank|whisper|(^|[-_/])tts/i;

function named(name: unknown, bytes?: unknown): LocalModel[] {
  if (typeof name !== "string" || name === "" || notForWords.test(name)) return [];
  return [{ name, ...(typeof bytes === "number" && bytes > 0 && { bytes }) }];
}
