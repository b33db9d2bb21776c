// One POST and the body of its answer. Plain node:http, because it is loaded in a fraction of the time of `fetch`.

import type { IncomingMessage } from "node:http";
import type { Sent } from "../../../privacy/index.ts";

export interface Post {
  url: URL;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
  /** Told what comes of it, until there is a body to be read. */
  sent?: Sent | undefined;
}

/** A refusal, with what the server said about it. */
export class HttpRefusal extends Error {
  override readonly name = "HttpRefusal";
  readonly statusCode: number;
  readonly responseHeaders: IncomingMessage["headers"];
  readonly responseBody: string;

  constructor(response: IncomingMessage, body: string) {
    super(response.statusMessage || "refused");
    this.statusCode = response.statusCode ?? 0;
    this.responseHeaders = response.headers;
    this.responseBody = body;
  }
}

/** Local models may think for minutes before the first word; longer silence than this is a dead server. */
const longestSilence = 600_000;

export async function post(request: Post): Promise<IncomingMessage> {
  const { sent } = request;
  const response = await send(request, true).catch((error) => {
    sent?.end();
    throw error;
  });
  const status = response.statusCode ?? 0;
  sent?.answered(status);
  // Whoever reads the body is told of its errors; while nobody reads, they must not end the program.
  response.on("error", () => {});
  if (status >= 200 && status < 300) return response;
  const refusal = await readAll(response);
  sent?.received(Buffer.byteLength(refusal));
  sent?.end();
  throw new HttpRefusal(response, refusal);
}

async function send(request: Post, mayResend: boolean): Promise<IncomingMessage> {
  const { url, headers, body, signal } = request;
  // Importing these by name would also evaluate what Node hangs on them lazily: the whole of fetch, TLS and crypto.
  const { request: open } = process.getBuiltinModule(url.protocol === "https:" ? "node:https" : "node:http");
  return new Promise((resolve, reject) => {
    const length = { "content-length": String(Buffer.byteLength(body)) };
    const outgoing = open(url, { method: "POST", headers: { ...headers, ...length }, timeout: longestSilence });
    // Only while the exchange lasts, and without an error: its connection may already be waiting for another exchange.
    const hangUp = (): void => void outgoing.destroy();
    const letGo = (): void => signal.removeEventListener("abort", hangUp);
    if (signal.aborted) hangUp();
    signal.addEventListener("abort", hangUp);
    outgoing.on("close", letGo);
    outgoing.on("response", (response: IncomingMessage) => resolve(response.on("end", letGo)));
    outgoing.on("timeout", () => outgoing.destroy(Object.assign(new Error("silence"), { code: "ETIMEDOUT" })));
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      // The server closed a kept connection just as we used it: that says nothing about this request.
      const stale = outgoing.reusedSocket && error.code === "ECONNRESET" && !signal.aborted;
      if (stale && mayResend) send(request, false).then(resolve, reject);
      else reject(error);
    });
    outgoing.end(body);
  });
}

/** Refusals are short; what goes on for longer is not worth reading. */
async function readAll(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size > 100_000) break;
  }
  return Buffer.concat(parts).toString("utf8");
}
