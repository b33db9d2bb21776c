// What we ask of Ollama beside its chat: to fetch a model, while we watch how far it is.

import { checkOnline } from "../../machine/index.ts";
import { InputProblem } from "../../settings/index.ts";

export interface PullProgress {
  /** What it is doing, in its own words. */
  status: string;
  done: number;
  /** 0 until it is known. */
  total: number;
}

export interface PullRequest {
  /** Where Ollama speaks OpenAI's format. */
  url: string;
  model: string;
  signal: AbortSignal;
  onProgress: (progress: PullProgress) => void;
}

interface PullLine {
  status?: unknown;
  error?: unknown;
  digest?: unknown;
  total?: unknown;
  completed?: unknown;
}

/** Rejects with a plain-words error, or with the signal's reason when it was given up: Ollama goes on from there next time. */
export async function pullModel({ url, model, signal, onProgress }: PullRequest): Promise<void> {
  checkOnline(model);
  const layers = new Map<string, { done: number; total: number }>();
  let finished = false;
  try {
    const response = await fetch(new URL("/api/pull", url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model, stream: true }),
      signal,
    });
    if (!response.ok || !response.body) throw failed(model, wordsOf(await response.text(), response.status));
    for await (const line of readLines(response.body)) {
      if (line.error !== undefined) throw failed(model, String(line.error));
      if (line.status === "success") finished = true;
      if (typeof line.digest === "string" && typeof line.total === "number")
        layers.set(line.digest, { total: line.total, done: Number(line.completed ?? 0) });
      const sum = (key: "done" | "total") => [...layers.values()].reduce((whole, layer) => whole + layer[key], 0);
      onProgress({ status: String(line.status ?? ""), done: sum("done"), total: sum("total") });
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof InputProblem) throw error;
    const { message, cause } = error as Error & { cause?: Error };
    throw failed(model, cause?.message || message);
  }
  if (!finished) throw failed(model, "the connection was closed early");
}

async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<PullLine> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of body) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const line of lines) if (line.trim()) yield JSON.parse(line) as PullLine;
  }
  if (rest.trim()) yield JSON.parse(rest) as PullLine;
}

function wordsOf(body: string, status: number): string {
  try {
    return String((JSON.parse(body) as PullLine).error ?? status);
  } catch {
    return `it answered ${status}`;
  }
}

function failed(model: string, why: string): InputProblem {
  const unknown = /file does not exist|not found/i.test(why);
  return new InputProblem(
    unknown
      ? `Ollama has no model called ${model}.`
      : `Ollama could not fetch ${model}: ${why.replace(/[.\s]+$/, "")}.`,
    unknown ? "https://ollama.com/library lists them." : "Try again: it goes on where it stopped.",
  );
}
