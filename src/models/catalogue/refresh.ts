// Fetches a newer catalogue when the person asks for one: the models.dev database, checked, written in our lines and put in
// place in one moment. What is there stays as it is until then.

import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { checkOnline } from "../../machine/index.ts";
import { noteSent } from "../../privacy/index.ts";
import { InputProblem } from "../../settings/index.ts";
import {
  isForChat,
  isName,
  providerName,
  type RegistryProvider,
  toAddress,
  toCount,
  toPrices,
  toProvider,
  toWire,
} from "./convert.ts";
import { type Environment, fetchedCatalogue, forgetCatalogues } from "./file.ts";
import { columns, type ListedModel, modelLine, providerLine } from "./lines.ts";
import { ownProviders } from "./own-providers.ts";
import type { Provider } from "./provider.ts";

const source = "https://models.dev/api.json";
const longestWait = 60_000;
const mostBytes = 64 * 1024 * 1024;
/** Less than this is not the whole of it. */
const fewest = { providers: 20, models: 200 };

export interface Refreshed {
  providers: number;
  models: number;
  path: string;
}

export async function refreshCatalogue(env: Environment, onBytes: (received: number) => void): Promise<Refreshed> {
  checkOnline("the catalogue");
  const url = env.INTERPRETER_CATALOGUE_URL?.trim() || source;
  noteSent(env, url, "the catalogue of models was asked for");
  const { providers, models } = read(await download(url, onBytes), url);
  const path = fetchedCatalogue(env);
  const text = [
    `# Fetched from ${new URL(url).origin} on ${new Date().toISOString().slice(0, 10)}. The models.dev database (MIT).`,
    ...columns,
    ...providers.map(providerLine).sort(),
    ...models.map(modelLine).sort(),
  ];
  replace(path, `${text.join("\n")}\n`);
  forgetCatalogues();
  const owners = new Set(models.map(({ id }) => id.slice(0, id.indexOf("/"))));
  return { providers: owners.size, models: models.length, path };
}

async function download(url: string, onBytes: (received: number) => void): Promise<string> {
  const parts: Uint8Array[] = [];
  let received = 0;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(longestWait), redirect: "follow" });
    if (!response.ok || !response.body) throw new Error(`it answered ${response.status}`);
    for await (const part of response.body as AsyncIterable<Uint8Array>) {
      received += part.length;
      if (received > mostBytes) throw new Error("it is far too long");
      parts.push(part);
      onBytes(received);
    }
  } catch (error) {
    throw problem(url, `could not be fetched: ${reasonOf(error)}`);
  }
  return Buffer.concat(parts).toString("utf8");
}

function reasonOf(error: unknown): string {
  const { message, cause, name } = error as Error & { cause?: Error };
  return name === "TimeoutError" ? "it took too long" : cause?.message || message;
}

/** The part of models.dev's format that we use; all of it is checked. */
interface Entry {
  name?: unknown;
  api?: unknown;
  npm?: unknown;
  env?: unknown;
  models?: unknown;
}

interface EntryModel {
  id?: unknown;
  tool_call?: unknown;
  reasoning?: unknown;
  modalities?: { input?: unknown; output?: unknown };
  limit?: { context?: unknown; output?: unknown };
  cost?: { input?: number; output?: number; cache_read?: number; cache_write?: number };
  provider?: { npm?: string; api?: string; shape?: string };
}

function read(text: string, url: string): { providers: Provider[]; models: ListedModel[] } {
  const providers = new Map<string, Provider>();
  const models = new Map<string, ListedModel>();
  for (const [id, entry] of Object.entries(record(parse(text, url)) as Record<string, Entry>)) {
    const provider = toProvider(registryProvider(id, record(entry)));
    if (provider) providers.set(provider.name, provider);
    const name = providerName(id);
    if (!name || (!provider && !ownProviders.some((own) => own.name === name))) continue;
    for (const [key, value] of Object.entries(record(record(entry).models))) {
      const model = toModel(name, key, record(value) as EntryModel, provider);
      if (model) models.set(model.id, model);
    }
  }
  if (providers.size < fewest.providers || models.size < fewest.models)
    throw problem(url, "is not a catalogue in the format of models.dev");
  return { providers: [...providers.values()], models: [...models.values()] };
}

const registryProvider = (id: string, { name, api, npm, env }: Entry): RegistryProvider => ({
  id,
  label: typeof name === "string" ? name : id,
  url: text(api),
  npm: text(npm),
  variables: list(env).filter((variable) => typeof variable === "string"),
});

function toModel(
  owner: string,
  key: string,
  model: EntryModel,
  provider: Provider | undefined,
): ListedModel | undefined {
  const name = text(model.id) ?? key;
  const outputs = list(model.modalities?.output);
  if (!isName(name) || !isForChat(name) || (outputs.length > 0 && !outputs.includes("text"))) return undefined;
  const { input, output, cache_read: cached, cache_write: kept } = model.cost ?? {};
  const prices = toPrices(name, input, output, cached, kept);
  const contextWindow = toCount(model.limit?.context);
  const maxOutput = toCount(model.limit?.output);
  const inputs = list(model.modalities?.input);
  return {
    id: `${owner}/${name}`,
    facts: {
      ...(contextWindow && { contextWindow }),
      ...(maxOutput && { maxOutput }),
      ...(prices && { prices }),
      ...(inputs.length > 0 && { vision: inputs.includes("image") }),
      ...(typeof model.tool_call === "boolean" && { tools: model.tool_call }),
      ...(typeof model.reasoning === "boolean" && { reasoning: model.reasoning }),
    },
    ...(provider && placeOf(model, provider)),
  };
}

/** Where one model differs from the rest of its provider. */
function placeOf({ provider: own }: EntryModel, provider: Provider): Pick<ListedModel, "wire" | "baseUrl"> {
  if (!own) return {};
  const wire = own.npm || own.shape ? toWire(text(own.npm), text(own.shape)) : provider.wire;
  const baseUrl = toAddress(text(own.api)) ?? provider.baseUrl;
  return { ...(wire !== provider.wire && { wire }), ...(baseUrl !== provider.baseUrl && { baseUrl }) };
}

function parse(body: string, url: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw problem(url, "is not JSON");
  }
}

const problem = (url: string, what: string): InputProblem =>
  new InputProblem(
    `The catalogue at ${URL.parse(url)?.origin ?? url} ${what.replace(/[.\s]+$/, "")}.`,
    "Nothing was changed: the one that is there is still used.",
  );

/** In one moment, for the person alone. */
function replace(path: string, body: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, body, { mode: 0o600 });
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
