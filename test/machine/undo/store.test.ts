// Steps are kept, taken back and put back, on real files.

import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { storeFolder, textOf, workspacesAround } from "../../../src/machine/undo/store.ts";
import { facts, gone, has, mode, type Place, place, put, putFolder, putLink, snapshot, write } from "./trees.ts";

const read = (path: string): string => readFileSync(path, "utf8");

/** Keeps, undoes and redoes, and finds the tree as it was each time. */
async function thereAndBack(
  here: Place,
  changes: Parameters<Place["store"]["keep"]>[1],
  before = snapshot(here.root),
): Promise<number> {
  const { root, store } = here;
  const kept = await store.keep(facts, changes);
  expect(kept.problems).toEqual([]);
  const after = snapshot(root);
  for (let round = 0; round < 2; round++) {
    const undone = await store.undo([kept.number!]);
    expect(undone).toMatchObject({ done: [kept.number], conflicts: [], problems: [] });
    expect(snapshot(root)).toEqual(before);
    const redone = await store.redo([kept.number!]);
    expect(redone).toMatchObject({ done: [kept.number], conflicts: [], problems: [] });
    expect(snapshot(root)).toEqual(after);
  }
  return kept.number!;
}

describe("a kept step", () => {
  test("that made, changed and deleted files is taken back and put back", async () => {
    using here = place();
    write(here.at("changed.txt"), "old", 0o640);
    write(here.at("deleted.txt"), "was here");
    await thereAndBack(here, [
      put(here, "new.txt", "new"),
      put(here, "changed.txt", "other", 0o600),
      gone(here, "deleted.txt"),
    ]);
    expect(snapshot(here.root)).toEqual({ "/": "755", "changed.txt": "600 other", "new.txt": "644 new" });
  });

  test("that made, replaced and deleted whole folders, and put things of one kind in the place of another", async () => {
    using here = place();
    for (const name of ["deleted/a", "deleted/b/c", "replaced/a", "becomes-file/x"]) write(here.at(name), name);
    write(here.at("becomes-folder"), "file");
    symlinkSync("nowhere", here.at("becomes-plain"));
    const fill = (folder: string): void => write(join(folder, "deep/file"), "in it");
    await thereAndBack(here, [
      gone(here, "deleted"),
      putFolder(here, "made", fill),
      putFolder(here, "replaced", fill),
      putFolder(here, "becomes-folder", fill),
      put(here, "becomes-file", "file"),
      put(here, "becomes-plain", "file"),
      putLink(here, "link", "made/deep"),
    ]);
  });

  test("that changed only permissions", async () => {
    using here = place();
    write(here.at("script"), "x");
    mkdirSync(here.at("folder"));
    const changes = [mode(here, "script", 0o755), mode(here, "folder", 0o700)];
    const number = await thereAndBack(here, changes);
    expect(here.store.list().find((step) => step.number === number)?.files).toEqual([
      { path: here.at("script"), change: "mode" },
      { path: here.at("folder"), change: "mode" },
    ]);
  });

  test("that is in place already, with the old things at hand", async () => {
    using here = place();
    const { at, beside } = here;
    write(at("made"), "new");
    write(at("changed"), "new");
    for (const name of ["changed", "deleted"]) write(join(beside, name), "old");
    const before = { "/": "755", changed: "644 old", deleted: "644 old" };
    const changes = [
      { path: at("made"), how: "whole", had: false, has: true },
      { path: at("changed"), how: "whole", had: true, has: true, old: join(beside, "changed") },
      { path: at("deleted"), how: "whole", had: true, has: false, old: join(beside, "deleted"), oldHeld: true },
    ] as const;
    await thereAndBack(here, changes, before);
    expect(has(join(beside, "changed"))).toBe(false);
    expect(has(join(beside, "deleted"))).toBe(true);
  });

  test("leaves a source that is held where it is", async () => {
    using here = place();
    const file = { ...put(here, "file", "text"), held: true };
    const folder = { ...putFolder(here, "folder", (path) => write(join(path, "inner"), "text")), held: true };
    await thereAndBack(here, [file, folder]);
    expect(read(file.source!)).toBe("text");
    expect(read(join(folder.source!, "inner"))).toBe("text");
  });

  test("keeps the times of files, also through undo", async () => {
    using here = place();
    write(here.at("file"), "old");
    utimesSync(here.at("file"), 1_500_000_000, 1_500_000_000.25);
    const { number } = await here.store.keep(facts, [put(here, "file", "new")]);
    await here.store.undo([number!]);
    expect(statSync(here.at("file")).mtimeMs).toBe(1_500_000_000_250);
  });

  test("makes folders that are missing around a file, and takes them away again", async () => {
    using here = place();
    await thereAndBack(here, [put(here, "a/b/file", "x"), put(here, "a/other", "y")]);
    expect(read(here.at("a/b/file"))).toBe("x");
    await here.store.undo([1]);
    expect(readdirSync(here.root)).toEqual([]);
  });

  test("with names of all kinds", async () => {
    using here = place();
    const long = "l".repeat(255);
    for (const name of ["a\nb", long, "-rf", " ", "日本語", "a\\b", "'\"$(x)"]) write(here.at(name), name);
    await thereAndBack(here, [
      put(here, "a\nb", "new"),
      put(here, long, "new"),
      gone(here, "-rf"),
      gone(here, " "),
      { ...put(here, "日本語", "new"), held: true },
      put(here, "a\\b", "new"),
      put(here, "'\"$(x)", "new"),
    ]);
  });

  test.skipIf(process.platform !== "linux")("with a name that is no UTF-8", async () => {
    using here = place();
    const bytes = Buffer.concat([Buffer.from(`${here.root}/`), Buffer.of(0x66, 0xff, 0xe9, 0x6c)]);
    writeFileSync(bytes, "old");
    const change = { ...put(here, "x", "new"), path: textOf(bytes), had: true };
    expect((await here.store.keep(facts, [change])).problems).toEqual([]);
    expect(readFileSync(bytes, "utf8")).toBe("new");
    await here.store.undo([1]);
    expect(readFileSync(bytes, "utf8")).toBe("old");
    const inner = {
      ...putFolder(here, "folder", (path) =>
        writeFileSync(Buffer.concat([Buffer.from(`${path}/`), Buffer.of(0xff)]), "x"),
      ),
      held: true,
    };
    const { number } = await here.store.keep(facts, [inner]);
    expect(readdirSync(here.at("folder"), { encoding: "buffer" })).toEqual([Buffer.of(0xff)]);
    expect((await here.store.undo([number!])).done).toEqual([number]);
    expect(has(here.at("folder"))).toBe(false);
  });

  test("is told when a source or the old thing is not there, and the rest is kept", async () => {
    using here = place();
    write(here.at("b"), "b");
    const missing = put(here, "a", "x");
    rmSync(missing.source!);
    const { number, problems } = await here.store.keep(facts, [
      missing,
      { path: here.at("b"), how: "whole", had: true, has: true },
      put(here, "c", "c"),
    ]);
    expect(problems).toEqual([
      `${here.at("a")} could not be kept: it was not there any more.`,
      `${here.at("b")}: what was there before is not at hand, so this cannot be undone.`,
    ]);
    expect(here.store.list()[0]).toMatchObject({ number, files: [{ path: here.at("c"), change: "created" }] });
  });

  test("without any change is none", async () => {
    using here = place();
    expect(await here.store.keep(facts, [])).toEqual({ problems: [] });
    expect(here.store.list()).toEqual([]);
  });
});

