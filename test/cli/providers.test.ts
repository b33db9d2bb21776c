// Every provider's package, as it was built into the program: a word goes out, an answer comes back.

import { expect, test } from "vitest";
import { signInToGoogle } from "../support/google-sign-in.ts";
import { Place } from "../support/program.ts";
import { type ScriptedModel, scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

const aws = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret", AWS_REGION: "us-east-1" };

test.each<[string, keyof ScriptedModel & string, Record<string, string>]>([
  ["openai-responses/m", "responses", { OPENAI_API_KEY: "k" }],
  ["anthropic/m", "anthropic", { ANTHROPIC_API_KEY: "k" }],
  ["google/m", "google", { GEMINI_API_KEY: "k" }],
  ["azure/m", "azure", { AZURE_API_KEY: "k" }],
  ["bedrock/m", "bedrock", aws],
  ["vertex/m", "vertex", { GOOGLE_VERTEX_API_KEY: "k" }],
  ["mistral/m", "mistral", { MISTRAL_API_KEY: "k" }],
  ["xai/m", "xai", { XAI_API_KEY: "k" }],
  ["cohere/m", "cohere", { COHERE_API_KEY: "k" }],
  ["openrouter/maker/m", "openrouter", { OPENROUTER_API_KEY: "k" }],
])("%s", async (model, base, keys) => {
  await using server = await scriptedModel(["Hello from the model."]);
  using place = new Place(keys);
  const { code, stdout, stderr } = await place.run(["--model", model, "--api_base", String(server[base]), "hi"]);
  expect([code, stdout.trim(), stderr]).toEqual([0, "Hello from the model.", ""]);
});

test("Google's sign-in is in the build as well", async () => {
  await using google = await signInToGoogle();
  await using server = await scriptedModel(["Hello from the model."]);
  using place = new Place({ GOOGLE_VERTEX_PROJECT: "p", GOOGLE_APPLICATION_CREDENTIALS: google.credentials });
  const { stdout } = await place.run(["--model", "vertex/claude-sonnet-4-5", "--api_base", server.vertex, "hi"]);
  expect(stdout.trim()).toBe("Hello from the model.");
  expect(server.requests[0]!.headers.authorization).toBe("Bearer token-of-google");
});

test("%model says when a name is almost that of a known model", async () => {
  using place = new Place({ ANTHROPIC_API_KEY: "k" });
  await using terminal = new Terminal(place, ["--model", "anthropic/claude-sonnet-4-5"]);
  await terminal.prompt();
  terminal.enter("%model anthropic/claude-sonet-4-5");
  await terminal.see("Model: anthropic/claude-sonet-4-5");
  await terminal.see("Did you mean anthropic/claude-sonnet-4-5?");
  terminal.enter("%quit");
  expect(await terminal.ended()).toBe(0);
});
