// What a person is told of an effect: facts, differences and one line for all of it, made from real files.

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, openSync, rmSync, symlinkSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { describeEffect, describeFile, diffOf, unifiedDiff } from "../../src/machine/effects/describing.ts";
import { type Effect, type Effects, noEffects, summaryOf } from "../../src/machine/index.ts";
import { EffectsFolder, effectBetween } from "../support/effects.ts";
import { testPython } from "../support/session.ts";

const place = new EffectsFolder();
afterAll(() => place[Symbol.dispose]());
const { folder } = place;
const put = place.put.bind(place);
const effect = effectBetween;

const rows = (number: number, columns = 3) =>
  Array.from({ length: number + 1 }, (_, row) =>
    Array.from({ length: columns }, (_, cell) => row + cell).join(","),
  ).join("\n");

test("of a table, rows and columns before and after", () => {
  const [old, young] = [put(rows(120, 5)), put(rows(118, 5))];
  expect(describeEffect(effect("sales.csv", old, young))).toEqual({ facts: "120 → 118 rows, 5 columns", rows: -2 });
  const wider = put(rows(120, 6));
  expect(describeEffect(effect("sales.csv", old, wider))).toEqual({ facts: "120 rows, 5 → 6 columns", rows: 0 });
  expect(describeEffect(effect("sales.csv", undefined, old))).toEqual({
    facts: "csv 120 rows × 5 columns, 1.9 kB",
    preview: "0,1,2,3,4",
  });
  expect(describeEffect(effect("sales.csv", old, undefined))).toEqual({
    facts: "was csv 120 rows × 5 columns, 1.9 kB",
  });
});

test("of a text, how many lines came and went, and which", () => {
  const [old, young] = [put("one\ntwo\nthree\n"), put("one\n2\nthree\nfour\n")];
  const changed = effect("a.py", old, young);
  expect(describeEffect(changed)).toEqual({ facts: "+2 −1 lines" });
  expect(diffOf(changed)).toBe("--- a.py\n+++ a.py\n@@ -1,3 +1,4 @@\n one\n-two\n+2\n three\n+four\n");
  expect(diffOf(effect("a.py", old, undefined))).toContain("-one\n-two\n-three\n");
  expect(diffOf(effect("a.py", undefined, young))).toContain("+one\n+2\n");
});

test("what was written again as it was is told from what was changed", () => {
  const same = effect("a.csv", put("a,b\n1,2\n"), put("a,b\n1,2\n"));
  expect(describeEffect(same)).toEqual({ facts: "written again with the same content" });
  expect(describeEffect(effect("a.csv", put("a,b\n1,2\n"), put("a,b\n1,3\n"))).facts).toBe("1 row, 2 columns");
});

test("line ends that all changed are said once, and only other changes are shown", () => {
  const [old, young] = [put("a,b\n1,2\n3,4\n"), put("a,b\r\n1,2\r\n3,5\r\n")];
  expect(diffOf(effect("a.csv", old, young))).toBe(
    "line ends: LF → CRLF\n--- a.csv\n+++ a.csv\n@@ -1,3 +1,3 @@\n a,b\n 1,2\n-3,4\n+3,5\n",
  );
  const ends = effect("a.txt", old, put("a,b\r\n1,2\r\n3,4\r\n"));
  expect(diffOf(ends)).toBe("line ends: LF → CRLF\n");
  expect(describeEffect(ends)).toEqual({ facts: "line ends: LF → CRLF" });
  expect(diffOf(effect("a.txt", put("a\n"), put("a\n\r\n")))).toContain("line ends: LF → mixed\n");
});

test("of everything else, what it is and how large", () => {
  const zeros = (size: number) => put(Buffer.alloc(size));
  expect(describeEffect(effect("a.bin", zeros(10), zeros(2_000)))).toEqual({ facts: "bin, 10 B → 2.0 kB" });
  expect(diffOf(effect("a.bin", zeros(10), zeros(2_000)))).toBe("bin, 10 B → 2.0 kB\n");
  const link = join(folder, "link");
  symlinkSync("data/a.csv", link);
  expect(describeEffect(effect("l", undefined, link)).facts).toBe("link to data/a.csv");
  const other = join(folder, "other-link");
  symlinkSync("b.csv", other);
  expect(describeEffect(effect("l", link, other)).facts).toBe("link to b.csv, was to data/a.csv");
  const inner = join(folder, "inner");
  mkdirSync(inner);
  expect(describeEffect(effect("data/", inner, undefined, { files: 12 })).facts).toBe("was folder (12 files)");
  expect(describeEffect(effect("data/", undefined, inner, { files: 5_000, moreFiles: true })).facts).toBe(
    "folder (more than 5,000 files)",
  );
  expect(describeEffect(effect("data/", inner, inner, { change: "renamed", from: "old/", files: 2 })).facts).toBe(
    "was old/ (2 files)",
  );
  expect(describeEffect(effect("x", put("a"), inner)).facts).toBe("file, now a folder");
});

test("what came or went with a folder is named, up to a bound", () => {
  const made = join(folder, "made");
  mkdirSync(join(made, "deep", "hollow"), { recursive: true });
  for (let index = 0; index < 3; index++) writeFileSync(join(made, "deep", `${index}.json`), "{}");
  writeFileSync(join(made, "z.txt"), "z");
  const names = "  z.txt\n  deep/0.json\n  deep/1.json\n  deep/2.json\n  deep/hollow/\n";
  expect(diffOf(effect("made/", undefined, made, { files: 4 }))).toBe(`folder (4 files)\n${names}`);
  expect(diffOf(effect("made/", made, undefined, { files: 4 }))).toBe(`was folder (4 files)\n${names}`);
  for (let index = 0; index < 1_258; index++) writeFileSync(join(made, `more-${index}`), "");
  const many = diffOf(effect("made/", undefined, made, { files: 1_262 })).split("\n");
  expect([many.length, many.at(-2)]).toEqual([1 + 50 + 1 + 1, "  … and 1,212 more"]);
});

