// A mistake in rules.yaml is told at the start, not when the first block wants to run.

import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Place } from "../support/program.ts";
import { run, type ScriptedModel, scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

const broken = "- alow: { host: example.org }\n";
const writing = run("shell", "touch made");

function prepared(rules: string): Place & { file: string } {
  const place = new Place();
  const folder = join(place.folder, ".home");
  mkdirSync(folder);
  const file = join(folder, "rules.yaml");
  writeFileSync(file, rules);
  return Object.assign(place, { file });
}

const common = (model: ScriptedModel) => ["-y", "--model", "openai-chat/scripted", "--api_base", model.openai];

test.each([
  ["with a block", [writing, "Never said."]],
  ["with an answer in words", ["Never said."]],
])("one task, %s: it stops with the mistake and its line", async (_name, script) => {
  await using model = await scriptedModel(script);
  using place = prepared(broken);
  const { code, stdout, stderr } = await place.run([...common(model), "go"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/rules\.yaml:1: alow is nothing/);
  expect(stdout).not.toContain("Never said.");
  expect(model.requests.length).toBeLessThanOrEqual(1);
  expect(existsSync(join(place.folder, "made"))).toBe(false);
});

test("a mistake in a flag is told as early", async () => {
  await using model = await scriptedModel(["Never said."]);
  using place = new Place();
  const { code, stderr } = await place.run([...common(model), "--allow_host", "http://exa mple", "go"]);
  expect(code).toBe(2);
  expect(stderr).toContain("--allow_host");
});

test("without a sandbox, rules hold nothing back and are not read", async () => {
  await using model = await scriptedModel([writing, "Made."]);
  using place = prepared(broken);
  const { code, stdout } = await place.run([...common(model), "--sandbox", "off", "go"]);
  expect(stdout).toContain("Made.");
  expect(code).toBe(0);
});

test("rules that are right are no hindrance", async () => {
  await using model = await scriptedModel([writing, "Made."]);
  using place = prepared("- deny: { host: example.org }\n");
  const { code } = await place.run([...common(model), "go"]);
  expect(code).toBe(0);
  expect(existsSync(join(place.folder, "made"))).toBe(true);
});

test("in the chat it is said before anything is asked for; mended, all goes on without a new start", async () => {
  const mended: (typeof writing | string)[] = [writing, "Made."];
  // Whether the first request goes out at all depends on who is faster.
  await using model = await scriptedModel(({ text }) => (text.includes("go on") ? mended.shift()! : "Never said."));
  using place = prepared(broken);
  await using screen = new Terminal(place, common(model), { columns: 140 });
  await screen.see("rules.yaml:1: alow is nothing");
  await screen.prompt();
  screen.enter("go");
  await screen.see(/rules\.yaml[\s\S]*rules\.yaml/);
  await screen.prompt();
  expect(screen.text()).not.toContain("Never said.");
  rmSync(place.file);
  screen.enter("go on");
  await screen.see(/Made\.[\s\S]* · (layer|checkpoint|no undo) · /);
  expect(existsSync(join(place.folder, "made"))).toBe(true);
});
