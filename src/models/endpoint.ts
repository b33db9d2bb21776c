// From what the user typed to an endpoint: which wire, which address, which key.

import { nearest } from "../settings/index.ts";
import { catalogue, findProvider, type Provider, type Wire } from "./catalogue.ts";
import { ModelNameError } from "./model-name-error.ts";
import { readVariable } from "./usable.ts";

export interface EndpointChoice {
  /** `provider/name`, or a name whose provider is obvious. */
  model: string;
  apiBase?: string | undefined;
  apiKey?: string | undefined;
  apiVersion?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
}

export interface Endpoint {
  /** `provider/name`, as the user would name it. */
  id: string;
  /** The name the server knows it by. */
  name: string;
  /** What a person calls the server. */
  label: string;
  wire: Wire;
  baseUrl: string;
  apiKey: string;
  headers: Record<string, string>;
  query: Record<string, string>;
  /** Missing for an address we do not know. */
  provider?: Provider;
}

/** Servers that need no key still want the header on some wires. */
const dummyKey = "none";

export function findEndpoint(choice: EndpointChoice): Endpoint {
  const model = choice.model.trim();
  const apiBase = choice.apiBase?.trim() || undefined;
  if (!model && !apiBase) throw new ModelNameError("No model is chosen.", suggestNames());
  const { provider, name } = splitName(model, apiBase);
  if (!provider) {
    if (apiBase) return custom(choice, model, apiBase);
    throw unknownName(model);
  }
  if (!name) throw new ModelNameError(`"${model}" names a provider but no model.`, exampleOf(provider));
  return known(choice, provider, name, apiBase);
}

function splitName(model: string, apiBase: string | undefined): { provider?: Provider | undefined; name: string } {
  const slash = model.indexOf("/");
  if (slash >= 0) {
    const provider = findProvider(model.slice(0, slash));
    // Behind an address of the user's own, "deepseek/x" is a gateway's name for a model, not our provider.
    const gateway = apiBase && provider && isHostedCompatible(provider) && !sameHost(apiBase, provider.baseUrl);
    return provider && !gateway ? { provider, name: model.slice(slash + 1) } : { name: model };
  }
  if (apiBase) return { name: model };
  if (/^(gpt-|chatgpt-|o[1-4](-|$)|codex-)/i.test(model)) return { provider: findProvider("openai"), name: model };
  if (/^claude/i.test(model)) return { provider: findProvider("anthropic"), name: model };
  if (/^gemini/i.test(model)) return { provider: findProvider("google"), name: model };
  const provider = findProvider(model);
  return provider ? { provider, name: "" } : { name: model };
}

function known(choice: EndpointChoice, provider: Provider, name: string, apiBase: string | undefined): Endpoint {
  const { env, apiVersion } = choice;
  const base = apiBase ?? withPort(readVariable(env, provider.baseVariables ?? [])?.value, provider);
  const key = choice.apiKey?.trim() || readVariable(env, provider.keyVariables)?.value;
  if (!key && !base && !provider.local) throw missingKey(provider);
  if (!base && !provider.baseUrl)
    throw new ModelNameError(
      `${provider.label} needs the address of your own endpoint.`,
      `Pass it with --api_base, or set ${provider.baseVariables?.[0]}.`,
    );
  const plainChat = provider.name === "openai" && base !== undefined && !sameHost(base, provider.baseUrl);
  const endpoint: Endpoint = {
    id: `${provider.name}/${name}`,
    name,
    label: plainChat ? serverAt(base) : provider.label,
    wire: plainChat ? "openai-compatible" : provider.wire,
    baseUrl: base ? normalizeBase(base, provider.wire) : provider.baseUrl,
    apiKey: key ?? dummyKey,
    headers: {},
    query: apiVersion ? { "api-version": apiVersion } : {},
    ...(plainChat ? {} : { provider }),
  };
  return provider.name === "azure" ? azure(endpoint, base ?? "", apiVersion) : endpoint;
}

