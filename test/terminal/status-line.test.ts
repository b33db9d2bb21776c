// The line above the prompt, at any width.

import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { noUsage } from "../../src/models/index.ts";
import { notification } from "../../src/terminal/notify.ts";
import { statusLine } from "../../src/terminal/status-line.ts";

const status = {
  model: "anthropic/claude-sonnet-4-5",
  totals: { ...noUsage, requests: 3, inputTokens: 12_000, outputTokens: 300, cachedInputTokens: 9_000, cost: 0.042 },
  steps: 2,
  seconds: 8.24,
  machine: "gpu.example:8888",
  folder: join(homedir(), "office", "sales"),
};

test.each([
  [
    160,
    "claude-sonnet-4-5 · 12.3k tokens · 75 % cached · $0.042 · 2 steps · 8.2 s · gpu.example:8888 · ~/office/sales",
  ],
  [80, "claude-sonnet-4-5 · 12.3k tokens · 75 % cached · $0.042 · 2 steps · 8.2 s"],
  [60, "12.3k tokens · 75 % cached · $0.042 · 2 steps · 8.2 s"],
  [40, "12.3k tokens · $0.042 · 8.2 s"],
  [20, "12.3k tokens"],
])("at %d columns", (columns, expected) => expect(statusLine(status, columns)).toBe(expected));

test("what is not there is not said", () => {
  const quiet = { ...status, totals: { ...noUsage, requests: 1, unpriced: 1 }, steps: 0, seconds: 61.4, machine: "" };
  expect(statusLine(quiet, 200)).toBe("claude-sonnet-4-5 · 0 tokens · price unknown · 61 s · ~/office/sales");
});

test("where there is no sandbox, that is said as long as anything else is", () => {
  expect(statusLine({ ...status, sandbox: "no sandbox" }, 40)).toBe("12.3k tokens · $0.042 · no sandbox");
  expect(statusLine({ ...status, sandbox: "no sandbox" }, 20)).toBe("no sandbox");
});

test("a terminal that has notifications gets one, any other its bell", () => {
  expect(notification("done\x1b[2J", { TERM_PROGRAM: "iTerm.app" })).toBe("\x1b]9;done [2J\x07");
  expect(notification("done", { TERM: "xterm-kitty", TMUX: "/tmp/x" })).toBe("\x07");
  expect(notification("done", { TERM: "xterm" })).toBe("\x07");
});
