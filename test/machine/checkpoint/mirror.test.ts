// What is saved stays saved: across starts, however the last one ended, and beside another process.

import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { treeOf } from "./tree.ts";
import { facts, linesOf, openWorkspace, type Workspace } from "./workspace.ts";

const mirrorOf = (work: Workspace): string => join(work.store.folder, "mirror");

/** The numbers of the copies, each of which is made once. */
function copiesIn(mirror: string): number[] {
  const shelves = join(mirror, "objects");
  if (!existsSync(shelves)) return [];
  return readdirSync(shelves)
    .flatMap((shelf) => readdirSync(join(shelves, shelf)).map(Number))
    .sort((one, other) => one - other);
}

async function workspaceWithFiles(work: Workspace): Promise<void> {
  mkdirSync(join(work.root, "d"));
  for (const name of ["a", "b", "d/c"]) writeFileSync(join(work.root, name), `content of ${name}`);
  // Older than the step in which the file system tells time: what is younger is not trusted across starts.
  await new Promise((done) => setTimeout(done, 40));
}

test("at the next start only what has changed is copied", async () => {
  using work = openWorkspace();
  await workspaceWithFiles(work);
  const first = work.open();
  await first.begin();
  await first.close();
  const copies = copiesIn(mirrorOf(work));
  expect(copies).toHaveLength(3);
  writeFileSync(join(work.root, "b"), "changed meanwhile");
  const second = work.open();
  const pending = await work.block(second, () => rmSync(join(work.root, "a")));
  expect(linesOf(pending)).toEqual(["deleted a"]);
  await pending.discard();
  expect(readFileSync(join(work.root, "a"), "utf8")).toBe("content of a");
  await second.begin();
  const after = copiesIn(mirrorOf(work));
  // One of the three is the same copy; one was changed, one came back.
  expect(after.filter((copy) => copies.includes(copy))).toHaveLength(1);
  expect(after).toHaveLength(3);
  await second.close();
});

test.each([
  ["is missing", (index: string) => rmSync(index)],
  ["was cut short", (index: string) => truncateSync(index, statSync(index).size - 20)],
  ["is something else", (index: string) => writeFileSync(index, '{"format":1}\n[1,2,3]\n{"end":true}\n')],
])("when the list of what is saved %s, everything is saved anew", async (_, damage) => {
  using work = openWorkspace();
  await workspaceWithFiles(work);
  const first = work.open();
  await first.begin();
  await first.close();
  const copies = copiesIn(mirrorOf(work));
  damage(join(mirrorOf(work), "index"));
  const second = work.open();
  const was = treeOf(work.root);
  const pending = await work.block(second, () => rmSync(join(work.root, "d"), { recursive: true }));
  await pending.discard();
  expect(treeOf(work.root)).toEqual(was);
  await second.begin();
  expect(copiesIn(mirrorOf(work)).filter((copy) => copies.includes(copy))).toEqual([]);
  expect(copiesIn(mirrorOf(work))).toHaveLength(3);
  await second.close();
});

test("a copy that is missing or cut short is not taken for what there was", async () => {
  using work = openWorkspace();
  await workspaceWithFiles(work);
  const protection = work.open();
  await protection.begin();
  const shelf = join(mirrorOf(work), "objects", "0");
  for (const copy of readdirSync(shelf)) truncateSync(join(shelf, copy), 1);
  const pending = await work.block(protection, () => rmSync(join(work.root, "a")));
  expect(pending.effects.uncovered).toEqual(["a (12 B) was deleted and cannot be brought back: its copy is gone."]);
  await pending.discard();
  expect(existsSync(join(work.root, "a"))).toBe(false);
  await protection.close();
});

test("a process that was killed leaves a mirror that the next one can use", async () => {
  using work = openWorkspace();
  await workspaceWithFiles(work);
  const first = work.open();
  await first.begin();
  await first.close();
  // As it was left: with what a block had changed taken out, and never decided on.
  const second = work.open();
  const pending = await work.block(second, () => rmSync(join(work.root, "d"), { recursive: true }));
  expect(linesOf(pending)).toEqual(["deleted d/"]);
  const left = join(work.data, "left");
  cpSync(mirrorOf(work), left, { recursive: true });
  await second.close();
  rmSync(mirrorOf(work), { recursive: true });
  renameSync(left, mirrorOf(work));
  for (const name of readdirSync(mirrorOf(work))) if (name.startsWith("lock")) rmSync(join(mirrorOf(work), name));
  const third = work.open();
  const was = treeOf(work.root);
  const again = await work.block(third, () => rmSync(join(work.root, "b")));
  expect(linesOf(again)).toEqual(["deleted b"]);
  await again.discard();
  expect(treeOf(work.root)).toEqual(was);
  expect(existsSync(join(mirrorOf(work), "before"))).toBe(false);
  await third.close();
});

test("a second process in the same folder has a mirror of its own, and leaves nothing", async () => {
  using work = openWorkspace();
  await workspaceWithFiles(work);
  const [first, second] = [work.open(), work.open()];
  await first.begin();
  const pending = await work.block(second, () => writeFileSync(join(work.root, "a"), "second"));
  expect(linesOf(pending)).toEqual(["changed a"]);
  await pending.discard();
  expect(readFileSync(join(work.root, "a"), "utf8")).toBe("content of a");
  expect(readdirSync(work.store.folder).filter((name) => name.startsWith("mirror"))).toEqual(["mirror", "mirror-2"]);
  await second.close();
  expect(readdirSync(work.store.folder).filter((name) => name.startsWith("mirror"))).toEqual(["mirror"]);
  await first.close();
});

test("what is moved by hand, or gets other permissions, is not copied again", async () => {
  using work = openWorkspace();
  await workspaceWithFiles(work);
  const protection = work.open();
  await protection.begin();
  const copies = copiesIn(mirrorOf(work));
  renameSync(join(work.root, "d"), join(work.root, "moved"));
  const pending = await work.block(protection, () => rmSync(join(work.root, "moved"), { recursive: true }));
  expect(copiesIn(mirrorOf(work)).every((copy) => copies.includes(copy))).toBe(true);
  expect(linesOf(pending)).toEqual(["deleted moved/"]);
  await pending.discard();
  expect(readFileSync(join(work.root, "moved", "c"), "utf8")).toBe("content of d/c");
  await protection.close();
});

test("copies of what is gone go too", async () => {
  using work = openWorkspace();
  await workspaceWithFiles(work);
  const protection = work.open();
  await (await work.block(protection, () => rmSync(join(work.root, "d"), { recursive: true }))).keep(facts);
  rmSync(join(work.root, "b"));
  await protection.begin();
  expect(copiesIn(mirrorOf(work))).toHaveLength(1);
  await protection.close();
});
