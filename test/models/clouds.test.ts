// Models in the clouds: where requests go, and how they are signed.

import { describe, expect, test } from "vitest";
import { findEndpoint } from "../../src/models/endpoint.ts";
import { MissingKeyError, resolveModel } from "../../src/models/index.ts";
import { signInToGoogle } from "../support/google-sign-in.ts";
import { reply, scriptedModel } from "../support/scripted-model.ts";
import { ask } from "./ask.ts";

const errorOf = (model: string, env: Record<string, string> = {}): MissingKeyError => {
  try {
    findEndpoint({ model, env });
  } catch (error) {
    if (error instanceof MissingKeyError) return error;
    throw error;
  }
  throw new Error("it was accepted");
};

describe("Azure", () => {
  test("responses of one's own resource, with the key in a header of its own", async () => {
    await using server = await scriptedModel(["Hi.", "Hi."]);
    const env = { AZURE_API_KEY: "azure-key", AZURE_API_BASE: server.azure };
    expect((await ask(resolveModel({ model: "azure/my-deployment", env }))).text).toBe("Hi.");
    const [request] = server.requests;
    expect(request).toMatchObject({ wire: "responses", path: "/openai/v1/responses" });
    expect(request!.headers["api-key"]).toBe("azure-key");
    expect(request!.headers.authorization).toBeUndefined();
    expect(request!.body).toMatchObject({ model: "my-deployment", store: false });
  });

  test("with a dated version, chat completions of the deployment", async () => {
    await using server = await scriptedModel(["Hi."]);
    const env = { AZURE_API_KEY: "azure-key" };
    const model = resolveModel({ model: "azure/dep", apiBase: server.azure, apiVersion: "2024-10-21", env });
    expect((await ask(model)).text).toBe("Hi.");
    expect(server.requests[0]).toMatchObject({
      wire: "openai",
      path: "/openai/deployments/dep/chat/completions?api-version=2024-10-21",
    });
    expect(server.requests[0]!.headers["api-key"]).toBe("azure-key");
  });

  test.each([
    ["azure/d", "azure", "https://res.openai.azure.com/openai/v1"],
    ["azure-chat/d", "openai-compatible", "https://res.openai.azure.com/openai/v1"],
  ])("%s is found by the resource's name", (model, wire, baseUrl) => {
    const env = { AZURE_API_KEY: "k", AZURE_RESOURCE_NAME: "res" };
    expect(findEndpoint({ model, env })).toMatchObject({ wire, baseUrl });
  });

  test("says what is missing", () => {
    expect(errorOf("azure/d").hint).toContain("AZURE_API_KEY");
    expect(() => findEndpoint({ model: "azure/d", env: { AZURE_API_KEY: "k" } })).toThrow(
      "Azure OpenAI needs AZURE_RESOURCE_NAME, which is not set.",
    );
  });
});

