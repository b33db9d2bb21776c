// What others do to the same folder meanwhile.

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { facts } from "../../../support/protected-folder.ts";
import { type Case, told } from "./case.ts";

function fill(folder: string): void {
  mkdirSync(join(folder, "sub"));
  for (const name of ["a", "b", "sub/c"]) writeFileSync(join(folder, name), `${name} at first`);
}

export const outside: Case[] = [
  {
    name: "what is changed from outside between two steps is seen inside",
    async run(open) {
      await using folder = await open({ prepare: fill });
      await folder.kept(`put("mine", "1"); put("sub/mine", "1"); put("a", "1"); result = tree()`);
      const edits: (() => void)[] = [
        () => writeFileSync(folder.at("a"), "written in place"),
        () => {
          writeFileSync(folder.at("b.new"), "replaced, as editors do");
          renameSync(folder.at("b.new"), folder.at("b"));
        },
        () => writeFileSync(folder.at("new"), "new"),
        () => rmSync(folder.at("sub/c")),
        () => writeFileSync(folder.at("sub/mine"), "changed what a step made"),
        () => rmSync(folder.at("mine")),
        () => chmodSync(folder.at("a"), 0o600),
        () => chmodSync(folder.at("sub"), 0o700),
        () => renameSync(folder.at("sub"), folder.at("moved")),
        () => symlinkSync("a", folder.at("sub")),
        () => {
          rmSync(folder.at("sub"));
          mkdirSync(folder.at("sub"));
          writeFileSync(folder.at("sub/again"), "again");
        },
        () => rmSync(folder.at("moved"), { recursive: true }),
      ];
      for (const edit of edits) {
        edit();
        const pending = await folder.step("result = tree()");
        assert.deepEqual(await folder.inside(), folder.outside());
        assert.deepEqual(told(pending.effects), []);
        await pending.keep(facts);
      }
    },
  },
  {
    name: "a file changed from outside during a step: the step's is kept, the other one comes back",
    async run(open) {
      await using folder = await open({ prepare: fill });
      await folder.protection.begin();
      await wait(10);
      await folder.hand.run(`put("a", "from the step"); result = read("b")`);
      if (folder.protection.kind === "layer") {
        writeFileSync(folder.at("a"), "from outside");
        writeFileSync(folder.at("new"), "also from outside");
      }
      const pending = await folder.protection.pending();
      assert.deepEqual(told(pending.effects), ["changed a"]);
      const { number } = await pending.keep(facts);
      assert.equal(readFileSync(folder.at("a"), "utf8"), "from the step");
      await folder.undo(number);
      if (folder.protection.kind !== "layer") return;
      assert.match(pending.effects.files[0]!.warning ?? "", /changed from outside/);
      assert.equal(readFileSync(folder.at("a"), "utf8"), "from outside");
      assert.equal(readFileSync(folder.at("new"), "utf8"), "also from outside");
    },
  },
  {
    name: "a file put into a folder that the step makes anew",
    layerOnly: true,
    async run(open) {
      await using folder = await open({ prepare: fill });
      await folder.protection.begin();
      await wait(10);
      await folder.hand.run(`shutil.rmtree("sub"); os.mkdir("sub"); put("sub/d", "d")`);
      writeFileSync(folder.at("sub/outside"), "mine");
      const pending = await folder.protection.pending();
      assert.deepEqual(told(pending.effects), ["created sub/d", "deleted sub/c"]);
      await pending.keep(facts);
      assert.deepEqual(Object.keys(folder.outside()), ["a", "b", "sub", "sub/d", "sub/outside"]);
      assert.deepEqual(await folder.inside(), folder.outside());
    },
  },
  {
    name: "undo leaves what was changed since alone, and says so",
    async run(open) {
      await using folder = await open({ prepare: fill });
      const number = await folder.kept(`put("a", "from the step"); put("b", "also")`);
      writeFileSync(folder.at("a"), "my own words");
      const { done, conflicts } = await folder.store.undo([number!]);
      assert.deepEqual(done, []);
      assert.deepEqual(
        conflicts.map(({ path }) => path),
        [folder.at("a")],
      );
      assert.equal(readFileSync(folder.at("a"), "utf8"), "my own words");
      assert.equal(readFileSync(folder.at("b"), "utf8"), "also");
    },
  },
  {
    name: "two of them over the same folder",
    async run(open) {
      await using one = await open({ prepare: fill });
      await using other = await open({ base: one.base });
      const mine = await one.step(`put("a", "one"); put("one", "1")`);
      const yours = await other.step(`put("b", "other"); put("other", "2"); shutil.rmtree("sub")`);
      if (one.protection.kind === "layer") {
        assert.deepEqual(told(mine.effects), ["changed a", "created one"]);
        assert.deepEqual(told(yours.effects), ["changed b", "created other", "deleted sub/"]);
      }
      const [first, second] = await Promise.all([mine.keep(facts), yours.keep(facts)]);
      assert.deepEqual(Object.keys(one.outside()), ["a", "b", "one", "other"]);
      for (const each of [one, other]) {
        await each.protection.begin();
        assert.deepEqual(await each.inside(), one.outside());
      }
      if (one.protection.kind !== "layer") return;
      assert.notEqual(first.number, second.number);
      await one.undo(second.number);
      await one.undo(first.number);
      assert.deepEqual(Object.keys(one.outside()), ["a", "b", "sub", "sub/c"]);
      await other.protection.begin();
      assert.deepEqual(await other.inside(), one.outside());
    },
  },
];
