// The rules that the documents show are rules: they are read, and their examples hold.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRules, places } from "../../src/settings/index.ts";

test("the file of docs/rules.md is read without a complaint", async () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/rules.md"), "utf8");
  const folder = mkdtempSync(join(tmpdir(), "docs-rules-test-"));
  writeFileSync(join(folder, "rules.yaml"), /```yaml\n([\s\S]*?)```/.exec(page)![1]!);
  const env = { INTERPRETER_HOME: folder, HOME: "/home/nobody-in-particular" };
  const rules = await (await openRules()).loadRules(places(env), { cwd: folder, env });
  expect(rules.list()).toHaveLength(7);
  expect(rules.judge({ kind: "write", path: "/home/nobody-in-particular/Desktop/taxes/a.csv" }).verdict).toBe("deny");
  rmSync(folder, { recursive: true });
});