describe("Amazon Bedrock", () => {
  const keys = { AWS_ACCESS_KEY_ID: "AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY: "the-secret", AWS_REGION: "eu-central-1" };

  test("requests are signed for the region, and the secret stays here", async () => {
    await using server = await scriptedModel(["Hi."]);
    const env = { ...keys, AWS_SESSION_TOKEN: "session" };
    const model = resolveModel({ model: "bedrock/anthropic.claude-x-v1:0", apiBase: server.bedrock, env });
    expect((await ask(model)).text).toBe("Hi.");
    const { path, headers, text } = server.requests[0]!;
    expect(path).toBe("/model/anthropic.claude-x-v1%3A0/converse-stream");
    expect(headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/bedrock\/aws4_request, SignedHeaders=.*Signature=[0-9a-f]{64}$/,
    );
    expect(headers["x-amz-security-token"]).toBe("session");
    expect(JSON.stringify(headers) + text).not.toContain("the-secret");
    expect(JSON.stringify(server.requests[0]!.body)).toContain("cachePoint");
  });

  test("a key of its own needs no signature", async () => {
    await using server = await scriptedModel(["Hi."]);
    const env = { ...keys, AWS_BEARER_TOKEN_BEDROCK: "bedrock-key" };
    await ask(resolveModel({ model: "bedrock/amazon.titan-x", apiBase: server.bedrock, env }));
    expect(server.requests[0]!.headers.authorization).toBe("Bearer bedrock-key");
    expect(JSON.stringify(server.requests[0]!.body)).not.toContain("cachePoint");
  });

  test("is at home in the region that was chosen", () => {
    expect(findEndpoint({ model: "bedrock/m", env: keys }).baseUrl).toBe(
      "https://bedrock-runtime.eu-central-1.amazonaws.com",
    );
    expect(findEndpoint({ model: "amazon-bedrock/m", env: { ...keys, AWS_REGION: "cn-north-1" } }).baseUrl).toBe(
      "https://bedrock-runtime.cn-north-1.amazonaws.com.cn",
    );
    expect(errorOf("bedrock/m").hint).toContain("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  });

  test("a secret that comes back in an error is not shown", async () => {
    await using server = await scriptedModel([
      reply({ status: 400, body: { message: "bad signature of the-secret" } }),
    ]);
    const told = await ask(resolveModel({ model: "bedrock/m", apiBase: server.bedrock, env: keys }));
    expect(told.failure?.kind).toBe("bad-request");
    expect(JSON.stringify(told.events)).not.toContain("the-secret");
  });
});

describe("Google Vertex AI", () => {
  test("express mode: a key and nothing else", async () => {
    await using server = await scriptedModel(["Hi."]);
    const model = resolveModel({
      model: "vertex/gemini-2.5-pro",
      apiBase: server.vertex,
      env: { GOOGLE_VERTEX_API_KEY: "v-key" },
    });
    expect((await ask(model)).text).toBe("Hi.");
    expect(server.requests[0]!.path).toBe("/v1/publishers/google/models/gemini-2.5-pro:streamGenerateContent?alt=sse");
    expect(server.requests[0]!.headers["x-goog-api-key"]).toBe("v-key");
  });

  test.each([
    ["vertex/gemini-2.5-pro", "/v1/publishers/google/models/gemini-2.5-pro:streamGenerateContent?alt=sse"],
    ["vertex/claude-sonnet-4-5", "/v1/publishers/anthropic/models/claude-sonnet-4-5:streamRawPredict"],
  ])("%s with Google's own sign-in", async (name, path) => {
    await using google = await signInToGoogle();
    await using server = await scriptedModel(["Hi."]);
    const env = { GOOGLE_VERTEX_PROJECT: "project", GOOGLE_APPLICATION_CREDENTIALS: google.credentials };
    const told = await ask(resolveModel({ model: name, apiBase: server.vertex, env }));
    expect(told).toMatchObject({ text: "Hi." });
    expect(server.requests[0]!.path).toBe(path);
    expect(server.requests[0]!.headers.authorization).toBe("Bearer token-of-google");
  });

  test("is at home in the project and the location that were chosen", () => {
    const env = { GOOGLE_CLOUD_PROJECT: "p" };
    expect(findEndpoint({ model: "vertex/g", env }).baseUrl).toBe(
      "https://aiplatform.googleapis.com/v1beta1/projects/p/locations/global/publishers/google",
    );
    const there = { GOOGLE_VERTEX_PROJECT: "p", GOOGLE_VERTEX_LOCATION: "europe-west1" };
    expect(findEndpoint({ model: "vertex_ai/claude-x", env: there })).toMatchObject({
      wire: "vertex-anthropic",
      baseUrl:
        "https://europe-west1-aiplatform.googleapis.com/v1/projects/p/locations/europe-west1/publishers/anthropic/models",
    });
    expect(errorOf("vertex/g").hint).toContain("GOOGLE_VERTEX_PROJECT");
    expect(errorOf("vertex/claude-x", { GOOGLE_VERTEX_API_KEY: "k" }).hint).toContain("GOOGLE_VERTEX_PROJECT");
  });
});
