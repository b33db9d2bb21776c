// Things that are no plain files and folders, or plain ones that are treated oddly.

import assert from "node:assert/strict";
import {
  chmodSync,
  closeSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { facts, treeOf } from "../../../support/protected-folder.ts";
import { type Case, told } from "./case.ts";

const giga = 1024 ** 3;

export const odd: Case[] = [
  {
    name: "a second name for a file stays a name of the same file",
    async run(open) {
      await using folder = await open({ prepare: (at) => writeFileSync(join(at, "a"), "a") });
      const pending = await folder.step(`os.link("a", "b"); put("c", "c"); os.mkdir("d"); os.link("c", "d/e")`);
      assert.deepEqual(told(pending.effects), ["created b", "created c", "created d/"]);
      const { number } = await pending.keep(facts);
      assert.deepEqual(treeOf(folder.folder).same, [
        ["a", "b"],
        ["c", "d/e"],
      ]);
      await folder.undo(number);
      assert.deepEqual(Object.keys(folder.outside()), ["a"]);
      await folder.redo(number);
      assert.deepEqual(treeOf(folder.folder).same, [
        ["a", "b"],
        ["c", "d/e"],
      ]);
    },
  },
  {
    name: "a name is kept together with the file that it is a name of",
    layerOnly: true,
    async run(open) {
      await using folder = await open({ prepare: (at) => writeFileSync(join(at, "a"), "a") });
      const pending = await folder.step(`os.link("a", "b"); put("c", "c")`);
      await pending.keep(facts, [folder.at("b")]);
      assert.deepEqual(treeOf(folder.folder).same, [["a", "b"]]);
      assert.deepEqual(Object.keys(folder.outside()), ["a", "b"]);
      assert.deepEqual(await folder.inside(), folder.outside());
    },
  },
  {
    name: "other names of a file that is changed keep what they have, and that is said",
    layerOnly: true,
    async run(open) {
      const prepare = (at: string) => {
        writeFileSync(join(at, "a"), "a");
        linkSync(join(at, "a"), join(at, "b"));
        // Somewhere else: a store of packages, say, that must not be changed by this.
        linkSync(join(at, "a"), join(at, "..", "elsewhere"));
      };
      await using folder = await open({ prepare });
      const before = treeOf(folder.folder);
      const pending = await folder.step(`os.remove("a"); put("a", "other")`);
      assert.deepEqual(told(pending.effects), ["changed a"]);
      assert.match(pending.effects.files[0]!.warning ?? "", /hard links/);
      const { number } = await pending.keep(facts);
      assert.equal(readFileSync(folder.at("a"), "utf8"), "other");
      assert.equal(readFileSync(folder.at("b"), "utf8"), "a");
      assert.equal(readFileSync(join(folder.base, "elsewhere"), "utf8"), "a");
      assert.deepEqual(await folder.inside(), folder.outside());
      await folder.undo(number);
      assert.deepEqual(treeOf(folder.folder), before);
    },
  },
  {
    name: "a large file with holes is not copied whole, and keeps its holes",
    async run(open) {
      const prepare = (at: string) => {
        const file = openSync(join(at, "big"), "w");
        ftruncateSync(file, 10 * giga);
        closeSync(file);
        writeFileSync(join(at, "small"), "s");
      };
      await using folder = await open({ prepare });
      const other = await folder.step(`put("small", "t")`);
      assert.deepEqual(told(other.effects), ["changed small"]);
      await other.keep(facts);
      const pending = await folder.step(`f = open("big", "r+b"); f.seek(5 << 30); f.write(b"x"); f.close()`);
      assert.deepEqual(told(pending.effects), ["changed big"]);
      const { number, problems } = await pending.keep(facts);
      assert.deepEqual(problems, []);
      const { size, blocks } = statSync(folder.at("big"));
      assert.equal(size, 10 * giga);
      assert.ok(blocks * 512 < 1_000_000, `${blocks} blocks`);
      assert.equal(
        await folder.hand.run(`f = open("big", "rb"); f.seek(5 << 30); result = f.read(1).decode(); f.close()`),
        "x",
      );
      await folder.undo(number);
      assert.ok(statSync(folder.at("big")).blocks * 512 < 1_000_000);
      await folder.protection.begin();
      assert.equal(
        await folder.hand.run(`f = open("big", "rb"); f.seek(5 << 30); result = f.read(1).decode(); f.close()`),
        "\0",
      );
    },
  },
  {
    name: "a large file is known to be changed, even when its size and time are not",
    async run(open) {
      const prepare = (at: string) => writeFileSync(join(at, "music"), Buffer.alloc(9 << 20, 1));
      await using folder = await open({ prepare });
      const pending = await folder.step(
        `was = os.stat("music"); f = open("music", "r+b"); f.write(b"tag"); f.close()
os.utime("music", ns=(was.st_atime_ns, was.st_mtime_ns))`,
      );
      assert.deepEqual(told(pending.effects), ["changed music"]);
      await pending.keep(facts);
      assert.equal(readFileSync(folder.at("music")).subarray(0, 3).toString(), "tag");
    },
  },
  {
    name: "a socket that a server listens on can still be reached",
    layerOnly: true,
    async run(open) {
      await using folder = await open();
      const pending = await folder.step(
        `import socket; s = socket.socket(socket.AF_UNIX); s.bind("sock"); s.listen(); os.mkdir("d"); t = socket.socket(socket.AF_UNIX); t.bind("d/sock"); t.listen()`,
      );
      assert.deepEqual(told(pending.effects), ["created d/", "created sock"]);
      const { problems } = await pending.keep(facts);
      assert.match(problems.join(), /sock is a socket/);
      const next = await folder.step(
        `for name in ["sock", "d/sock"]: socket.socket(socket.AF_UNIX).connect(name)
put("d/file", "f")`,
      );
      assert.deepEqual(told(next.effects), ["created d/file"]);
      await next.keep(facts);
      assert.equal(readFileSync(folder.at("d/file"), "utf8"), "f");
      const gone = await folder.step(`s.close(); t.close(); os.remove("sock"); os.remove("d/sock"); put("g", "")`);
      assert.deepEqual(told(gone.effects), ["created g"]);
      await gone.keep(facts);
      assert.deepEqual(Object.keys(folder.outside()), ["d", "d/file", "g"]);
      assert.deepEqual(await folder.inside(), folder.outside());
    },
  },
  {
    name: "permissions of the workspace itself",
    async run(open) {
      await using folder = await open({ prepare: (at) => chmodSync(at, 0o755) });
      const pending = await folder.step(`os.chmod(".", 0o750)`);
      assert.deepEqual(told(pending.effects), ["mode ./"]);
      await pending.discard();
      assert.equal(lstatSync(folder.folder).mode & 0o7777, 0o755);
      assert.equal(await folder.hand.run(`result = oct(os.stat(".").st_mode & 0o7777)`), "0o755");
      await (await folder.step(`os.chmod(".", 0o700)`)).keep(facts);
      assert.equal(lstatSync(folder.folder).mode & 0o7777, 0o700);
      chmodSync(folder.folder, 0o755);
      assert.deepEqual(told((await folder.step("pass")).effects), [], "what somebody else did is no effect of a block");
      assert.equal(await folder.hand.run(`result = oct(os.stat(".").st_mode & 0o7777)`), "0o755");
    },
  },
  {
    name: "permissions of a named pipe",
    layerOnly: true,
    async run(open) {
      await using folder = await open();
      await folder.kept(`os.mkfifo("pipe", 0o600)`);
      const pending = await folder.step(`os.chmod("pipe", 0o640)`);
      assert.deepEqual(told(pending.effects), ["mode pipe"]);
      await pending.keep(facts);
      assert.equal(lstatSync(folder.at("pipe")).mode & 0o7777, 0o640);
      assert.deepEqual(await folder.inside(), folder.outside());
    },
  },
  {
    name: "files whose names are no text are changed, deleted and brought back",
    async run(open) {
      const name = (text: string) => Buffer.from(text, "latin1");
      const prepare = (at: string) => {
        mkdirSync(name(`${at}/d\xff`));
        for (const file of ["a\xff", "b\xfe", "d\xff/c\xc3"]) writeFileSync(name(`${at}/${file}`), "old");
      };
      await using folder = await open({ prepare });
      const before = folder.outside();
      const pending = await folder.step(
        `put(b"a\\xff", "new"); os.remove(b"b\\xfe"); put(b"d\\xff/c\\xc3", "new"); put(b"d\\xff/e\\x80", "new")`,
      );
      const effects = ["changed a\udcff", "changed d\udcff/c\udcc3", "created d\udcff/e\udc80", "deleted b\udcfe"];
      assert.deepEqual(told(pending.effects), effects);
      const { number } = await pending.keep(facts);
      const after = folder.outside();
      assert.deepEqual(await folder.inside(), after);
      assert.equal(readFileSync(name(`${folder.folder}/a\xff`), "utf8"), "new");
      await folder.undo(number);
      assert.deepEqual(folder.outside(), before);
      await (await folder.step(`shutil.rmtree(b"d\\xff")`)).discard();
      assert.deepEqual(await folder.inside(), before);
    },
  },
  {
    name: "what is in folders that nobody may write in",
    async run(open) {
      const prepare = (at: string) => {
        mkdirSync(join(at, "closed/inner"), { recursive: true });
        writeFileSync(join(at, "closed/inner/f"), "old");
        writeFileSync(join(at, "closed/inner/g"), "same");
        for (const name of ["closed/inner", "closed"]) chmodSync(join(at, name), 0o555);
      };
      await using folder = await open({ prepare });
      const before = folder.outside();
      const pending = await folder.step(`put("closed/inner/f", "new"); put("closed/inner/g", "same")`);
      assert.ok(told(pending.effects).includes("changed closed/inner/f"));
      const { number } = await pending.keep(facts);
      assert.equal(readFileSync(folder.at("closed/inner/f"), "utf8"), "new");
      assert.deepEqual(await folder.inside(), folder.outside());
      await folder.undo(number);
      assert.deepEqual(folder.outside(), before);
      await (await folder.step(`put("closed/inner/f", "newer")`)).discard();
      assert.deepEqual(await folder.inside(), before);
      assert.deepEqual(folder.outside(), before);
    },
  },
  {
    name: "a folder that is closed after something in it was changed",
    // A checkpoint cannot look into it, and says so.
    layerOnly: true,
    async run(open) {
      const prepare = (at: string) => {
        mkdirSync(join(at, "sub"));
        writeFileSync(join(at, "sub/f"), "old");
      };
      await using folder = await open({ prepare });
      const pending = await folder.step(`put("sub/f", "new"); os.chmod("sub", 0)`);
      assert.deepEqual(told(pending.effects), ["changed sub/f", "mode sub/"]);
      const { problems } = await pending.keep(facts);
      const isClosed = (lstatSync(folder.at("sub")).mode & 0o7777) === 0;
      assert.notEqual(
        isClosed,
        problems.some((problem) => /stays open/.test(problem)),
        "closed, or it is said",
      );
      chmodSync(folder.at("sub"), 0o755);
      assert.equal(readFileSync(folder.at("sub/f"), "utf8"), "new");
      await folder.protection.begin();
      assert.deepEqual(await folder.inside(), folder.outside());
    },
  },
  {
    name: "a file that was only touched does not hide what somebody writes into it later",
    async run(open) {
      const prepare = (at: string) => {
        writeFileSync(join(at, "f"), "same");
        utimesSync(join(at, "f"), 1e9, 1e9);
      };
      await using folder = await open({ prepare });
      await (await folder.step(`put("f", "same")`)).discard();
      writeFileSync(folder.at("f"), "from outside");
      await folder.protection.begin();
      assert.equal(await folder.hand.run(`result = read("f")`), "from outside");
      await (await folder.step(`put("f", "from outside"); put("g", "")`)).keep(facts);
      truncateSync(folder.at("f"), 4);
      await folder.protection.begin();
      assert.equal(await folder.hand.run(`result = read("f")`), "from");
    },
  },
  {
    name: "owners and groups that the administrator changes",
    layerOnly: true,
    rootOnly: true,
    async run(open) {
      const prepare = (at: string) => {
        writeFileSync(join(at, "f"), "f");
        mkdirSync(join(at, "d"));
      };
      await using folder = await open({ prepare });
      const pending = await folder.step(`os.chown("f", 1, 2); os.chown("d", 3, 4)`);
      assert.deepEqual(told(pending.effects), ["changed f"]);
      assert.match(pending.effects.uncovered.join(), /d\/ belongs to another user or group/);
      const { number } = await pending.keep(facts);
      const owners = (name: string) => [lstatSync(folder.at(name)).uid, lstatSync(folder.at(name)).gid];
      assert.deepEqual(
        [owners("f"), owners("d")],
        [
          [1, 2],
          [3, 4],
        ],
      );
      await folder.undo(number);
      assert.deepEqual(owners("f"), [0, 0]);
    },
  },
];
