// A stand-in for Ollama: a real HTTP server that lists, shows and pulls models the way Ollama does.
// `node test/support/ollama.ts serve` serves at OLLAMA_HOST, as `ollama serve` would.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export interface OllamaOptions {
  /** Names of the models that are there, with their sizes. */
  models?: Record<string, number>;
  /** Bytes of what is pulled, sent in ten pieces. */
  pullSize?: number;
  /** Milliseconds between the pieces. */
  pace?: number;
  /** What is wrong with pulling: Ollama's own words, or the connection breaks. */
  pullFault?: { error: string } | "cut";
  port?: number;
}

export interface Ollama extends AsyncDisposable {
  origin: string;
  port: number;
  models: Map<string, number>;
  /** Names that were asked for, and whether the client hung up before the end. */
  pulls: { model: string; hungUp: boolean }[];
}

export async function startOllama(options: OllamaOptions = {}): Promise<Ollama> {
  const models = new Map(Object.entries(options.models ?? {}));
  const pulls: Ollama["pulls"] = [];
  const server = createServer((request, response) => {
    void answer(request, response, options, models, pulls);
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    models,
    pulls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: OllamaOptions,
  models: Map<string, number>,
  pulls: Ollama["pulls"],
): Promise<void> {
  let text = "";
  for await (const piece of request) text += piece;
  const { model = "" } = (text ? JSON.parse(text) : {}) as { model?: string };
  const send = (body: unknown, status = 200) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  if (request.url === "/api/version") return void send({ version: "0.0.0" });
  if (request.url === "/api/tags")
    return void send({ models: [...models].map(([name, size]) => ({ name, model: name, size, details: {} })) });
  if (request.url === "/api/show")
    return void send({ capabilities: ["completion", "tools"], model_info: { "any.context_length": 32_768 } });
  if (request.url === "/api/pull") return pull(model, response, options, models, pulls);
  if (request.url === "/v1/chat/completions") {
    const delta = { content: `I am ${model}.` };
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`data: ${JSON.stringify({ choices: [{ delta, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`);
    return;
  }
  send({ error: "not found" }, 404);
}

async function pull(
  model: string,
  response: ServerResponse,
  { pullSize = 1_000_000, pace = 10, pullFault }: OllamaOptions,
  models: Map<string, number>,
  pulls: Ollama["pulls"],
): Promise<void> {
  const entry = { model, hungUp: false };
  pulls.push(entry);
  const line = (value: unknown) => response.write(`${JSON.stringify(value)}\n`);
  response.on("close", () => {
    entry.hungUp = !response.writableFinished;
  });
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  line({ status: "pulling manifest" });
  if (typeof pullFault === "object") return void response.end(`${JSON.stringify(pullFault)}\n`);
  for (let piece = 0; piece <= 10 && !response.destroyed; piece++) {
    const completed = Math.round((pullSize * piece) / 10);
    line({ status: "pulling 6a0746a1ec1a", digest: "sha256:6a0746a1ec1a", total: pullSize, completed });
    if (pullFault === "cut" && piece === 5) return void response.destroy();
    await sleep(pace, undefined, { ref: false });
  }
  if (response.destroyed) return;
  line({ status: "verifying sha256 digest" });
  models.set(model.includes(":") ? model : `${model}:latest`, pullSize);
  response.end(`${JSON.stringify({ status: "success" })}\n`);
}

if (process.argv[1] === import.meta.filename) {
  const port = Number(new URL(`http://${process.env.OLLAMA_HOST ?? "127.0.0.1:11434"}`).port);
  await startOllama({ port, models: JSON.parse(process.env.OLLAMA_MODELS_HERE ?? "{}") });
}
