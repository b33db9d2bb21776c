// Which files and columns patterns are about, and which values of them are found again in a text.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { NeverSend } from "../../src/privacy/index.ts";
import { columnsOf, patternOf, readPattern } from "../../src/privacy/never-send/patterns.ts";
import { aboutHidden, masksIn } from "../../src/privacy/outbox/lines.ts";

test.each([
  ["clients.csv", { file: "clients.csv" }],
  ["column:email", { column: "email" }],
  ["column: e mail", { column: "e mail" }],
  ["clients.csv:ssn", { file: "clients.csv", column: "ssn" }],
  ["data/*.csv:first name", { file: "data/*.csv", column: "first name" }],
  ["C:\\data\\x.csv", { file: "C:\\data\\x.csv" }],
  ["~/private", { file: "~/private" }],
])("%s", (written, meant) => {
  expect(readPattern(written)).toEqual({ written, ...meant });
});

test.each([
  ["clients.csv", "clients.csv", true],
  ["clients.csv", "data/clients.csv", true],
  ["clients.csv", "data/clients.csv.bak", false],
  ["*.csv", "deep/er/a.csv", true],
  ["data/private/*", "data/private/a.txt", true],
  ["data/private/*", "data/private/deep/a.txt", true],
  ["data/private", "data/private/a.txt", true],
  ["data/private/", "data/public/a.txt", false],
  ["data/**/x.csv", "data/a/b/x.csv", true],
  ["data/**/x.csv", "data/x.csv", true],
  ["./data/x.csv", "data/x.csv", true],
  ["/other/place/*.csv", "/other/place/x.csv", true],
  ["~/x.csv", join(homedir(), "x.csv"), true],
  ["a?.csv", "ab.csv", true],
  ["a.csv", "aXcsv", false],
])("%s is about %s: %s", (written, path, expected) => {
  expect(patternOf(path, [readPattern(written)], "/work") !== undefined).toBe(expected);
});

test("columns are named whatever their capitals, and with stars", () => {
  const tests = columnsOf("data/x.csv", ["column:E-Mail", "x.csv:*_id", "y.csv:pay"].map(readPattern), "/work");
  const hidden = ["e-mail", "Client_ID", "pay", "email"].filter((name) => tests.some((each) => each(name)));
  expect(hidden).toEqual(["e-mail", "Client_ID"]);
});

async function hide(files: Record<string, string>, patterns: string[], text: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "never-send-"));
  try {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    const guard = new NeverSend(() => patterns, folder);
    const [message] = await guard.hide([{ role: "computer", type: "console", format: "output", content: text }]);
    return message!.content;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test.each([
  [
    "quotes, commas and lines in a field",
    { "a.csv": 'n,who\n1,"Doe, Jane"\n2,"Ann\nLee"\n3,"a ""b"" c"\n' },
    ["column:who"],
    'x Doe, Jane! "Ann\nLee" a "b" c Doe',
    'x ‹hidden›! "‹hidden›" ‹hidden› Doe',
  ],
  [
    "semicolons, and a mark at the beginning",
    { "a.csv": "\uFEFFwho;n\nJohanna;1\n" },
    ["a.csv:who"],
    "Johanna Johannas",
    "‹hidden› Johannas",
  ],
  ["tabs", { "a.tsv": "who\tn\nJohanna\t1\n" }, ["column:who"], "(Johanna)", "(‹hidden›)"],
  [
    "JSON lines",
    { "a.jsonl": '{"who":"Johanna","at":{"zip":"89073"}}\n{"who":null}\n' },
    ["column:zip", "column:who"],
    "Johanna 89073",
    "‹hidden› ‹hidden›",
  ],
  ["JSON", { "a.json": '[{"who":["Johanna","Sebastian"]}]' }, ["column:who"], "Sebastian", "‹hidden›"],
  [
    "the lines of another text",
    { "private/notes.txt": "the meeting is on Monday\nok\n" },
    ["private/*"],
    "It says: the meeting is on Monday",
    "It says: ‹hidden›",
  ],
  [
    "numbers, also without their zeros",
    { "a.csv": "pay\n52000.50\n1234\n" },
    ["a.csv"],
    "52000.5 52000.50 1234 12345 91234",
    "‹hidden› ‹hidden› ‹hidden› 12345 91234",
  ],
] as const)("%s", async (_, files, patterns, text, hidden) => {
  const made = await hide(files, [...patterns], text);
  expect(made.slice(0, hidden.length)).toBe(hidden);
  expect(made.slice(hidden.length)).toMatch(/^(\n‹.+: (text|numbers), \d+ values?, \d+ different.*›)+\n$/);
});

test.each([
  ["short values", { "a.csv": "who\nAnn\n" }, ["a.csv"], "Ann"],
  ["words that say nothing", { "a.csv": "who\nfalse\nunknown\n" }, ["a.csv"], "false unknown"],
  ["other columns", { "a.csv": "who,town\nJohanna,Augsburg\n" }, ["column:who"], "Augsburg"],
  ["other files", { "a.csv": "who\nJohanna\n", "b.csv": "who\nSebastian\n" }, ["a.csv"], "Sebastian"],
  ["formats that are not text", { "a.xlsx": "Johanna" }, ["a.xlsx"], "Johanna"],
  ["what is no JSON", { "a.json": "{Johanna" }, ["a.json"], "Johanna"],
] as const)("not caught: %s", async (_, files, patterns, text) => {
  expect(await hide(files, [...patterns], text)).toBe(text);
});

test("what the model wrote is left as it is, and nothing is read without patterns", async () => {
  const guard = new NeverSend(() => [], "/no/such/folder");
  const messages = [{ role: "assistant", type: "message", content: "Johanna" }] as const;
  expect(await guard.hide(messages)).toBe(messages);
});

test("what the model is told of hidden values is not counted as one", () => {
  expect(masksIn(JSON.stringify({ system: aboutHidden }))).toBe(0);
  expect(masksIn(JSON.stringify({ system: aboutHidden, said: "‹hidden› and ‹secret SHOP_TOKEN›" }))).toBe(2);
});
