import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openHistory } from "../../src/terminal/editor/history.ts";
import { Search, Walk } from "../../src/terminal/editor/recall.ts";

class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "history-test-"));
  readonly file = join(this.path, "data", "history.jsonl");
  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

const texts = (path: string): string[] =>
  openHistory(path)
    .entries()
    .map(({ text }) => text);

describe("the file", () => {
  test("is private, holds one entry a line, and no repetition in a row", () => {
    using folder = new Folder();
    const history = openHistory(folder.file);
    for (const text of ["one", "two\nlines", "two\nlines", " unseen", "   ", "one"]) history.add({ text });
    expect(texts(folder.file)).toEqual(["one", "two\nlines", "one"]);
    expect(readFileSync(folder.file, "utf8")).toBe('{"text":"one"}\n{"text":"two\\nlines"}\n{"text":"one"}\n');
    expect(statSync(folder.file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder.path, "data")).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(folder.path, "data"))).toEqual(["history.jsonl"]);
  });

  test("a line that was cut off, or is none of ours, loses only itself", () => {
    using folder = new Folder();
    openHistory(folder.file).add({ text: "before" });
    appendFileSync(folder.file, '[1]\n{"text":3}\nnull\n{"text":"cut of');
    openHistory(folder.file).add({ text: "after" });
    expect(texts(folder.file)).toEqual(["before", "after"]);
  });

  test("what was folded is known again, what is no range is not", () => {
    using folder = new Folder();
    openHistory(folder.file).add({ text: "see 0123456789", folds: [[4, 14]] });
    appendFileSync(folder.file, '{"text":"x","folds":[["a",2],[1],null]}\n');
    expect(openHistory(folder.file).entries()).toEqual([{ text: "see 0123456789", folds: [[4, 14]] }, { text: "x" }]);
  });

  test("is trimmed when it has become too long, oldest first", () => {
    using folder = new Folder();
    openHistory(folder.file).add({ text: "first" });
    const lines = Array.from({ length: 7_000 }, (_, index) => `{"text":"entry ${index}"}\n`);
    writeFileSync(folder.file, lines.join(""));
    expect(texts(folder.file)).toHaveLength(5_000);
    expect(readFileSync(folder.file, "utf8").trim().split("\n")).toHaveLength(5_000);
    expect(texts(folder.file).at(-1)).toBe("entry 6999");
    expect(statSync(folder.file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder.path, "data"))).toEqual(["history.jsonl"]);
  });

  test("several programs write and trim at once, and nothing is lost or damaged", async () => {
    using folder = new Folder();
    openHistory(folder.file).add({ text: "first" });
    const lines = Array.from({ length: 6_300 }, (_, index) => `{"text":"old ${index}"}\n`);
    writeFileSync(folder.file, lines.join(""));
    const module = join(import.meta.dirname, "../../src/terminal/editor/history.ts");
    const code = `const { openHistory } = await import(${JSON.stringify(module)});
      for (let index = 0; index < 60; index++) {
        const history = openHistory(${JSON.stringify(folder.file)});
        history.add({ text: process.argv[1] + " " + index + " " + "x".repeat(2000) });
        if (index % 20 === 10) history.entries();
      }`;
    const writers = ["a", "b", "c"].map((name) =>
      spawn(process.execPath, ["--input-type=module", "-e", code, name], { stdio: "inherit" }),
    );
    for (const [exitCode] of await Promise.all(writers.map((writer) => once(writer, "exit")))) expect(exitCode).toBe(0);
    const written = readFileSync(folder.file, "utf8").trim().split("\n");
    for (const line of written) expect(() => JSON.parse(line)).not.toThrow();
    const kept = texts(folder.file).map((text) => text.split(" x")[0]);
    for (const name of ["a", "b", "c"])
      for (let index = 0; index < 60; index++) expect(kept).toContain(`${name} ${index}`);
  });

  test.skipIf(process.getuid?.() === 0)("a folder that cannot be written is no error", () => {
    using folder = new Folder();
    chmodSync(folder.path, 0o500);
    const history = openHistory(folder.file);
    history.add({ text: "one" });
    expect(history.entries()).toEqual([{ text: "one" }]);
  });
});

const remembered = (...all: string[]) => ({ entries: () => all.map((text) => ({ text })), add() {} });

describe("walking", () => {
  test("passes over what does not begin as the text does, and ends where it began", () => {
    const walk = new Walk(remembered("make one", "other", "make two", "make two", "make"), "make");
    expect([walk.older()?.text, walk.older()?.text, walk.older()?.text]).toEqual(["make two", "make one", undefined]);
    expect([walk.newer()?.text, walk.newer()?.text]).toEqual(["make two", undefined]);
    expect(walk.older()?.text).toBe("make two");
  });
});

describe("searching", () => {
  test("finds the newest first, goes back, and comes forward again", () => {
    const search = new Search(remembered("a chart", "no", "A Chart of sales", "last"));
    search.lookFor("c");
    search.lookFor("chart");
    expect(search.found).toMatchObject({ entry: { text: "A Chart of sales" }, from: 2, to: 7 });
    expect(search.older()).toBe(true);
    expect(search.found?.entry.text).toBe("a chart");
    expect(search.older()).toBe(false);
    expect(search.found?.entry.text).toBe("a chart");
    expect(search.newer()).toBe(true);
    expect(search.found?.entry.text).toBe("A Chart of sales");
    search.lookFor("Chart of");
    expect(search.found?.entry.text).toBe("A Chart of sales");
    search.lookFor("Charts");
    expect(search.found).toBeUndefined();
  });
});