test("permissions are said as ls says them", () => {
  const [old, young] = [put("#!/bin/sh\n"), put("#!/bin/sh\n")];
  chmodSync(old, 0o644);
  chmodSync(young, 0o755);
  expect(describeEffect(effect("run.sh", old, young, { change: "mode" })).facts).toBe("rw-r--r-- → rwxr-xr-x");
  writeFileSync(young, "#!/bin/sh\necho\n");
  expect(describeEffect(effect("run.sh", old, young)).facts).toBe("+1 −0 lines, rw-r--r-- → rwxr-xr-x");
});

test("what cannot be read, is gone, or is a pipe that nobody writes to is told all the same", () => {
  const [old, young] = [put("a\n"), put("b\n")];
  const changed = effect("a.txt", old, young);
  rmSync(young);
  expect(describeEffect(changed)).toEqual({ facts: "2 B" });
  expect(diffOf(changed)).toBe("2 B\n");
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  expect(describeEffect({ ...changed, afterPath: pipe }).facts).toBe("2 B");
  expect(describeEffect(effect("pipe", undefined, pipe)).facts).toBe("socket, pipe or device");
  expect(describeFile(pipe)).toEqual({ kind: "file" });
});

test("a file of ten gigabytes is described from its beginning", () => {
  const path = put("id,name\n");
  const file = openSync(path, "r+");
  // Lines in the part that is looked at, and nothing but a hole behind it.
  const lines = Buffer.alloc(9 << 20, "1,a\n");
  writeSync(file, lines, 0, lines.length, 8);
  truncateSync(path, 10e9);
  const huge = effect("huge.csv", undefined, path);
  expect(describeEffect(huge).facts).toBe("csv more than 2,097,150 rows × 2 columns, 10 GB");
  const grown = effect("huge.csv", put(rows(3)), path);
  expect(describeEffect(grown)).toEqual({ facts: "more than 3 → 2,097,150 rows, 3 → 2 columns" });
  expect(diffOf(huge)).toBe("csv more than 2,097,150 rows × 2 columns, 10 GB\n");
});

test("a difference is cut where it gets too long", () => {
  const [old, young] = [put("a\n"), put("a long line of many words\n".repeat(30_000))];
  const diff = diffOf(effect("a.txt", old, young));
  expect(diff.length).toBeLessThan(210_000);
  expect(diff).toMatch(/\+a long line of many words\n… and more: the rest of the difference is not shown\.\n$/);
});

test("what a file with a secret's name begins with is not told", () => {
  expect(describeEffect(effect(".env", undefined, put("TOKEN=abc\n"))).preview).toBeUndefined();
});

test("rows and columns of a Parquet file, as its own library wrote it", () => {
  const path = join(folder, "table.parquet");
  const nested = '[{"a": 1, "b": "x"}] * 300';
  const code = `import pyarrow as pa, pyarrow.parquet as pq
columns = {"id": list(range(300)), "name": ["x"] * 300, "more": pa.array(${nested})}
pq.write_table(pa.table(columns), ${JSON.stringify(path)})`;
  execFileSync(testPython, ["-c", code]);
  expect(describeFile(path).kind).toBe("parquet 300 rows × 4 columns");
  truncateSync(path, 100);
  expect(describeFile(path).kind).toBe("parquet");
});

const at = (change: Effect["change"], name: string, more: Partial<Effect> = {}): Effect => ({
  path: `/desk/${name}`,
  name,
  change,
  kind: name.endsWith("/") ? "folder" : "file",
  ...more,
});
const all = (files: Effect[], more: Partial<Effects> = {}): Effects => ({ ...noEffects, files, ...more });

test.each<[string, Effects, number | undefined]>([
  ["", noEffects, undefined],
  ["1 file new", all([at("created", "a")]), undefined],
  [
    "5 files: 3 new, 1 changed (−2 rows), 1 deleted · contacted example.org · 1 program left running",
    all([at("deleted", "d"), at("changed", "c.csv"), at("created", "a"), at("created", "b/", { files: 2 })], {
      hosts: ["example.org"],
      processes: [{ pid: 7, command: "sleep 100" }],
    }),
    -2,
  ],
  ["1 file changed (+1 row)", all([at("changed", "c.csv")]), 1],
  [
    "3 files: 2 deleted, 1 with other permissions; 1 folder moved",
    all([at("deleted", "x"), at("deleted", "y"), at("renamed", "n/", { files: 9 }), at("mode", "m")]),
    0,
  ],
  ["1 folder new", all([at("created", "empty/", { files: 0 })]), undefined],
  ["more than 5,000 files deleted", all([at("deleted", "lots/", { files: 5_000, moreFiles: true })]), undefined],
  ["contacted a.org and b.org", all([], { hosts: ["a.org", "b.org"] }), undefined],
  [
    "contacted a.org, b.org, c.org and 2 more",
    all([], { hosts: ["a.org", "b.org", "c.org", "d.org", "e.org"] }),
    undefined,
  ],
])("all of it in a line: %s", (line, effects, rowsMore) => {
  expect(summaryOf(effects, rowsMore === undefined ? {} : { rows: rowsMore })).toBe(line);
});

test("two texts without a difference have none", () => {
  expect(unifiedDiff("a", "x\n", "x\n")).toBe("");
});
