// Streams that went wrong on the way: good replies of each wire with bytes changed, cut, repeated and out of order.
// Whatever comes, the story has exactly one end, in words a person can read.

import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Model, resolveModel } from "../../src/models/index.ts";
import { reply, run, say, scriptedModel, think } from "../support/scripted-model.ts";
import { ask, type Told } from "./ask.ts";

/** Each wire: the model's name, where its server would be, and the request that makes the scripted one speak it. */
const wires = [
  { model: "openai/m", base: "/v1", path: "/v1/chat/completions", body: { messages: [] } },
  { model: "openai-chat/m", base: "/v1", path: "/v1/chat/completions", body: { messages: [] } },
  { model: "openai-responses/m", base: "/v1", path: "/v1/responses", body: { input: [] } },
  { model: "anthropic/m", base: "/v1", path: "/v1/messages", body: { messages: [] } },
  { model: "google/m", base: "/v1beta", path: "/v1beta/models/m:streamGenerateContent", body: { contents: [] } },
];

type Answer = (response: ServerResponse) => void;
let answer: Answer = () => {};
const server = createServer((request, response) => {
  request.resume().on("end", () => answer(response));
});
let origin = "";
const good = new Map<string, Buffer>();

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const said = reply(think("Hm."), say("Let me look, ünd 🙂."), run("python", "print('é')"), run("shell", "ls"));
  for (const { model, path, body } of wires) {
    await using scripted = await scriptedModel([said]);
    const response = await fetch(scripted.origin + path, { method: "POST", body: JSON.stringify(body) });
    good.set(model, Buffer.from(await response.arrayBuffer()));
  }
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const modelOf = ({ model, base }: (typeof wires)[number]): Model =>
  resolveModel({ model, apiBase: origin + base, apiKey: "k", env: {}, maxRetries: 0 });

const stream = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { "content-type": "text/event-stream" });

