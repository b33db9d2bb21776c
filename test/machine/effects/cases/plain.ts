// Everyday changes: told exactly, kept, kept in part, discarded, undone and put back.

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { facts } from "../../../support/protected-folder.ts";
import { type Case, told } from "./case.ts";

function fill(folder: string): void {
  for (const name of ["sub", "sub/deep", "other", "empty"]) mkdirSync(join(folder, name));
  const files = { "a.txt": "a\n", "b.txt": "b\n", "sub/c.txt": "c\n", "sub/deep/d.txt": "d\n", "other/e.txt": "e\n" };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  writeFileSync(join(folder, "tool.sh"), "#!/bin/sh\n");
  chmodSync(join(folder, "tool.sh"), 0o644);
  symlinkSync("a.txt", join(folder, "link"));
}

interface Change {
  name: string;
  code: string;
  effects: string[];
  /** Where it is told otherwise: a layer tells what was written anew with what it had. */
  inLayer?: string[];
}

/** Each is told, discarded, kept, undone and redone. */
const changes: Change[] = [
  { name: "a new file", code: `put("new.txt", "n")`, effects: ["created new.txt"] },
  { name: "a changed file", code: `put("a.txt", "other")`, effects: ["changed a.txt"] },
  { name: "a file that grows", code: `put("sub/c.txt", "more", "a")`, effects: ["changed sub/c.txt"] },
  { name: "a deleted file", code: `os.remove("sub/c.txt")`, effects: ["deleted sub/c.txt"] },
  { name: "a renamed file", code: `os.rename("a.txt", "z.txt")`, effects: ["renamed z.txt from a.txt"] },
  {
    name: "a file renamed over another",
    code: `os.rename("a.txt", "b.txt")`,
    effects: ["changed b.txt", "deleted a.txt"],
  },
  { name: "permissions of a file", code: `os.chmod("tool.sh", 0o755)`, effects: ["mode tool.sh"] },
  { name: "permissions of a folder", code: `os.chmod("sub", 0o700)`, effects: ["mode sub/"] },
  {
    name: "permissions and content",
    code: `put("tool.sh", "x"); os.chmod("tool.sh", 0o755)`,
    effects: ["changed tool.sh"],
  },
  {
    name: "a new folder with all in it",
    code: `os.makedirs("n/m"); put("n/m/f", "1"); put("n/g", "2")`,
    effects: ["created n/"],
  },
  { name: "an empty folder", code: `os.mkdir("n")`, effects: ["created n/"] },
  { name: "a deleted empty folder", code: `os.rmdir("empty")`, effects: ["deleted empty/"] },
  { name: "a deleted tree", code: `shutil.rmtree("sub")`, effects: ["deleted sub/"] },
  { name: "a moved folder", code: `shutil.move("sub", "moved")`, effects: ["renamed moved/ from sub/"] },
  {
    name: "a folder moved into another",
    code: `shutil.move("sub", "other/sub")`,
    effects: ["renamed other/sub/ from sub/"],
  },
  {
    name: "a folder deleted and made anew",
    code: `shutil.rmtree("sub"); os.mkdir("sub"); put("sub/new.txt", "n")`,
    effects: ["created sub/new.txt", "deleted sub/c.txt", "deleted sub/deep/"],
  },
  {
    name: "a folder made anew with some of what it had",
    code: `shutil.rmtree("sub"); os.makedirs("sub/deep"); put("sub/c.txt", "c\\n"); put("sub/deep/x", "x")`,
    effects: ["created sub/deep/x", "deleted sub/deep/d.txt"],
    inLayer: ["changed sub/c.txt", "created sub/deep/x", "deleted sub/deep/d.txt"],
  },
  {
    name: "a folder emptied by making it anew",
    code: `shutil.rmtree("sub"); os.mkdir("sub")`,
    effects: ["deleted sub/c.txt", "deleted sub/deep/"],
  },
  {
    name: "a file in the place of a folder",
    code: `shutil.rmtree("sub"); put("sub", "file")`,
    effects: ["changed sub"],
  },
  {
    name: "a folder in the place of a file",
    code: `os.remove("a.txt"); os.mkdir("a.txt"); put("a.txt/f", "f")`,
    effects: ["changed a.txt/"],
  },
  {
    name: "a link in the place of a file",
    code: `os.remove("a.txt"); os.symlink("b.txt", "a.txt")`,
    effects: ["changed a.txt"],
  },
  { name: "a new link", code: `os.symlink("sub/c.txt", "l")`, effects: ["created l"] },
  { name: "a link to nothing", code: `os.symlink("nowhere", "sub/l")`, effects: ["created sub/l"] },
  { name: "a link to a place of the system", code: `os.symlink("/etc/hostname", "l")`, effects: ["created l"] },
  {
    name: "a link that points elsewhere",
    code: `os.remove("link"); os.symlink("b.txt", "link")`,
    effects: ["changed link"],
  },
  { name: "a deleted link", code: `os.remove("link")`, effects: ["deleted link"] },
  { name: "a named pipe", code: `os.mkfifo("pipe", 0o640)`, effects: ["created pipe"] },
  {
    name: "a folder that nobody may write in",
    code: `os.mkdir("n"); put("n/f", "f"); os.chmod("n", 0o555)`,
    effects: ["created n/"],
  },
  {
    name: "a folder that nobody may look into",
    code: `os.mkdir("n"); put("n/f", "f"); os.chmod("n", 0)`,
    effects: ["created n/"],
  },
  { name: "a file that nobody may write", code: `put("n", "n"); os.chmod("n", 0o400)`, effects: ["created n"] },
  {
    name: "names of all kinds",
    code: `for n in ["a b", "line\\nbreak", "tab\\t", "ünï 汉字 🎉", "-rf", "'\\"$x", "back\\\\slash", "#;&|", " (deleted)"]: put(n, n)`,
    effects: [
      ...["a b", "line\nbreak", "tab\t", "ünï 汉字 🎉", "-rf", "'\"$x", "back\\slash", "#;&|", " (deleted)"].map(
        (name) => `created ${name}`,
      ),
    ].sort(),
  },
  { name: "a name that is no text", code: `put(b"n\\xff\\xfe", "n")`, effects: ["created n\udcff\udcfe"] },
  {
    name: "a folder whose name is no text",
    code: `os.mkdir(b"n\\xff"); put(b"n\\xff/m\\xc3", "n")`,
    effects: ["created n\udcff/"],
  },
  { name: "nothing but a look around", code: `read("a.txt"); os.listdir("sub"); os.stat("b.txt")`, effects: [] },
  {
    name: "a file written with what it had",
    code: `put("a.txt", "a\\n")`,
    effects: [],
    inLayer: ["changed a.txt"],
  },
  {
    name: "something made and deleted again",
    code: `put("t", "t"); os.mkdir("u"); os.rmdir("u"); os.remove("t")`,
    effects: [],
  },
  { name: "something renamed to and fro", code: `os.rename("a.txt", "z"); os.rename("z", "a.txt")`, effects: [] },
];

