// Every rule of safe mode with its own examples: what it must speak about, and what it must leave alone.

import { describe, expect, test } from "vitest";
import { examine } from "../../src/agent/safety/index.ts";
import { deletesExamples } from "../../src/agent/safety/rules/deletes-examples.ts";
import { allRules } from "../../src/agent/safety/rules/index.ts";
import { networkExamples } from "../../src/agent/safety/rules/network-examples.ts";
import { obfuscationExamples } from "../../src/agent/safety/rules/obfuscation-examples.ts";
import { persistenceExamples } from "../../src/agent/safety/rules/persistence-examples.ts";
import { privilegeExamples } from "../../src/agent/safety/rules/privilege-examples.ts";
import type { Example, Examples } from "../../src/agent/safety/rules/rule.ts";
import { secretsExamples } from "../../src/agent/safety/rules/secrets-examples.ts";
import { safetyEnvironment } from "../support/safety.ts";

const examples: Readonly<Record<string, Examples>> = {
  ...deletesExamples,
  ...networkExamples,
  ...secretsExamples,
  ...persistenceExamples,
  ...privilegeExamples,
  ...obfuscationExamples,
};

const blockOf = (example: Example) => {
  const [[language, code]] = Object.entries(typeof example === "string" ? { shell: example } : example) as [
    [string, string],
  ];
  return { language, code };
};

const rulesFor = async (example: Example): Promise<string[]> =>
  (await examine(blockOf(example), safetyEnvironment)).map(({ rule }) => rule);

const titleOf = (example: Example): string => {
  const { language, code } = blockOf(example);
  return `${language}: ${JSON.stringify(code).slice(0, 90)}`;
};

test("every rule has examples of both sorts", () => {
  expect(Object.keys(examples).sort()).toEqual(Object.keys(allRules).sort());
  for (const { finds, leaves } of Object.values(examples)) {
    expect(finds.length).toBeGreaterThan(0);
    expect(leaves.length).toBeGreaterThan(0);
  }
});

for (const [rule, { finds, leaves }] of Object.entries(examples)) {
  describe(rule, () => {
    test.each(finds.map((each) => [titleOf(each), each]))("finds %s", async (_, example) => {
      expect(await rulesFor(example as Example)).toContain(rule);
    });
    test.each(leaves.map((each) => [titleOf(each), each]))("leaves %s", async (_, example) => {
      expect(await rulesFor(example as Example)).not.toContain(rule);
    });
  });
}
