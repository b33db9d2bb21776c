// The scripted model itself, where no provider's client of ours reaches: Ollama's own API and the command.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { reply, run, scriptedModel } from "../support/scripted-model.ts";
import { ask, modelAt } from "./ask.ts";

test("speaks Ollama's own chat", async () => {
  await using server = await scriptedModel([reply("Hello there.", run("python", "1"))]);
  const response = await fetch(`${server.ollama}/api/chat`, { method: "POST", body: '{"model":"x","messages":[]}' });
  const lines = (await response.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ message }) => message.content).join("")).toBe("Hello there.");
  expect(lines.at(-2).message.tool_calls[0].function).toEqual({
    name: "execute",
    arguments: { language: "python", code: "1" },
  });
  expect(lines.at(-1).done).toBe(true);
  expect(await (await fetch(`${server.ollama}/api/tags`)).json()).toMatchObject({
    models: [{ name: "scripted:latest" }],
  });
});

test("says so when its script is over", async () => {
  await using server = await scriptedModel([]);
  expect((await ask(modelAt(server.openai))).text).toContain("exhausted");
});

test("a function may answer by what was asked", async () => {
  await using server = await scriptedModel(({ body }, index) => `${index}: ${body.messages.at(-1).content}`);
  const model = modelAt(server.openai);
  expect((await ask(model)).text).toBe("0: Go.");
  expect((await ask(model)).text).toBe("1: Go.");
});

test("runs as a command and prints its addresses", async () => {
  const folder = mkdtempSync(join(tmpdir(), "script-"));
  const file = join(folder, "script.json");
  writeFileSync(file, JSON.stringify(["From a file."]));
  const serve = fileURLToPath(new URL("../support/scripted-model/serve.ts", import.meta.url));
  const child = spawn(process.execPath, [serve, file], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(child.stdout, "data");
  const { openai } = JSON.parse(String(line));
  expect((await ask(modelAt(openai))).text).toBe("From a file.");
  child.kill();
  await once(child, "exit");
  rmSync(folder, { recursive: true });
});
