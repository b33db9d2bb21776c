// Plays one reply over one HTTP response: deltas at their pace, and the faults it was told to have.

import type { ServerResponse } from "node:http";
import { setImmediate as nextTick, setTimeout as sleep } from "node:timers/promises";
import { type Item, toDeltas } from "./deltas.ts";
import type { Reply } from "./script.ts";
import type { Frame, Wire } from "./wires/wire.ts";

export async function play(
  wire: Wire,
  model: string,
  reply: Reply,
  items: readonly Item[],
  response: ServerResponse,
): Promise<void> {
  const { options } = reply;
  if (options.status !== undefined) return refuse(wire, reply, options.status, response);

  const gone = new AbortController();
  response.on("close", () => gone.abort());
  response.writeHead(200, { "content-type": wire.contentType, "cache-control": "no-cache", ...options.headers });
  response.flushHeaders();

  let sent = 0;
  for (const frame of wire.open(model)) await write(response, frame, options);
  for (const delta of [...toDeltas(items, options), undefined]) {
    if (gone.signal.aborted) return;
    if (sent === options.stallAfter) return waitForever(gone.signal);
    if (sent === options.cutAfter) return cut(response);
    if (sent === options.endAfter) return void response.end();
    if (delta === undefined) break;
    if (options.drip) await sleep(options.drip, undefined, { signal: gone.signal }).catch(() => {});
    for (const frame of wire.delta(delta)) await write(response, frame, options);
    sent++;
  }
  for (const frame of ending(wire, items, reply)) await write(response, frame, options);
  response.end();
}

function ending(wire: Wire, items: readonly Item[], reply: Reply): Frame[] {
  if (reply.options.errorEvent !== undefined) return wire.errorEvent(reply.options.errorEvent);
  if (reply.options.garbage !== undefined) return wire.garbage(reply.options.garbage);
  return wire.close(items, reply);
}

function refuse(wire: Wire, reply: Reply, status: number, response: ServerResponse): void {
  const { body, headers } = reply.options;
  const text =
    typeof body === "string" ? body : JSON.stringify(body ?? wire.errorBody(status, `scripted status ${status}`));
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(text);
}

async function write(response: ServerResponse, frame: Frame, options: Reply["options"]): Promise<void> {
  if (response.destroyed) return;
  if (!options.bytes) {
    if (!response.write(frame)) await drained(response);
    return;
  }
  for (const byte of Buffer.from(frame)) {
    response.write(Buffer.of(byte));
    await nextTick();
  }
}

const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.on("drain", done).on("close", done);
  });

const waitForever = (gone: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (gone.aborted) resolve();
    else gone.addEventListener("abort", () => resolve());
  });

/** What was written must leave before the socket dies, or the client never sees it. */
async function cut(response: ServerResponse): Promise<void> {
  await sleep(5);
  response.socket?.destroy();
}
