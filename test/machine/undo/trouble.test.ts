// Things that go wrong in the middle, and others who want the same at the same time.

import { chmodSync, chownSync, linkSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { takeLock } from "../../../src/machine/index.ts";
import type { NodeChange } from "../../../src/machine/undo/change.ts";
import { asOrdinaryUser, buildProgram, isRoot, nobody, type Program } from "./program.ts";
import { facts, has, type Place, place, put, snapshot, write } from "./trees.ts";

let program: Program;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(async () => {
  await program[Symbol.asyncDispose]();
});

describe.skipIf(process.platform === "win32")("what fails half-way is taken back", () => {
  /** A file may not become larger than so many half kilobytes. */
  const limited = ["sh", "-c", 'ulimit -f 2000; exec "$@"', "sh"];

  test("a keep that cannot write into a file", async () => {
    using here = place();
    const { root, data, at } = here;
    write(at("first"), "old");
    write(at("one"), "old");
    linkSync(at("one"), at("two"));
    const before = snapshot(root);
    const changes = [put(here, "first", "new"), put(here, "made/x", "new"), put(here, "one", "y".repeat(3_000_000))];
    const kept = program.run({ data, root, what: "keep", changes }, limited);
    expect(JSON.parse(kept.stdout)).toMatch(/^The step could not be kept: .*\. All files are as they were\.$/);
    expect(snapshot(root)).toEqual(before);
    expect(here.store.list()).toEqual([]);
    expect(await here.store.recover()).toEqual([]);
    // And with room it can be.
    expect(await here.store.keep(facts, changes)).toEqual({ number: 1, problems: [] });
  });

  test("an undo of two steps, of which the second cannot be", async () => {
    using here = place();
    const { root, data, at, store } = here;
    write(at("one"), "y".repeat(3_000_000));
    linkSync(at("one"), at("two"));
    await store.keep(facts, [put(here, "one", "small")]);
    await store.keep(facts, [put(here, "other", "x")]);
    const before = snapshot(root);
    const undone = program.run({ data, root, what: "undo", numbers: [1, 2] }, limited);
    expect(JSON.parse(undone.stdout)).toMatchObject({
      done: [],
      problems: [expect.stringMatching(/^Nothing was undone: /)],
    });
    expect(snapshot(root)).toEqual(before);
    expect(store.list().map(({ state }) => state)).toEqual(["kept", "kept"]);
    expect(await store.undo([1, 2])).toMatchObject({ done: [2, 1], conflicts: [], problems: [] });
    expect(readFileSync(at("two"), "utf8").length).toBe(3_000_000);
  });

  test.skipIf(!isRoot)("a keep in a folder that belongs to somebody else", async () => {
    using here = place();
    write(here.at("writable/x"), "old");
    mkdirSync(here.at("theirs"));
    const before = snapshot(here.root);
    const changes = [put(here, "writable/x", "new"), put(here, "theirs/x", "new")];
    for (const folder of [here.data, here.beside, here.at("writable")]) chmodSync(folder, 0o777);
    for (const { source } of changes) chownSync(source!, nobody, nobody);
    chmodSync(join(here.root, ".."), 0o755);
    const refused = asOrdinaryUser(() => here.store.keep(facts, changes));
    await expect(refused).rejects.toThrow(/could not be kept: permission was denied .*All files are as they were/);
    expect(snapshot(here.root)).toEqual({ ...before, "writable/": "777" });
  });
});

describe("others at the same time", () => {
  test("processes that keep steps wait for one another, and each has all of its own", async () => {
    using here = place();
    const { root, data } = here;
    const changes = [...Array(9).keys()].map((index) => put(here, `file${index}`, "x"));
    const ended = changes.map((change) => program.start({ data, root, what: "keep", changes: [change] }));
    const answers = (await Promise.all(ended)).map((text) => JSON.parse(text) as { number: number });
    const numbers = answers.map(({ number }) => number).sort();
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(readdirSync(root).length).toBe(9);
    const undone = await here.store.undo(numbers);
    expect(undone).toMatchObject({ done: [9, 8, 7, 6, 5, 4, 3, 2, 1], conflicts: [], problems: [] });
    expect(readdirSync(root)).toEqual([]);
  });

  test("within a process they wait, too", async () => {
    using here = place();
    const other = here.open();
    const kept = await Promise.all(
      [...Array(6).keys()].map((index) => (index % 2 ? other : here.store).keep(facts, [put(here, `f${index}`, "x")])),
    );
    expect(kept.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("one that does not end is told after a while, and waiting can be ended", async () => {
    using here = place();
    await here.store.keep(facts, [put(here, "a", "1")]);
    const lock = takeLock(here.store.folder);
    if (!("release" in lock)) throw new Error("it is taken already");
    await expect(here.open({ patience: 30 }).undo([1])).rejects.toThrow(
      `The files' history is in use by another process (${process.pid}): try again when that has ended.`,
    );
    const stop = new AbortController();
    const waiting = here.open({ signal: stop.signal }).undo([1]);
    stop.abort();
    await expect(waiting).rejects.toThrow(/aborted/);
    lock.release();
    expect((await here.store.undo([1])).done).toEqual([1]);
  });
});

test("what somebody put in the place of a file before the work was finished is set aside, and told", async () => {
  const replaceFolder = (here: Place): NodeChange[] => {
    write(here.at("folder/x"), "old");
    return [put(here, "folder", "a file")];
  };
  const operations: string[] = [];
  using whole = place();
  await whole.open({ onOperation: (what) => operations.push(what) }).keep(facts, replaceFolder(whole));
  const goes = operations.findIndex((what) => what.startsWith(`rename ${whole.at("folder")} to`));
  using here = place();
  const { root, data, at } = here;
  // Killed when the folder has gone and the file has not come.
  program.run({ data, root, what: "keep", changes: replaceFolder(here), killAt: goes + 2 });
  expect(has(at("folder"))).toBe(false);
  write(at("folder"), "mine");
  const told = await here.store.recover();
  expect(told).toContain(`Something had been put at ${at("folder")} meanwhile: it is at ${at("folder.aside-1")} now.`);
  expect(snapshot(root)).toEqual({ "/": "755", folder: "644 a file", "folder.aside-1": "644 mine" });
});