async function checkChange(change: Change, open: Parameters<Case["run"]>[0]): Promise<void> {
  await using folder = await open({ prepare: fill });
  const { code } = change;
  const effects = (folder.protection.kind === "layer" && change.inLayer) || change.effects;
  const before = folder.outside();
  assert.deepEqual(await folder.inside(), before);

  const dropped = await folder.step(code);
  assert.deepEqual(told(dropped.effects), effects);
  const changed = await folder.inside();
  if (folder.protection.kind === "layer")
    assert.deepEqual(folder.outside(), before, "nothing is real before it is kept");
  assert.deepEqual((await dropped.discard()).problems, []);
  assert.deepEqual(folder.outside(), before, "after a discard");
  assert.deepEqual(await folder.inside(), before, "inside, after a discard");

  const pending = await folder.step(code);
  assert.deepEqual(told(pending.effects), effects);
  const { number, problems } = await pending.keep(facts);
  assert.deepEqual(problems, []);
  assert.deepEqual(folder.outside(), changed, "after a keep");
  assert.deepEqual(await folder.inside(), changed, "inside, after a keep");
  assert.equal(number === undefined, effects.length === 0);
  assert.deepEqual(told((await folder.step("pass")).effects), [], "what was kept is no effect of the next block");
  if (number === undefined) return;

  await folder.undo(number);
  assert.deepEqual(folder.outside(), before, "after an undo");
  await folder.protection.begin();
  assert.deepEqual(await folder.inside(), before, "inside, after an undo");
  await folder.redo(number);
  assert.deepEqual(folder.outside(), changed, "after a redo");
  await folder.protection.begin();
  assert.deepEqual(await folder.inside(), changed, "inside, after a redo");
}