describe("a file with several names", () => {
  test("stays one file when it is changed, undone and redone", async () => {
    using here = place();
    write(here.at("one"), "old");
    linkSync(here.at("one"), here.at("two"));
    const inode = statSync(here.at("one")).ino;
    await thereAndBack(here, [put(here, "one", "new and longer")]);
    expect(read(here.at("two"))).toBe("new and longer");
    expect(statSync(here.at("one")).ino).toBe(inode);
    await here.store.undo([1]);
    expect(read(here.at("two"))).toBe("old");
    expect(statSync(here.at("two")).ino).toBe(inode);
  });

  test("stays one file when all its names were changed alike, and becomes two when they differ", async () => {
    using here = place();
    write(here.at("one"), "old");
    linkSync(here.at("one"), here.at("two"));
    await thereAndBack(here, [put(here, "one", "same"), put(here, "two", "same")]);
    expect(snapshot(here.root)).toMatchObject({ one: "644 same", two: "644 same as one" });
    await thereAndBack(here, [put(here, "one", "this"), put(here, "two", "that")]);
    expect(snapshot(here.root)).toMatchObject({ one: "644 this", two: "644 that" });
    await here.store.undo([2]);
    expect(snapshot(here.root)).toMatchObject({ one: "644 same", two: "644 same as one" });
  });

  test("is replaced when that was said", async () => {
    using here = place();
    write(here.at("one"), "old");
    linkSync(here.at("one"), here.at("two"));
    await thereAndBack(here, [{ ...put(here, "one", "new"), replaced: true }]);
    expect(read(here.at("two"))).toBe("old");
    await here.store.undo([1]);
    expect(snapshot(here.root)).toMatchObject({ one: "644 old", two: "644 same as one" });
  });

  test("that was changed in place, with a copy of what it had, follows too", async () => {
    using here = place();
    const { at, beside } = here;
    write(at("one"), "new");
    linkSync(at("one"), at("two"));
    for (const name of ["one", "two"]) write(join(beside, name), "old");
    await thereAndBack(
      here,
      ["one", "two"].map((name) => ({ path: at(name), how: "whole", had: true, has: true, old: join(beside, name) })),
      { "/": "755", one: "644 old", two: "644 same as one" },
    );
  });

  test("is one file also when one of its names is held", async () => {
    using here = place();
    const [one, two] = [{ ...put(here, "one", "x"), held: true }, put(here, "two", "x")];
    rmSync(two.source!);
    linkSync(one.source!, two.source!);
    await thereAndBack(here, [one, two]);
    expect(snapshot(here.root)).toMatchObject({ one: "644 x", two: "644 same as one" });
    expect([has(one.source!), has(two.source!)]).toEqual([true, false]);
  });

  test("gets and loses names", async () => {
    using here = place();
    write(here.at("one"), "text");
    linkSync(here.at("one"), here.at("two"));
    await thereAndBack(here, [gone(here, "two")]);
    const three = put(here, "three", "x");
    const four = put(here, "four", "x");
    rmSync(four.source!);
    linkSync(three.source!, four.source!);
    await thereAndBack(here, [three, four]);
    expect(snapshot(here.root)).toMatchObject({ four: "644 x", three: "644 same as four" });
  });
});

