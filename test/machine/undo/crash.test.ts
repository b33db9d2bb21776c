// A process is killed before each single operation of a keep, a discard, an undo and a redo. Whoever comes next finds the files as
// they were before or as they are after, never between, and is told which.

import { chmodSync, existsSync, linkSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { NodeChange } from "../../../src/machine/undo/change.ts";
import type { Killed } from "./killed.ts";
import { asOrdinaryUser, buildProgram, elsewhere, type Program } from "./program.ts";
import { facts, gone, mode, type Place, place, put, putFolder, putLink, snapshot, write } from "./trees.ts";

let program: Program;

beforeAll(async () => {
  program = await buildProgram();
});

afterAll(async () => {
  await program[Symbol.asyncDispose]();
});

/** Whether it was killed. */
function runKilled(killed: Killed): boolean {
  const { signal, status, stderr } = program.run(killed);
  if (signal === null && status !== 0) throw new Error(stderr);
  return signal === "SIGKILL";
}

function tree(here: Place): NodeChange[] {
  const { at } = here;
  write(at("changed"), "old");
  write(at("held"), "old");
  write(at("one"), "old");
  linkSync(at("one"), at("two"));
  write(at("folder/a"), "a");
  write(at("turns/into/file"), "x");
  symlinkSync("changed", at("link"));
  write(at("mode"), "x");
  const fill = (folder: string): void => write(join(folder, "new"), "new");
  return [
    put(here, "changed", "new"),
    { ...put(here, "held", "new"), held: true },
    put(here, "one", "written into it"),
    gone(here, "folder"),
    put(here, "turns", "a file now"),
    putFolder(here, "link", fill),
    putLink(here, "made/around/link", "x"),
    mode(here, "mode", 0o600),
  ];
}

/** Where its owner may not write or read. */
function closedTree(here: Place): NodeChange[] {
  const { at } = here;
  write(at("closed/file"), "old", 0o400);
  write(at("closed/secret"), "old", 0o000);
  write(at("closed/linked"), "old", 0o444);
  linkSync(at("closed/linked"), at("other"));
  write(at("folder/inner/x"), "x");
  for (const name of ["folder/inner", "folder", "closed"]) chmodSync(at(name), 0o555);
  return [
    put(here, "closed/file", "new", 0o400),
    gone(here, "closed/secret"),
    { ...put(here, "closed/linked", "new"), had: true },
    put(here, "closed/made", "new"),
    gone(here, "folder"),
    mode(here, "closed", 0o500),
  ];
}

interface Scenario {
  what: "keep" | "discard" | "undo" | "redo";
  /** All that comes before it. */
  prepare: (here: Place) => Promise<Pick<Killed, "changes" | "numbers" | "changedSince">>;
  /** Replaced files, which are there at every moment. */
  always: string[];
}

/** A step that is in place, and where the old things are. */
async function inPlace(here: Place): Promise<NodeChange[]> {
  const changes = tree(here);
  const { number } = await here.store.keep(facts, changes);
  const before = join(here.store.folder, "steps", String(number), "before");
  return changes.map(({ source: _, held: __, ...rest }, index): NodeChange => {
    const old = join(before, String(index));
    return existsSync(old) ? { ...rest, old } : rest;
  });
}

const replaced = ["changed", "held", "one"];

const aKeep = (changes: (here: Place) => NodeChange[], always: string[]): Scenario => {
  return { what: "keep", prepare: async (here) => ({ changes: changes(here) }), always };
};

const anUndo = (changes: (here: Place) => NodeChange[], always: string[]): Scenario => ({
  what: "undo",
  async prepare(here) {
    const { number } = await here.store.keep(facts, changes(here));
    return { numbers: [number!] };
  },
  always,
});

const aRedo: Scenario = {
  what: "redo",
  async prepare(here) {
    const { number } = await here.store.keep(facts, tree(here));
    await here.store.undo([number!]);
    return { numbers: [number!] };
  },
  always: replaced,
};

const anUndoOfTwo: Scenario = {
  what: "undo",
  async prepare(here) {
    write(here.at("a"), "0");
    await here.store.keep(facts, [put(here, "a", "1"), put(here, "b", "1")]);
    await here.store.keep(facts, [put(here, "a", "2"), gone(here, "b")]);
    return { numbers: [1, 2] };
  },
  always: ["a"],
};

const anUndoInPart: Scenario = {
  what: "undo",
  async prepare(here) {
    write(here.at("a"), "0");
    const fill = (folder: string): void => {
      for (const name of ["b", "c", "whole/d"]) write(join(folder, name), name);
    };
    await here.store.keep(facts, [put(here, "a", "1"), putFolder(here, "made", fill)]);
    write(here.at("made/b"), "mine");
    return { numbers: [1], changedSince: "leave" };
  },
  always: ["a", "made/b"],
};

const aDiscard: Scenario = {
  what: "discard",
  prepare: async (here) => ({ changes: await inPlace(here) }),
  always: replaced,
};

async function killEverywhere({ what, prepare, always }: Scenario, where?: string): Promise<void> {
  // What it comes to when nobody kills it.
  using whole = place(where);
  const { data, root } = whole;
  const arguments_ = await prepare(whole);
  const before = snapshot(root);
  expect(runKilled({ data, root, what, ...arguments_ })).toBe(false);
  const after = snapshot(root);
  expect(after).not.toEqual(before);
  const states = new Set<string>();
  for (let killAt = 1; ; killAt++) {
    using here = place(where);
    const { data, root } = here;
    const arguments_ = await prepare(here);
    const isKilled = runKilled({ data, root, what, ...arguments_, killAt });
    if (!isKilled) {
      expect(killAt).toBeGreaterThan(10);
      break;
    }
    const name = `killed before operation ${killAt}`;
    for (const file of always) expect(existsSync(here.at(file)), `${file}, ${name}`).toBe(true);
    // The one that comes to finish it is killed as well, now and then.
    if (killAt % 2 === 0) runKilled({ data, root, what: "recover", killAt: 1 + ((killAt * 5) % 17) });
    const store = here.open();
    const told = await store.recover();
    const state = snapshot(root);
    const isAfter = JSON.stringify(state) === JSON.stringify(after);
    expect(state, `${name}: ${told}`).toEqual(isAfter ? after : before);
    states.add(isAfter ? "after" : "before");
    if (killAt % 2 === 1 && isAfter) expect(told.join(), name).not.toBe("");
    if (told.length > 0) expect(/as they were before/.test(told.join()), told.join()).toBe(!isAfter);
    expect(await store.recover()).toEqual([]);
    expect(readdirSync(store.folder).filter((name) => /^(moving|intent\.json$)/.test(name))).toEqual([]);
    // Whatever it came to, everything can go on from there.
    if (!isAfter) {
      if (what === "keep") await store.keep(facts, arguments_.changes!);
      else if (what === "discard") await store.discard(arguments_.changes!);
      else await store[what](arguments_.numbers!, { changedSince: arguments_.changedSince ?? "refuse" });
      expect(snapshot(root), name).toEqual(after);
    }
    if (what === "keep") {
      expect(await store.undo([1]), name).toMatchObject({ done: [1], conflicts: [], problems: [] });
      expect(snapshot(root), name).toEqual(before);
    }
  }
  expect([...states].sort()).toEqual(["after", "before"]);
}

describe("killed before each operation of", { timeout: 300_000 }, () => {
  test("a keep", () => killEverywhere(aKeep(tree, replaced)));
  test("an undo", () => killEverywhere(anUndo(tree, replaced)));
  test("a redo", () => killEverywhere(aRedo));
  test("an undo of two steps", () => killEverywhere(anUndoOfTwo));
  test("an undo that leaves a part of a folder", () => killEverywhere(anUndoInPart));
  test("a discard", () => killEverywhere(aDiscard));

  test.skipIf(!elsewhere)("a keep on another file system", () => killEverywhere(aKeep(tree, replaced), elsewhere));
  test.skipIf(!elsewhere)("an undo on another file system", () => killEverywhere(anUndo(tree, replaced), elsewhere));
  test.skipIf(!elsewhere)("a discard on another file system", () => killEverywhere(aDiscard, elsewhere));

  test.skipIf(process.platform === "win32")("a keep where its owner may not write", () =>
    asOrdinaryUser(() => killEverywhere(aKeep(closedTree, []))),
  );
  test.skipIf(process.platform === "win32")("an undo where its owner may not write", () =>
    asOrdinaryUser(() => killEverywhere(anUndo(closedTree, []))),
  );
  test.skipIf(!elsewhere)("an undo on another file system where its owner may not write", () =>
    asOrdinaryUser(() => killEverywhere(anUndo(closedTree, []), elsewhere)),
  );
});
