// From what the user typed to an endpoint: which wire, which address, which key.

import { pathToFileURL } from "node:url";
import { nearest } from "../settings/index.ts";
import { fillAddress, isOpen, normalizeBase, sameHost, serverAt, withPort } from "./address.ts";
import {
  allProviders,
  type Environment,
  findListed,
  findProvider,
  ownProviders,
  type Provider,
  type Wire,
} from "./catalogue/index.ts";
import { providersOf } from "./catalogue/suggest.ts";
import { cloudEndpoint, isCloud } from "./clouds.ts";
import { engineFolder, isEmbedded, weightsOf } from "./embedded/names.ts";
import { MissingKeyError, ModelNameError } from "./model-name-error.ts";
import { readVariable } from "./usable.ts";

export interface EndpointChoice {
  /** `provider/name`, or a name whose provider is obvious. */
  model: string;
  apiBase?: string | undefined;
  apiKey?: string | undefined;
  apiVersion?: string | undefined;
  /** What a path to weights is relative to; the current folder unless told. */
  cwd?: string | undefined;
  env: Environment;
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
  /** How to sign in where a key is not enough: region, project, pairs of keys. */
  credentials?: Record<string, string>;
  /** Missing for an address we do not know. */
  provider?: Provider;
  /** The weights, and where what runs them is installed, of a model without a server. */
  embedded?: { path: string; engine: string };
}

/** Servers that need no key still want the header on some wires. */
const dummyKey = "none";

export function findEndpoint(choice: EndpointChoice): Endpoint {
  const model = choice.model.trim();
  const apiBase = choice.apiBase?.trim() || undefined;
  if (!model && !apiBase) throw new ModelNameError("No model is chosen.", suggestNames());
  if (isEmbedded(model, apiBase, choice.env)) return embeddedEndpoint(model, choice);
  const { provider, name } = splitName(model, apiBase, choice.env);
  if (!provider) {
    if (apiBase) return custom(choice, model, apiBase);
    throw unknownName(model, choice.env);
  }
  if (!name) throw new ModelNameError(`"${model}" names a provider but no model.`, exampleOf(provider));
  return known(choice, provider, name, apiBase);
}

function splitName(
  model: string,
  apiBase: string | undefined,
  env: Environment,
): { provider?: Provider | undefined; name: string } {
  const slash = model.indexOf("/");
  if (slash >= 0) {
    const provider = findProvider(model.slice(0, slash), env);
    // Behind an address of the user's own, "deepseek/x" is a gateway's name for a model, not our provider.
    const gateway = apiBase && provider && isHostedCompatible(provider) && !sameHost(apiBase, provider.baseUrl);
    return provider && !gateway ? { provider, name: model.slice(slash + 1) } : { name: model };
  }
  if (apiBase) return { name: model };
  if (/^(gpt-|chatgpt-|o[1-4](-|$)|codex-)/i.test(model)) return { provider: findProvider("openai"), name: model };
  if (/^claude/i.test(model)) return { provider: findProvider("anthropic"), name: model };
  if (/^gemini/i.test(model)) return { provider: findProvider("google"), name: model };
  const provider = findProvider(model, env);
  return provider ? { provider, name: "" } : { name: model };
}

function known(choice: EndpointChoice, provider: Provider, name: string, apiBase: string | undefined): Endpoint {
  const { env, apiVersion } = choice;
  const base = apiBase ?? withPort(readVariable(env, provider.baseVariables ?? [])?.value, provider);
  const key = choice.apiKey?.trim() || readVariable(env, provider.keyVariables)?.value;
  if (isCloud(provider)) return cloudEndpoint({ provider, name, base, key, apiVersion, env });
  if (!key && !base && !provider.local) throw missingKey(provider);
  const plainChat = provider.name === "openai" && base !== undefined && !sameHost(base, provider.baseUrl);
  return {
    id: `${provider.name}/${name}`,
    name,
    label: plainChat ? serverAt(base) : provider.label,
    ...(base ? { wire: provider.wire, baseUrl: normalizeBase(base, provider.wire) } : ownAddress(provider, name, env)),
    ...(plainChat ? { wire: "openai-compatible" } : { provider }),
    apiKey: key ?? dummyKey,
    headers: {},
    query: apiVersion ? { "api-version": apiVersion } : {},
  };
}

function embeddedEndpoint(model: string, { cwd = process.cwd(), env }: EndpointChoice): Endpoint {
  const provider = findProvider("embedded", env)!;
  const name = model.replace(/^embedded\//i, "");
  if (!name)
    throw new ModelNameError(`"${model}" names no model.`, "Name it as embedded/NAME, or by the path of a GGUF file.");
  const path = weightsOf(model, cwd, env);
  return {
    id: model,
    name,
    label: provider.label,
    wire: "embedded",
    baseUrl: pathToFileURL(path).href,
    apiKey: dummyKey,
    headers: {},
    query: {},
    provider,
    embedded: { path, engine: engineFolder(env) },
  };
}

/** Gateways may have some models on another wire than the rest. */
function ownAddress(provider: Provider, name: string, env: Environment): Pick<Endpoint, "wire" | "baseUrl"> {
  const model = isListed(provider) ? findListed(`${provider.name}/${name}`, env) : undefined;
  const baseUrl = fillAddress(model?.baseUrl ?? provider.baseUrl, provider, env);
  return { wire: model?.wire ?? provider.wire, baseUrl: isOpen(provider.baseUrl) ? checked(baseUrl) : baseUrl };
}

const checked = (baseUrl: string): string => normalizeBase(baseUrl, "openai-compatible");

/** Of the providers that we know by heart none mixes wires: nothing needs to be read for them. */
const isListed = (provider: Provider): boolean => !ownProviders.includes(provider);

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

const isHostedCompatible = (provider: Provider): boolean =>
  provider.wire === "openai-compatible" && !provider.local && !isOpen(provider.baseUrl);

function missingKey(provider: Provider): MissingKeyError {
  const variable = provider.keyVariables[0];
  return new MissingKeyError(
    provider,
    `${provider.label} needs an API key, and ${variable} is not set.`,
    `Set ${variable}, keep a key with \`interpreter keys set ${provider.name}\`, pass --api_key, or use a local model such as ollama/llama3.1.`,
  );
}

function unknownName(model: string, env: Environment): ModelNameError {
  const slash = model.indexOf("/");
  const prefix = slash >= 0 ? model.slice(0, slash) : model;
  const names = allProviders(env).flatMap((provider) => [provider.name, ...(provider.aliases ?? [])]);
  const close = nearest(prefix.toLowerCase(), names);
  const rest = slash >= 0 ? model.slice(slash + 1) : "MODEL";
  const message = slash >= 0 ? `No provider is called "${prefix}".` : `"${model}" does not say which provider has it.`;
  const meant = slash >= 0 ? undefined : providersOf(model, env)[0];
  if (meant) return new ModelNameError(message, `Did you mean ${meant}?`);
  return new ModelNameError(message, close ? `Did you mean ${close}/${rest}?` : suggestNames(model));
}

const suggestNames = (model = "MODEL"): string =>
  `Name it as provider/model, such as ollama/${model}, or give the address of an OpenAI-compatible server with --api_base.`;

const exampleOf = (provider: Provider): string => `Name it as ${provider.name}/${provider.suggested ?? "MODEL"}.`;
