// Addresses of servers: what people paste, what variables hold, and what a provider's own address has left open.

import type { Environment, Provider, Wire } from "./catalogue/index.ts";
import { ModelNameError } from "./model-name-error.ts";

/** What stands behind a bare host, where it is not `/v1`. */
const usualPaths: Partial<Record<Wire, string>> = {
  google: "/v1beta",
  cohere: "/v2",
  bedrock: "/",
  vertex: "/v1/publishers/google",
  "vertex-anthropic": "/v1/publishers/anthropic/models",
};

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
  if (wire !== "vertex-anthropic")
    url.pathname = url.pathname.replace(/\/(chat\/completions|responses|messages|models)\/?$/, "").replace(/\/+$/, "");
  if (url.pathname === "/" || url.pathname === "") url.pathname = usualPaths[wire] ?? "/v1";
  return url.href.replace(/\/+$/, "");
}

/** A person knows a server by its host; what else stands in the address may be secret. */
export const serverAt = (base: string): string =>
  `The server at ${new URL(normalizeBase(base, "openai-compatible")).origin}`;

/** OLLAMA_HOST may be a host alone. */
export function withPort(base: string | undefined, provider: Provider): string | undefined {
  if (!base || !provider.local || base.includes("://") || /:\d+/.test(base)) return base;
  return `${base}:${new URL(provider.baseUrl).port}`;
}

export function sameHost(a: string, b: string): boolean {
  try {
    return new URL(a).host === new URL(b).host;
  } catch {
    return false;
  }
}

const opening = /\$\{(\w+)\}/g;

/** Whether part of the address is the person's own. */
export const isOpen = (address: string): boolean => address.includes("${");

/** The address with what the environment says in its open places. */
export function fillAddress(address: string, provider: Provider, env: Environment): string {
  return address.replace(opening, (_, variable: string, at: number) => {
    const value = env[variable]?.trim();
    if (!value)
      throw new ModelNameError(
        `${provider.label} needs ${variable}, which is not set.`,
        `Set ${variable}, or pass the whole address with --api_base.`,
      );
    // Hosts are often copied together with what stands before them.
    return at > 0 ? value.replace(/^https?:\/\//, "").replace(/\/+$/, "") : value.replace(/\/+$/, "");
  });
}
