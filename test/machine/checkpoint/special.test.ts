// What is not ordinary about files: holes, open handles, permissions, owners, sockets, other people, too little room.

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { treeOf } from "./tree.ts";
import { facts, linesOf, openWorkspace } from "./workspace.ts";

const isRoot = process.getuid?.() === 0;

test("a file with holes keeps them, in the mirror and when it comes back", async () => {
  using work = openWorkspace();
  const path = join(work.root, "sparse.bin");
  const size = 3e9;
  const file = openSync(path, "w");
  writeSync(file, "begin", 0);
  writeSync(file, "end", size - 3);
  closeSync(file);
  expect(statSync(path).blocks * 512).toBeLessThan(1e6);
  const protection = work.open({ limit: 1e6 });
  const pending = await work.block(protection, () => rmSync(path));
  expect(pending.effects.uncovered).toEqual([]);
  expect(await pending.discard()).toMatchObject({ problems: [] });
  expect(statSync(path).size).toBe(size);
  expect(statSync(path).blocks * 512).toBeLessThan(1e6);
  const [bytes, back] = [Buffer.alloc(5), openSync(path, "r")];
  readSync(back, bytes, 0, 3, size - 3);
  closeSync(back);
  expect(bytes.toString("latin1", 0, 3)).toBe("end");
  await protection.close();
});

test("a file that a program keeps open is seen to change in each block", async () => {
  using work = openWorkspace();
  const path = join(work.root, "log.txt");
  const protection = work.open();
  const file = openSync(path, "a");
  const first = await work.block(protection, () => writeSync(file, "one\n"));
  expect(linesOf(first)).toEqual(["changed log.txt"]);
  await first.keep(facts);
  const second = await work.block(protection, () => writeSync(file, "two\n"));
  expect(linesOf(second)).toEqual(["changed log.txt"]);
  await second.keep(facts);
  closeSync(file);
  expect(readFileSync(path, "utf8")).toBe("one\ntwo\n");
  expect(await work.store.undo([2])).toMatchObject({ done: [2] });
  expect(readFileSync(path, "utf8")).toBe("one\n");
  expect(await work.store.undo([1])).toMatchObject({ done: [1] });
  expect(readFileSync(path, "utf8")).toBe("");
  await protection.close();
});

test("what somebody else does between two blocks is not the block's, and stays", async () => {
  using work = openWorkspace();
  const protection = work.open();
  await (await work.block(protection, () => writeFileSync(join(work.root, "a"), "block"))).keep(facts);
  writeFileSync(join(work.root, "mine"), "by hand");
  const pending = await work.block(protection, () => writeFileSync(join(work.root, "b"), "block"));
  expect(linesOf(pending)).toEqual(["created b"]);
  await pending.discard();
  expect(readdirSync(work.root).sort()).toEqual(["a", "mine"]);
  await protection.close();
});

test("what somebody does after the block has ended is not discarded with it", async () => {
  using work = openWorkspace();
  writeFileSync(join(work.root, "a"), "old");
  writeFileSync(join(work.root, "b"), "old");
  const protection = work.open();
  const pending = await work.block(protection, () => {
    writeFileSync(join(work.root, "a"), "block");
    writeFileSync(join(work.root, "b"), "block");
    mkdirSync(join(work.root, "made"));
  });
  writeFileSync(join(work.root, "a"), "by hand");
  writeFileSync(join(work.root, "made", "mine"), "by hand");
  const { problems } = await pending.discard();
  expect(problems).toEqual([
    "a was changed again after the block had ended: it is left as it is now.",
    "made/ was changed again after the block had ended: it is left as it is now.",
    "Step 1 has what was there before the block: undo brings it back.",
  ]);
  expect(readFileSync(join(work.root, "a"), "utf8")).toBe("by hand");
  expect(readFileSync(join(work.root, "b"), "utf8")).toBe("old");
  expect(existsSync(join(work.root, "made", "mine"))).toBe(true);
  await work.store.undo([1]);
  expect(readFileSync(join(work.root, "a"), "utf8")).toBe("old");
  expect(existsSync(join(work.root, "made"))).toBe(false);
  await protection.close();
});

test("only some of it is kept", async () => {
  using work = openWorkspace();
  for (const name of ["kept", "dropped", "moved"]) writeFileSync(join(work.root, name), name);
  const protection = work.open();
  const pending = await work.block(protection, () => {
    writeFileSync(join(work.root, "kept"), "new");
    writeFileSync(join(work.root, "dropped"), "new");
    renameSync(join(work.root, "moved"), join(work.root, "moved-to"));
    writeFileSync(join(work.root, "made"), "new");
  });
  const kept = await pending.keep(facts, [join(work.root, "kept"), join(work.root, "moved-to")]);
  expect(kept).toEqual({ number: 1, problems: [] });
  const content = (name: string) => readFileSync(join(work.root, name), "utf8");
  expect(readdirSync(work.root).sort()).toEqual(["dropped", "kept", "moved-to"]);
  expect(["dropped", "kept", "moved-to"].map(content)).toEqual(["dropped", "new", "moved"]);
  await work.store.undo([1]);
  expect(["dropped", "kept", "moved"].map(content)).toEqual(["dropped", "kept", "moved"]);
  await protection.close();
});

