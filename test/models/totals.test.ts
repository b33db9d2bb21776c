// How tokens and money are said.

import { expect, test } from "vitest";
import { addUsage, cachedShare, costOf, count, dollars, noUsage } from "../../src/models/index.ts";

test.each([
  [0, "$0"],
  [0.000031, "$0.000031"],
  [0.00421, "$0.0042"],
  [0.5, "$0.50"],
  [0.999, "$1.00"],
  [1, "$1.00"],
  [12.345, "$12.35"],
  [1234, "$1234.00"],
])("%d dollars are said as %s", (amount, said) => expect(dollars(amount)).toBe(said));

test.each([
  [0, "0"],
  [999, "999"],
  [1000, "1k"],
  [12_345, "12.3k"],
  [123_456, "123k"],
  [999_600, "1M"],
  [1_240_000, "1.2M"],
])("%d tokens are said as %s", (tokens, said) => expect(count(tokens)).toBe(said));

test("what is not known is said to be unknown, never to be nothing", () => {
  const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 5, reasoningTokens: 0 };
  const unknown = addUsage(noUsage, usage);
  expect(costOf(unknown)).toBe("price unknown");
  expect(costOf(addUsage(unknown, { ...usage, cost: 0.5 }))).toBe("$0.50 and 1 of unknown price");
  expect(costOf(addUsage(noUsage, { ...usage, cost: 0 }))).toBe("$0");
  expect(cachedShare(unknown)).toBe(50);
  expect(cachedShare(noUsage)).toBe(0);
});
