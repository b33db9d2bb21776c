// Among what is gone and what is new, what only has another name is found; what merely looks like it is not.

import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Effect } from "../../../src/machine/effects/effect.ts";
import { nameOf } from "../../../src/machine/effects/name.ts";
import { inOrder, isAside } from "../../../src/machine/effects/rank.ts";
import { findRenames } from "../../../src/machine/effects/renames.ts";
import { sameVersion, versionOf } from "../../../src/machine/effects/version.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), "renames-"));
});
afterEach(() => rmSync(root, { recursive: true }));
const at = (name: string): string => join(root, name);

function gone(name: string, place = at(name)): Effect {
  const before = versionOf(place)!;
  return { path: at(name), name, change: "deleted", kind: before.kind, before, beforePath: place };
}

function made(name: string): Effect {
  const after = versionOf(at(name))!;
  return { path: at(name), name, change: "created", kind: after.kind, after, afterPath: at(name) };
}

const lines = (effects: readonly Effect[]) => effects.map(({ change, from = "", name }) => `${change} ${from}>${name}`);

const write = (name: string, content: string): void => {
  writeFileSync(at(name), content);
  utimesSync(at(name), 1e9, 1e9);
};

test("a file with another name", () => {
  write("a", "content");
  const old = gone("a");
  renameSync(at("a"), at("b"));
  const [renamed, ...others] = findRenames([old, made("b")]);
  expect(renamed).toMatchObject({ change: "renamed", path: at("b"), name: "b", from: "a", before: old.before });
  expect(others).toEqual([]);
});

test("a copy in another file system is another file with the same time and content", () => {
  write("a", "content");
  write("copy", "content");
  expect(lines(findRenames([gone("a"), made("copy")]))).toEqual(["renamed a>copy"]);
});

test("the same size and time, and something else in it, is no rename", () => {
  write("a", "content");
  write("b", "CONTENT");
  expect(lines(findRenames([gone("a"), made("b")]))).toEqual(["deleted >a", "created >b"]);
});

test("of several that look the same, the file itself is preferred, then the one of that name", () => {
  mkdirSync(at("d"));
  for (const name of ["a", "b", "d/a"]) write(name, "same");
  const [first, second] = [gone("a"), gone("b")];
  rmSync(at("a"));
  renameSync(at("b"), at("c"));
  expect(lines(findRenames([first, second, made("c"), made("d/a")]))).toEqual(["renamed b>c", "renamed a>d/a"]);
});

test("a folder with all in it, unless something in it is another", () => {
  mkdirSync(at("d"));
  write("d/a", "content");
  const old = { ...gone("d"), files: 1 };
  renameSync(at("d"), at("e"));
  const moved = { ...old, beforePath: at("e") };
  expect(lines(findRenames([moved, { ...made("e"), files: 1 }]))).toEqual(["renamed d>e"]);
  mkdirSync(at("f"));
  write("f/a", "content, and more");
  const { mtime } = { mtime: old.before!.modified / 1000 };
  utimesSync(at("f"), mtime, mtime);
  const other = { ...made("f"), files: 1 };
  other.after = { ...other.after!, modified: old.before!.modified };
  expect(lines(findRenames([moved, other]))).toEqual(["deleted >d", "created >f"]);
});

test("what was lost or overwritten comes first, what lies in hidden folders last of its kind", () => {
  const effect = (change: Effect["change"], name: string): Effect => ({ path: name, name, change, kind: "file" });
  const effects = [
    effect("created", "a"),
    effect("changed", ".git/index"),
    effect("mode", "run.sh"),
    effect("changed", "z.csv"),
    effect("deleted", "node_modules/x/index.js"),
    effect("renamed", "b"),
    effect("deleted", "y"),
  ];
  expect(inOrder(effects).map(({ name }) => name)).toEqual([
    "y",
    "node_modules/x/index.js",
    "z.csv",
    ".git/index",
    "b",
    "run.sh",
    "a",
  ]);
  expect([".bashrc", ".git/config", "../a", "src/env/a", "env"].map(isAside)).toEqual([
    false,
    true,
    false,
    true,
    false,
  ]);
});

test("names as a person in the working folder has them", () => {
  expect(nameOf(join(root, "d", "a"), "file", [root])).toBe("d/a");
  expect(nameOf(join(root, "d"), "folder", [root])).toBe("d/");
  expect(nameOf(join(root, "..b"), "file", [root])).toBe("..b");
  expect(nameOf("/elsewhere/a", "file", [root])).toBe("/elsewhere/a");
});

test("versions are the same until something was done", () => {
  write("a", "content");
  const before = versionOf(at("a"));
  expect(before).toMatchObject({ kind: "file", size: 7, mode: 0o644, modified: 1e12 });
  expect(sameVersion(before, versionOf(at("a")))).toBe(true);
  writeFileSync(at("a"), "CONTENT");
  expect(sameVersion(before, versionOf(at("a")))).toBe(false);
  rmSync(at("a"));
  expect(versionOf(at("a"))).toBeUndefined();
  expect(sameVersion(before, undefined)).toBe(false);
  expect(sameVersion(undefined, undefined)).toBe(true);
});
