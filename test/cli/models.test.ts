// `interpreter models`: what is listed, how it is drawn, and fetching a newer list.

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { modelsDev } from "../support/models-dev.ts";
import { Place } from "../support/program.ts";
import { scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

const rows = (text: string): string[][] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));

/** Servers that this machine happens to run are there, too. */
const hosted = (text: string): string[][] =>
  rows(text).filter(([id]) => !/^(ollama|lmstudio|jan|llamacpp|llamafile|vllm)\//.test(id!));

describe("in a pipe", () => {
  test("a search gives one line a model: name, whether it could be used, window, prices, abilities", async () => {
    using place = new Place();
    const { code, stdout, stderr } = await place.run(["models", "claude-sonnet-4-5"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(rows(stdout)).toContainEqual(["anthropic/claude-sonnet-4-5", "", "200000", "3", "15", "sees,tools,thinks"]);
    expect(rows(stdout).every(([id]) => id!.toLowerCase().includes("claude-sonnet-4-5"))).toBe(true);
  });

  test("what there is a key for comes first, wherever the key is", async () => {
    using place = new Place({ CHUTES_API_KEY: "k" });
    writeFileSync(join(place.folder, ".env"), "GROQ_API_KEY=k\n");
    mkdirSync(place.env.INTERPRETER_HOME!, { recursive: true });
    writeFileSync(join(place.env.INTERPRETER_HOME!, "keys.json"), '{"mistral":{"key":"k"}}', { mode: 0o600 });
    const { stdout } = await place.run(["models", "a"]);
    const usable = hosted(stdout).filter(([, mark]) => mark === "usable");
    expect(usable).toEqual(hosted(stdout).slice(0, usable.length));
    expect([...new Set(usable.map(([id]) => id!.split("/")[0]))]).toEqual(["groq", "mistral", "chutes"]);
  });

  test("without a search only what could be used is listed", async () => {
    using place = new Place({ GROQ_API_KEY: "k" });
    const { stdout } = await place.run(["models"]);
    expect(hosted(stdout).length).toBeGreaterThan(5);
    expect(hosted(stdout).every(([id, mark]) => id!.startsWith("groq/") && mark === "usable")).toBe(true);
  });

  test("models of a server that answers are there, and free", async () => {
    await using server = await scriptedModel([]);
    using place = new Place({ OLLAMA_HOST: server.ollama });
    const { stdout } = await place.run(["models", "scripted"]);
    expect(rows(stdout)).toEqual([["ollama/scripted:latest", "usable", "32768", "0", "0", "tools"]]);
  });

  test("an unknown price is left open", async () => {
    using place = new Place();
    const { stdout } = await place.run(["models", "302ai/claude-sonnet-4-5"]);
    expect(rows(stdout)[0]!.slice(2, 5)).toEqual(["200000", "", ""]);
  });

  test("--json is JSON", async () => {
    using place = new Place({ ANTHROPIC_API_KEY: "k" });
    const { stdout } = await place.run(["models", "anthropic/claude-sonnet-4-5", "--json"]);
    const listed = JSON.parse(stdout) as { model: string }[];
    expect(listed.find(({ model }) => model === "anthropic/claude-sonnet-4-5")).toEqual({
      model: "anthropic/claude-sonnet-4-5",
      usable: true,
      contextWindow: 200_000,
      maxOutput: 64_000,
      prices: { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 },
      vision: true,
      tools: true,
      reasoning: true,
    });
  });

  test("what nobody has is said, with what to do", async () => {
    using place = new Place();
    const { code, stdout, stderr } = await place.run(["models", "no-such-thing"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain('No model that is known has "no-such-thing" in its name.');
  });

  test("more words are something to say", async () => {
    await using server = await scriptedModel(["ok"]);
    using place = new Place();
    await place.run(["--model", "openai/m", "--api_base", server.openai, "models", "of", "cars"]);
    expect(server.requests[0]!.body.messages.at(-1).content).toBe("models of cars");
  });
});

describe("in a terminal", () => {
  async function screen(place: Place, args: readonly string[], columns: number): Promise<string[]> {
    await using terminal = new Terminal(place, args, { columns, rows: 60 });
    await terminal.ended();
    return terminal.text().split("\n");
  }

  test("one line a model where there is room", async () => {
    using place = new Place({ ANTHROPIC_API_KEY: "k" });
    const lines = await screen(place, ["models", "claude-opus-4-5"], 120);
    expect(lines.find((line) => /^\* anthropic\/claude-opus-4-5 /.test(line))).toMatch(
      /200k {2}\$5\/\$25 +sees tools thinks$/,
    );
    expect(lines.some((line) => /^ {2}302ai\/claude-opus-4-5\S* .* price unknown/.test(line))).toBe(true);
    expect(lines.at(-1)).toContain("* could be used now.");
  });

  test("two lines a model where there is not", async () => {
    using place = new Place({ ANTHROPIC_API_KEY: "k" });
    const lines = await screen(place, ["models", "anthropic/claude-opus-4-5"], 40);
    const at = lines.indexOf("* anthropic/claude-opus-4-5");
    expect(lines[at + 1]).toBe("    200k, $5/$25, sees tools thinks");
  });

  test("without a search: some of what could be used, and how much more there is", async () => {
    using place = new Place({ OPENROUTER_API_KEY: "k" });
    const lines = await screen(place, ["models"], 120);
    expect(lines.filter((line) => line.startsWith("* openrouter/")).length).toBe(25);
    expect(lines.join("\n")).toMatch(/… and \d{3} more of openrouter: interpreter models openrouter/);
    expect(lines.join("\n")).toMatch(/\d{4} models of \d{3} providers are known: \S+ \d+, /);
    using empty = new Place();
    const nothing = await screen(empty, ["models"], 120);
    expect(nothing.filter((line) => line.startsWith("* ") && hosted(line.slice(2)).length > 0)).toEqual([]);
  });
});

describe("--refresh", () => {
  async function serve(body: string) {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked++;
      response.writeHead(200, { "content-type": "application/json" }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api.json`,
      asked: () => asked,
      async [Symbol.asyncDispose]() {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }

  test("fetches once, keeps it, and uses it from then on", async () => {
    await using server = await serve(JSON.stringify(modelsDev()));
    using place = new Place({ INTERPRETER_CATALOGUE_URL: server.url });
    await place.run(["models", "claude-new"]);
    expect(server.asked()).toBe(0);
    const { code, stdout, stderr } = await place.run(["models", "--refresh"]);
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toBe(
      `Fetched: 303 models of 26 providers, kept in ${join(place.env.INTERPRETER_HOME!, "catalogue.tsv")}\n`,
    );
    const { stdout: listed } = await place.run(["models", "claude-new"]);
    expect(rows(listed)).toEqual([["anthropic/claude-new", "", "2000000", "1", "2", "sees,tools,thinks"]]);
    expect(server.asked()).toBe(1);
  });

  test("refuses under --offline, and after a bad answer nothing has changed", async () => {
    await using server = await serve("<html>");
    using place = new Place({ INTERPRETER_CATALOGUE_URL: server.url });
    const offline = await place.run(["models", "--refresh", "--offline"]);
    expect([offline.code, offline.stderr]).toEqual([
      2,
      "--offline is on, so the catalogue is not fetched.\nDo it without --offline.\n",
    ]);
    expect(server.asked()).toBe(0);
    const bad = await place.run(["models", "--refresh"]);
    expect(bad.code).toBe(2);
    expect(bad.stderr).toMatch(/is not JSON\.\nNothing was changed/);
    expect(existsSync(join(place.env.INTERPRETER_HOME!, "catalogue.tsv"))).toBe(false);
  });
});
