// The workspace is on another file system than the store: things are copied there and back, with all that belongs to them.

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildProgram, elsewhere, isRoot, type Program } from "./program.ts";
import { facts, gone, has, place, put, putFolder, snapshot, write } from "./trees.ts";

/** With a hole of nearly all of it. */
function writeSparse(path: string, size: number): void {
  const file = openSync(path, "w");
  writeSync(file, "begin");
  writeSync(file, "middle", size / 2);
  ftruncateSync(file, size);
  closeSync(file);
}

describe.skipIf(!elsewhere)("on another file system", () => {
  test("links, hard links, pipes, times and permissions come back as they were", async () => {
    using here = place(elsewhere);
    const { at, root, store } = here;
    write(at("folder/one"), "text", 0o640);
    linkSync(at("folder/one"), at("folder/two"));
    linkSync(at("folder/one"), at("outside"));
    symlinkSync("one", at("folder/link"));
    symlinkSync("nowhere/at all", at("folder/broken"));
    execFileSync("mkfifo", [at("folder/pipe")]);
    mkdirSync(at("folder/empty"));
    chmodSync(at("folder/empty"), 0o1711);
    utimesSync(at("folder/one"), 1_400_000_000, 1_400_000_000.125);
    utimesSync(at("folder/empty"), 1_300_000_000, 1_300_000_000);
    const before = snapshot(root);
    // Both names in one step: they are one file when they come back, too.
    const { problems } = await store.keep(facts, [gone(here, "folder"), gone(here, "outside")]);
    expect(problems).toEqual([]);
    expect(readdirSync(root)).toEqual([]);
    expect(await store.undo([1])).toMatchObject({ done: [1], problems: [] });
    expect(snapshot(root)).toEqual(before);
    expect(statSync(at("folder/two")).mtimeMs).toBe(1_400_000_000_125);
    expect(statSync(at("folder/empty")).mtimeMs).toBe(1_300_000_000_000);
    expect(await store.redo([1])).toMatchObject({ done: [1], conflicts: [] });
    expect(readdirSync(root)).toEqual([]);
  });

  test("holes stay holes", async () => {
    using here = place(elsewhere);
    const source = { ...put(here, "sparse", ""), held: true };
    writeSparse(source.source!, 256 * 1024 * 1024);
    await here.store.keep(facts, [source]);
    const { size, blocks } = statSync(here.at("sparse"));
    expect(size).toBe(256 * 1024 * 1024);
    expect(blocks * 512).toBeLessThan(10 * 1024 * 1024);
    expect(execFileSync("cmp", [source.source!, here.at("sparse")], { encoding: "utf8" })).toBe("");
  });

  test("a socket is told, and the rest is kept", async () => {
    using here = place(elsewhere);
    const change = putFolder(here, "folder", (folder) => write(join(folder, "file"), "x"));
    const server = createServer().listen(join(change.source!, "socket"));
    await new Promise((done) => server.once("listening", done));
    try {
      const { number, problems } = await here.store.keep(facts, [change]);
      expect(number).toBe(1);
      expect(problems).toEqual([`${join(change.source!, "socket")} is a socket or a device: those are not copied.`]);
      expect(readdirSync(here.at("folder"))).toEqual(["file"]);
    } finally {
      server.close();
    }
  });

  test("two steps are undone one after the other, and at once", async () => {
    using here = place(elsewhere);
    const { at, root, store } = here;
    write(at("a"), "0");
    const states = [snapshot(root)];
    for (const text of ["1", "2"]) {
      await store.keep(facts, [put(here, "a", text), put(here, `folder${text}/x`, text)]);
      states.push(snapshot(root));
    }
    await store.undo([2]);
    expect(snapshot(root)).toEqual(states[1]);
    expect(await store.undo([1])).toMatchObject({ done: [1], conflicts: [] });
    expect(snapshot(root)).toEqual(states[0]);
    expect(await store.redo([1, 2])).toMatchObject({ done: [1, 2], conflicts: [] });
    expect(snapshot(root)).toEqual(states[2]);
    expect(await store.undo([1, 2])).toMatchObject({ done: [2, 1], conflicts: [] });
    expect(snapshot(root)).toEqual(states[0]);
  });
});