describe("what was changed since", () => {
  test("is not touched, and nothing else is", async () => {
    using here = place();
    write(here.at("a"), "old");
    write(here.at("b"), "old");
    const { number } = await here.store.keep(facts, [put(here, "a", "new"), put(here, "b", "new")]);
    write(here.at("b"), "mine");
    const before = snapshot(here.root);
    const result = await here.store.undo([number!]);
    expect(result).toEqual({
      done: [],
      files: [],
      problems: [],
      conflicts: [{ path: here.at("b"), why: expect.stringMatching(/^changed since, at \d\d:\d\d$/) }],
    });
    expect(snapshot(here.root)).toEqual(before);
    expect(here.store.list()[0]?.state).toBe("kept");
  });

  test("stays where the rest is undone, if that is asked for", async () => {
    using here = place();
    write(here.at("a"), "old");
    write(here.at("b"), "old");
    await here.store.keep(facts, [put(here, "a", "new"), put(here, "b", "new")]);
    write(here.at("b"), "mine");
    const undone = await here.store.undo([1], { changedSince: "leave" });
    expect(undone).toMatchObject({ done: [1], files: [here.at("a")], conflicts: [{ path: here.at("b") }] });
    expect([read(here.at("a")), read(here.at("b"))]).toEqual(["old", "mine"]);
    expect(await here.store.redo([1])).toMatchObject({ done: [1], files: [here.at("a")], conflicts: [] });
    expect([read(here.at("a")), read(here.at("b"))]).toEqual(["new", "mine"]);
  });

  test("stays in a folder of which the rest is undone, if that is asked for; redo puts the rest back", async () => {
    using here = place();
    const source = join(here.beside, "made");
    for (const name of ["a", "b", "deep/c", "deep/d", "whole/e"]) {
      mkdirSync(dirname(join(source, name)), { recursive: true });
      write(join(source, name), name);
    }
    await here.store.keep(facts, [{ path: here.at("made"), how: "whole", source, had: false, has: true }]);
    const all = snapshot(here.root);
    write(here.at("made/a"), "mine");
    write(here.at("made/deep/mine"), "mine");
    rmSync(here.at("made/deep/d"));
    const refused = await here.store.undo([1]);
    expect(refused).toMatchObject({ done: [], conflicts: [{ path: here.at("made") }] });
    const undone = await here.store.undo([1], { changedSince: "leave" });
    expect(undone).toEqual({
      done: [1],
      files: ["made/b", "made/deep/c", "made/whole"].map(here.at),
      problems: [],
      conflicts: [
        { path: here.at("made/a"), why: "changed since" },
        { path: here.at("made/deep/mine"), why: "added since" },
        { path: here.at("made/deep/d"), why: "deleted since" },
      ],
    });
    const left = { "made/a": "644 mine", "made/deep/mine": "644 mine" };
    const folders = { "/": all["/"], "made/": all["made/"], "made/deep/": all["made/deep/"] };
    expect(snapshot(here.root)).toEqual({ ...folders, ...left });
    expect(here.store.list()[0]?.state).toBe("undone");
    expect(await here.store.redo([1])).toMatchObject({ done: [1], conflicts: [] });
    const { "made/deep/d": _gone, ...rest } = all;
    expect(snapshot(here.root)).toEqual({ ...rest, ...left });
    // As it was left, it can go as a whole.
    write(here.at("made/whole/e"), "mine");
    const again = await here.store.undo([1], { changedSince: "leave" });
    expect(again.files).toEqual([here.at("made/b"), here.at("made/deep/c")]);
    expect(Object.keys(snapshot(here.root))).toContain("made/whole/e");
    await here.store.undo([1], { changedSince: "overwrite" });
  });

  test("is overwritten if that is asked for, and comes back with redo", async () => {
    using here = place();
    write(here.at("b"), "old");
    await here.store.keep(facts, [put(here, "b", "new"), put(here, "c", "new")]);
    write(here.at("b"), "mine");
    rmSync(here.at("c"));
    const undone = await here.store.undo([1], { changedSince: "overwrite" });
    expect(undone).toMatchObject({ done: [1], conflicts: [{ path: here.at("b") }] });
    expect(read(here.at("b"))).toBe("old");
    await here.store.redo([1]);
    expect(read(here.at("b"))).toBe("mine");
    expect(has(here.at("c"))).toBe(false);
  });

  test("is no conflict when it is again what it was before", async () => {
    using here = place();
    write(here.at("a"), "old");
    write(here.at("deleted"), "old");
    await here.store.keep(facts, [put(here, "a", "new"), put(here, "made", "x"), gone(here, "deleted")]);
    write(here.at("a"), "old");
    rmSync(here.at("made"));
    write(here.at("deleted"), "old");
    expect(await here.store.undo([1])).toMatchObject({ done: [1], files: [], conflicts: [], problems: [] });
    expect(snapshot(here.root)).toEqual({ "/": "755", a: "644 old", deleted: "644 old" });
    expect(await here.store.redo([1])).toMatchObject({ done: [1], files: [], conflicts: [] });
  });

  test.each([
    ["deleted", (path: string) => rmSync(path), "it was deleted since"],
    ["given other permissions", (path: string) => chmodSync(path, 0o600), "its permissions were changed since"],
    [
      "replaced by something of the same size and time",
      (path: string) => {
        const { atimeMs, mtimeMs } = statSync(path);
        writeFileSync(`${path}.other`, "NEW");
        chmodSync(`${path}.other`, 0o644);
        utimesSync(`${path}.other`, atimeMs / 1000, mtimeMs / 1000);
        renameSync(`${path}.other`, path);
      },
      expect.stringContaining("changed since"),
    ],
  ])("is told: %s", async (_, change, why) => {
    using here = place();
    write(here.at("a"), "older");
    await here.store.keep(facts, [put(here, "a", "new")]);
    change(here.at("a"));
    expect((await here.store.undo([1])).conflicts).toEqual([{ path: here.at("a"), why }]);
  });

  test("in a folder that the step made is told with how many", async () => {
    using here = place();
    const fill = (folder: string): void => {
      for (const name of ["x", "deep/y", "deep/z"]) write(join(folder, name), name);
    };
    await here.store.keep(facts, [putFolder(here, "made", fill)]);
    const why = async (): Promise<unknown> => (await here.store.undo([1])).conflicts;
    const conflict = (why: string) => [{ path: here.at("made"), why }];
    write(here.at("made/deep/mine"), "1");
    write(here.at("made/more/mine"), "2");
    expect(await why()).toEqual(conflict("2 things in it were added since"));
    rmSync(here.at("made/deep/mine"));
    rmSync(here.at("made/more"), { recursive: true });
    write(here.at("made/x"), "mine");
    expect(await why()).toEqual(conflict("1 thing in it was changed since"));
    const { done } = await here.store.undo([1], { changedSince: "overwrite" });
    expect([done, has(here.at("made"))]).toEqual([[1], false]);
    await here.store.redo([1]);
    expect(read(here.at("made/x"))).toBe("mine");
    rmSync(here.at("made/deep/y"));
    expect(await why()).toEqual(conflict("1 thing in it was deleted since"));
  });

  test("by a later step is told with its number, and undoing both is no conflict", async () => {
    using here = place();
    const { at, root, store } = here;
    write(at("a"), "0");
    const before = snapshot(root);
    await store.keep(facts, [put(here, "a", "1"), putFolder(here, "made", (path) => write(join(path, "x"), "x"))]);
    await store.keep(facts, [put(here, "a", "2"), put(here, "made/y", "y"), gone(here, "made/x")]);
    const last = snapshot(root);
    expect((await store.undo([1])).conflicts).toEqual([
      { path: at("made"), why: "step 2 changed it later: undo that first" },
      { path: at("a"), why: "step 2 changed it later: undo that first" },
    ]);
    expect(await store.undo([1, 2])).toMatchObject({ done: [2, 1], conflicts: [] });
    expect(snapshot(root)).toEqual(before);
    expect((await store.redo([2])).conflicts.map(({ why }) => why)).toContain(
      "step 1 came before it and is undone: redo that first",
    );
    expect(await store.redo([2, 1])).toMatchObject({ done: [1, 2], conflicts: [] });
    expect(snapshot(root)).toEqual(last);
  });

  test("below the newest of several steps keeps all of them from being undone", async () => {
    using here = place();
    await here.store.keep(facts, [put(here, "a", "1")]);
    await here.store.keep(facts, [put(here, "b", "2")]);
    write(here.at("a"), "mine");
    const before = snapshot(here.root);
    expect(await here.store.undo([1, 2])).toMatchObject({ done: [], conflicts: [{ path: here.at("a") }] });
    expect(snapshot(here.root)).toEqual(before);
  });

  test("from a folder to a link is never written through, whatever is asked for", async () => {
    using here = place();
    write(here.at("folder/a"), "old");
    await here.store.keep(facts, [put(here, "folder/a", "new")]);
    renameSync(here.at("folder"), join(here.beside, "elsewhere"));
    symlinkSync(join(here.beside, "elsewhere"), here.at("folder"));
    const { conflicts, done } = await here.store.undo([1], { changedSince: "overwrite" });
    expect(conflicts).toEqual([{ path: here.at("folder/a"), why: `${here.at("folder")} is a link now` }]);
    expect(done).toEqual([]);
    expect(read(join(here.beside, "elsewhere/a"))).toBe("new");
  });

  test("to a folder around a deleted file: it is made again", async () => {
    using here = place();
    write(here.at("folder/a"), "old");
    await here.store.keep(facts, [gone(here, "folder/a")]);
    rmSync(here.at("folder"), { recursive: true });
    expect(await here.store.undo([1])).toMatchObject({ done: [1], conflicts: [] });
    expect(read(here.at("folder/a"))).toBe("old");
  });
});

