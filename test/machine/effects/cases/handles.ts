// Programs that go on holding files and folders when a step is kept, discarded or undone.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { facts } from "../../../support/protected-folder.ts";
import { type Case, told } from "./case.ts";

export const handles: Case[] = [
  {
    name: "a file that stays open for writing is caught again in each step",
    async run(open) {
      await using folder = await open();
      const first = await folder.kept(`log = open("log", "a"); log.write("one\\n"); log.flush()`);
      assert.equal(readFileSync(folder.at("log"), "utf8"), "one\n");
      assert.deepEqual(told((await folder.step("pass")).effects), []);
      const pending = await folder.step(`log.write("two\\n"); log.flush()`);
      assert.deepEqual(told(pending.effects), ["changed log"]);
      const second = (await pending.keep(facts)).number;
      assert.equal(readFileSync(folder.at("log"), "utf8"), "one\ntwo\n");
      await folder.kept(`log.close()`);
      assert.deepEqual(await folder.inside(), folder.outside());
      await folder.undo(second);
      assert.equal(readFileSync(folder.at("log"), "utf8"), "one\n");
      await folder.undo(first);
      assert.ok(!existsSync(folder.at("log")));
      await folder.protection.begin();
      assert.deepEqual(await folder.inside(), {});
    },
  },
  {
    name: "what is written between two steps belongs to the next one",
    async run(open) {
      await using folder = await open();
      await folder.kept(`log = open("log", "a"); log.write("one\\n"); log.flush()`);
      await folder.hand.run(`log.write("between\\n"); log.close()`);
      const pending = await folder.step("pass");
      if (folder.protection.kind === "layer") {
        assert.deepEqual(told(pending.effects), ["changed log"]);
        await pending.keep(facts);
      }
      assert.equal(readFileSync(folder.at("log"), "utf8"), "one\nbetween\n");
      assert.deepEqual(await folder.inside(), folder.outside());
    },
  },
  {
    name: "a database that stays connected",
    async run(open) {
      await using folder = await open();
      const first = await folder.kept(
        `import sqlite3; db = sqlite3.connect("data.db", isolation_level=None); db.execute("create table t (x)"); db.execute("insert into t values (1)")`,
      );
      const second = await folder.kept(`db.execute("insert into t values (2)")`);
      await folder.kept(`db.execute("pragma journal_mode = wal"); db.execute("insert into t values (3)")`);
      await folder.kept(`db.execute("insert into t values (4)"); db.close()`);
      const rows = `other = sqlite3.connect("data.db"); result = [x for (x,) in other.execute("select x from t")]; other.close()`;
      assert.deepEqual(await folder.hand.run(rows), [1, 2, 3, 4]);
      assert.deepEqual(await folder.inside(), folder.outside());
      const all = folder.store.list().map(({ number }) => number);
      await folder.undo(...all.filter((number) => number > second!));
      await folder.protection.begin();
      assert.deepEqual(await folder.hand.run(rows), [1, 2]);
      await folder.undo(second, first);
      assert.deepEqual(folder.outside(), {});
    },
  },
  {
    name: "a file that is written to through memory",
    // Elsewhere such writes show only when the system has brought them to the disk.
    layerOnly: true,
    async run(open) {
      const prepare = (at: string) => writeFileSync(join(at, "f"), "0".repeat(10_000));
      await using folder = await open({ prepare });
      await folder.kept(`f = open("f", "r+b"); m = mmap.mmap(f.fileno(), 0); m[0:1] = b"1"`);
      assert.equal(readFileSync(folder.at("f"), "utf8").slice(0, 3), "100");
      // The same page once more, and another one.
      for (const [place, shown] of [
        [1, "120"],
        [2, "122"],
      ] as const) {
        const pending = await folder.step(`m[${place}:${place + 1}] = b"2"`);
        assert.deepEqual(told(pending.effects), ["changed f"]);
        await pending.keep(facts);
        assert.equal(readFileSync(folder.at("f"), "utf8").slice(0, 3), shown);
      }
      await folder.kept(`m[9000:9001] = b"3"; m.close(); f.close()`);
      assert.equal(readFileSync(folder.at("f"), "utf8")[9000], "3");
      assert.deepEqual(await folder.inside(), folder.outside());
    },
  },
  {
    name: "a process that stands in a folder that the step made",
    async run(open) {
      await using folder = await open();
      const first = await folder.kept(
        `os.mkdir("d"); os.chdir("d"); put("a", "1"); os.mkdir("inner"); put("inner/x", "x")`,
      );
      assert.deepEqual(await folder.inside(), folder.outside());
      await folder.kept(`put("b", "2"); os.remove("a"); put("inner/x", "y"); os.rename("inner", "inner2")`);
      assert.deepEqual(Object.keys(folder.outside()), ["d", "d/b", "d/inner2", "d/inner2/x"]);
      assert.deepEqual(await folder.inside(), folder.outside());
      await (await folder.step(`put("b", "dropped"); put("c", "dropped"); shutil.rmtree("inner2")`)).discard();
      assert.deepEqual(await folder.inside(), folder.outside());
      assert.equal(readFileSync(folder.at("d/b"), "utf8"), "2");
      const last = await folder.kept(`put("c", "3"); os.chdir("..")`);
      assert.deepEqual(await folder.inside(), folder.outside());
      writeFileSync(folder.at("d/outside"), "seen");
      await folder.protection.begin();
      assert.deepEqual(await folder.inside(), folder.outside());
      await folder.undo(last);
      assert.equal(
        (await folder.store.undo([first!])).conflicts.length,
        1,
        "a file that somebody put there is not deleted",
      );
    },
  },
  {
    name: "nothing that somebody puts into such a folder is taken for deleted",
    async run(open) {
      const prepare = (at: string) => {
        mkdirSync(join(at, "build"));
        writeFileSync(join(at, "build/out"), "1");
      };
      await using folder = await open({ prepare });
      const again = `os.chdir(${JSON.stringify(folder.folder)}); shutil.rmtree("build"); os.mkdir("build"); os.chdir("build"); put("out", "2")`;
      await folder.kept(again);
      writeFileSync(folder.at("build/notes"), "mine");
      const pending = await folder.step(`put("more", "3")`);
      assert.deepEqual(told(pending.effects), ["created build/more"]);
      await pending.keep(facts);
      assert.deepEqual(Object.keys(folder.outside()), ["build", "build/more", "build/notes", "build/out"]);
      await folder.kept(`os.chdir("..")`);
      await folder.protection.begin();
      assert.deepEqual(await folder.inside(), folder.outside());
    },
  },
  {
    name: "a process that stands in a folder that was there before",
    async run(open) {
      const prepare = (at: string) => {
        mkdirSync(join(at, "sub/deep"), { recursive: true });
        writeFileSync(join(at, "sub/f"), "1");
      };
      await using folder = await open({ prepare });
      await folder.kept(`os.chdir("sub/deep"); put("a", "1"); put("../f", "2")`);
      assert.deepEqual(await folder.inside(), folder.outside());
      writeFileSync(folder.at("sub/deep/outside"), "o");
      writeFileSync(folder.at("sub/f"), "outside");
      const pending = await folder.step(`result = (os.listdir("."), read("../f"))`);
      assert.deepEqual(await folder.inside(), folder.outside());
      await pending.discard();
      await folder.kept(`os.remove("a"); put("b", "2")`);
      assert.deepEqual(await folder.inside(), folder.outside());
      assert.deepEqual(Object.keys(folder.outside()), ["sub", "sub/deep", "sub/deep/b", "sub/deep/outside", "sub/f"]);
    },
  },
  {
    name: "a program in the background that goes on writing",
    async run(open) {
      await using folder = await open();
      const writer = `import time
with open("log", "w", buffering=1) as f:
    for n in range(400):
        f.write(f"{n}\\\\n"); time.sleep(0.001)
open("done", "w").close()`;
      const pending = await folder.step(
        `import time; p = subprocess.Popen([sys.executable, "-c", """${writer}"""])
while not os.path.exists("log") or os.path.getsize("log") < 20: time.sleep(0.001)`,
      );
      await pending.keep(facts);
      for (let round = 0; round < 5; round++) await folder.kept("time.sleep(0.02)");
      await folder.kept("p.wait()");
      await folder.kept("pass");
      const whole = Array.from({ length: 400 }, (_, number) => `${number}\n`).join("");
      assert.equal(readFileSync(folder.at("log"), "utf8"), whole);
      assert.deepEqual(await folder.inside(), folder.outside());
    },
  },
  {
    name: "the last words of a program that ends between two steps",
    layerOnly: true,
    async run(open) {
      await using folder = await open();
      // It writes once more, whenever that is, and never again: also right while the step is being kept.
      for (let delay = 0; delay < 12; delay++) {
        const pending = await folder.step(
          `f = open("log${delay}", "w"); f.write("first "); f.flush()
import threading, time
t = threading.Timer(0.001 * ${delay}, lambda: (f.write("last"), f.close())); t.start()`,
        );
        await pending.keep(facts);
        await folder.hand.run("t.join()");
      }
      await folder.kept("pass");
      for (let delay = 0; delay < 12; delay++)
        assert.equal(readFileSync(folder.at(`log${delay}`), "utf8"), "first last", `after ${delay} ms`);
    },
  },
  {
    name: "a discard while files of the step are open",
    async run(open) {
      const prepare = (at: string) => writeFileSync(join(at, "old"), "old");
      await using folder = await open({ prepare });
      const before = folder.outside();
      const pending = await folder.step(
        `f = open("old", "a"); f.write("x"); f.flush(); g = open("new", "w"); g.write("y"); g.flush(); os.mkdir("d"); os.chdir("d")`,
      );
      const { problems } = await pending.discard();
      assert.deepEqual(folder.outside(), before);
      if (folder.protection.kind === "layer") {
        assert.match(problems.join(), /still has .*new open: what it writes there from now on is lost/);
        assert.match(problems.join(), /still has old open\. Unless it appends to it, empty bytes will stand where/);
        assert.deepEqual(await folder.inside(), before, "while they are open");
        const next = await folder.step(`f.write("z"); f.flush()`);
        assert.deepEqual(
          told(next.effects),
          ["changed old"],
          "a file that was there before is still the one that is open",
        );
        await next.keep(facts);
        assert.equal(readFileSync(folder.at("old"), "utf8"), "oldz");
      }
      await folder.hand.run(`f.close(); g.close()`, folder.folder);
      await folder.kept(`put("new", "n"); put("old", "o")`);
      assert.deepEqual(Object.keys(folder.outside()), ["new", "old"]);
      assert.deepEqual(await folder.inside(), folder.outside());
    },
  },
  {
    name: "a discard of files that were open when they were deleted or renamed",
    layerOnly: true,
    async run(open) {
      const prepare = (at: string) => {
        for (const name of ["a", "b", "c", "f"]) writeFileSync(join(at, name), `${name} at first`);
      };
      await using folder = await open({ prepare });
      const before = folder.outside();
      const change = `held = [open(n, "r+") for n in ["a", "b", "c"]]
for f in held: f.write("changed and longer than before"); f.flush()
os.remove("a"); os.rename("b", "f"); os.replace("c", "c2")`;
      await (await folder.step(change)).discard();
      assert.deepEqual(folder.outside(), before);
      assert.deepEqual(await folder.inside(), before);
      const number = await folder.kept(change);
      await folder.undo(number);
      await folder.protection.begin();
      assert.deepEqual(folder.outside(), before);
      assert.deepEqual(await folder.inside(), before);
      await folder.kept(`put("a", "1"); put("b", "2"); [f.close() for f in held]`);
      assert.deepEqual(await folder.inside(), folder.outside());
      assert.equal(readFileSync(folder.at("a"), "utf8"), "1");
    },
  },
  {
    name: "a discard of a folder that was deleted while something in it was open is told where it cannot be seen",
    layerOnly: true,
    async run(open) {
      const prepare = (at: string) => {
        mkdirSync(join(at, "d"));
        writeFileSync(join(at, "d/e"), "e");
      };
      await using folder = await open({ prepare });
      const before = folder.outside();
      const pending = await folder.step(`f = open("d/e", "a"); f.write("x"); f.flush(); shutil.rmtree("d")`);
      const { problems } = await pending.discard();
      assert.match(problems.join(), /d cannot be seen as it is until the programs/);
      assert.deepEqual(folder.outside(), before);
      await folder.hand.run("f.close()");
      await folder.protection.begin();
      assert.deepEqual(await folder.inside(), before);
    },
  },
  {
    name: "a folder that somebody deletes while something in it is open is told where it is still seen",
    layerOnly: true,
    async run(open) {
      const prepare = (at: string) => {
        mkdirSync(join(at, "d"));
        writeFileSync(join(at, "d/e"), "e");
      };
      await using folder = await open({ prepare });
      await folder.kept(`f = open("d/e", "a")`);
      rmSync(folder.at("d"), { recursive: true });
      const pending = await folder.step("pass");
      assert.deepEqual(told(pending.effects), []);
      assert.match(pending.effects.uncovered.join(), /d cannot be seen as it is until the programs/);
      await folder.kept("f.close()");
      await folder.protection.begin();
      assert.deepEqual(await folder.inside(), {});
      assert.deepEqual(folder.outside(), {});
    },
  },
  {
    name: "a file that stays open does not become real under its other name",
    layerOnly: true,
    async run(open) {
      await using folder = await open({ prepare: (at) => writeFileSync(join(at, "a"), "a") });
      await folder.kept(
        `f = open("a", "a"); os.link("a", "b"); os.mkdir("d"); os.link("a", "d/c"); os.chdir("d"); f.write("1"); f.flush()`,
      );
      for (const name of ["a", "b", "d/c"]) assert.equal(readFileSync(folder.at(name), "utf8"), "a1");
      await folder.protection.begin();
      await folder.hand.run(`f.write("2"); f.flush(); put("c", "3", "a")`);
      for (const name of ["a", "b", "d/c"])
        assert.equal(readFileSync(folder.at(name), "utf8"), "a1", "nothing is real before it is kept");
      await (await folder.protection.pending()).discard();
      assert.deepEqual(await folder.inside(), folder.outside());
    },
  },
  {
    name: "an undo while files of the step are open",
    async run(open) {
      await using folder = await open();
      const first = await folder.kept(
        `f = open("log", "a"); f.write("one\\n"); f.flush(); os.mkdir("d"); os.chdir("d"); put("x", "x")`,
      );
      await folder.undo(first);
      const pending = await folder.step("pass");
      assert.deepEqual(folder.outside(), {});
      assert.deepEqual(await folder.inside(), {}, "what was taken back is not there any more");
      if (folder.protection.kind === "layer")
        assert.match(pending.effects.uncovered.join(), /log was deleted while a program had it open/);
      await folder.redo(first);
      await folder.protection.begin();
      assert.deepEqual(await folder.inside(), folder.outside());
    },
  },
];
