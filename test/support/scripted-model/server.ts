// The scripted model itself: listens on loopback, records what it is asked, answers from the script.

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { toItems } from "./deltas.ts";
import { play } from "./play.ts";
import { type Piece, type Reply, toReply } from "./script.ts";
import type { Issued } from "./seals.ts";
import { anthropic } from "./wires/anthropic.ts";
import { bedrock } from "./wires/bedrock.ts";
import { cohere } from "./wires/cohere.ts";
import { google } from "./wires/google.ts";
import { ollama } from "./wires/ollama.ts";
import { deepseek, groq, mistral, openai, openrouter } from "./wires/openai.ts";
import { responses } from "./wires/responses.ts";
import type { Wire, WireName } from "./wires/wire.ts";
import { xai } from "./wires/xai.ts";

type Answer = Reply | Piece | string;

/** Replies in order, or a function that makes them. */
export type Script = readonly Answer[] | ((request: RecordedRequest, index: number) => Answer | Promise<Answer>);

export interface RecordedRequest {
  /** Undefined for requests that list models and the like. */
  wire: WireName | undefined;
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: a recorded body has the shape of its wire; tests look where they like
  body: any;
  /** The body as it came. */
  text: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** True when the client went away before the reply was over, false when the reply was over. */
  disconnected: Promise<boolean>;
}

export interface ScriptedModel extends AsyncDisposable {
  origin: string;
  openai: string;
  responses: string;
  anthropic: string;
  google: string;
  ollama: string;
  mistral: string;
  groq: string;
  deepseek: string;
  openrouter: string;
  xai: string;
  cohere: string;
  bedrock: string;
  azure: string;
  vertex: string;
  requests: RecordedRequest[];
  close(): Promise<void>;
}

export async function scriptedModel(script: Script, port = 0): Promise<ScriptedModel> {
  const requests: RecordedRequest[] = [];
  const issued: Issued[] = [];
  let index = 0;

  const next = async (request: RecordedRequest): Promise<Reply> => {
    const at = index++;
    if (typeof script === "function") return toReply(await script(request, at));
    return toReply(
      script[at] ?? `The script is exhausted: it has ${script.length} replies and this is request ${at + 1}.`,
    );
  };

  const server = createServer((message, response) => {
    handle(message, response, { requests, issued, next }).catch((error) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });

  return {
    origin,
    openai: `${origin}/v1`,
    responses: `${origin}/v1`,
    anthropic: `${origin}/v1`,
    google: `${origin}/v1beta`,
    ollama: origin,
    mistral: `${origin}/mistral/v1`,
    groq: `${origin}/groq/openai/v1`,
    deepseek: `${origin}/deepseek/v1`,
    openrouter: `${origin}/openrouter/api/v1`,
    xai: `${origin}/xai/v1`,
    cohere: `${origin}/v2`,
    bedrock: origin,
    azure: origin,
    vertex: origin,
    requests,
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Memory {
  requests: RecordedRequest[];
  /** What it has said so far, to know its own thinking when it comes back. */
  issued: Issued[];
  next: (request: RecordedRequest) => Promise<Reply>;
}

async function handle(
  message: IncomingMessage,
  response: ServerResponse,
  { requests, issued, next }: Memory,
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString("utf8");
  const path = message.url ?? "/";
  const wire = wireOf(path);
  const request: RecordedRequest = {
    wire: wire?.name,
    method: message.method ?? "GET",
    path,
    headers: message.headers,
    body: parse(text),
    text,
    at: Date.now(),
    disconnected: new Promise((resolve) => response.on("close", () => resolve(!response.writableFinished))),
  };
  requests.push(request);
  if (wire === undefined) return list(request, response);
  const model = modelName(request);
  const refusal = wire.check?.(request.body, issued, model);
  if (refusal !== undefined) {
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify(wire.errorBody(400, refusal)));
    return;
  }
  const answer = await next(request);
  const items = toItems(answer.pieces);
  issued.push(items);
  await play(wire, model, answer, items, response);
}

function wireOf(path: string): Wire | undefined {
  const { pathname } = new URL(path, "http://127.0.0.1");
  const house = houses[pathname.split("/")[1] ?? ""];
  if (pathname.endsWith("/chat/completions")) return house ?? openai;
  if (pathname.endsWith("/responses")) return house ?? responses;
  if (pathname.endsWith("/messages")) return anthropic;
  if (pathname.endsWith(":streamGenerateContent")) return google;
  if (pathname.endsWith(":streamRawPredict")) return anthropic;
  if (pathname.endsWith("/converse-stream")) return bedrock;
  if (pathname === "/v2/chat") return cohere;
  if (pathname === "/api/chat") return ollama;
  return undefined;
}

/** Providers that have a way of their own with a path that others have too. */
const houses: Record<string, Wire> = { mistral, groq, deepseek, openrouter, xai };

/** The questions a client asks before it talks: which models are there, and what they are like. */
function list({ path, body }: RecordedRequest, response: ServerResponse): void {
  const thinks = /qwen|deepseek|strict/.test(body?.model) ? ["thinking"] : [];
  const answers: Record<string, unknown> = {
    "/api/tags": { models: [{ name: "scripted:latest", model: "scripted:latest", size: 1 }] },
    "/api/show": { capabilities: ["completion", "tools", ...thinks], model_info: { "scripted.context_length": 32768 } },
    "/api/version": { version: "0.0.0-scripted" },
    "/v1/models": { object: "list", data: [{ id: "scripted", object: "model" }] },
  };
  const answer = answers[path];
  response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
  response.end(JSON.stringify(answer ?? { error: { message: `nothing at ${path}` } }));
}

function modelName(request: RecordedRequest): string {
  const inPath = /\/models\/([^/:]+):/.exec(request.path)?.[1];
  return typeof request.body?.model === "string" ? request.body.model : (inPath ?? "scripted");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