export const plain: Case[] = [
  ...changes.map((change): Case => ({ name: change.name, run: (open) => checkChange(change, open) })),
  {
    name: "keeps only some of it",
    async run(open) {
      await using folder = await open({ prepare: fill });
      const pending = await folder.step(
        `put("a.txt", "1"); put("b.txt", "2"); os.mkdir("n"); put("n/f", "3"); os.remove("sub/c.txt"); os.chmod("other", 0o700)`,
      );
      const { number } = await pending.keep(facts, [folder.at("a.txt"), folder.at("sub/c.txt")]);
      assert.equal(readFileSync(folder.at("a.txt"), "utf8"), "1");
      assert.equal(readFileSync(folder.at("b.txt"), "utf8"), "b\n");
      const { "n/f": file, n, "sub/c.txt": gone, other } = folder.outside();
      assert.deepEqual([n, file, gone], [undefined, undefined, undefined]);
      assert.equal(other, "folder 755");
      assert.deepEqual(await folder.inside(), folder.outside());
      await folder.undo(number);
      assert.equal(readFileSync(folder.at("a.txt"), "utf8"), "a\n");
      assert.equal(readFileSync(folder.at("sub/c.txt"), "utf8"), "c\n");
    },
  },
  {
    name: "keeps only some of a folder that was made anew",
    async run(open) {
      await using folder = await open({ prepare: fill });
      const pending = await folder.step(`shutil.rmtree("sub"); os.mkdir("sub"); put("sub/x", "x"); put("sub/y", "y")`);
      await pending.keep(facts, [folder.at("sub/x"), folder.at("sub/c.txt")]);
      const names = Object.keys(folder.outside()).filter((name) => name.startsWith("sub"));
      assert.deepEqual(names, ["sub", "sub/deep", "sub/deep/d.txt", "sub/x"]);
      assert.deepEqual(await folder.inside(), folder.outside());
    },
  },
  {
    name: "keeps a rename when only its new name is chosen",
    async run(open) {
      await using folder = await open({ prepare: fill });
      const pending = await folder.step(`os.rename("a.txt", "z.txt"); put("b.txt", "2")`);
      await pending.keep(facts, [folder.at("z.txt")]);
      const { "a.txt": old, "z.txt": young } = folder.outside();
      assert.equal(old, undefined);
      assert.ok(young);
      assert.equal(readFileSync(folder.at("b.txt"), "utf8"), "b\n");
      assert.deepEqual(await folder.inside(), folder.outside());
    },
  },
  {
    name: "takes back several steps on the same files",
    async run(open) {
      await using folder = await open({ prepare: fill });
      const trees = [folder.outside()];
      const numbers: (number | undefined)[] = [];
      for (const code of [
        `put("a.txt", "1"); os.mkdir("n")`,
        `put("n/f", "f"); os.rename("a.txt", "n/a")`,
        `shutil.rmtree("n"); put("n", "file now")`,
        `os.remove("n"); os.mkdir("n"); put("n/g", "g")`,
      ]) {
        numbers.push(await folder.kept(code));
        trees.push(folder.outside());
      }
      for (let at = numbers.length - 1; at >= 0; at--) {
        await folder.undo(numbers[at]);
        assert.deepEqual(folder.outside(), trees[at]);
      }
      await folder.redo(...numbers);
      assert.deepEqual(folder.outside(), trees.at(-1));
      await folder.protection.begin();
      assert.deepEqual(await folder.inside(), trees.at(-1));
      await folder.undo(...numbers);
      assert.deepEqual(folder.outside(), trees[0]);
    },
  },
];
