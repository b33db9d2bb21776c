// What a block did to a real folder is seen, kept, discarded and undone without a write layer.

import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Tree, treeOf } from "./tree.ts";
import { facts, linesOf, openWorkspace } from "./workspace.ts";

interface Case {
  name: string;
  before?: (at: (name: string) => string) => void;
  code: (at: (name: string) => string) => void;
  effects: string[];
}

const cases: Case[] = [
  { name: "a file is created", code: (at) => writeFileSync(at("a.txt"), "new"), effects: ["created a.txt"] },
  {
    name: "a file is changed",
    before: (at) => writeFileSync(at("a.txt"), "old"),
    code: (at) => writeFileSync(at("a.txt"), "newer"),
    effects: ["changed a.txt"],
  },
  {
    name: "a file gets other content of the same length in the moment in which it was saved",
    before: (at) => writeFileSync(at("a.txt"), "old"),
    code: (at) => writeFileSync(at("a.txt"), "new"),
    effects: ["changed a.txt"],
  },
  {
    name: "a file gets other content of the same length, and its old time",
    before: (at) => writeFileSync(at("a.txt"), "old"),
    code(at) {
      const { atime, mtime } = statSync(at("a.txt"));
      writeFileSync(at("a.txt"), "new");
      utimesSync(at("a.txt"), atime, mtime);
    },
    effects: ["changed a.txt"],
  },
  {
    name: "a file is deleted",
    before: (at) => writeFileSync(at("a.txt"), "old", { mode: 0o640 }),
    code: (at) => rmSync(at("a.txt")),
    effects: ["deleted a.txt"],
  },
  {
    name: "a file is cut short and another written to",
    before(at) {
      writeFileSync(at("a.txt"), "a long text");
      writeFileSync(at("b.txt"), "short");
    },
    code(at) {
      truncateSync(at("a.txt"), 3);
      appendFileSync(at("b.txt"), ", no longer");
    },
    effects: ["changed a.txt", "changed b.txt"],
  },
  {
    name: "a file is renamed",
    before: (at) => writeFileSync(at("a.txt"), "the same"),
    code: (at) => renameSync(at("a.txt"), at("b.txt")),
    effects: ["renamed a.txt → b.txt"],
  },
  {
    name: "a file takes the place of another",
    before(at) {
      writeFileSync(at("a.txt"), "a");
      writeFileSync(at("b.txt"), "bb");
    },
    code: (at) => renameSync(at("a.txt"), at("b.txt")),
    effects: ["deleted a.txt", "changed b.txt"],
  },
  {
    name: "permissions change, of a file and of a folder with something in it",
    before(at) {
      mkdirSync(at("d"));
      writeFileSync(at("d/a.txt"), "a");
      writeFileSync(at("run.sh"), "echo");
    },
    code(at) {
      chmodSync(at("run.sh"), 0o755);
      chmodSync(at("d"), 0o750);
    },
    effects: ["mode d/", "mode run.sh"],
  },
  {
    name: "a folder is created with all in it",
    code(at) {
      mkdirSync(at("d/e/f"), { recursive: true });
      writeFileSync(at("d/e/a.txt"), "a");
      symlinkSync("e/a.txt", at("d/link"));
    },
    effects: ["created d/"],
  },
  {
    name: "a folder is deleted with all in it, also hidden, empty, linked and read-only things",
    before(at) {
      mkdirSync(at("d/.git/objects"), { recursive: true });
      mkdirSync(at("d/empty"));
      writeFileSync(at("d/.git/objects/a"), "object", { mode: 0o444 });
      symlinkSync("nowhere", at("d/broken"));
      writeFileSync(at("d/x"), "");
      chmodSync(at("d/empty"), 0o555);
    },
    code: (at) => rmSync(at("d"), { recursive: true }),
    effects: ["deleted d/"],
  },
  {
    name: "a folder is renamed with all in it",
    before(at) {
      mkdirSync(at("d/e"), { recursive: true });
      writeFileSync(at("d/e/a.txt"), "a");
      writeFileSync(at("d/e/b.txt"), "b");
    },
    code: (at) => renameSync(at("d"), at("moved")),
    effects: ["renamed d/ → moved/"],
  },
  {
    name: "a folder takes the place of a file, and a file that of a folder",
    before(at) {
      mkdirSync(at("d"));
      writeFileSync(at("d/a.txt"), "a");
      writeFileSync(at("f"), "f");
    },
    code(at) {
      rmSync(at("d"), { recursive: true });
      rmSync(at("f"));
      writeFileSync(at("d"), "was a folder");
      mkdirSync(at("f/g"), { recursive: true });
    },
    effects: ["changed d", "changed f/"],
  },
  {
    name: "links are made, turned and deleted",
    before(at) {
      symlinkSync("a", at("turned"));
      symlinkSync("b", at("deleted"));
    },
    code(at) {
      rmSync(at("turned"));
      symlinkSync("c", at("turned"));
      rmSync(at("deleted"));
      symlinkSync("d", at("made"));
    },
    effects: ["deleted deleted", "changed turned", "created made"],
  },
  {
    name: "both names of a file change with it",
    before(at) {
      writeFileSync(at("a.txt"), "one file");
      linkSync(at("a.txt"), at("b.txt"));
    },
    code: (at) => appendFileSync(at("a.txt"), ", two names"),
    effects: ["changed a.txt", "changed b.txt"],
  },
  {
    name: "one of two names of a file is deleted",
    before(at) {
      writeFileSync(at("a.txt"), "one file");
      linkSync(at("a.txt"), at("b.txt"));
    },
    code: (at) => unlinkSync(at("a.txt")),
    effects: ["deleted a.txt"],
  },
  {
    name: "one of three names of a file gets another file",
    before(at) {
      writeFileSync(at("a.txt"), "one file");
      linkSync(at("a.txt"), at("b.txt"));
      linkSync(at("a.txt"), at("c.txt"));
    },
    code(at) {
      unlinkSync(at("b.txt"));
      writeFileSync(at("b.txt"), "another file");
    },
    effects: ["changed b.txt"],
  },
  {
    name: "a file gets a second name",
    before: (at) => writeFileSync(at("a.txt"), "one file"),
    code: (at) => linkSync(at("a.txt"), at("b.txt")),
    effects: ["created b.txt"],
  },
  {
    name: "names that are no UTF-8",
    before: (at) => writeFileSync(Buffer.concat([Buffer.from(at("caf")), Buffer.of(0xe9)]), "old"),
    code: (at) => rmSync(Buffer.concat([Buffer.from(at("caf")), Buffer.of(0xe9)])),
    effects: ["deleted caf\udce9"],
  },
  {
    name: "nothing happens that anybody minds",
    before: (at) => writeFileSync(at("a.txt"), "the same"),
    code(at) {
      readFileSync(at("a.txt"));
      writeFileSync(at("a.txt"), "the same");
      utimesSync(at("a.txt"), 1, 1);
      writeFileSync(at("b.txt"), "for a moment");
      rmSync(at("b.txt"));
    },
    effects: [],
  },
];

