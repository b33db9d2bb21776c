// Attacks on the sandbox, tried for real as an administrator and as an ordinary user. What they would have done is looked for from outside.

import { beforeAll, describe, expect, test } from "vitest";
import { lastingPlace } from "../support/lasting-folder.ts";
import { whyNoLayer } from "../support/protected-folder.ts";
import { attempt, isRoot, type Try } from "./attempt.ts";
import { type Outcome, titles } from "./run-attacks.ts";

const why = whyNoLayer() || (lastingPlace ? "" : "there is no folder for it that is not a temporary one");

const tries: Try[] = [
  ...(isRoot ? [{ who: "administrator", level: "workspace" } as const] : []),
  { who: "ordinary user", level: "workspace" },
  { who: "ordinary user", level: "strict", only: "reaching" },
  { who: "ordinary user", level: "strict", only: "secrets" },
  { who: "ordinary user", level: "workspace", only: "persisting", layer: "checkpoint" },
];

test("there are more than 80 of them", () => {
  expect(new Set(titles).size).toBe(titles.length);
  expect(titles.length).toBeGreaterThan(80);
});

for (const each of tries) {
  const { who, level, only = "", layer } = each;
  describe.skipIf(why)(`as an ${who}, ${level}${layer ? `, ${layer}` : ""}${why && ` (${why})`}`, () => {
    let outcome: Outcome;
    beforeAll(async () => {
      outcome = await attempt(each);
    }, 180_000);

    test("the sandbox is up", () => {
      expect(outcome.skipped).toBeUndefined();
      expect(outcome.through["after all of them"]).toBeUndefined();
    });
    for (const title of titles.filter((name) => name.includes(only)))
      test(title, () => {
        expect(outcome.outputs).toHaveProperty([title]);
        expect(outcome.through[title] ?? [], outcome.outputs[title]).toEqual([]);
      });
  });
}