describe("discarding what is in place", () => {
  test("puts back what was there and leaves nothing behind", async () => {
    using here = place();
    const { at, beside, root, store } = here;
    for (const name of ["changed", "linked", "folder/x", "deleted"]) write(at(name), name);
    linkSync(at("linked"), at("linked-too"));
    const before = snapshot(root);
    renameSync(at("changed"), join(beside, "changed"));
    write(join(beside, "linked"), "linked");
    renameSync(at("folder"), join(beside, "folder"));
    renameSync(at("deleted"), join(beside, "deleted"));
    write(at("changed"), "new");
    write(at("linked"), "written into");
    write(at("made/a"), "new");
    chmodSync(at("linked"), 0o600);
    const old = (name: string, has = true) => {
      return { path: at(name), how: "whole", had: true, has, old: join(beside, name) } as const;
    };
    const kept = await store.discard([
      old("changed"),
      old("linked"),
      old("folder", false),
      { ...old("deleted", false), oldHeld: true },
      { path: at("made"), how: "whole", had: false, has: true },
    ]);
    expect(kept).toEqual({ problems: [] });
    expect(snapshot(root)).toEqual(before);
    expect(has(join(beside, "deleted"))).toBe(true);
    expect(readdirSync(join(store.folder, "discards"))).toEqual([]);
    expect(store.list()).toEqual([]);
  });

  test("puts permissions back, and says what is not at hand", async () => {
    using here = place();
    write(here.at("a"), "x", 0o777);
    write(here.at("b"), "x");
    const { problems } = await here.store.discard([
      { path: here.at("a"), how: "mode", had: true, has: true, modeBefore: 0o600, modeAfter: 0o777 },
      { path: here.at("b"), how: "whole", had: true, has: true },
    ]);
    expect(problems).toEqual([`${here.at("b")} could not be brought back: what was there before is not at hand.`]);
    expect(snapshot(here.root)).toMatchObject({ a: "600 x" });
  });
});