test("what there was can be read until it is decided", async () => {
  using work = openWorkspace();
  mkdirSync(join(work.root, "d"));
  writeFileSync(join(work.root, "d", "a"), "in a folder");
  writeFileSync(join(work.root, "b"), "old");
  const protection = work.open();
  const pending = await work.block(protection, () => {
    rmSync(join(work.root, "d"), { recursive: true });
    writeFileSync(join(work.root, "b"), "newer");
  });
  const [deleted, changed] = pending.effects.files;
  expect(readFileSync(join(deleted!.beforePath!, "a"), "utf8")).toBe("in a folder");
  expect(deleted).toMatchObject({ files: 1, kind: "folder" });
  expect(readFileSync(changed!.beforePath!, "utf8")).toBe("old");
  expect(readFileSync(changed!.afterPath!, "utf8")).toBe("newer");
  // Nobody decided: the next block finds everything as it is, and it is too late.
  const next = await work.block(protection, () => {});
  expect(linesOf(next)).toEqual([]);
  expect((await pending.discard()).problems).toEqual([
    "Another block has begun since: what this one did to files stays, and cannot be undone.",
  ]);
  expect(readFileSync(join(work.root, "b"), "utf8")).toBe("newer");
  await protection.close();
});

test("asking twice what a block did gives the same answer", async () => {
  using work = openWorkspace();
  writeFileSync(join(work.root, "a"), "old");
  writeFileSync(join(work.root, "run"), "");
  const protection = work.open();
  const code = () => {
    writeFileSync(join(work.root, "a"), "newer");
    chmodSync(join(work.root, "run"), 0o755);
  };
  expect(linesOf(await work.block(protection, code))).toEqual(["changed a", "mode run"]);
  const again = await protection.pending();
  expect(linesOf(again)).toEqual(["changed a", "mode run"]);
  expect(await again.discard()).toMatchObject({ problems: [] });
  expect(readFileSync(join(work.root, "a"), "utf8")).toBe("old");
  await protection.close();
});

test("too big for the room: said before, said after, and everything else is brought back", async () => {
  using work = openWorkspace();
  mkdirSync(join(work.root, "data"));
  writeFileSync(join(work.root, "data", "big.bin"), Buffer.alloc(300_000, 1));
  writeFileSync(join(work.root, "data", "small.txt"), "small");
  mkdirSync(join(work.root, "node_modules"));
  for (let i = 0; i < 5; i++) writeFileSync(join(work.root, "node_modules", `${i}.js`), Buffer.alloc(30_000, 1));
  writeFileSync(join(work.root, "own.csv"), Buffer.alloc(60_000, 1));
  const protection = work.open({ limit: 100_000 });
  await protection.begin();
  const [sentence, ...more] = protection.tooBig([join(work.root, "data", "big.bin"), "own.csv", "data/small.txt"]);
  expect(sentence).toContain("big.bin (300 kB) could not be brought back");
  expect(more).toEqual([]);
  expect(protection.tooBig(["node_modules"])[0]).toContain("and 1 more");
  const pending = await work.block(protection, () => rmSync(join(work.root, "data"), { recursive: true }));
  const loss = [
    "data/ was deleted and can be brought back only without big.bin (300 kB, there was no room left for a copy).",
  ];
  expect(pending.effects.uncovered).toEqual(loss);
  expect((await pending.discard()).problems).toEqual(loss);
  expect(readdirSync(join(work.root, "data"))).toEqual(["small.txt"]);
  await protection.close();
});

test("a file that is too big is changed: that is said, and nothing is put in its place", async () => {
  using work = openWorkspace();
  writeFileSync(join(work.root, "big.bin"), Buffer.alloc(300_000, 1));
  const protection = work.open({ limit: 100_000 });
  const pending = await work.block(protection, () => truncateSync(join(work.root, "big.bin"), 10));
  const loss = "big.bin (300 kB) was changed and cannot be brought back: there was no room left for a copy.";
  expect(linesOf(pending)).toEqual(["changed big.bin"]);
  expect(pending.effects.uncovered).toEqual([loss]);
  expect(await pending.discard()).toEqual({ problems: [loss] });
  expect(statSync(join(work.root, "big.bin")).size).toBe(10);
  await protection.close();
});

test("a file that is too big is moved: it is moved back", async () => {
  using work = openWorkspace();
  writeFileSync(join(work.root, "big.bin"), Buffer.alloc(300_000, 1));
  const was = treeOf(work.root);
  const protection = work.open({ limit: 100_000 });
  const move = () => renameSync(join(work.root, "big.bin"), join(work.root, "moved.bin"));
  const pending = await work.block(protection, move);
  expect(linesOf(pending)).toEqual(["renamed big.bin → moved.bin"]);
  expect(pending.effects.uncovered).toEqual([]);
  expect(await pending.discard()).toMatchObject({ problems: [] });
  expect(treeOf(work.root)).toEqual(was);
  const kept = await (await work.block(protection, move)).keep(facts);
  expect(await work.store.undo([kept.number!])).toMatchObject({ problems: [], conflicts: [] });
  expect(treeOf(work.root)).toEqual(was);
  await protection.close();
});

