// Fetch for the providers' packages. They keep a line until it ends: one that does not end must not fill the memory. What is sent
// is told to the outbox.

import type { Sent } from "../../privacy/index.ts";
import type { Endpoint } from "../endpoint.ts";
import type { LoadSettings } from "./load.ts";

/** The longest event anybody sends is a whole reply; this is far more. */
export const longestLine = 16 * 1024 * 1024;
/** A refusal is a few sentences. */
const longestRefusal = 1024 * 1024;

/** What came is no reply at all. */
export const endlessLine = (): Error =>
  Object.assign(new Error("a line without an end"), { name: "InvalidResponseDataError" });

export const boundedFetch = (endpoint: Endpoint, settings: LoadSettings): typeof fetch =>
  recordedFetch(endpoint, settings, (response) => response.body!.pipeThrough(response.ok ? boundLines() : boundAll()));

/** What is sent is recorded, and how much comes back is counted. */
export function recordedFetch(
  { id }: Endpoint,
  { outbox }: LoadSettings,
  bound: (response: Response) => ReadableStream<Uint8Array> = ({ body }) => body!,
): typeof fetch {
  return async (input, init) => {
    const sent = outbox?.sending({ to: addressOf(input), model: id, body: textOf(init?.body) });
    let response: Response;
    try {
      response = await fetch(input, init);
    } catch (error) {
      sent?.end();
      throw error;
    }
    sent?.answered(response.status);
    if (!response.body) {
      sent?.end();
      return response;
    }
    const body = bound(response);
    return new Response(sent ? body.pipeThrough(counting(sent)) : body, response);
  };
}

const addressOf = (input: Parameters<typeof fetch>[0]): string =>
  typeof input === "string" ? input : input instanceof URL ? input.href : input.url;

/** Every provider sends JSON, as text or as its bytes. */
const textOf = (body: unknown): string =>
  typeof body === "string" ? body : body instanceof Uint8Array ? new TextDecoder().decode(body) : "";

function counting(sent: Sent): TransformStream<Uint8Array, Uint8Array> {
  const count = {
    transform(bytes: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>) {
      sent.received(bytes.length);
      controller.enqueue(bytes);
    },
    flush: () => sent.end(),
    cancel: () => sent.end(),
  };
  return new TransformStream(count);
}

function boundLines(): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  return new TransformStream({
    transform(bytes, controller) {
      const newline = bytes.lastIndexOf(10);
      length = newline < 0 ? length + bytes.length : bytes.length - newline - 1;
      if (length > longestLine) controller.error(endlessLine());
      else controller.enqueue(bytes);
    },
  });
}

function boundAll(): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  return new TransformStream({
    transform(bytes, controller) {
      length += bytes.length;
      controller.enqueue(bytes);
      if (length > longestRefusal) controller.terminate();
    },
  });
}