describe("the list", () => {
  test("has steps newest last, with what they did and take", async () => {
    using here = place();
    expect(here.store.list()).toEqual([]);
    expect(existsSync(here.store.folder)).toBe(false);
    write(here.at("a"), "x".repeat(10_000));
    await here.store.keep({ ...facts, turn: 2 }, [put(here, "a", "1")]);
    await here.store.keep(facts, [put(here, "b", "2")]);
    await here.store.undo([2]);
    expect(here.open().list()).toMatchObject([
      { number: 1, state: "kept", facts: { turn: 2 }, files: [{ path: here.at("a"), change: "changed" }] },
      { number: 2, state: "undone", files: [{ path: here.at("b"), change: "created" }] },
    ]);
    expect(here.store.list()[0]!.bytes).toBeGreaterThanOrEqual(10_000);
  });

  test("is private", async () => {
    using here = place();
    await here.store.keep(facts, [put(here, "a", "1")]);
    const { folder } = here.store;
    const modes = ["", "workspace.json", "steps", "steps/1", "steps/1/step.json", "steps/1/before"].map((name) =>
      (lstatSync(join(folder, name)).mode & 0o777).toString(8),
    );
    expect(modes).toEqual(["700", "600", "700", "700", "600", "700"]);
  });

  test("is found from folders inside the workspace, and by a link to it", async () => {
    using here = place();
    await here.store.keep(facts, [put(here, "deep/er/a", "1")]);
    expect(workspacesAround(here.data, here.at("deep/er"))).toEqual([here.root]);
    symlinkSync(here.root, join(here.beside, "link"));
    expect(storeFolder(here.data, join(here.beside, "link"))).toBe(here.store.folder);
  });
});

