// What a person may type as a model, and where it leads.

import { describe, expect, test } from "vitest";
import { findEndpoint } from "../../src/models/endpoint.ts";
import { allProviders, findUsableModels, ModelNameError, resolveModel } from "../../src/models/index.ts";

const keys = Object.fromEntries(
  allProviders({}).flatMap(({ keyVariables }) => keyVariables.map((name) => [name, `key-${name}`])),
);

function errorOf(choice: Parameters<typeof resolveModel>[0]): ModelNameError {
  try {
    resolveModel(choice);
  } catch (error) {
    if (error instanceof ModelNameError) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

describe("a model's name", () => {
  test.each([
    ["openai/gpt-5.4", "openai-responses", "https://api.openai.com/v1", "gpt-5.4"],
    ["gpt-4o", "openai-responses", "https://api.openai.com/v1", "gpt-4o"],
    ["o3-mini", "openai-responses", "https://api.openai.com/v1", "o3-mini"],
    ["chatgpt-4o-latest", "openai-responses", "https://api.openai.com/v1", "chatgpt-4o-latest"],
    ["openai-chat/gpt-4o", "openai-chat", "https://api.openai.com/v1", "gpt-4o"],
    ["claude-sonnet-5", "anthropic", "https://api.anthropic.com/v1", "claude-sonnet-5"],
    ["gemini-2.5-pro", "google", "https://generativelanguage.googleapis.com/v1beta", "gemini-2.5-pro"],
    ["gemini/gemini-2.5-pro", "google", "https://generativelanguage.googleapis.com/v1beta", "gemini-2.5-pro"],
    ["groq/llama-3.3-70b", "openai-compatible", "https://api.groq.com/openai/v1", "llama-3.3-70b"],
    ["openrouter/meta-llama/llama-3", "openrouter", "https://openrouter.ai/api/v1", "meta-llama/llama-3"],
    ["ollama/llama3.1:8b", "openai-compatible", "http://127.0.0.1:11434/v1", "llama3.1:8b"],
    ["lmstudio/x", "openai-compatible", "http://127.0.0.1:1234/v1", "x"],
    ["Ollama/qwen3", "openai-compatible", "http://127.0.0.1:11434/v1", "qwen3"],
  ])("%s leads to %s at %s", (model, wire, baseUrl, name) => {
    expect(findEndpoint({ model, env: keys })).toMatchObject({ wire, baseUrl, name });
  });

  test.each([
    ["my/model", "my/model"],
    ["model", "model"],
    ["gpt-4o", "gpt-4o"],
    ["openai/my/model", "my/model"],
    ["deepseek/deepseek-chat", "deepseek/deepseek-chat"],
    ["ollama/qwen3", "qwen3"],
  ])("behind an address of one's own, %s is the model %s of a chat server", (model, name) => {
    const endpoint = findEndpoint({ model, apiBase: "http://127.0.0.1:9/v1", env: {} });
    expect(endpoint).toMatchObject({ wire: "openai-compatible", baseUrl: "http://127.0.0.1:9/v1", name });
  });

  test.each([
    ["127.0.0.1:11434", "http://127.0.0.1:11434/v1"],
    ["http://0.0.0.0:11434", "http://127.0.0.1:11434/v1"],
    ["gpu-box", "http://gpu-box:11434/v1"],
    ["http://host/ollama/", "http://host/ollama"],
  ])("OLLAMA_HOST=%s is honoured", (host, baseUrl) => {
    expect(findEndpoint({ model: "ollama/x", env: { OLLAMA_HOST: host } }).baseUrl).toBe(baseUrl);
  });

  test("a pasted endpoint path is understood", () => {
    const endpoint = findEndpoint({ model: "x", apiBase: "https://h/v1/chat/completions", env: {} });
    expect(endpoint.baseUrl).toBe("https://h/v1");
  });

  test("keys are trimmed, and an explicit key wins", () => {
    const env = { GROQ_API_KEY: "  from-env\n" };
    expect(findEndpoint({ model: "groq/x", env }).apiKey).toBe("from-env");
    expect(findEndpoint({ model: "groq/x", apiKey: " mine ", env }).apiKey).toBe("mine");
  });

  test("a provider's key never goes to another provider's address", () => {
    const endpoint = findEndpoint({
      model: "deepseek/x",
      apiBase: "https://elsewhere/v1",
      env: { DEEPSEEK_API_KEY: "secret" },
    });
    expect(endpoint.apiKey).not.toBe("secret");
  });

  test("Azure takes the deployment into the path when a version is given", () => {
    const choice = { model: "azure/dep", apiBase: "https://r.openai.azure.com", apiKey: "k", env: {} };
    expect(findEndpoint(choice).baseUrl).toBe("https://r.openai.azure.com/openai/v1");
    expect(findEndpoint({ ...choice, apiVersion: "2024-10-21" })).toMatchObject({
      baseUrl: "https://r.openai.azure.com/openai/deployments/dep",
      query: { "api-version": "2024-10-21" },
      headers: { "api-key": "k" },
    });
  });
});

describe("a name that cannot be right", () => {
  test("a missing key names the variable", () => {
    const error = errorOf({ model: "anthropic/claude-x", env: {} });
    expect(error.message).toBe("Anthropic needs an API key, and ANTHROPIC_API_KEY is not set.");
    expect(error.hint).toContain("--api_key");
  });

  test("a slip is corrected", () => {
    expect(errorOf({ model: "antropic/claude", env: {} }).hint).toBe("Did you mean anthropic/claude?");
    expect(errorOf({ model: "olama/llama3", env: {} }).hint).toBe("Did you mean ollama/llama3?");
  });

  test("a bare name nobody knows says how to name it", () => {
    const error = errorOf({ model: "wizard-7b", env: {} });
    expect(error.message).toBe('"wizard-7b" does not say which provider has it.');
    expect(error.hint).toContain("ollama/wizard-7b");
  });

  test("a provider without a model asks for one", () => {
    expect(errorOf({ model: "ollama", env: {} }).message).toBe('"ollama" names a provider but no model.');
  });

  test("an address that is none is said to be none", () => {
    expect(errorOf({ model: "x", apiBase: "http://", env: {} }).message).toBe('"http://" is not an address.');
  });
});

describe("what could be used", () => {
  test("the environment alone decides", () => {
    const found = findUsableModels({ ANTHROPIC_API_KEY: "a", GROQ_API_KEY: " ", OLLAMA_HOST: "box", PATH: "/bin" });
    expect(found.map(({ provider, variable }) => [provider.name, variable])).toEqual([
      ["anthropic", "ANTHROPIC_API_KEY"],
      ["ollama", "OLLAMA_HOST"],
    ]);
    expect(found[0]?.model).toMatch(/^anthropic\/claude/);
  });

  test("every provider in the catalogue has a name of its own", () => {
    const names = allProviders({}).flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
  });
});
