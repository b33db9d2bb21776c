// Any server that speaks OpenAI's chat completions: most hosted providers and every local one. Written by hand and not
// taken from a package, because this is the path on which the start of the program is counted in milliseconds.

import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Sent } from "../../privacy/index.ts";
import type { Endpoint } from "../endpoint.ts";
import { endlessLine, longestLine } from "./bounded-fetch.ts";
import { toChatMessages } from "./chat/messages.ts";
import { post } from "./chat/post.ts";
import { effortFields } from "./chat/reasoning.ts";
import { type ChatReply, type Chunk, createChatReply } from "./chat/reply.ts";
import { readServerEvents } from "./chat/server-events.ts";
import type { LoadSettings, Speaker } from "./load.ts";

export const open = (endpoint: Endpoint, { outbox }: LoadSettings): Speaker => ({
  async doStream(options) {
    const url = new URL(`${endpoint.baseUrl}/chat/completions`);
    for (const [name, value] of Object.entries(endpoint.query)) url.searchParams.set(name, value);
    const body = JSON.stringify(toBody(endpoint, options));
    const sent = outbox?.sending({ to: url.href, model: endpoint.id, body });
    const response = await post({
      url,
      headers: {
        "content-type": "application/json",
        accept: "text/event-stream",
        "user-agent": "open-interpreter",
        authorization: `Bearer ${endpoint.apiKey}`,
        ...endpoint.headers,
      },
      body,
      sent,
      signal: options.abortSignal ?? new AbortController().signal,
    });
    const whole = response.headers["content-type"]?.includes("application/json") ?? false;
    const bytes = sent ? counted(response, sent) : response;
    return { stream: whole ? readWhole(bytes) : readStream(bytes) };
  },
});

function toBody(endpoint: Endpoint, options: LanguageModelV4CallOptions): Record<string, unknown> {
  const tools = options.tools?.flatMap((tool) => {
    if (tool.type !== "function") return [];
    const { name, description, inputSchema: parameters } = tool;
    return [{ type: "function", function: { name, description, parameters } }];
  });
  return {
    model: endpoint.name,
    messages: toChatMessages(options.prompt),
    ...(tools ? { tools } : {}),
    ...(options.temperature === undefined ? {} : { temperature: options.temperature }),
    ...answerFormat(options.responseFormat),
    ...effortFields(endpoint.provider?.name, options.reasoning),
    ...(options.maxOutputTokens === undefined ? {} : { max_tokens: options.maxOutputTokens }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

/** Tells the outbox how much comes back. */
async function* counted(body: AsyncIterable<Uint8Array>, sent: Sent): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const bytes of body) {
      sent.received(bytes.length);
      yield bytes;
    }
  } finally {
    sent.end();
  }
}

async function* readStream(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<LanguageModelV4StreamPart, void, undefined> {
  const reply = createChatReply();
  let done = false;
  for await (const data of readServerEvents(body)) {
    done = data === "[DONE]";
    if (done) break;
    yield* readChunk(data, reply);
  }
  yield* reply.end(done);
}

/** Some servers do not stream, whatever they are asked. */
async function* readWhole(body: AsyncIterable<Uint8Array>): AsyncGenerator<LanguageModelV4StreamPart, void, undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body) {
    parts.push(part);
    length += part.length;
    if (length > longestLine) throw endlessLine();
  }
  const text = Buffer.concat(parts).toString("utf8");
  const reply = createChatReply();
  yield* readChunk(text, reply);
  yield* reply.end(false);
}

/** What is not JSON, or JSON of another shape, is not a model's reply. */
function readChunk(text: string, reply: ChatReply): LanguageModelV4StreamPart[] {
  try {
    return reply.read(JSON.parse(text) as Chunk);
  } catch {
    return [notAReply(text)];
  }
}

const notAReply = (text: string): LanguageModelV4StreamPart => ({
  type: "error",
  error: { name: "JSONParseError", message: text.slice(0, 200) },
});

function answerFormat(format: LanguageModelV4CallOptions["responseFormat"]): Record<string, unknown> {
  if (format?.type !== "json" || !format.schema) return {};
  return { response_format: { type: "json_schema", json_schema: { name: "answer", schema: format.schema } } };
}
