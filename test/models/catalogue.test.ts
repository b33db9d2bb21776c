// The catalogue that comes with the program: how many providers it reaches, and that every line of it holds.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readModelLine, readProviderLine } from "../../src/models/catalogue/lines.ts";
import { ownProviders } from "../../src/models/catalogue/own-providers.ts";
import { findEndpoint } from "../../src/models/endpoint.ts";
import {
  allProviders,
  findUsableModels,
  type ModelNameError,
  type Provider,
  resolveModel,
  suggestModel,
  withoutModelKeys,
} from "../../src/models/index.ts";
import { loaders } from "../../src/models/providers/load.ts";

const text = readFileSync(join(import.meta.dirname, "../../src/models/catalogue/catalogue.tsv"), "utf8");
const lines = text.trimEnd().split("\n");
const listed = lines.filter((line) => line.startsWith("@")).map(readProviderLine);
const models = lines.filter((line) => /^[^@#]/.test(line)).map(readModelLine);

/** The environment of somebody who has set what this provider needs. */
function envFor({ keyVariables, baseUrl }: Provider): Record<string, string> {
  const open = [...baseUrl.matchAll(/\$\{(\w+)\}/g)].map((match) => match[1]!);
  return Object.fromEntries([
    ...keyVariables.map((name) => [name, "key-of-the-test"]),
    ...open.map((name) => [name, name.endsWith("URL") ? "https://example.com" : "example"]),
  ]);
}

describe("the providers", () => {
  const hosted = allProviders({}).filter(({ local, keyVariables }) => !local && keyVariables.length > 0);

  test("more than a hundred can be used with nothing but a key", () => {
    expect(hosted.length).toBeGreaterThan(200);
  });

  test.each(hosted.map((provider) => [provider.name, provider] as const))("%s", (name, provider) => {
    const env = envFor(provider);
    const model = resolveModel({ model: `${name}/some-model`, env });
    expect(model.id).toBe(`${name}/some-model`);
    const endpoint = findEndpoint({ model: `${name}/some-model`, env });
    expect(endpoint.apiKey).toBe("key-of-the-test");
    expect(endpoint.name).toBe("some-model");
    expect(URL.canParse(endpoint.baseUrl)).toBe(true);
    expect(endpoint.baseUrl).toMatch(/^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1))[^${}\s]+[^/]$/);
    expect(endpoint.baseUrl).not.toMatch(/\/(chat\/completions|messages|responses)$/);
    expect(Object.keys(loaders)).toContain(endpoint.wire);
  });

  test("what speaks Anthropic's format is spoken to in it", () => {
    expect(findEndpoint({ model: "minimax-cn/M", env: { MINIMAX_API_KEY: "k" } })).toMatchObject({
      wire: "anthropic",
      baseUrl: "https://api.minimax.cn/anthropic/v1",
    });
  });

  test("a gateway's models may each have a wire and an address of their own", () => {
    const env = { ZENMUX_API_KEY: "k" };
    expect(findEndpoint({ model: "zenmux/anthropic/claude-sonnet-4.5", env })).toMatchObject({
      wire: "anthropic",
      baseUrl: "https://zenmux.ai/api/anthropic/v1",
    });
    expect(findEndpoint({ model: "zenmux/openai/gpt-5", env }).wire).toBe("openai-responses");
    expect(findEndpoint({ model: "zenmux/anything-else", env }).wire).toBe("openai-compatible");
  });

  test("an address with an open place takes it from the environment, and names what is missing", () => {
    const key = { CLOUDFLARE_API_KEY: "k", DATABRICKS_TOKEN: "k" };
    const env = { ...key, CLOUDFLARE_ACCOUNT_ID: "abc", DATABRICKS_HOST: "https://dbc.cloud.databricks.com/" };
    expect(findEndpoint({ model: "cloudflare-workers-ai/m", env }).baseUrl).toBe(
      "https://api.cloudflare.com/client/v4/accounts/abc/ai/v1",
    );
    expect(findEndpoint({ model: "databricks/m", env }).baseUrl).toMatch(/^https:\/\/dbc\.cloud\.databricks\.com\//);
    expect(() => findEndpoint({ model: "cloudflare-workers-ai/m", env: key })).toThrow(
      "Cloudflare Workers AI needs CLOUDFLARE_ACCOUNT_ID, which is not set.",
    );
  });

  test("a listed provider's key is found, and code does not see it", () => {
    const env = { CHUTES_API_KEY: "k", NPM_TOKEN: "mine", GITHUB_TOKEN: "mine", AWS_BEARER_TOKEN_BEDROCK: "k" };
    expect(findUsableModels(env).map(({ provider }) => provider.name)).toEqual(["bedrock", "chutes"]);
    expect(withoutModelKeys(env)).toEqual({ NPM_TOKEN: "mine", GITHUB_TOKEN: "mine" });
  });
});

describe("the file", () => {
  test("says where its facts come from, and stays small", () => {
    expect(text.length).toBeLessThan(700_000);
    expect(lines.slice(0, 6).join("\n")).toMatch(/\((MIT|Apache-2\.0)\)/);
    expect(text).toMatch(/^[\x09\x0a\x20-\x7e]*$/);
  });

  test("every model belongs to a provider, and is there once", () => {
    const names = new Set([...ownProviders, ...listed].map(({ name }) => name));
    expect(models.filter(({ id }) => !names.has(id.slice(0, id.indexOf("/"))))).toEqual([]);
    expect(new Set(models.map(({ id }) => id)).size).toBe(models.length);
    expect(models.length).toBeGreaterThan(5_000);
  });

  test("numbers are numbers, and wires are wires we speak", () => {
    for (const { id, facts, wire } of models) {
      const { contextWindow = 1, maxOutput = 1, prices = { input: 0, output: 0 } } = facts;
      const numbers = [contextWindow, maxOutput, ...Object.values(prices)];
      expect([id, numbers.every((value) => Number.isFinite(value) && value >= 0)]).toEqual([id, true]);
      if (wire) expect(Object.keys(loaders)).toContain(wire);
    }
  });

  test("what is only for pictures, sound or search is left out", () => {
    const names = models.map(({ id }) => id);
    expect(names.filter((name) => /embedding|whisper|dall-e|gpt-image|veo-\d|sora-\d/.test(name))).toEqual([]);
  });

  test.each(
    ownProviders.flatMap(({ name, suggested, quick, modelsOf }) =>
      [suggested, quick].flatMap((model) => (model && !modelsOf ? [[name, model]] : [])),
    ),
  )("%s has %s, which we suggest", (name, suggested) => {
    expect(models.find(({ id }) => id === `${name}/${suggested}`)?.facts.prices).toBeDefined();
  });
});

describe("a name that is almost right", () => {
  test.each([
    ["anthropic/claude-sonet-4-5", "anthropic/claude-sonnet-4-5"],
    ["groq/llama-3.3-70b-versatil", "groq/llama-3.3-70b-versatile"],
    ["claude/claude-opus-4.5", "anthropic/claude-opus-4-5"],
  ])("%s may mean %s", (id, meant) => {
    expect(suggestModel(id, {})).toBe(meant);
  });

  test.each(["anthropic/claude-sonnet-4-5", "anthropic/claude-sonnet-4-5-20991231", "ollama/qwen3", "openai/xyz", "x"])(
    "%s is left alone",
    (id) => {
      expect(suggestModel(id, {})).toBeUndefined();
    },
  );

  test("a name without a provider is said with one", () => {
    const hint = (model: string): string => {
      try {
        findEndpoint({ model, env: {} });
        return "";
      } catch (error) {
        return (error as ModelNameError).hint;
      }
    };
    expect(hint("deepseek-v4-pro")).toBe("Did you mean deepseek/deepseek-v4-pro?");
    expect(hint("mistral-large-latest")).toBe("Did you mean mistral/mistral-large-latest?");
  });
});