test("holes stay holes in a file with several names", async () => {
  using here = place();
  write(here.at("one"), "old");
  linkSync(here.at("one"), here.at("two"));
  const change = put(here, "one", "");
  writeSparse(change.source!, 64 * 1024 * 1024);
  await here.store.keep(facts, [change]);
  const { size, blocks, nlink } = lstatSync(here.at("two"));
  expect([size, nlink]).toEqual([64 * 1024 * 1024, 2]);
  expect(blocks * 512).toBeLessThan(10 * 1024 * 1024);
});

const canUnshare = ((): boolean => {
  try {
    execFileSync("unshare", ["--mount", "true"], { stdio: "ignore" });
    return isRoot;
  } catch {
    return false;
  }
})();

describe.skipIf(!canUnshare)("in a namespace of its own", () => {
  let program: Program;
  beforeAll(async () => {
    program = await buildProgram();
  });
  afterAll(async () => {
    await program[Symbol.asyncDispose]();
  });

  test("one file system that is mounted twice is found out, and things are copied", async () => {
    using here = place();
    const { root, data, at } = here;
    write(at("a"), "old");
    write(at("folder/b"), "old");
    const before = snapshot(root);
    const changes = [put(here, "a", "new"), gone(here, "folder"), put(here, "c", "new")];
    // The same numbers on both sides, and still nothing can be renamed from one to the other.
    const mounted = ["unshare", "--mount", "sh", "-c", `mount --bind "${root}" "${root}" && exec "$@"`, "sh"];
    const kept = program.run({ data, root, what: "keep", changes }, mounted);
    expect(JSON.parse(kept.stdout)).toEqual({ number: 1, problems: [] });
    expect(snapshot(root)).toEqual({ "/": "755", a: "644 new", c: "644 new" });
    const undone = program.run({ data, root, what: "undo", numbers: [1] }, mounted);
    expect(JSON.parse(undone.stdout)).toMatchObject({ done: [1], conflicts: [], problems: [] });
    expect(snapshot(root)).toEqual(before);
  });

  test("where the disk of the store is full, nothing is kept and all files are as they were", () => {
    using here = place();
    const { root, data, at } = here;
    write(at("small"), "old");
    write(at("large"), "x".repeat(3_000_000));
    const before = snapshot(root);
    const changes = [put(here, "small", "new"), gone(here, "large"), put(here, "made", "new")];
    const small = ["unshare", "--mount", "sh", "-c", `mount -t tmpfs -o size=1m tmpfs "${data}" && exec "$@"`, "sh"];
    const kept = program.run({ data, root, what: "keep", changes }, small);
    expect(JSON.parse(kept.stdout)).toBe("The step could not be kept: the disk is full. All files are as they were.");
    expect(snapshot(root)).toEqual(before);
    for (const { source } of changes) if (source) expect(has(source)).toBe(true);
  });

  test("where the disk of the workspace is full, the same", () => {
    using here = place();
    const { root, data, at } = here;
    write(at("small"), "old");
    rmSync(at("small"));
    const text = "x".repeat(3_000_000);
    const changes = [put(here, "small", "new"), put(here, "large", text)];
    const script = `mount -t tmpfs -o size=1m tmpfs "${root}" && echo old > "${root}/small" && "$@" && ls -A "${root}" && cat "${root}/small"`;
    const kept = program.run({ data, root, what: "keep", changes }, ["unshare", "--mount", "sh", "-c", script, "sh"]);
    expect(kept.stdout).toBe(
      '"The step could not be kept: the disk is full. All files are as they were."\nsmall\nold\n',
    );
  });
});