test("a folder that is closed by the block still has what it had", async () => {
  using work = openWorkspace();
  mkdirSync(join(work.root, "d"));
  writeFileSync(join(work.root, "d", "a"), "a");
  const was = treeOf(work.root);
  const protection = work.open();
  const pending = await work.block(protection, () => {
    writeFileSync(join(work.root, "d", "a"), "new");
    chmodSync(join(work.root, "d"), 0o000);
  });
  // The superuser sees through it.
  expect(linesOf(pending)).toEqual(isRoot ? ["changed d/a", "mode d/"] : ["mode d/"]);
  const unseen = ["What is in d/ was not watched: not all of it could be read."];
  expect(pending.effects.uncovered).toEqual(isRoot ? [] : unseen);
  await pending.discard();
  expect(statSync(join(work.root, "d")).mode & 0o777).toBe(0o755);
  if (isRoot) expect(treeOf(work.root)).toEqual(was);
  await protection.close();
});

test("a socket is seen, and taken away when the block is discarded", async () => {
  using work = openWorkspace();
  const protection = work.open();
  const server = createServer();
  const path = join(work.root, "s.sock");
  const pending = await work.block(protection, () => new Promise<void>((done) => server.listen(path, done)));
  expect(linesOf(pending)).toEqual(["created s.sock"]);
  expect(await pending.discard()).toMatchObject({ problems: [] });
  expect(readdirSync(work.root)).toEqual([]);
  await new Promise((done) => server.close(done));
  await protection.close();
});

test("a named pipe and what cannot be read are no reason to wait", async () => {
  using work = openWorkspace();
  spawnSync("mkfifo", [join(work.root, "pipe")]);
  symlinkSync("pipe", join(work.root, "to-pipe"));
  const protection = work.open();
  const pending = await work.block(protection, () => rmSync(join(work.root, "pipe")));
  expect(linesOf(pending)).toEqual(["deleted pipe"]);
  expect(pending.effects.uncovered).toEqual(["pipe was deleted and cannot be brought back: it was no ordinary file."]);
  await pending.keep(facts);
  await protection.close();
});

test("our own files in the workspace are not the block's", async () => {
  using work = openWorkspace();
  const data = join(work.root, ".local");
  mkdirSync(data);
  const protection = work.open({ data });
  const pending = await work.block(protection, () => writeFileSync(join(data, "log.jsonl"), "ours"));
  expect(linesOf(pending)).toEqual([]);
  await protection.close();
});

test("the whole working folder is deleted, and comes back", async () => {
  using work = openWorkspace();
  mkdirSync(join(work.root, "d"));
  writeFileSync(join(work.root, "d", "a"), "a");
  const was = treeOf(work.root);
  const protection = work.open();
  const pending = await work.block(protection, () => rmSync(work.root, { recursive: true }));
  expect(pending.effects.files).toMatchObject([{ change: "deleted", path: work.root, files: 1 }]);
  expect(await pending.discard()).toMatchObject({ problems: [] });
  expect(treeOf(work.root)).toEqual(was);
  await protection.close();
});

test("a file with another name outside of the workspace: that one changes with it, which is said, and with it again", async () => {
  using work = openWorkspace();
  const outside = join(work.data, "..", "outside");
  writeFileSync(outside, "old");
  linkSync(outside, join(work.root, "a"));
  const protection = work.open();
  const pending = await work.block(protection, () => writeFileSync(join(work.root, "a"), "newer"));
  expect(pending.effects.files[0]).toMatchObject({
    change: "changed",
    warning: "It has another name elsewhere, which has changed with it.",
  });
  await pending.discard();
  expect(readFileSync(outside, "utf8")).toBe("old");
  expect(lstatSync(outside).ino).toBe(lstatSync(join(work.root, "a")).ino);
  await protection.close();
});

test("what is decided is done, also when it is closed meanwhile", async () => {
  using work = openWorkspace();
  for (let i = 0; i < 300; i++) writeFileSync(join(work.root, `${i}`), `${i}`);
  const was = treeOf(work.root);
  const protection = work.open();
  const pending = await work.block(protection, () => {
    for (let i = 0; i < 300; i += 2) rmSync(join(work.root, `${i}`));
  });
  const [discarded] = await Promise.all([pending.discard(), protection.close()]);
  expect(discarded).toMatchObject({ problems: [] });
  expect(treeOf(work.root)).toEqual(was);
});

test("nothing waits for it any more when it is closed", async () => {
  using work = openWorkspace();
  for (let i = 0; i < 3_000; i++) writeFileSync(join(work.root, `${i}`), `${i}`);
  const protection = work.open();
  const begun = protection.begin();
  await protection.close();
  await begun;
  const file = openSync(join(work.root, "later"), "w");
  ftruncateSync(file, 10);
  closeSync(file);
  const again = work.open();
  expect(linesOf(await work.block(again, () => rmSync(join(work.root, "7"))))).toEqual(["deleted 7"]);
  await again.close();
});
