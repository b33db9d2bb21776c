// What is known of a model: the person's word, a server's on this machine, the catalogue's, in this order.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type ModelChoice, resolveModel } from "../../src/models/index.ts";

const factsOf = (model: string, choice: Partial<ModelChoice> = {}) =>
  resolveModel({ model, apiKey: "k", env: {}, ...choice }).facts!();

/** A server that answers these paths, and remembers what it was asked. */
async function serve(answers: Record<string, unknown>) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      asked.push(`${request.method} ${request.url}${body && ` ${body}`}`);
      const answer = answers[request.url!];
      // What it does not know it never answers.
      if (answer === "silence") return;
      response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(typeof answer === "string" ? answer : JSON.stringify(answer ?? {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe("the catalogue", () => {
  test("knows window, reply, prices and abilities", async () => {
    expect(await factsOf("anthropic/claude-sonnet-4-5")).toEqual({
      contextWindow: 200_000,
      maxOutput: 64_000,
      prices: { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 },
      vision: true,
      tools: true,
      reasoning: true,
    });
  });

  test.each([
    ["openai-chat/gpt-4o", "another name of the same provider"],
    ["openai/gpt-4o-2099-01-01", "a later day's version"],
  ])("%s is known as %s", async (model) => {
    expect(await factsOf(model)).toMatchObject({ contextWindow: 128_000, prices: { input: 2.5, output: 10 } });
  });

  test.each([
    "302ai/claude-sonnet-4-5-20250929",
    "some-gateway/anthropic/claude-sonnet-4.5",
    "openai/anthropic/claude-sonnet-4.5:free",
    "claude-sonnet-4-5:latest",
  ])("behind a gateway %s has its window, but not another's price", async (model) => {
    const own = model.startsWith("302ai") ? {} : { apiBase: "https://gateway.example/v1" };
    const facts = await factsOf(model, own);
    expect(facts).toMatchObject({ contextWindow: 200_000, vision: true, tools: true });
    expect(facts).not.toHaveProperty("prices");
  });

  test("knows nothing of what nobody listed, and does not throw", async () => {
    expect(await factsOf("groq/no-such-model-of-anybody")).toEqual({});
  });

  test("hosted providers are never asked", async () => {
    await using server = await serve({});
    const models = ["anthropic/claude-sonnet-4-5", "mistral/unknown", "bedrock/unknown", "openrouter/a/b"];
    for (const model of models) await factsOf(model, { apiBase: server.base });
    expect(server.asked).toEqual([]);
  });

  test("one that the person fetched goes first", async () => {
    const home = mkdtempSync(join(tmpdir(), "facts-test-"));
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "catalogue.tsv"), "anthropic/claude-sonnet-4-5\t300000\t1000\t1\t2\t\t\tst\n");
    const facts = await factsOf("anthropic/claude-sonnet-4-5", { env: { INTERPRETER_HOME: home } });
    expect(facts).toMatchObject({ contextWindow: 300_000, prices: { input: 1, output: 2 } });
    expect(await factsOf("anthropic/claude-opus-4-5", { env: { INTERPRETER_HOME: home } })).toMatchObject({
      contextWindow: 200_000,
    });
    rmSync(home, { recursive: true });
  });
});

describe("what the person says", () => {
  test("goes before everything else", async () => {
    const chosen = { contextWindow: 1_234, vision: false, dialect: "markdown" } as const;
    expect(await factsOf("anthropic/claude-sonnet-4-5", chosen)).toMatchObject({
      contextWindow: 1_234,
      vision: false,
      tools: false,
      maxOutput: 64_000,
    });
  });
});

describe("a server on this machine", () => {
  test("Ollama: what the model can do, and the window that is really used", async () => {
    const shown = {
      capabilities: ["completion", "tools", "vision", "thinking"],
      model_info: { "general.architecture": "qwen3", "qwen3.context_length": 262_144 },
    };
    await using idle = await serve({ "/api/show": shown, "/api/ps": { models: [] } });
    const all = { vision: true, tools: true, reasoning: true };
    const free = { input: 0, output: 0 };
    expect(await factsOf("ollama/qwen3", { apiBase: idle.base })).toEqual({
      ...all,
      contextWindow: 262_144,
      prices: free,
    });
    expect(idle.asked.sort()).toEqual(["GET /api/ps", 'POST /api/show {"model":"qwen3"}']);
    await using set = await serve({ "/api/show": { ...shown, parameters: "stop  x\nnum_ctx   8192" } });
    expect(await factsOf("ollama/qwen3", { apiBase: set.base })).toMatchObject({ contextWindow: 8_192 });
    const running = { models: [{ name: "qwen3:latest", context_length: 4_096 }] };
    await using loaded = await serve({ "/api/show": shown, "/api/ps": running });
    expect(await factsOf("ollama/qwen3", { apiBase: loaded.base })).toMatchObject({ contextWindow: 4_096 });
  });

  test("LM Studio: the window it was loaded with", async () => {
    const model = { id: "qwen", type: "vlm", max_context_length: 131_072, capabilities: ["tool_use"] };
    await using server = await serve({
      "/api/v0/models": { data: [model, { ...model, id: "loaded", type: "llm", loaded_context_length: 8_192 }] },
    });
    const at = { apiBase: server.base };
    expect(await factsOf("lmstudio/qwen", at)).toMatchObject({ contextWindow: 131_072, vision: true, tools: true });
    expect(await factsOf("lmstudio/loaded", at)).toMatchObject({ contextWindow: 8_192, vision: false });
  });

  test("llama.cpp", async () => {
    const props = { default_generation_settings: { n_ctx: 16_384 }, modalities: { vision: true, audio: false } };
    await using server = await serve({ "/props": props });
    expect(await factsOf("llamacpp/any", { apiBase: server.base })).toMatchObject({
      contextWindow: 16_384,
      vision: true,
    });
  });

  test("vLLM", async () => {
    await using server = await serve({ "/v1/models": { data: [{ id: "m", max_model_len: 40_960 }] } });
    expect(await factsOf("vllm/m", { apiBase: server.base })).toMatchObject({ contextWindow: 40_960 });
  });

  test("one that is given by its address alone is asked in every way", async () => {
    await using server = await serve({ "/props": { default_generation_settings: { n_ctx: 2_048 } } });
    expect(await factsOf("my-model", { apiBase: server.base })).toEqual({ contextWindow: 2_048 });
  });

  test("what answers with nonsense, or not at all, says nothing", async () => {
    await using server = await serve({ "/api/show": "<html>", "/api/ps": "silence" });
    expect(await factsOf("ollama/qwen3", { apiBase: server.base })).toEqual({ prices: { input: 0, output: 0 } });
    expect(await factsOf("ollama/qwen3", { apiBase: "http://127.0.0.1:9/v1" })).toHaveProperty("prices");
  });
});

describe("what is known is used", () => {
  test("a model that has no tools is asked in markdown from the start", () => {
    const { dialect } = resolveModel({ model: "perplexity/sonar-pro", apiKey: "k", env: {} });
    expect(dialect).toBe("markdown");
    const chosen = resolveModel({ model: "perplexity/sonar-pro", apiKey: "k", env: {}, dialect: "tool" });
    expect(chosen.dialect).toBe("tool");
    expect(resolveModel({ model: "groq/llama-3.3-70b-versatile", apiKey: "k", env: {} }).dialect).toBe("tool");
  });
});
