// What Hugging Face says about a file before it is fetched: its size, its checksum, and where exactly this version is.

import { setTimeout as sleep } from "node:timers/promises";
import { noteSent } from "../../privacy/index.ts";
import { EmbeddedProblem } from "./problem.ts";
import type { Weights } from "./recommended.ts";

export interface RemoteFile {
  url: string;
  bytes: number;
  sha256: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** HF_ENDPOINT names a mirror, as the whole field has it. */
export const hubAddress = (env: Environment): string =>
  (env.HF_ENDPOINT?.trim() || "https://huggingface.co").replace(/\/+$/, "");

export async function remoteFile(weights: Weights, env: Environment, signal: AbortSignal): Promise<RemoteFile> {
  const hub = hubAddress(env);
  noteSent(env, `${hub}/${weights.repository}`, `${weights.file} was asked for`);
  const head = await ask(`${hub}/${weights.repository}/resolve/main/${weights.file}`, "HEAD", hub, signal);
  const commit = head.headers.get("x-repo-commit") ?? "main";
  const url = `${hub}/${weights.repository}/resolve/${commit}/${weights.file}`;
  const sha256 = checksum(head.headers.get("x-linked-etag"));
  const bytes = Number(head.headers.get("x-linked-size") ?? Number.NaN);
  if (sha256 && bytes > 0) return { url, bytes, sha256 };
  return { url, ...(await fromListing(weights, commit, hub, signal)) };
}

/** The other place where the hub says it: the listing of the repository. */
async function fromListing(weights: Weights, commit: string, hub: string, signal: AbortSignal) {
  const response = await ask(`${hub}/api/models/${weights.repository}/tree/${commit}`, "GET", hub, signal);
  const entries = (await response.json().catch(() => [])) as { path?: string; lfs?: { oid?: string; size?: number } }[];
  const entry = Array.isArray(entries) ? entries.find(({ path }) => path === weights.file)?.lfs : undefined;
  const sha256 = checksum(entry?.oid);
  if (sha256 && entry?.size) return { bytes: entry.size, sha256 };
  throw new EmbeddedProblem(
    "unknown",
    `${hub} does not say what ${weights.file} must be, so a download could not be checked.`,
    "Try again later, or choose another model.",
  );
}

const checksum = (text: string | null | undefined): string | undefined =>
  /^(?:W\/)?"?([0-9a-f]{64})"?$/i.exec(text ?? "")?.[1]?.toLowerCase();

/** Asks up to three times: a server that is busy for a moment is no reason to give up. */
async function ask(url: string, method: "GET" | "HEAD", hub: string, signal: AbortSignal): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const answer = await fetch(url, { method, redirect: "manual", signal }).catch((error: Error) => error);
    signal.throwIfAborted();
    if (answer instanceof Response && answer.status < 400) return answer;
    const passing = answer instanceof Error || answer.status >= 500 || answer.status === 429;
    if (!passing || tries === 3) throw unavailable(answer, url, hub);
    await sleep(250 * tries, undefined, { signal });
  }
}

function unavailable(answer: Response | (Error & { cause?: unknown }), url: string, hub: string): EmbeddedProblem {
  if (answer instanceof Response)
    return new EmbeddedProblem(
      answer.status < 500 ? "not-found" : "overloaded",
      `${hub} does not give ${new URL(url).pathname.slice(1)} (${answer.status}).`,
      "Try again later, or choose another model.",
    );
  const why = (answer.cause as Error | undefined)?.message || answer.message;
  return new EmbeddedProblem(
    "connection",
    `${hub} cannot be reached: ${why}.`,
    "Check the network, or name a mirror in HF_ENDPOINT.",
  );
}
