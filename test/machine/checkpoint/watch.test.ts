// Where nothing can be taken back it is still seen what a block did, as far as that is quick, and said what was not watched.

import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWatch } from "../../../src/machine/checkpoint/index.ts";
import { facts, linesOf } from "./workspace.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), "watch-"));
});
afterEach(() => rmSync(root, { recursive: true }));
const at = (name: string): string => join(root, name);

test("files that are created, changed, deleted, renamed and given other permissions are seen", async () => {
  mkdirSync(at("d"));
  for (const name of ["changed", "deleted", "old-name", "run.sh", "d/kept"]) writeFileSync(at(name), `in ${name}`);
  const watch = openWatch({ roots: [root], why: "It was switched off." });
  expect(watch).toMatchObject({ kind: "none", why: "It was switched off.", roots: [root] });
  await watch.begin();
  writeFileSync(at("changed"), "something else");
  rmSync(at("deleted"));
  renameSync(at("old-name"), at("d/new-name"));
  chmodSync(at("run.sh"), 0o755);
  symlinkSync("d", at("link"));
  const pending = await watch.pending();
  expect(linesOf(pending)).toEqual([
    "deleted deleted",
    "changed changed",
    "renamed old-name → d/new-name",
    "mode run.sh",
    "created link",
  ]);
  expect(pending.effects.uncovered).toEqual([]);
  const problem = "Nothing protects the files here: what the block did to them stays, and cannot be undone.";
  expect(await pending.keep(facts)).toEqual({ problems: [] });
  expect(await pending.discard()).toEqual({ problems: [problem] });
  await watch.close();
});

test("a block that does nothing has no effects and no problems", async () => {
  writeFileSync(at("a"), "a");
  const watch = openWatch({ roots: [root] });
  await watch.begin();
  const pending = await watch.pending();
  expect(pending.effects).toEqual({ files: [], hosts: [], processes: [], uncovered: [] });
  expect(await pending.keep(facts)).toEqual({ problems: [] });
  await watch.close();
});

test("environments and hidden folders are not looked into; that something happened there is said", async () => {
  for (const folder of [".git", "node_modules"]) mkdirSync(at(folder));
  const watch = openWatch({ roots: [root] });
  await watch.begin();
  writeFileSync(at(".git/index"), "something");
  const pending = await watch.pending();
  expect(linesOf(pending)).toEqual([]);
  expect(pending.effects.uncovered).toEqual(["Something in .git/ is not what it was; what exactly was not watched."]);
  await watch.close();
});

test("too many files: as many levels as there is time for are watched, and that is said", async () => {
  mkdirSync(at("many"));
  for (let i = 0; i < 5_100; i++) writeFileSync(at(`many/${i}`), "");
  writeFileSync(at("a"), "a");
  const watch = openWatch({ roots: [root] });
  await watch.begin();
  writeFileSync(at("a"), "changed");
  rmSync(at("many/7"));
  const pending = await watch.pending();
  expect(linesOf(pending)).toEqual(["changed a"]);
  expect(pending.effects.uncovered).toEqual(["This folder has many files: only the files right in it were watched."]);
  await watch.close();

  const inside = openWatch({ roots: [at("many")] });
  await inside.begin();
  rmSync(at("many/8"));
  const other = await inside.pending();
  expect(linesOf(other)).toEqual([]);
  expect(other.effects.uncovered).toEqual(["There are too many files in this folder to watch them."]);
  await inside.close();
});

test("further folders are watched too, and named whole", async () => {
  const further = mkdtempSync(join(realpathSync(tmpdir()), "further-"));
  const watch = openWatch({ roots: [root, further] });
  await watch.begin();
  writeFileSync(join(further, "a"), "a");
  expect(linesOf(await watch.pending())).toEqual([`created ${join(further, "a")}`]);
  await watch.close();
  rmSync(further, { recursive: true });
});
