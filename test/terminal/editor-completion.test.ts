import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CompletionMenu, commonStart } from "../../src/terminal/editor/completion.ts";
import { readIgnores } from "../../src/terminal/editor/ignored.ts";
import { createMentions, list, rank } from "../../src/terminal/editor/mentions.ts";
import { lastWord, offerPaths } from "../../src/terminal/editor/paths.ts";
import { goesOn, unquoted } from "../../src/terminal/goes-on.ts";
import { createStyle } from "../../src/terminal/style.ts";
import { widthOf } from "../../src/terminal/text/width.ts";

const folder = mkdtempSync(join(tmpdir(), "completion-test-"));

beforeAll(() => {
  const files: Record<string, string> = {
    "readme.md": "",
    "my file.txt": "",
    ".hidden": "",
    ".gitignore": "*.log\n/build/\n!keep.log\n",
    "a.log": "",
    "keep.log": "",
    "build/out.js": "",
    "node_modules/x/index.js": "",
    ".git/HEAD": "",
    "src/terminal/chat.ts": "",
    "src/terminal/build/inner.ts": "",
    "src/.gitignore": "secret.ts\n",
    "src/secret.ts": "",
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const paths = async (before: string): Promise<string[]> =>
  (await offerPaths(lastWord(before), folder)).matches.map(({ text }) => text);

describe("paths", () => {
  test("are completed as they are typed: relative, with spaces escaped or in quotes", async () => {
    expect(await paths("look at ./re")).toEqual(["./readme.md"]);
    expect(await paths("look at src/te")).toEqual(["src/terminal/"]);
    expect(await paths("cat my")).toEqual(["my\\ file.txt"]);
    expect(await paths("cat my\\ f")).toEqual(["my\\ file.txt"]);
    expect(await paths('cat "my f')).toEqual(['"my file.txt']);
    expect(await paths("cat .h")).toEqual([".hidden"]);
    expect(await paths("cat ")).not.toContain(".hidden");
    expect(await paths(`see ${folder}/rea`)).toEqual([`${folder}/readme.md`]);
    expect(await paths("~")).toEqual(["~/"]);
    expect(await paths("nowhere/x")).toEqual([]);
  });
});

describe("mentions", () => {
  test("know the files below, but not what is ignored or nobody wrote", async () => {
    expect((await list(folder)).sort()).toEqual([
      ".gitignore",
      ".hidden",
      "keep.log",
      "my file.txt",
      "readme.md",
      "src/",
      "src/.gitignore",
      "src/terminal/",
      "src/terminal/build/",
      "src/terminal/build/inner.ts",
      "src/terminal/chat.ts",
    ]);
  });

  test("are found by any letters in order, the likeliest first", async () => {
    const all = ["c/h/a/t", "src/terminal/chat.ts", "docs/chat.md", "chatter/x.md", "other"];
    expect(rank(all, "chat")).toEqual(["chatter/x.md", "docs/chat.md", "src/terminal/chat.ts", "c/h/a/t"]);
    expect(rank(all, "stc")).toEqual(["src/terminal/chat.ts"]);
    expect(rank(all, "zz")).toEqual([]);
    const find = createMentions(folder);
    expect((await find("chat"))[0]).toEqual({ text: "@src/terminal/chat.ts " });
    expect((await find("my"))[0]).toEqual({ text: '@"my file.txt" ' });
  });

  test("a large tree is not read to its end", async () => {
    const large = mkdtempSync(join(tmpdir(), "completion-test-"));
    for (let index = 0; index < 60; index++) {
      mkdirSync(join(large, `folder${index}`));
      for (let file = 0; file < 100; file++) writeFileSync(join(large, `folder${index}`, `file${file}`), "");
    }
    expect(await list(large)).toHaveLength(5_000);
    rmSync(large, { recursive: true });
  });
});

test.each<[string, string, boolean, boolean | undefined]>([
  ["*.log", "deep/a.log", false, true],
  ["/build", "build", true, true],
  ["/build", "src/build", true, undefined],
  ["build/", "build", false, undefined],
  ["docs/*.md", "docs/a.md", false, true],
  ["docs/*.md", "docs/deep/a.md", false, undefined],
  ["**/cache/", "a/b/cache", true, true],
  ["a/**", "a/b/c", false, true],
  ["x[0-9].txt", "x3.txt", false, true],
  ["*.log\n!keep.log", "keep.log", false, false],
  ["# comment\n\n", "comment", false, undefined],
  ["a(b", "a(b", false, true],
])("ignore %j: %s", (rules, path, isFolder, ignored) => {
  expect(readIgnores(rules)(path, isFolder)).toBe(ignored);
});

describe("the list", () => {
  const matches = ["alpha", "漢字".repeat(30), "gamma\x1b[2J", "delta"].map((text) => ({
    text,
    note: "a note ".repeat(9),
  }));

  test.each([10, 40, 80, 200])("fits %i columns, and paints no control character", (columns) => {
    const menu = new CompletionMenu({ matches, replaced: "" });
    for (const most of [1, 2, 3, 8]) {
      const rows = menu.rows(columns, most, createStyle(false));
      expect(rows.length).toBeLessThanOrEqual(most);
      for (const row of rows) {
        expect(widthOf(row)).toBeLessThan(columns);
        expect(row).not.toMatch(/[\x00-\x1f]/);
      }
      menu.move(1);
      expect(menu.rows(columns, most, createStyle(false)).filter((row) => row.startsWith("❯"))).toHaveLength(1);
    }
  });

  test("what all begin with never cuts a character", () => {
    expect(commonStart([{ text: "a😀" }, { text: "a😁" }])).toBe("a");
    expect(commonStart([{ text: "same" }, { text: "same" }])).toBe("same");
  });
});

test.each<[string, string | undefined, ReturnType<typeof goesOn>]>([
  ["hello", undefined, undefined],
  ['"""hello', undefined, "break"],
  ['"""hello\nthere"""', undefined, undefined],
  ["hello \\", undefined, "replace"],
  ["!ls \\", undefined, "break"],
  ["if x:", undefined, undefined],
  ["if x:", "python", "break"],
  ["if x:\n  y = 1", "python", "break"],
  ["if x:\n  y = 1\n", "python", undefined],
  ["x = 1", "python", undefined],
  ["function f() {", "javascript", "break"],
])("Enter after %j (%s): %s", (text, language, expected) => {
  expect(goesOn(text, language)).toBe(expected);
});

test("triple quotes are taken off a message", () => {
  expect(unquoted('"""\na\nb\n"""')).toBe("a\nb");
  expect(unquoted('say """a"""')).toBe('say """a"""');
});
