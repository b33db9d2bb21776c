// What servers that call themselves OpenAI-compatible do differently, spoken by a bare HTTP server.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { ask, modelAt } from "./ask.ts";

/** A server that answers every request with this body. */
async function serve(body: string, type = "text/event-stream") {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(200, { "content-type": type }).end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const chunk = (delta: unknown, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ delta, finish_reason: finish }] })}\n\n`;
const named = (name: string, text: unknown, more: object = {}) => ({ ...more, function: { name, arguments: text } });
const one = '{"language":"python","code":"1"}';
const two = '{"language":"shell","code":"2"}';
const both = [
  { language: "python", code: "1", complete: true },
  { language: "shell", code: "2", complete: true },
];

test.each([
  [
    "number every call 0",
    [named("execute", one, { index: 0, id: "a" })],
    [named("execute", two, { index: 0, id: "b" })],
  ],
  ["number every call 0 and give no ids", [named("execute", one, { index: 0 })], [named("execute", two, { index: 0 })]],
  ["do not number calls", [named("execute", one, { id: "a" })], [named("execute", two, { id: "b" })]],
  ["give neither number nor id", [named("execute", one)], [named("execute", two)]],
  [
    "send all calls at once",
    [named("execute", one, { index: 0, id: "a" }), named("execute", two, { index: 1, id: "b" })],
    [],
  ],
  [
    "send arguments as an object",
    [named("execute", JSON.parse(one), { index: 0 }), named("execute", JSON.parse(two), { index: 1 })],
    [],
  ],
  [
    "repeat the name with every delta",
    [named("execute", one.slice(0, 9), { index: 0, id: "a" }), named("execute", one.slice(9), { index: 0, id: "a" })],
    [named("execute", two, { index: 1, id: "b" })],
  ],
  [
    "repeat an empty name and id",
    [named("execute", one.slice(0, 9), { index: 0, id: "a" }), named("", one.slice(9), { index: 0, id: "" })],
    [named("execute", two, { index: 1, id: "b" })],
  ],
])("servers that %s", async (_title, first, second) => {
  const body = chunk({ tool_calls: first }) + chunk({ tool_calls: second }) + chunk({}, "tool_calls");
  await using server = await serve(`${body}data: [DONE]\n\n`);
  expect((await ask(modelAt(server.base))).blocks).toEqual(both);
});

test("servers that do not stream at all", async () => {
  const message = { role: "assistant", content: "Hi.", tool_calls: [named("execute", one, { id: "a" })] };
  await using server = await serve(
    JSON.stringify({ choices: [{ message, finish_reason: "tool_calls" }], usage: { prompt_tokens: 3 } }),
    "application/json",
  );
  const told = await ask(modelAt(server.base));
  expect(told).toMatchObject({ text: "Hi.", blocks: [both[0]], finish: "stop", usage: { inputTokens: 3 } });
});

test("servers that say they are done but not why", async () => {
  await using server = await serve(`${chunk({ content: "Hi." })}data: [DONE]\n\n`);
  expect(await ask(modelAt(server.base))).toMatchObject({ text: "Hi.", finish: "stop" });
});

test("servers that forget the last blank line, use CRLF, comments and named events", async () => {
  const body = `: keep-alive\r\n\r\nevent: message\r\n${chunk({ content: "Hi." }).replaceAll("\n", "\r\n")}${chunk({}, "stop").trimEnd()}`;
  await using server = await serve(body);
  expect(await ask(modelAt(server.base))).toMatchObject({ text: "Hi.", finish: "stop" });
});

test("servers that send thoughts and text as parts", async () => {
  const content = [
    { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
    { type: "text", text: "Hi." },
  ];
  await using server = await serve(chunk({ content }) + chunk({}, "stop"));
  expect(await ask(modelAt(server.base))).toMatchObject({ text: "Hi.", reasoning: "hm" });
});

test("the old single function call", async () => {
  await using server = await serve(
    chunk({ function_call: { name: "execute", arguments: one } }) + chunk({}, "function_call"),
  );
  expect((await ask(modelAt(server.base))).blocks).toEqual([both[0]]);
});

test("a web page instead of a model", async () => {
  await using server = await serve("<html>Hello</html>", "text/html");
  const told = await ask(modelAt(server.base, { maxRetries: 0 }));
  expect(told.failure?.kind).toBe("cut-off");
});

test("a connection is used again for the next request", async () => {
  const sockets = new Set<unknown>();
  const server = createServer((request, response) => {
    sockets.add(request.socket);
    request
      .resume()
      .on("end", () =>
        response.writeHead(200, { "content-type": "text/event-stream" }).end(chunk({ content: "x" }, "stop")),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const model = modelAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  for (let turn = 0; turn < 3; turn++) await ask(model);
  expect(sockets.size).toBe(1);
  server.closeAllConnections();
  expect((await ask(model, {})).text).toBe("x");
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
