// The first start of all, in a real terminal.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startOllama } from "../support/ollama.ts";
import { Place } from "../support/program.ts";
import { Terminal } from "../support/terminal.ts";

const nobodyListens = { OLLAMA_HOST: "http://127.0.0.1:1" };

/** A place where nobody has been before. */
function newPlace(env: NodeJS.ProcessEnv = {}): Place {
  return new Place({ ...nobodyListens, CI: "", ...env });
}

const settingsOf = (place: Place): string => join(place.folder, ".home/settings.yaml");

test.each([
  ["Enter", "\r"],
  ["Escape", "\x1b"],
])("%s skips it, and it never comes again", async (_name, key) => {
  using place = newPlace();
  {
    await using screen = new Terminal(place, []);
    await screen.see("Which model shall write the code?");
    await screen.see("Esc skips this.");
    screen.type(key);
    await screen.see("No model is set up");
    await screen.prompt();
    expect(screen.text()).not.toContain("Which model");
  }
  expect(existsSync(settingsOf(place))).toBe(false);
  await using again = new Terminal(place, []);
  await again.see("No model is set up");
  await again.prompt();
  expect(again.raw).not.toContain("Which model");
});

test("shows what keys and servers there are; the choice is written down and used", async () => {
  await using ollama = await startOllama({ models: { "qwen3:8b": 5_200_000_000 } });
  using place = newPlace({ OLLAMA_HOST: ollama.origin, ANTHROPIC_API_KEY: "key" });
  {
    await using screen = new Terminal(place, [], { columns: 100 });
    await screen.see("Which model shall write the code?");
    expect(screen.text()).toMatch(/2 anthropic\/claude-\S+ +key in ANTHROPIC_API_KEY/);
    expect(screen.text()).toMatch(/3 ollama\/qwen3:8b +Ollama, on this machine/);
    expect(screen.text()).toMatch(/Give an API key …[\s\S]*A model on this machine …[\s\S]*See the tour first/);
    screen.type("3\r");
    await screen.see(/Model: ollama\/qwen3:8b, kept in \S+settings\.yaml/);
    await screen.prompt();
    screen.enter("hello");
    await screen.see("I am qwen3:8b.");
  }
  expect(readFileSync(settingsOf(place), "utf8")).toBe(
    "# Settings of Open Interpreter. `interpreter config` shows them all.\nmodel: ollama/qwen3:8b\n",
  );
});

test("a key can be given, unseen, and kept", async () => {
  using place = newPlace();
  await using screen = new Terminal(place, []);
  await screen.see("Give an API key");
  screen.type("2\r");
  await screen.see("Whose key?");
  screen.type("1\r");
  await screen.see("Anthropic needs an API key");
  screen.enter("sk-planted-4711");
  await screen.see("Keep it?");
  screen.enter("f");
  await screen.see(/Model: anthropic\/claude-\S+, kept in/);
  await screen.prompt();
  expect(screen.text()).toMatch(/model anthropic\/claude-/);
  expect(screen.raw).not.toContain("planted");
  expect(readFileSync(settingsOf(place), "utf8")).not.toContain("planted");
  expect(readFileSync(join(place.folder, ".home/keys.json"), "utf8")).toContain("sk-planted-4711");
});

test("who goes back is at the menu again; the tour needs no model", async () => {
  using place = newPlace();
  {
    await using screen = new Terminal(place, [], { columns: 100 });
    await screen.see("Give an API key");
    screen.type("2\r");
    await screen.see("Whose key?");
    screen.type("\x1b");
    await screen.see("See the tour first");
    screen.type("4\r");
    await screen.see("This is a scripted conversation");
  }
  await using after = new Terminal(place, [], { columns: 100 });
  await after.see("Which model shall write the code?");
});

test("with one model to use nothing is asked", async () => {
  using place = newPlace({ ANTHROPIC_API_KEY: "key" });
  await using screen = new Terminal(place, []);
  await screen.prompt();
  expect(screen.raw).not.toContain("Which model");
  expect(screen.text()).toMatch(/model anthropic\//);
});

test.each([
  ["--plain", ["--plain"], {}],
  ["a model that is named", ["--model", "ollama/x"], {}],
  ["CI", [], { CI: "1" }],
])("nobody is asked with %s", async (_name, args, env) => {
  using place = newPlace(env);
  await using screen = new Terminal(place, args);
  await screen.prompt();
  expect(screen.raw).not.toContain("Which model");
});

test("nobody is asked with words, in a pipe, or with --json", async () => {
  using place = newPlace();
  for (const args of [["hi"], ["--json", "hi"]]) {
    const { code, stdout, stderr } = await place.run(args);
    expect([code, stdout.includes("Which model")]).toEqual([2, false]);
    expect(stderr).toContain("No model is set up");
  }
  expect(existsSync(join(place.folder, ".home/welcomed"))).toBe(false);
  await using screen = new Terminal(place, ["hi"]);
  await screen.see("No model is set up");
  expect(screen.raw).not.toContain("Which model");
});
