// One setting is written into settings.yaml; everything else there stays as it is.

import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { dropSetting, keepSetting, withoutSetting, withSetting } from "../../src/settings/keep.ts";

const folder = mkdtempSync(join(tmpdir(), "keep-test-"));
const home = join(folder, "home");
const path = join(home, "settings.yaml");
beforeEach(() => rmSync(home, { recursive: true, force: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ["an empty file", "", "model: ollama/phi:mini\n"],
  ["comments alone", "# mine\n", "# mine\nmodel: ollama/phi:mini\n"],
  ["other settings", "max_steps: 7\n", "max_steps: 7\nmodel: ollama/phi:mini\n"],
  ["no line break at the end", "max_steps: 7", "max_steps: 7\nmodel: ollama/phi:mini\n"],
  ["another model", "model: a/b # why\nmax_steps: 7\n", "model: ollama/phi:mini # why\nmax_steps: 7\n"],
  ["a model in quotes", "model: 'a/b'\n", "model: ollama/phi:mini\n"],
  ["a model that is empty", "model:\nmax_steps: 7\n", "model: ollama/phi:mini\nmax_steps: 7\n"],
  [
    "lists inside",
    "languages:\n  - name: x\n    model: no\n",
    "languages:\n  - name: x\n    model: no\nmodel: ollama/phi:mini\n",
  ],
  ["braces", "{ max_steps: 7 }\n", "{ max_steps: 7, model: ollama/phi:mini }\n"],
])("%s", async (_title, before, after) => {
  expect(await withSetting(before, "model", "ollama/phi:mini")).toBe(after);
});

test.each(["C:\\models\\a b.gguf", "/models/with: colon.gguf", "~/x.gguf", "# not a comment", "true"])(
  "%s is read back as it was written",
  async (value) => {
    const { parseDocument } = await import("../../src/settings/yaml.ts");
    expect(parseDocument(await withSetting("a: 1\n", "model", value)).get("model")).toBe(value);
  },
);

test("a new file is private, and nothing else is left behind", async () => {
  expect(await keepSetting("model", "ollama/phi", { INTERPRETER_HOME: home })).toBe(path);
  expect(readFileSync(path, "utf8")).toBe(
    "# Settings of Open Interpreter. `interpreter config` shows them all.\nmodel: ollama/phi\n",
  );
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(home)).toEqual(["settings.yaml"]);
});

test("a link stays a link, and who may read it still may", async () => {
  await keepSetting("model", "a/b", { INTERPRETER_HOME: home });
  const elsewhere = join(folder, "mine.yaml");
  writeFileSync(elsewhere, "max_steps: 7\n");
  chmodSync(elsewhere, 0o644);
  rmSync(path);
  symlinkSync(elsewhere, path);
  await keepSetting("model", "ollama/phi", { INTERPRETER_HOME: home });
  expect(lstatSync(path).isSymbolicLink()).toBe(true);
  expect(readFileSync(elsewhere, "utf8")).toBe("max_steps: 7\nmodel: ollama/phi\n");
  expect(statSync(elsewhere).mode & 0o777).toBe(0o644);
});

test.each([
  ["a number", "max_steps: 7 # few\n", "max_steps", 20, "max_steps: 20 # few\n"],
  ["true", "", "auto_run", true, "auto_run: true\n"],
  ["a list", "loop_breakers: Done.\n", "loop_breakers", ["a", "b c"], 'loop_breakers: ["a","b c"]\n'],
  ["a list in place of a list", "loop_breakers:\n  - a\nplain: true\n", "loop_breakers", ["z"], null],
  ["another spelling of the name", "maxSteps: 7\n", "max_steps", 20, "maxSteps: 20\n"],
])("%s", async (_title, before, name, value, after) => {
  const text = await withSetting(before, name, value);
  if (after !== null) expect(text).toBe(after);
  const { parseDocument } = await import("../../src/settings/yaml.ts");
  expect(Object.values(parseDocument(text).toJS())).toContainEqual(value);
});

test.each([
  ["the only one", "model: a/b\n", ""],
  ["one among others", "# mine\nmodel: a/b # why\nmax_steps: 7 # few\n", "# mine\nmax_steps: 7 # few\n"],
  ["the last, without a line break", "max_steps: 7\nmodel: a/b", "max_steps: 7\n"],
  ["a text of several lines", "model: |\n  a\n  b\nmax_steps: 7\n", "max_steps: 7\n"],
  ["an empty one", "model:\nmax_steps: 7\n", "max_steps: 7\n"],
  ["in braces", "{ model: a/b, max_steps: 7 }\n", "{ max_steps: 7 }\n"],
])("taken out: %s", async (_title, before, after) => {
  expect(await withoutSetting(before, "model")).toBe(after);
});

test("what is not there cannot be taken out", async () => {
  expect(await withoutSetting("max_steps: 7\n", "model")).toBeUndefined();
  expect(await dropSetting("model", { INTERPRETER_HOME: home })).toBe(false);
});
