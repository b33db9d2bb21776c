// Fetching models with Ollama, and starting servers that are installed but do not run.

import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { findServerPrograms, type PullProgress, pullModel, startServer } from "../../src/models/local/index.ts";
import { startOllama } from "../support/ollama.ts";

const never = new AbortController().signal;

test("what is fetched is told as it comes, and is there afterwards", async () => {
  await using ollama = await startOllama({ pullSize: 1_000 });
  const told: PullProgress[] = [];
  const onProgress = (progress: PullProgress) => told.push(progress);
  await pullModel({ url: `${ollama.origin}/v1`, model: "phi:mini", signal: never, onProgress });
  expect(told.map(({ done }) => done)).toEqual([...told.map(({ done }) => done)].sort((a, b) => a - b));
  expect(told.at(-1)).toEqual({ status: "success", done: 1_000, total: 1_000 });
  expect([...ollama.models.keys()]).toEqual(["phi:mini"]);
});

test("a model that does not exist is said to be none", async () => {
  await using ollama = await startOllama({ pullFault: { error: "pull model manifest: file does not exist" } });
  const pulling = pullModel({ url: ollama.origin, model: "phy", signal: never, onProgress: () => {} });
  await expect(pulling).rejects.toThrow("Ollama has no model called phy.");
});

test("any other trouble is told in Ollama's words", async () => {
  await using ollama = await startOllama({ pullFault: { error: "no space left on device" } });
  const pulling = pullModel({ url: ollama.origin, model: "phi", signal: never, onProgress: () => {} });
  await expect(pulling).rejects.toThrow("Ollama could not fetch phi: no space left on device.");
});

test("a connection that breaks is no success", async () => {
  await using ollama = await startOllama({ pullFault: "cut" });
  const pulling = pullModel({ url: ollama.origin, model: "phi", signal: never, onProgress: () => {} });
  await expect(pulling).rejects.toMatchObject({ hint: "Try again: it goes on where it stopped." });
});

test("giving up hangs up, so that Ollama stops fetching", async () => {
  await using ollama = await startOllama({ pace: 60_000 });
  const stop = new AbortController();
  const pulling = pullModel({ url: ollama.origin, model: "phi", signal: stop.signal, onProgress: () => stop.abort() });
  await expect(pulling).rejects.toMatchObject({ name: "AbortError" });
  while (!ollama.pulls[0]?.hungUp) await sleep(5);
});

/** A folder with a program of this name in it. */
function programFolder(name: string, script: string) {
  const folder = mkdtempSync(join(tmpdir(), "programs-test-"));
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

const standIn = join(import.meta.dirname, "../support/ollama.ts");

test("Ollama that does not run is started, and waited for until it answers", async () => {
  const pidFile = join(tmpdir(), `ollama-test-${process.pid}`);
  using made = programFolder("ollama", `echo $$ > ${pidFile}; exec "${process.execPath}" "${standIn}" "$@"`);
  // A port that was free a moment ago.
  const { port } = await startOllama().then(async (ollama) => {
    await ollama[Symbol.asyncDispose]();
    return ollama;
  });
  const env = {
    PATH: [made.folder, "/usr/bin", "/bin"].join(delimiter),
    OLLAMA_HOST: `127.0.0.1:${port}`,
    OLLAMA_MODELS_HERE: '{"phi:latest": 5}',
    OPENAI_API_KEY: "secret",
  };
  const [program] = findServerPrograms({ ...env, HOME: made.folder });
  expect(program).toMatchObject({ name: "Ollama", path: join(made.folder, "ollama"), args: ["serve"] });
  try {
    const server = await startServer(program!, { env, signal: never });
    expect(server.models).toEqual([{ name: "phi:latest", bytes: 5 }]);
  } finally {
    process.kill(Number(readFileSync(pidFile, "utf8")));
    rmSync(pidFile);
  }
});

test("one that ends at once is said to have ended", async () => {
  using made = programFolder("lms", "exit 3");
  const env = { PATH: made.folder, HOME: made.folder };
  const program = findServerPrograms(env).find(({ provider }) => provider === "lmstudio");
  const starting = startServer(program!, { env, ports: { lmstudio: 1 }, signal: never });
  await expect(starting).rejects.toMatchObject({
    message: "LM Studio did not start: it ended with exit code 3.",
    hint: expect.stringContaining("lms server start"),
  });
});