function custom(choice: EndpointChoice, model: string, apiBase: string): Endpoint {
  const key = choice.apiKey?.trim() || readVariable(choice.env, ["OPENAI_API_KEY"])?.value;
  return {
    id: model || "default",
    name: model || "default",
    label: serverAt(apiBase),
    wire: "openai-compatible",
    baseUrl: normalizeBase(apiBase, "openai-compatible"),
    apiKey: key ?? dummyKey,
    headers: {},
    query: choice.apiVersion ? { "api-version": choice.apiVersion } : {},
  };
}

/** Azure puts the deployment into the path when a dated API version is asked for, and wants the key in a header of its own. */
function azure(endpoint: Endpoint, base: string, apiVersion: string | undefined): Endpoint {
  const root = base.replace(/\/+$/, "").replace(/\/openai(\/.*)?$/, "");
  const path = apiVersion ? `/openai/deployments/${endpoint.name}` : "/openai/v1";
  return { ...endpoint, baseUrl: root + path, headers: { "api-key": endpoint.apiKey } };
}

/** A person knows a server by its host; what else stands in the address may be secret. */
const serverAt = (base: string): string => `The server at ${new URL(normalizeBase(base, "openai-compatible")).origin}`;

/** OLLAMA_HOST may be a host alone. */
function withPort(base: string | undefined, provider: Provider): string | undefined {
  if (!base || !provider.local || base.includes("://") || /:\d+/.test(base)) return base;
  return `${base}:${new URL(provider.baseUrl).port}`;
}

/** Accepts what people paste: a bare host, a host with a port, the full path of the endpoint. */
export function normalizeBase(base: string, wire: Wire): string {
  const withScheme = /^[a-z][a-z+.-]*:\/\//i.test(base) ? base : `http://${base}`;
  let url: URL;
  try {
    url = new URL(withScheme);
  } catch {
    throw new ModelNameError(
      `"${base}" is not an address.`,
      "Give --api_base a URL such as http://127.0.0.1:11434/v1.",
    );
  }
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  url.pathname = url.pathname.replace(/\/(chat\/completions|responses|messages|models)\/?$/, "").replace(/\/+$/, "");
  if (url.pathname === "/" || url.pathname === "") url.pathname = wire === "google" ? "/v1beta" : "/v1";
  return url.href.replace(/\/+$/, "");
}

const isHostedCompatible = (provider: Provider): boolean =>
  provider.wire === "openai-compatible" && !provider.local && provider.name !== "azure";

function sameHost(a: string, b: string): boolean {
  try {
    return new URL(a).host === new URL(b).host;
  } catch {
    return false;
  }
}

function missingKey(provider: Provider): ModelNameError {
  const variable = provider.keyVariables[0];
  return new ModelNameError(
    `${provider.label} needs an API key, and ${variable} is not set.`,
    `Set ${variable}, pass --api_key, or use a local model such as ollama/llama3.1.`,
  );
}

function unknownName(model: string): ModelNameError {
  const slash = model.indexOf("/");
  const prefix = slash >= 0 ? model.slice(0, slash) : model;
  const names = catalogue.flatMap((provider) => [provider.name, ...(provider.aliases ?? [])]);
  const close = nearest(prefix.toLowerCase(), names);
  const rest = slash >= 0 ? model.slice(slash + 1) : "MODEL";
  const message = slash >= 0 ? `No provider is called "${prefix}".` : `"${model}" does not say which provider has it.`;
  return new ModelNameError(message, close ? `Did you mean ${close}/${rest}?` : suggestNames(model));
}

const suggestNames = (model = "MODEL"): string =>
  `Name it as provider/model, such as ollama/${model}, or give the address of an OpenAI-compatible server with --api_base.`;

const exampleOf = (provider: Provider): string => `Name it as ${provider.name}/${provider.suggested ?? "MODEL"}.`;