/** One end, a sentence for a person, and numbers that are numbers. */
function expectOneEnd(told: Told): void {
  expect([told.finish, told.failure].filter((end) => end !== undefined)).toHaveLength(1);
  if (told.failure) {
    expect(told.failure.message).toMatch(/^[A-Z].*[.!?…]$/s);
    expect(told.failure.message).not.toMatch(/is not a function|not iterable|Cannot read|undefined|\[object/);
    expect(told.failure.hint).not.toBe("");
  }
  for (const number of Object.values(told.usage ?? {})) expect(number).toSatisfy(Number.isFinite);
}

type Mutation = (bytes: Buffer) => Buffer;
const lines = (bytes: Buffer): string[] => bytes.toString("latin1").split("\n");
const joined = (parts: readonly string[]): Buffer => Buffer.from(parts.join("\n"), "latin1");
const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const odd = fc.constantFrom<unknown>(
  null,
  0,
  -1,
  1e308,
  "",
  "constructor",
  "__proto__",
  [],
  {},
  [null],
  [[]],
  true,
  "x".repeat(5_000),
);

/** Puts a value somewhere into JSON. */
function replaceAt(value: unknown, at: number, by: unknown): unknown {
  if (typeof value !== "object" || value === null) return by;
  const keys = Object.keys(value);
  if (keys.length === 0 || at < 0.1) return by;
  const index = Math.floor(((at - 0.1) / 0.9) * keys.length);
  const key = keys[Math.min(index, keys.length - 1)]!;
  const inner = (((at * 7919) % 1) + 1) % 1;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  (copy as Record<string, unknown>)[key] = replaceAt((value as Record<string, unknown>)[key], inner, by);
  return copy;
}

const mutations: fc.Arbitrary<Mutation>[] = [
  // Bytes changed
  fc.array(fc.tuple(place, fc.nat(255)), { minLength: 1, maxLength: 8 }).map((flips) => (bytes) => {
    const copy = Buffer.from(bytes);
    for (const [at, value] of flips) copy[Math.floor(at * copy.length)] = value;
    return copy;
  }),
  // Cut off
  place.map((at) => (bytes) => bytes.subarray(0, Math.floor(at * bytes.length))),
  // Bytes that are no text
  fc.tuple(place, fc.uint8Array({ minLength: 1, maxLength: 40 })).map(([at, more]) => (bytes) => {
    const index = Math.floor(at * bytes.length);
    return Buffer.concat([bytes.subarray(0, index), more, bytes.subarray(index)]);
  }),
  // A line gone, said twice, or in another place
  fc.tuple(place, place, fc.constantFrom("drop", "repeat", "move")).map(([from, to, what]) => (bytes) => {
    const all = lines(bytes);
    const index = Math.floor(from * all.length);
    const [line] = what === "repeat" ? [all[index]!] : all.splice(index, 1);
    if (what !== "drop") all.splice(Math.floor(to * all.length), 0, line!);
    return joined(all);
  }),
  // Events in any order
  fc.array(place, { minLength: 5, maxLength: 60 }).map((order) => (bytes) => {
    const events = bytes.toString("latin1").split("\n\n");
    const ranked = events.map((event, index) => ({ event, rank: order[index % order.length]! }));
    return Buffer.from(
      ranked
        .sort((a, b) => a.rank - b.rank)
        .map(({ event }) => event)
        .join("\n\n"),
      "latin1",
    );
  }),
  // A value of another kind
  fc.tuple(place, place, odd).map(([at, inner, by]) => (bytes) => {
    const all = lines(bytes);
    const data = all.flatMap((line, index) => (line.startsWith("data: {") ? [index] : []));
    const index = data[Math.floor(at * data.length)];
    if (index === undefined) return bytes;
    try {
      const value: unknown = JSON.parse(Buffer.from(all[index]!.slice(6), "latin1").toString("utf8"));
      const changed = Buffer.from(JSON.stringify(replaceAt(value, inner, by))).toString("latin1");
      all[index] = `data: ${changed}`;
    } catch {
      // Another mutation broke this line already.
    }
    return joined(all);
  }),
  // A very long line, other line ends, everything twice, no blank lines
  place.map((at) => (bytes) => {
    const all = lines(bytes);
    all.splice(Math.floor(at * all.length), 0, `data: ${"x".repeat(100_000)}`, "");
    return joined(all);
  }),
  fc.constant((bytes) => Buffer.from(bytes.toString("latin1").replaceAll("\n", "\r\n"), "latin1")),
  fc.constant((bytes) => Buffer.concat([bytes, bytes])),
  fc.constant((bytes) => Buffer.from(bytes.toString("latin1").replaceAll("\n\n", "\n"), "latin1")),
];

describe.each(wires)("$model", (wire) => {
  test("a stream that nothing happened to is told whole", async () => {
    answer = (response) => void stream(response).end(good.get(wire.model)!);
    const told = await ask(modelOf(wire));
    expect(told.text).toBe("Let me look, ünd 🙂.");
    expect(told.blocks.map(({ code }) => code)).toEqual(["print('é')", "ls"]);
    expect(told.finish).toBe("stop");
  });

  test("a stream that was changed on the way has one end", async () => {
    const changed = fc.array(fc.oneof(...mutations), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(changed, fc.nat(400), async (changes, size) => {
        const bytes = changes.reduce<Buffer>((now, change) => change(now), good.get(wire.model)!);
        answer = (response) => {
          stream(response);
          const half = Math.min(size, bytes.length);
          response.write(bytes.subarray(0, half), () => response.end(bytes.subarray(half)));
        };
        expectOneEnd(await ask(modelOf(wire)));
      }),
      { numRuns: 150000 },
    );
  });

  test("bytes that were never a stream have one end", async () => {
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc.json().map((json) => Buffer.from(`data: ${json}\n\n`)),
    );
    const types = fc.constantFrom("text/event-stream", "application/json", "text/html");
    await fc.assert(
      fc.asyncProperty(
        anything,
        types,
        fc.constantFrom(200, 200, 204, 301, 400, 404, 500),
        async (bytes, type, status) => {
          answer = (response) => void response.writeHead(status, { "content-type": type }).end(bytes);
          expectOneEnd(await ask(modelOf(wire)));
        },
      ),
      { numRuns: 1500 },
    );
  });

  test("a stream without an end is left when nobody wants more of it", async () => {
    const bytes = good.get(wire.model)!;
    // Everything up to the first words, and then those again and again.
    const events = bytes.toString("utf8").split("\n\n");
    const spoken = events.findIndex((event) => event.includes("Let me look"));
    const left = new Promise<void>((resolve) => {
      answer = (response) => {
        stream(response).on("close", resolve);
        response.write(`${events.slice(0, spoken + 1).join("\n\n")}\n\n`);
        const more = (): void => {
          while (!response.destroyed && response.write(`${events[spoken]}\n\n`));
          if (!response.destroyed) response.once("drain", more);
        };
        more();
      };
    });
    const stop = new AbortController();
    let count = 0;
    const told = await ask(modelOf(wire), { signal: stop.signal, onEvent: () => ++count === 30 && stop.abort() });
    expect(told.finish).toBe("aborted");
    await left;
  });

  test("a line without an end is given up before it fills the memory", async () => {
    let sent = 0;
    const piece = Buffer.alloc(1 << 20, "x");
    const left = new Promise<void>((resolve) => {
      answer = (response) => {
        stream(response).on("close", resolve);
        response.write("data: ");
        const more = (): void => {
          while (!response.destroyed && response.write(piece)) sent += piece.length;
          sent += piece.length;
          if (!response.destroyed) response.once("drain", more);
        };
        more();
      };
    });
    const told = await ask(modelOf(wire));
    expectOneEnd(told);
    expect(told.failure).toBeDefined();
    await left;
    expect(sent).toBeLessThan(64 << 20);
  });
});
