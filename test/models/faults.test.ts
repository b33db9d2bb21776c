// What can go wrong between us and a model, how it is told, and when it is tried again.

import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { resolveModel } from "../../src/models/index.ts";
import { call, type ReplyOptions, reply, run, scriptedModel } from "../support/scripted-model.ts";
import { ask, modelAt } from "./ask.ts";

const soon = { "retry-after-ms": "1" };
const refusal = (status: number, message: string, more: ReplyOptions = {}) =>
  reply({ status, body: { error: { message } }, headers: soon, ...more });

/** An address where nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("a refusal", () => {
  test.each([
    [401, "bad key", "authentication"],
    [403, "no access", "authentication"],
    [404, "model not found", "not-found"],
    [400, "temperature must be below 2", "bad-request"],
    [400, "This model's maximum context length is 8192 tokens", "context-window"],
    [400, "prompt is too long: 210000 tokens > 200000 maximum", "context-window"],
    [413, "request_too_large", "context-window"],
    [402, "Payment required", "quota"],
    [429, "You exceeded your current quota, please check your plan and billing details", "quota"],
  ])("%i (%s) is told as %s and not tried again", async (status, message, kind) => {
    await using server = await scriptedModel([refusal(status, message), "never"]);
    const told = await ask(modelAt(server.openai));
    expect(told.failure).toMatchObject({ kind, status });
    expect(told.failure?.hint).toMatch(/\.$/);
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    [429, "slow down", "rate-limit"],
    [500, "internal", "overloaded"],
    [503, "unavailable", "overloaded"],
    [529, "overloaded", "overloaded"],
  ])("%i (%s) is %s and tried again", async (status, message, kind) => {
    await using server = await scriptedModel([refusal(status, message), "Fine now."]);
    const told = await ask(modelAt(server.openai));
    expect(told.retries).toMatchObject([{ kind, status }]);
    expect(told.text).toBe("Fine now.");
    expect(told.finish).toBe("stop");
  });

  test("tries are bounded", async () => {
    await using server = await scriptedModel(() => refusal(503, "down"));
    const told = await ask(modelAt(server.openai));
    expect(server.requests).toHaveLength(3);
    expect(told.retries).toHaveLength(2);
    expect(told.failure?.kind).toBe("overloaded");
    await ask(modelAt(server.openai, { maxRetries: 0 }));
    expect(server.requests).toHaveLength(4);
  });

  test.each([
    ["retry-after in milliseconds", { "retry-after-ms": "7" }, 7],
    ["retry-after in seconds", { "retry-after": "0" }, 0],
    ["retry-after as a date that has passed", { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }, 0],
  ])("the server's wish to wait is honoured: %s", async (_title, headers, delay) => {
    await using server = await scriptedModel([refusal(429, "slow", { headers }), "ok"]);
    const told = await ask(modelAt(server.openai));
    expect(told.events.find((event) => event.type === "retry")).toMatchObject({ attempt: 1, delay });
  });

  test("a server that wants minutes is not waited for", async () => {
    await using server = await scriptedModel([refusal(429, "slow", { headers: { "retry-after": "3600" } })]);
    expect((await ask(modelAt(server.openai))).failure?.kind).toBe("rate-limit");
  });

  test("a wait ends at once when the user gives up", async () => {
    await using server = await scriptedModel([refusal(429, "slow", { headers: { "retry-after": "50" } })]);
    const controller = new AbortController();
    const told = await ask(modelAt(server.openai), {
      signal: controller.signal,
      onEvent: (event) => event.type === "retry" && controller.abort(),
    });
    expect(told.finish).toBe("aborted");
  });

  test("a body that is not JSON is no problem", async () => {
    await using server = await scriptedModel([
      reply({ status: 502, body: "<html>Bad gateway</html>", headers: soon }),
      "ok",
    ]);
    expect((await ask(modelAt(server.openai))).text).toBe("ok");
  });

  test("a key that the server echoes is masked", async () => {
    await using server = await scriptedModel([
      refusal(400, "strange key sk-proj-abcdefghijklmnop and my-secret-key here"),
    ]);
    const told = await ask(modelAt(server.openai, { apiKey: "my-secret-key" }));
    expect(told.failure?.message).toContain("***");
    expect(JSON.stringify(told.events)).not.toMatch(/my-secret-key|abcdefghijklmnop/);
  });

  test("the words say what to do", async () => {
    await using server = await scriptedModel([refusal(401, "no"), refusal(404, "no")]);
    const choice = { apiBase: server.origin, env: {} };
    const key = await ask(resolveModel({ model: "anthropic/x", apiKey: "k", ...choice }));
    expect(key.failure).toMatchObject({
      message: "Anthropic did not accept the API key (401).",
      hint: "Check ANTHROPIC_API_KEY or pass --api_key.",
    });
    const missing = await ask(resolveModel({ model: "ollama/llama9", ...choice }));
    expect(missing.failure?.hint).toContain("ollama pull llama9");
  });
});

describe("a connection", () => {
  test("nobody there is said plainly, with how to start it", async () => {
    const port = await closedPort();
    const told = await ask(
      resolveModel({ model: "ollama/x", env: { OLLAMA_HOST: `127.0.0.1:${port}` }, maxRetries: 0 }),
    );
    expect(told.failure).toMatchObject({ kind: "connection", message: `Nothing answers at http://127.0.0.1:${port}.` });
    expect(told.failure?.hint).toContain("ollama serve");
  });

  test("a host that does not exist is not asked again", async () => {
    const told = await ask(modelAt("http://no-such-host.invalid/v1"));
    expect(told.failure?.kind).toBe("connection");
    expect(told.retries).toEqual([]);
  });

  test("cut before anything was shown, it is tried again", async () => {
    await using server = await scriptedModel([reply("lost", { cutAfter: 0 }), "Here it is."]);
    const told = await ask(modelAt(server.openai));
    expect(told.text).toBe("Here it is.");
    expect(told.retries).toHaveLength(1);
  });

  test("cut after something was shown, nothing is shown twice", async () => {
    await using server = await scriptedModel([
      reply("One two three four five", { cutAfter: 1 }),
      "One two three four five",
    ]);
    const told = await ask(modelAt(server.openai));
    expect(told.text).toBe("One two thre");
    expect(told.failure?.kind).toBe("cut-off");
    expect(server.requests).toHaveLength(1);
  });

  test("cut inside a block, the block is closed unfinished before the failure", async () => {
    await using server = await scriptedModel([reply(run("python", "print('never to be run')"), { cutAfter: 3 })]);
    const told = await ask(modelAt(server.openai));
    expect(told.blocks).toHaveLength(1);
    expect(told.blocks[0]?.complete).toBe(false);
    expect(told.events.slice(-2).map((event) => event.type)).toEqual(["code-end", "failure"]);
  });

  test("cut inside a block of the markdown dialect, likewise", async () => {
    const said = "```python\nprint('never to be run')\n```";
    await using server = await scriptedModel([reply(said, { cutAfter: 2 })]);
    const told = await ask(modelAt(server.openai, { dialect: "markdown" }));
    expect(told.blocks).toMatchObject([{ complete: false }]);
    expect(told.failure?.kind).toBe("cut-off");
  });
});

describe("giving up", () => {
  test("an abort inside a block closes it unfinished, and the server sees us go", async () => {
    await using server = await scriptedModel([
      reply(run("python", "print('a long enough line of code')"), { stallAfter: 4 }),
    ]);
    const controller = new AbortController();
    const told = await ask(modelAt(server.openai), {
      signal: controller.signal,
      onEvent: (event) => event.type === "code-delta" && controller.abort(),
    });
    expect(told.blocks).toMatchObject([{ complete: false }]);
    expect(told.finish).toBe("aborted");
    expect(await server.requests[0]!.disconnected).toBe(true);
  });

  test("a request that was given up before it began is never made", async () => {
    await using server = await scriptedModel(["never"]);
    const told = await ask(modelAt(server.openai), { signal: AbortSignal.abort() });
    expect(told.finish).toBe("aborted");
    expect(server.requests).toHaveLength(0);
  });

  test("a reader that walks away hangs up", async () => {
    await using server = await scriptedModel([reply("One two three four five", { stallAfter: 1 })]);
    const stream = modelAt(server.openai).stream({
      system: "",
      messages: [],
      languages: [],
      signal: new AbortController().signal,
    });
    for await (const event of stream) if (event.type === "text-delta") break;
    expect(await server.requests[0]!.disconnected).toBe(true);
  });
});

describe("a server without tools", () => {
  test.each([
    [400, "registry.ollama.ai/library/gemma:latest does not support tools"],
    [404, "No endpoints found that support tool use."],
    [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
    [500, "tools param requires --jinja flag"],
    [400, "`tools` is not supported in this model. For a list of supported models see the docs"],
  ])("is asked in markdown instead, once and for good (%i: %s)", async (status, message) => {
    await using server = await scriptedModel([
      reply({ status, body: { error: { message } } }),
      "```python\nprint(1)\n```",
      "Second answer.",
    ]);
    const model = modelAt(server.openai);
    const told = await ask(model);
    expect(told.blocks).toEqual([{ language: "python", code: "print(1)", complete: true }]);
    expect(told.retries).toHaveLength(1);
    expect(model.dialect).toBe("markdown");
    await ask(model);
    expect(server.requests.map(({ body }) => body.tools !== undefined)).toEqual([true, false, false]);
    expect(server.requests[1]!.body.messages[0].content).toContain("fenced block");
  });
});

describe("a model that does not know how to call a tool", () => {
  const empty = reply(call("execute", "{}"));

  test("is asked in markdown after two calls with nothing in them, and the person is told once", async () => {
    await using server = await scriptedModel([
      empty,
      reply(call("search", '{"query":"x"}')),
      "```python\n1\n```",
      "Two.",
    ]);
    const model = modelAt(server.openai);
    const told = [await ask(model), await ask(model), await ask(model), await ask(model)];
    expect(server.requests.map(({ body }) => body.tools !== undefined)).toEqual([true, true, false, false]);
    const notices = told.flatMap(({ events }) => events.filter((event) => event.type === "notice"));
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatchObject({ text: expect.stringMatching(/could not be read, twice.*markdown/) });
    expect(told[2]!.blocks).toEqual([{ language: "python", code: "1", complete: true }]);
  });

  test("has another chance after a call that could be read", async () => {
    await using server = await scriptedModel([empty, run("python", "1"), empty, "Done."]);
    const model = modelAt(server.openai);
    for (let count = 0; count < 4; count++) await ask(model);
    expect(server.requests.every(({ body }) => body.tools !== undefined)).toBe(true);
  });

  test("is not asked otherwise when the person said that it has tools", async () => {
    await using server = await scriptedModel([empty, empty, "Done."]);
    const model = modelAt(server.openai, { dialect: "tool" });
    for (let count = 0; count < 3; count++) await ask(model);
    expect(server.requests.every(({ body }) => body.tools !== undefined)).toBe(true);
  });
});

describe("an empty reply", () => {
  test("is an end like any other", async () => {
    await using server = await scriptedModel([reply()]);
    const told = await ask(modelAt(server.openai));
    expect(told).toMatchObject({ text: "", blocks: [], finish: "stop" });
  });
});
