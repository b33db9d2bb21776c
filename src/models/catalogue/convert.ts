// From the words of the registries that others keep to ours: names, addresses, wires, prices. Only facts are taken.

import type { Prices } from "../types.ts";
import { ownProviders } from "./own-providers.ts";
import type { Provider, Wire } from "./provider.ts";

/** Providers that need more than an address and a key: a sign-in in the browser, a package of their own. */
const unreachable = new Set([
  "atomic-chat",
  "cloudflare-ai-gateway",
  "github-copilot",
  "gitlab",
  "lynkr",
  "merge-gateway",
  "netlify",
  "openai-codex",
  "radius",
  "sap-ai-core",
  "typesafe",
]);

/** What others call the providers that we know by heart, beyond the aliases people use. */
const otherNames: Record<string, string> = {
  "azure-cognitive-services": "azure",
  "google-vertex-anthropic": "vertex",
  "vercel-ai-gateway": "vercel",
};

/** Addresses that the registries leave to packages of their own. */
const addresses: Record<string, string> = { v0: "https://api.v0.dev/v1" };

/** Our name for a provider of a registry, or nothing when we cannot reach it. */
export function providerName(id: string): string | undefined {
  if (unreachable.has(id) || !/^[\w.-]+$/.test(id)) return undefined;
  const name = otherNames[id] ?? id.toLowerCase();
  return ownProviders.find((own) => own.name === name || own.aliases?.includes(name))?.name ?? name;
}

export interface RegistryProvider {
  id: string;
  label: string;
  url?: string | undefined;
  npm?: string | undefined;
  shape?: string | undefined;
  variables: readonly string[];
}

/** A provider that we do not know by heart; nothing when its address or its key is not known. */
export function toProvider({ id, label, url, npm, shape, variables }: RegistryProvider): Provider | undefined {
  const name = providerName(id);
  const baseUrl = toAddress(url ?? addresses[id]);
  if (!name || !baseUrl || ownProviders.some((own) => own.name === name)) return undefined;
  const keyVariables = variables.filter((variable) => /^\w+$/.test(variable) && !baseUrl.includes(`{${variable}}`));
  if (keyVariables.length === 0) return undefined;
  return { name, label: plain(label) || name, wire: toWire(npm, shape), baseUrl, keyVariables };
}

/** The wire that a package of the AI SDK speaks. */
export function toWire(npm: string | undefined, shape?: string): Wire {
  if (npm === "@ai-sdk/anthropic") return "anthropic";
  if (npm === "@ai-sdk/google") return "google";
  if (shape === "responses") return "openai-responses";
  if (npm === "@ai-sdk/openai" && shape !== "completions") return "openai-responses";
  return "openai-compatible";
}

/** Keys are sent there, so it must be encrypted, or on this machine. */
export function toAddress(url: string | undefined): string | undefined {
  const address = url?.replace(/\/+$/, "").replace(/\/(chat\/completions|messages|responses)$/, "");
  const usable = /^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost)\b|\$\{\w+\})[^\s]*$/;
  return address && usable.test(address) ? address : undefined;
}

const otherUse =
  /embed|rerank|whisper|transcri|speech|-tts|tts-|\btts\b|voice|audio|realtime|[-_/]live\b|-live-|image|imagen|dall-e|flux|stable-?diffusion|sdxl|seedream|seededit|recraft|ideogram|dreamina|hidream|video|\bveo|\bsora|kling|hailuo|\bwan-?\d|seedance|runway|luma|music|lyria|suno|moderation|guard|content-safety|safety|\bocr\b|-ocr|upscal|translate|gliner|\bbge-|\bgte-|\be5-|paligemma|orpheus|detect|esmfold|\besm2|cosmos-(predict|transfer)|bevformer|sparsedrive|streampetr|usdcode|usdvalidate|riva-/i;

/** Whether a name is that of a model that can be talked to, as far as a name tells. */
export const isForChat = (name: string): boolean => !otherUse.test(name);

/** Nothing in a name may break a line of the catalogue. */
export const isName = (name: string): boolean => /^[\x21-\x7e]+$/.test(name);

/** A price of nothing means "not by the token" as often as "free"; the name tells which. */
export function toPrices(
  name: string,
  input: number | undefined,
  output: number | undefined,
  cachedInput?: number,
  cacheWrite?: number,
): Prices | undefined {
  if (!isPrice(input) || !isPrice(output)) return undefined;
  if (input === 0 && output === 0 && !/\bfree\b/i.test(name)) return undefined;
  return {
    input,
    output,
    ...(isPrice(cachedInput) && (cachedInput > 0 || input === 0) && { cachedInput }),
    ...(isPrice(cacheWrite) && cacheWrite > 0 && { cacheWrite }),
  };
}

const isPrice = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0;

export const toCount = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;

const plain = (text: string): string =>
  text
    .replace(/[\x00-\x1f]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
