// The published schema of a settings file: current, and of one mind with the reader of settings.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Schema } from "../../src/interpreter/index.ts";
import { misfits } from "../../src/interpreter/schema/validate.ts";
import { loadSettings } from "../../src/settings/index.ts";
import { settingsSchema } from "../../src/settings/schema.ts";

const home = mkdtempSync(join(tmpdir(), "schema-test-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

test("docs/settings.schema.json is what the table of options says", () => {
  const published = readFileSync(join(import.meta.dirname, "../../docs/settings.schema.json"), "utf8");
  expect(published).toBe(`${JSON.stringify(settingsSchema(), null, 2)}\n`);
});

test.each([
  [{ model: "a/b", max_steps: 3, temperature: 0, auto_run: true, images: "kitty" }, true],
  [{ loop_breakers: ["a", "b"] }, true],
  [{ loop_breakers: "a" }, true],
  [{ custom_instructions: "", execution_instructions: "" }, true],
  [{ user_message_template: "Please: {content}" }, true],
  [{ languages: [{ name: "awk", run: "file", command: ["awk", "-f", "{file}"] }] }, true],
  [{ approve: "effects", workspace: ["/data"], undo_space: "5GB", layer: "checkpoint", plan: true }, true],
  [{ undo_space: 1000 }, true],
  [{ undo_space: "1.5 GiB" }, true],
  [{ undo_space: "much" }, false],
  [{ undo_space: -1 }, false],
  [{ approve: "always" }, false],
  [{ layer: "on" }, false],
  [{ modle: "x" }, false],
  [{ model: 1 }, false],
  [{ model: "" }, false],
  [{ max_steps: 0 }, false],
  [{ max_steps: "3" }, false],
  [{ auto_run: "yes" }, false],
  [{ images: "kity" }, false],
  [{ loop_breakers: [] }, false],
  [{ loop_breakers: [1] }, false],
  [{ user_message_template: "no place" }, false],
  [{ languages: [{ run: "file" }] }, false],
  [{ languages: [{ name: "x", comand: "x" }] }, false],
  [{ help: true }, false],
])("%j: the schema and the reader agree", async (settings, right) => {
  expect(misfits(settingsSchema() as Schema, settings).length === 0).toBe(right);
  writeFileSync(join(home, "settings.yaml"), JSON.stringify(settings));
  const read = await loadSettings({ choices: {}, words: [] }, "/", { INTERPRETER_HOME: home }).then(
    () => true,
    () => false,
  );
  expect(read).toBe(right);
});
