// What safe mode found, as a person sees it above the question.

import { expect, test } from "vitest";
import type { Finding } from "../../src/agent/index.ts";
import { findingsLine, findingsText } from "../../src/terminal/safety.ts";
import { createStyle } from "../../src/terminal/style.ts";

const finding = (severity: Finding["severity"], line: number, text: string): Finding => ({
  rule: "rule",
  kind: "deletes",
  severity,
  line,
  text,
  excerpt: "",
});

const plain = { style: createStyle(false), columns: 80 };

test("each finding has its sign, its line and its sentence", () => {
  const findings = [
    finding("danger", 12, "Deletes ~, with everything in it."),
    finding("warning", 3, "Deletes build and everything in it."),
    finding("note", 1, "Connects to example.com."),
  ];
  expect(findingsText(findings, plain)).toBe(
    [
      "✗ line 12  Deletes ~, with everything in it.",
      "! line  3  Deletes build and everything in it.",
      "• line  1  Connects to example.com.",
      "",
    ].join("\n"),
  );
  expect(findingsText(findings, { ...plain, style: createStyle(true) })).toContain(
    "\x1b[31m✗ line 12  Deletes ~, with everything in it.\x1b[39m\n",
  );
});

test("there are five at most, and how many more there are", () => {
  const many = Array.from({ length: 8 }, (_, index) => finding("warning", index + 1, `Number ${index + 1}.`));
  expect(findingsText(many, plain).split("\n").slice(4)).toEqual([
    "! line 5  Number 5.",
    "and 3 more: ? shows them",
    "",
  ]);
  expect(findingsText(many.slice(0, 5), plain)).not.toContain("more");
  expect(
    findingsText(many, { ...plain, all: true })
      .split("\n")
      .slice(6),
  ).toEqual(["! line 7  Number 7.", "! line 8  Number 8.", ""]);
});

test("nothing found is nothing said", () => {
  expect(findingsText([], plain)).toBe("");
  expect(findingsLine([])).toBe("");
});

test("a long sentence is broken between words, under itself", () => {
  const text = "Sends keys, passwords or the whole environment to collect.example.";
  expect(findingsText([finding("danger", 1, text)], { ...plain, columns: 50 })).toBe(
    "✗ line 1  Sends keys, passwords or the whole\n          environment to collect.example.\n",
  );
});

test("what a block put into a sentence cannot reach the terminal", () => {
  const text = "Deletes a\x1b[2Jb\x1b]0;title\x07\u202ec\nd.";
  const shown = findingsText([finding("danger", 1, text)], plain);
  expect(shown).toBe("✗ line 1  Deletes ab\ufffdc d.\n");
  expect(findingsLine([finding("danger", 1, text)])).toBe("Line 1: Deletes ab\ufffdc d.");
});

test("in one line: the worst, and how many more", () => {
  const findings = [finding("danger", 4, "Deletes ~."), finding("note", 1, "Connects to example.com.")];
  expect(findingsLine(findings)).toBe("Line 4: Deletes ~. (and 1 more)");
});
