// What is shown when a step's effects were kept or discarded, and which protection is on.

import { expect, test } from "vitest";
import type { EffectsReport } from "../../src/agent/index.ts";
import { type Effect, noEffects } from "../../src/machine/index.ts";
import { effectsLines } from "../../src/terminal/effects/effects-line.ts";
import { inPlainSigns } from "../../src/terminal/plain-signs.ts";
import { placeLine, protectionLine, protectionWord } from "../../src/terminal/protection-words.ts";
import { statusLine } from "../../src/terminal/status-line.ts";
import { createStyle } from "../../src/terminal/style.ts";

const file = (change: Effect["change"], name: string, more: Partial<Effect> = {}): Effect => ({
  path: `/desk/${name}`,
  name,
  change,
  kind: "file",
  ...more,
});

function lines(report: Partial<EffectsReport>, undo = "/undo"): string {
  const effects = { ...noEffects, files: [file("changed", "b.csv"), file("created", "a.csv")] };
  const whole: EffectsReport = { effects, decision: "kept", problems: [], ...report };
  return [...effectsLines(whole, { style: createStyle(false), undo })].join("");
}

test("what was kept is one line, with how to take it back from where the person is", () => {
  expect(lines({ number: 12 })).toBe("✓ 2 files: 1 new, 1 changed · /undo 12 takes it back\n");
  expect(lines({ number: 12 }, "interpreter undo")).toContain("· interpreter undo 12 takes it back\n");
  expect(lines({})).toBe("✓ 2 files: 1 new, 1 changed\n");
  expect(lines({ effects: noEffects })).toBe("");
  expect(inPlainSigns(lines({ number: 3 }))).toBe("+ 2 files: 1 new, 1 changed - /undo 3 takes it back\n");
});

test("what was discarded, wholly or in part, is said", () => {
  expect(lines({ decision: "discarded" })).toBe(
    "Discarded: 2 files: 1 new, 1 changed. Files are as they were before the block.\n",
  );
  // Where something went wrong, that is said instead.
  expect(lines({ decision: "discarded", problems: ["a.csv stays."] })).toBe(
    "Discarded: 2 files: 1 new, 1 changed\n! a.csv stays.\n",
  );
  expect(lines({ decision: "some", kept: ["/desk/a.csv"], number: 4 })).toBe(
    "Kept only a.csv (1 file new) · discarded 1 file changed · /undo 4 takes it back\n",
  );
});

test("programs that were left running are named, a few of them", () => {
  const processes = [1, 2, 3, 4].map((pid) => ({ pid, command: `sleep ${pid}` }));
  const effects = { ...noEffects, processes };
  expect(lines({ effects })).toBe(
    `✓ 4 programs left running
  still running: sleep 1 (1)
  still running: sleep 2 (2)
  still running: sleep 3 (3)
  and 1 more
`,
  );
  expect(lines({ effects, decision: "discarded" })).not.toContain("still running");
});

test("warnings, what was not watched, and what could not be done have a line each", () => {
  const effects = {
    ...noEffects,
    files: [file("changed", "evil\x1b[2J\n.txt", { warning: "It was changed from outside meanwhile." })],
    uncovered: ["What was done in mnt/ was not watched."],
  };
  expect(lines({ effects, problems: ["b.csv could not be kept: the disk is full."] })).toBe(
    `✓ 1 file changed
! evil .txt: It was changed from outside meanwhile.
! What was done in mnt/ was not watched.
! b.csv could not be kept: the disk is full.
`,
  );
});

test("the protection is a word above the prompt, and a sentence at the start where it is not the layer", () => {
  expect(protectionWord({ kind: "none" })).toBe("no undo");
  expect(protectionLine({ kind: "layer" })).toBe("");
  expect(protectionLine({ kind: "checkpoint", why: "Namespaces are not allowed here." })).toBe(
    "What code does here can be taken back, by checkpoints instead of a write layer. Namespaces are not allowed here.",
  );
  expect(protectionLine({ kind: "none", why: "It was switched off." })).toMatch(
    /cannot be taken back\. It was switched/,
  );
  const totals = { requests: 1, inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, cost: 0, unpriced: 0 };
  const status = { model: "a/b", totals: totals as never, steps: 1, seconds: 2, folder: "/desk", protection: "layer" };
  expect(statusLine(status, 100)).toMatch(/2\.0 s · layer · \/desk$/);
  expect(statusLine({ ...status, protection: "no undo" }, 20)).toContain("no undo");
});

test("who starts at home, or where the system is, hears what that means; nobody else does", () => {
  expect(placeLine({ kind: "layer" }, "/home/me/desk", "/home/me")).toBe("");
  expect(placeLine({ kind: "layer" }, "/home/me", "/home/me")).toBe(
    "This is your home folder: code may change whatever is in it (/undo takes back what it did). Better start in the folder of a project.",
  );
  expect(placeLine({ kind: "none" }, "/home/me", "/home/me")).toContain("(it cannot be taken back)");
  expect(placeLine({ kind: "none" }, "/", "/root")).toContain("no folder to work in");
});