const whole = (root: string): Tree => treeOf(root, { links: true });

test.each(cases)("$name: seen, and discarded", async ({ before, code, effects }) => {
  using work = openWorkspace();
  const at = (name: string) => join(work.root, name);
  before?.(at);
  const was = whole(work.root);
  const protection = work.open();
  const pending = await work.block(protection, () => code(at));
  expect(linesOf(pending)).toEqual(effects);
  expect(pending.effects.uncovered).toEqual([]);
  expect(await pending.discard()).toMatchObject({ problems: [] });
  expect(whole(work.root)).toEqual(was);
  expect(linesOf(await work.block(protection, () => {}))).toEqual([]);
  await protection.close();
});

test.each(cases)("$name: kept, undone, redone", async ({ before, code, effects }) => {
  using work = openWorkspace();
  const at = (name: string) => join(work.root, name);
  before?.(at);
  const was = treeOf(work.root);
  const protection = work.open();
  const pending = await work.block(protection, () => code(at));
  const now = treeOf(work.root);
  const kept = await pending.keep(facts);
  expect(kept).toEqual(effects.length > 0 ? { number: 1, problems: [] } : { problems: [] });
  expect(treeOf(work.root)).toEqual(now);
  if (kept.number === undefined) return;
  expect(await work.store.undo([1])).toMatchObject({ done: [1], conflicts: [], problems: [] });
  expect(treeOf(work.root)).toEqual(was);
  expect(linesOf(await work.block(protection, () => {}))).toEqual([]);
  expect(await work.store.redo([1])).toMatchObject({ done: [1], conflicts: [], problems: [] });
  expect(treeOf(work.root)).toEqual(now);
  await protection.close();
});
