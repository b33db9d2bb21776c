// What a request costs: the arithmetic, and what is told of it with the usage.

import { describe, expect, test } from "vitest";
import { requestCost } from "../../src/models/cost.ts";
import { resolveModel } from "../../src/models/index.ts";
import { reply, scriptedModel } from "../support/scripted-model.ts";
import { ask } from "./ask.ts";

const none = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 };

describe("the arithmetic", () => {
  const prices = { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 };

  test.each([
    ["what is read", { inputTokens: 1_000_000 }, 3],
    ["what is written, with the thinking in it", { outputTokens: 1_000_000, reasoningTokens: 400_000 }, 15],
    ["what was cached", { inputTokens: 1_000_000, cachedInputTokens: 1_000_000 }, 0.3],
    ["what goes into the cache", { inputTokens: 1_000_000, cacheWriteTokens: 1_000_000 }, 3.75],
    [
      "all of it",
      { inputTokens: 1_000, cachedInputTokens: 600, cacheWriteTokens: 300, outputTokens: 100 },
      (100 * 3 + 600 * 0.3 + 300 * 3.75 + 100 * 15) / 1e6,
    ],
    ["counts that do not add up", { inputTokens: 100, cachedInputTokens: 200 }, (200 * 0.3) / 1e6],
  ])("%s", (_title, usage, dollars) => {
    expect(requestCost({ ...none, ...usage }, prices)).toBeCloseTo(dollars, 12);
  });

  test("without prices for the cache the price of reading holds", () => {
    const usage = { ...none, inputTokens: 1_000_000, cachedInputTokens: 500_000, cacheWriteTokens: 100_000 };
    expect(requestCost(usage, { input: 2, output: 8 })).toBe(2);
  });
});

describe("what is told", () => {
  const told = async (model: string, base: "anthropic" | "bedrock" | "openrouter" | "ollama" | "openai") => {
    const usage = { input: 1_000_000, output: 100_000, cached: 400_000, kept: 200_000 };
    await using server = await scriptedModel([reply("Hi.", { usage })]);
    return (await ask(resolveModel({ model, apiBase: server[base], apiKey: "k", env: {} }))).usage;
  };

  test("Anthropic: cached tokens at their own prices", async () => {
    const usage = await told("anthropic/claude-sonnet-4-5", "anthropic");
    expect(usage).toMatchObject({ inputTokens: 1_000_000, cachedInputTokens: 400_000, cacheWriteTokens: 200_000 });
    expect(usage?.cost).toBeCloseTo(0.4 * 3 + 0.4 * 0.3 + 0.2 * 3.75 + 0.1 * 15, 9);
  });

  test("a dated name has the price of the model", async () => {
    const { cost } = (await told("anthropic/claude-sonnet-4-5-20991231", "anthropic"))!;
    expect(cost).toBeCloseTo(0.4 * 3 + 0.4 * 0.3 + 0.2 * 3.75 + 0.1 * 15, 9);
  });

  test("Bedrock tells what went into the cache", async () => {
    const usage = await told("bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0", "bedrock");
    expect(usage).toMatchObject({ inputTokens: 1_000_000, cachedInputTokens: 400_000, cacheWriteTokens: 200_000 });
    expect(usage?.cost).toBeGreaterThan(1);
  });

  test("OpenRouter's own word goes before the price list", async () => {
    expect(await told("openrouter/anthropic/claude-sonnet-4.5", "openrouter")).toMatchObject({ cost: 0.00125 });
  });

  test("a model on one's own machine costs nothing", async () => {
    expect((await told("ollama/qwen3", "ollama"))?.cost).toBe(0);
  });

  test.each([
    ["a server of unknown kind", "claude-sonnet-4-5", "openai"],
    ["an unknown model of a known provider", "anthropic/no-such-model", "anthropic"],
  ] as const)("of %s no cost is told", async (_title, model, base) => {
    expect(await told(model, base)).not.toHaveProperty("cost");
  });
});