describe("the limit", () => {
  test("drops the oldest, which is then said, and gives no number twice", async () => {
    using here = place();
    const store = here.open({ limit: 50_000 });
    for (let round = 0; round < 4; round++) {
      write(here.at(`file${round}`), String(round).repeat(20_000));
      await store.keep(facts, [put(here, `file${round}`, "small")]);
    }
    expect(store.list().map(({ number, expired }) => [number, expired !== undefined])).toEqual([
      [1, true],
      [2, true],
      [3, false],
      [4, false],
    ]);
    expect(readdirSync(join(store.folder, "steps")).sort()).toEqual(["3", "4"]);
    expect((await store.undo([2])).problems).toEqual([
      "Step 2 cannot be undone any more: it was dropped so that undo takes no more than 50 kB of the disk.",
    ]);
    await here.open({ limit: 0 }).expire();
    expect(store.list().every(({ expired }) => expired !== undefined)).toBe(true);
    expect((await store.keep(facts, [put(here, "new", "x")])).number).toBe(5);
  });

  test("is said of a step that does not fit it by itself", async () => {
    using here = place();
    const store = here.open({ limit: 1000 });
    write(here.at("big"), "x".repeat(20_000));
    const { number, problems } = await store.keep(facts, [gone(here, "big")]);
    expect(number).toBeUndefined();
    expect(problems).toEqual([expect.stringMatching(/^This step cannot be undone: what it replaced takes 20 kB/)]);
    expect(has(here.at("big"))).toBe(false);
  });
});

test("steps that are not there, or in that state already, are told, and nothing is done", async () => {
  using here = place();
  await here.store.keep(facts, [put(here, "a", "1")]);
  expect((await here.store.undo([1, 7])).problems).toEqual(["There is no step 7."]);
  expect((await here.store.redo([1])).problems).toEqual(["Step 1 is not undone."]);
  await here.store.undo([1]);
  expect((await here.store.undo([1])).problems).toEqual(["Step 1 is undone already."]);
});
