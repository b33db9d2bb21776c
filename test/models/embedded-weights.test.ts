// Files of weights: what their heads say, how they are named, and what is said of those that cannot be used.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readGguf } from "../../src/models/embedded/gguf.ts";
import { compiledParts } from "../../src/models/embedded/install.ts";
import { createStopGate } from "../../src/models/embedded/stop-gate.ts";
import { checkWeights, contextFor } from "../../src/models/embedded/weights.ts";
import { findEndpoint } from "../../src/models/endpoint.ts";
import { resolveModel } from "../../src/models/index.ts";
import { ggufHead, smallModel } from "../support/gguf.ts";
import { ask } from "./ask.ts";

const folder = mkdtempSync(join(tmpdir(), "weights-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(content: Buffer | string, name = "model.gguf"): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const gigabyte = 1e9;

describe("the head of a file", () => {
  test("says what it is, whatever stands between", () => {
    expect(readGguf(file(ggufHead(smallModel)))).toMatchObject({
      name: "Tiny",
      architecture: "llama",
      contextLength: 4_096,
      // Two bytes × 4 layers × 2 heads × (32 numbers of a key + 32 of a value).
      bytesPerToken: 2 * 4 * 2 * 64,
    });
  });

  test("may give each layer its own number of heads", () => {
    const head = ggufHead({ ...smallModel, "llama.attention.head_count_kv": [2, 8, 2, 0] });
    expect(readGguf(file(head)).bytesPerToken).toBe(2 * 4 * 8 * 64);
  });

  test("may be silent about nearly everything", () => {
    expect(readGguf(file(ggufHead({ "general.architecture": "new" })))).toMatchObject({ name: "", bytesPerToken: 0 });
  });

  test("is damaged wherever it is cut", () => {
    const head = ggufHead(smallModel);
    for (let length = 4; length < head.length; length += 997)
      expect(() => readGguf(file(head.subarray(0, length))), `cut at ${length}`).toThrow("damaged");
  });

  test("is damaged when it claims what no file can hold", () => {
    const head = ggufHead(smallModel);
    head.writeBigUInt64LE(2n ** 60n, 24);
    expect(() => readGguf(file(head))).toThrow("damaged");
  });
});

describe("how much of a conversation it reads", () => {
  const gguf = { bytes: gigabyte, name: "", architecture: "llama", contextLength: 32_768, bytesPerToken: 100_000 };

  test.each([
    ["8192 tokens, unless told", undefined, 16, 8_192],
    ["what is asked for", 20_000, 16, 20_000],
    ["never more than it was trained for", 100_000, 16, 32_768],
    ["half, while memory is too small for all", undefined, 2, 4_096],
    ["at least something", undefined, 1, 1_024],
  ])("%s", (_title, wanted, memory, tokens) => {
    expect(contextFor(gguf, wanted, memory * gigabyte)).toBe(tokens);
  });

  test("what it was trained for, when that is less", () => {
    expect(contextFor({ ...gguf, contextLength: 2_048 }, undefined, 16 * gigabyte)).toBe(2_048);
  });
});

describe("names", () => {
  const env = { HOME: "/home/ann", INTERPRETER_HOME: "/data" };
  const pathOf = (model: string) => findEndpoint({ model, cwd: "/weights", env }).embedded?.path;

  test.each([
    ["/abs/model.gguf", "/abs/model.gguf"],
    ["model.gguf", "/weights/model.gguf"],
    ["./models/Model.GGUF", "/weights/models/Model.GGUF"],
    ["models/model.gguf", "/weights/models/model.gguf"],
    ["~/model.gguf", "/home/ann/model.gguf"],
    ["embedded/qwen3-4b", "/data/models/qwen3-4b.gguf"],
    ["embedded/../../etc/passwd", "/data/models/passwd.gguf"],
  ])("%s is the file %s", (model, path) => {
    expect(pathOf(model)).toBe(path);
  });

  test("a server's models may end the same way", () => {
    expect(findEndpoint({ model: "llamacpp//models/phi.gguf", env })).toMatchObject({ name: "/models/phi.gguf" });
    expect(findEndpoint({ model: "phi.gguf", apiBase: "http://127.0.0.1:8080", env }).embedded).toBeUndefined();
    expect(findEndpoint({ model: "embedded/phi", apiBase: "http://127.0.0.1:8080", env }).embedded).toBeDefined();
  });

  test("it is free, sees nothing, has no tools, and says how much it reads", async () => {
    const model = resolveModel({ model: file(ggufHead(smallModel)), env });
    expect(await model.facts!()).toMatchObject({
      contextWindow: 4_096,
      prices: { input: 0, output: 0 },
      vision: false,
      tools: false,
    });
    expect(model.dialect).toBe("markdown");
    const fewer = resolveModel({ model: file(ggufHead(smallModel)), env, contextWindow: 1_000 });
    expect(await fewer.facts!()).toMatchObject({ contextWindow: 1_000 });
  });

  test("it may be used with --offline", () => {
    expect(resolveModel({ model: "/abs/model.gguf", env, offline: true }).id).toBe("/abs/model.gguf");
  });
});

describe("what cannot be used is refused in plain words", () => {
  const failureOf = async (model: string) =>
    (await ask(resolveModel({ model, env: { INTERPRETER_HOME: folder } }))).failure;

  test("a file that is not there", async () => {
    const path = join(folder, "none.gguf");
    expect(await failureOf(path)).toMatchObject({ kind: "not-found", message: `There is no file ${path}.` });
  });

  test("a folder", async () => {
    mkdirSync(join(folder, "folder.gguf"));
    expect((await failureOf(join(folder, "folder.gguf")))?.message).toContain("cannot be read");
  });

  test("a file of another kind", async () => {
    const path = file("PK\x03\x04 something else");
    expect((await failureOf(path))?.message).toBe(`${path} is not a GGUF file.`);
  });

  test("half a file", async () => {
    const path = file(ggufHead(smallModel).subarray(0, 500));
    expect((await failureOf(path))?.message).toContain("is damaged or incomplete");
  });

  test("one that is too big for the memory", () => {
    const path = file(ggufHead(smallModel));
    expect(() => checkWeights(path, 1_000_000)).toThrow(
      /^model\.gguf is too big for this machine: \d+ kB of weights, 1 MB of memory\.$/,
    );
  });

  test("any, before the engine is installed", async () => {
    expect(await failureOf(file(ggufHead(smallModel)))).toMatchObject({
      message: "What runs models without a server is not installed yet.",
      hint: "`interpreter install embedded` installs it.",
    });
  });
});

test("one compiled part for each machine, with Metal on Apple's", () => {
  expect(compiledParts("darwin", "arm64")).toEqual(["@node-llama-cpp/mac-arm64-metal"]);
  expect(compiledParts("darwin", "x64")).toEqual(["@node-llama-cpp/mac-x64"]);
  expect(compiledParts("linux", "arm64")).toEqual(["@node-llama-cpp/linux-arm64"]);
  expect(compiledParts("linux", "arm")).toEqual(["@node-llama-cpp/linux-armv7l"]);
  expect(compiledParts("win32", "x64")[0]).toBe("@node-llama-cpp/win-x64");
  expect(compiledParts("freebsd", "x64")).toEqual([]);
});

describe("words that end a reply", () => {
  const through = (stops: string[], pieces: string[]) => {
    const gate = createStopGate(stops);
    const shown = pieces.map((piece) => gate.write(piece)).join("");
    return { shown: shown + (gate.stopped ? "" : gate.end()), stopped: gate.stopped };
  };

  test("are not shown, nor anything behind them", () => {
    expect(through(["<end>"], ["Hello", "<end>", "more"])).toEqual({ shown: "Hello", stopped: true });
  });

  test("may come in pieces", () => {
    expect(through(["<end>"], ["Hello <", "en", "d>!"])).toEqual({ shown: "Hello ", stopped: true });
  });

  test("what only begins like them is shown", () => {
    expect(through(["<end>"], ["a <", "en", "try> b <"])).toEqual({ shown: "a <entry> b <", stopped: false });
  });
});
