// What walls have refused, found in what programs of all kinds say of it; and nothing else is taken for a refusal.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { refusalsIn } from "../../src/machine/sandbox/refusals.ts";
import { wallsFor } from "../../src/machine/sandbox/walls.ts";

let base: string;
const at = (name: string): string => join(base, name);
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "refusals-test-")));
  for (const name of ["home/.ssh", "home/work", "home/bin", "srv/my data"]) mkdirSync(at(name), { recursive: true });
  writeFileSync(at("home/.ssh/id"), "");
  writeFileSync(at("home/.netrc"), "");
  symlinkSync(at("srv"), at("home/work/out"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const wallsOf = (level: "workspace" | "strict", roots = [at("home/work")], more = {}) =>
  wallsFor({
    level,
    roots,
    home: at("home"),
    env: { PATH: `${at("home/bin")}:/usr/bin:/bin` },
    config: at("home/.oi"),
    data: at("home/.oi"),
    ours: [],
    ...more,
  });

const told = (line: string, level: "workspace" | "strict" = "workspace", roots = [at("home/work")]) =>
  refusalsIn(line, { walls: wallsOf(level, roots), open: roots }).map(({ kind, path, allow }) => [kind, path, allow]);

test.each([
  ["bash", (path: string) => `/tmp/oi-x/block-1: line 3: ${path}: Read-only file system`],
  ["Python", (path: string) => `OSError: [Errno 30] Read-only file system: '${path}'`],
  ["Node", (path: string) => `Error: EROFS: read-only file system, open '${path}'`],
  ["coreutils", (path: string) => `touch: cannot touch '${path}': Read-only file system`],
  [
    "coreutils, with curled quotes",
    (path: string) => `cp: cannot create regular file ‘${path}’: Read-only file system`,
  ],
])("%s could not write", (_name, said) => {
  const path = at("srv/my data/new.csv");
  expect(told(said(path))).toEqual([["write", path, at("srv/my data")]]);
});

test.each(["No such file or directory", "Permission denied"])("a secret is not seen: %s", (words) => {
  expect(told(`cat: ${at("home/.ssh/id")}: ${words}`)).toEqual([["read", at("home/.ssh/id"), at("home/.ssh/id")]]);
  expect(told(`cat: ${at("home/.netrc")}: ${words}`)).toHaveLength(1);
});

test("a link in the workspace that leads out of it is what it leads to", () => {
  expect(told(`bash: ${at("home/work/out/x")}: Read-only file system`)).toEqual([
    ["write", at("home/work/out/x"), at("home/work/out")],
  ]);
});

test("secrets are hidden also where the home folder is the workspace", () => {
  const line = `cat: ${at("home/.ssh/id")}: No such file or directory`;
  expect(told(line, "workspace", [at("home")])).toEqual([["read", at("home/.ssh/id"), at("home/.ssh/id")]]);
});

test.each([
  ["a file that is not there", () => `cat: ${"/no/such"}: No such file or directory`],
  ["one in the workspace", () => `cat: ${at("home/work/gone")}: No such file or directory`],
  ["a relative name", () => "cat: gone/x: No such file or directory"],
  ["a file of others", () => "cat: /proc/1/mem: Permission denied"],
  ["no path at all", () => "mount: Read-only file system"],
])("%s is no refusal of ours", (_name, said) => {
  expect(told(said())).toEqual([]);
  expect(told(said(), "strict")).toEqual([]);
});

test("with strict, what is seen of a hidden folder is none, and the rest is", () => {
  const line = (path: string) => `cat: ${path}: No such file or directory`;
  expect(told(line(at("home/work/gone")), "strict")).toEqual([]);
  expect(told(line(at("home/notes")), "strict")).toEqual([["read", at("home/notes"), at("home/notes")]]);
});

test("each is told once, and no more than five", () => {
  const lines = Array.from({ length: 20 }, (_, n) => `sh: ${at(`srv/${n % 8}`)}: Read-only file system`);
  expect(told(lines.join("\n"))).toHaveLength(5);
  expect(told(`${lines[0]}\n${lines[0]}`)).toHaveLength(1);
});

test("with strict, a folder for programs in the home folder does not show all that is beside it", () => {
  const { shown, hidden } = wallsOf("strict");
  expect(shown).toContain(at("home/bin"));
  expect(shown).not.toContain(at("home"));
  expect(hidden).toContain(at("home"));
});

test("what may be read of a hidden folder is shown, and the folder stays hidden", () => {
  const { shown, hidden } = wallsOf("workspace", undefined, { allowRead: [at("home/.ssh/id")] });
  expect(shown).toEqual([at("home/.ssh/id")]);
  expect(hidden).toContain(at("home/.ssh"));
  expect(wallsOf("workspace", undefined, { allowRead: [at("home/.ssh")] }).hidden).not.toContain(at("home/.ssh"));
});
