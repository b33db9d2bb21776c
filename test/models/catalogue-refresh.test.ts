// Fetching a newer catalogue: what it changes when it is good, and that nothing changes when it is not.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { refreshCatalogue } from "../../src/models/catalogue/refresh.ts";
import { findEndpoint } from "../../src/models/endpoint.ts";
import { resolveModel } from "../../src/models/index.ts";
import { modelsDev } from "../support/models-dev.ts";

/** A server with one answer, and a home of its own for what is fetched from it. */
async function place(body: string, status = 200) {
  const home = mkdtempSync(join(tmpdir(), "catalogue-test-"));
  const server = createServer((_request, response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    home,
    env: { INTERPRETER_HOME: home, INTERPRETER_CATALOGUE_URL: `${origin}/api.json` },
    async [Symbol.asyncDispose]() {
      rmSync(home, { recursive: true, force: true });
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe("a good answer", () => {
  test("is kept for the person alone, and goes before what was built in", async () => {
    await using where = await place(JSON.stringify(modelsDev()));
    const received: number[] = [];
    const told = await refreshCatalogue(where.env, (bytes) => received.push(bytes));
    expect(told).toEqual({ providers: 26, models: 303, path: join(where.home, "catalogue.tsv") });
    expect(received.at(-1)).toBe(JSON.stringify(modelsDev()).length);
    expect(readdirSync(where.home)).toEqual(["catalogue.tsv", "outbox.jsonl"]);
    expect(statSync(told.path).mode & 0o777).toBe(0o600);
    const facts = await resolveModel({ model: "anthropic/claude-new", apiKey: "k", env: where.env }).facts!();
    expect(facts).toEqual({
      contextWindow: 2_000_000,
      maxOutput: 64_000,
      prices: { input: 1, output: 2, cachedInput: 0.1, cacheWrite: 1.25 },
      vision: true,
      tools: true,
      reasoning: true,
    });
  });

  test("brings new providers, each with its wire", async () => {
    await using where = await place(JSON.stringify(modelsDev()));
    await refreshCatalogue(where.env, () => {});
    const env = { ...where.env, NEW_3_KEY: "k", NEW_ACCOUNT: "acme" };
    expect(findEndpoint({ model: "new-3/m-1", env })).toMatchObject({
      wire: "openai-compatible",
      baseUrl: "https://api.new-3.example/v1",
      apiKey: "k",
    });
    expect(findEndpoint({ model: "new-3/special", env })).toMatchObject({
      wire: "anthropic",
      baseUrl: "https://api.new-3.example/anthropic/v1",
    });
    expect(findEndpoint({ model: "open-place/m", env: { ...env, OPEN_KEY: "k" } }).baseUrl).toBe(
      "https://acme.example/v1",
    );
  });

  test("what it says of where to send keys is looked at twice", async () => {
    await using where = await place(JSON.stringify(modelsDev()));
    const { path } = await refreshCatalogue(where.env, () => {});
    const text = readFileSync(path, "utf8");
    expect(text).not.toContain("unencrypted");
    expect(text).not.toContain("two\nlines");
    expect(text).not.toMatch(/^anthropic\/(embedding-9|painter)/m);
    // Providers that are known by heart keep their own address.
    expect(findEndpoint({ model: "anthropic/x", apiKey: "k", env: where.env }).baseUrl).toBe(
      "https://api.anthropic.com/v1",
    );
  });
});

describe("a bad answer changes nothing", () => {
  test.each([
    ["a web page", "<html>", 200, "is not JSON"],
    ["nothing", "", 200, "is not JSON"],
    ["an error", JSON.stringify(modelsDev()), 500, "could not be fetched: it answered 500"],
    ["something else", '{"data":[1,2,3]}', 200, "is not a catalogue in the format of models.dev"],
    ["a list", "[]", 200, "is not a catalogue in the format of models.dev"],
    ["half of it", JSON.stringify(modelsDev()).slice(0, 5_000), 200, "is not JSON"],
  ])("%s", async (_title, body, status, words) => {
    await using where = await place(body, status);
    const path = join(where.home, "catalogue.tsv");
    writeFileSync(path, "before");
    await expect(refreshCatalogue(where.env, () => {})).rejects.toThrow(words);
    expect(readFileSync(path, "utf8")).toBe("before");
    expect(readdirSync(where.home)).toEqual(["catalogue.tsv", "outbox.jsonl"]);
  });

  test("nobody there", async () => {
    const home = mkdtempSync(join(tmpdir(), "catalogue-test-"));
    const env = { INTERPRETER_HOME: home, INTERPRETER_CATALOGUE_URL: "http://127.0.0.1:9/api.json" };
    await expect(refreshCatalogue(env, () => {})).rejects.toThrow(/could not be fetched/);
    expect(existsSync(join(home, "catalogue.tsv"))).toBe(false);
    rmSync(home, { recursive: true });
  });
});
