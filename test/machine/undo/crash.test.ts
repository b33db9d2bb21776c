// A process is killed before each single operation of a keep, a discard, an undo and a redo. Whoever comes next finds the files as
// they were before or as they are after, never between, and is told which.

import { spawnSync } from "node:child_process";
import { existsSync, linkSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { NodeChange } from "../../../src/machine/undo/change.ts";
import type { Killed } from "./killed.ts";
import { facts, gone, mode, type Place, place, put, putFolder, putLink, snapshot, write } from "./trees.ts";

let program = "";

beforeAll(async () => {
  program = join(mkdtempSync(join(tmpdir(), "undo-program-")), "killed.mjs");
  const entryPoints = [join(import.meta.dirname, "killed.ts")];
  await build({ entryPoints, outfile: program, bundle: true, platform: "node", format: "esm" });
});

afterAll(() => rmSync(dirname(program), { recursive: true }));

/** Whether it was killed. */
function runKilled(killed: Killed): boolean {
  const { signal, status, stderr } = spawnSync(process.execPath, [program, JSON.stringify(killed)], {
    encoding: "utf8",
  });
  if (signal === null && status !== 0) throw new Error(stderr);
  return signal === "SIGKILL";
}

const memory = "/dev/shm";
const hasOther = existsSync(memory) && statSync(memory).dev !== statSync(tmpdir()).dev;

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

interface Scenario {
  /** What is done and killed, after everything that comes before it. */
  what: "keep" | "discard" | "undo" | "redo";
  prepare: (here: Place) => Promise<Pick<Killed, "changes" | "numbers">>;
  /** Every replaced file is there at every moment. */
  always: string[];
}

/** Leaves the workspace as a step in place, and the old things beside it. */
async function inPlace(here: Place): Promise<NodeChange[]> {
  const changes = tree(here);
  const { number } = await here.store.keep(facts, changes);
  const before = join(here.store.folder, "steps", String(number), "before");
  return changes.map((change, index): NodeChange => {
    const { source: _, held: __, ...rest } = change;
    return existsSync(join(before, String(index))) ? { ...rest, old: join(before, String(index)) } : rest;
  });
}

const scenarios: Record<string, Scenario> = {
  "a keep": {
    what: "keep",
    prepare: async (here) => ({ changes: tree(here) }),
    always: ["changed", "held", "one"],
  },
  "an undo": {
    what: "undo",
    async prepare(here) {
      const { number } = await here.store.keep(facts, tree(here));
      return { numbers: [number!] };
    },
    always: ["changed", "held", "one"],
  },
  "a redo": {
    what: "redo",
    async prepare(here) {
      const { number } = await here.store.keep(facts, tree(here));
      await here.store.undo([number!]);
      return { numbers: [number!] };
    },
    always: ["changed", "held", "one"],
  },
  "an undo of two steps": {
    what: "undo",
    async prepare(here) {
      write(here.at("a"), "0");
      await here.store.keep(facts, [put(here, "a", "1"), put(here, "b", "1")]);
      await here.store.keep(facts, [put(here, "a", "2"), gone(here, "b")]);
      return { numbers: [1, 2] };
    },
    always: ["a"],
  },
  "a discard": {
    what: "discard",
    prepare: async (here) => ({ changes: await inPlace(here) }),
    always: ["changed", "held", "one"],
  },
};

async function killEverywhere({ what, prepare, always }: Scenario, where?: string): Promise<void> {
  // What it comes to when nobody kills it.
  using whole = place(where);
  const { data, root } = whole;
  const arguments_ = await prepare(whole);
  const before = snapshot(root);
  expect(runKilled({ data, root, what, ...arguments_, killAt: 0 })).toBe(false);
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
    for (const name of always) expect(existsSync(here.at(name)), `${name}, killed before ${killAt}`).toBe(true);
    // The one that comes to finish it is killed as well, now and then.
    if (killAt % 2 === 0) runKilled({ data, root, what: "recover", killAt: 1 + ((killAt * 5) % 17) });
    const store = here.open();
    const told = await store.recover();
    const state = snapshot(root);
    const isAfter = JSON.stringify(state) === JSON.stringify(after);
    expect(isAfter ? after : before, `killed before operation ${killAt}: ${told}`).toEqual(state);
    states.add(isAfter ? "after" : "before");
    if (killAt % 2 === 1 && isAfter) expect(told.join(), `killed before operation ${killAt}`).not.toBe("");
    if (told.length > 0) expect(/as they were before/.test(told.join()), told.join()).toBe(!isAfter);
    expect(await store.recover()).toEqual([]);
    expect(readdirSync(store.folder).filter((name) => /^(moving|intent)/.test(name))).toEqual([]);
    // Whatever it came to, everything can go on from there.
    if (!isAfter) {
      const numbers = arguments_.numbers ?? [];
      if (what === "keep") await store.keep(facts, arguments_.changes!);
      else if (what === "discard") await store.discard(arguments_.changes!);
      else await store[what](numbers);
      expect(snapshot(root)).toEqual(after);
    }
    if (what === "keep") {
      expect(await store.undo([1])).toMatchObject({ done: [1], conflicts: [] });
      expect(snapshot(root)).toEqual(before);
    }
  }
  expect([...states].sort()).toEqual(["after", "before"]);
}

describe("killed before each operation of", () => {
  test.each(Object.entries(scenarios))("%s", { timeout: 300_000 }, (_, scenario) => killEverywhere(scenario));

  test.skipIf(!hasOther).each(Object.entries(scenarios))(
    "%s, with the workspace on another file system",
    { timeout: 300_000 },
    (_, scenario) => killEverywhere(scenario, memory),
  );
});
