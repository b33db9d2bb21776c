// Where a workspace may lie, and what may lie in it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { facts } from "../../../support/protected-folder.ts";
import { type Case, type Open, told } from "./case.ts";

const step = `put("a", "new"); os.remove("b"); os.mkdir("d"); put("d/f", "f"); os.symlink("a", "l")
f = open("holes", "wb"); f.truncate(3 << 20); f.close(); g = open("log", "a"); g.write("x"); g.flush()`;

/** A step that does a little of everything, kept, undone, put back and discarded. */
async function goesThrough(open: Open, options: Parameters<Open>[0]): Promise<void> {
  const prepare = (at: string) => {
    for (const name of ["a", "b"]) writeFileSync(join(at, name), "old");
  };
  await using folder = await open({ prepare, ...options });
  const before = folder.outside();
  const pending = await folder.step(step);
  const all = ["changed a", "created d/", "created holes", "created l", "created log", "deleted b"];
  assert.deepEqual(told(pending.effects), all);
  const { number, problems } = await pending.keep(facts);
  assert.deepEqual(problems, []);
  const after = folder.outside();
  assert.deepEqual(await folder.inside(), after);
  assert.ok(statSync(folder.at("holes")).blocks * 512 < 1_000_000, "holes stay holes");
  await folder.undo(number);
  assert.deepEqual(folder.outside(), before);
  await folder.redo(number);
  assert.deepEqual(folder.outside(), after);
  await folder.protection.begin();
  assert.deepEqual(await folder.inside(), after);
  await (await folder.step(`shutil.rmtree("d"); put("a", "newer"); g.close()`)).discard();
  assert.deepEqual(folder.outside(), after);
  assert.deepEqual(await folder.inside(), after);
}

const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["--no-optional-locks", "-c", "user.name=Ann", "-c", "user.email=ann@example.org", ...args], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, HOME: cwd, GIT_CONFIG_NOSYSTEM: "1" },
  }).trim();

export const places: Case[] = [
  ...["with, co:mma and back\\slash", "-'\"$HOME `x` ünï 🎉"].map(
    (name): Case => ({
      name: `a workspace that is called ${name}`,
      run: (open) => goesThrough(open, { name }),
    }),
  ),
  {
    name: "a workspace on another file system than what undo keeps",
    async run(open) {
      if (!existsSync("/dev/shm")) return;
      const base = mkdtempSync("/dev/shm/protected-");
      const data = mkdtempSync(join(tmpdir(), "protected-data-"));
      try {
        assert.notEqual(statSync(base).dev, statSync(data).dev, "this needs two file systems");
        await goesThrough(open, { base, data });
      } finally {
        rmSync(data, { recursive: true, force: true });
      }
    },
  },
  {
    name: "what undo keeps, in the workspace itself",
    async run(open) {
      const base = mkdtempSync(join(tmpdir(), "protected-"));
      const data = join(base, "work/.local/share/open-interpreter");
      mkdirSync(data, { recursive: true });
      await using folder = await open({ base, data, prepare: (at) => writeFileSync(join(at, "a"), "old") });
      const pending = await folder.step(`put("a", "new"); put("b", "b")`);
      assert.deepEqual(told(pending.effects), ["changed a", "created b"]);
      const { number } = await pending.keep(facts);
      assert.equal(readFileSync(folder.at("a"), "utf8"), "new");
      const next = await folder.step("pass");
      assert.deepEqual(told(next.effects), [], "what undo writes is no effect");
      await folder.undo(number);
      assert.equal(readFileSync(folder.at("a"), "utf8"), "old");
      assert.ok(!existsSync(folder.at("b")));
      await (await folder.step(`put("a", "newer")`)).discard();
      assert.equal(readFileSync(folder.at("a"), "utf8"), "old");
    },
  },
  {
    name: "a git repository",
    async run(open) {
      const prepare = (at: string) => {
        git(at, "init", "--quiet", "--initial-branch=main");
        for (let number = 0; number < 20; number++) writeFileSync(join(at, `file${number}`), `${number}\n`);
        git(at, "add", ".");
        git(at, "commit", "--quiet", "-m", "first");
      };
      await using folder = await open({ prepare });
      const head = git(folder.folder, "rev-parse", "HEAD");
      const number = await folder.kept(
        `run = lambda *words: subprocess.run(["git", "-c", "user.name=Ann", "-c", "user.email=ann@example.org", *words], check=True, capture_output=True)
put("file1", "changed\\n"); put("new", "n"); os.remove("file2"); run("add", "-A"); run("commit", "-m", "second"); run("gc", "--quiet"); run("checkout", "-b", "other")`,
      );
      assert.equal(git(folder.folder, "log", "--format=%s", "-1"), "second");
      assert.equal(git(folder.folder, "status", "--porcelain"), "");
      git(folder.folder, "fsck", "--strict");
      await folder.undo(number);
      assert.equal(git(folder.folder, "rev-parse", "HEAD"), head);
      assert.equal(git(folder.folder, "branch", "--format=%(refname:short)"), "main");
      assert.equal(git(folder.folder, "status", "--porcelain"), "");
      git(folder.folder, "fsck", "--strict");
      await folder.redo(number);
      assert.equal(git(folder.folder, "log", "--format=%s", "-1"), "second");
      git(folder.folder, "fsck", "--strict");
    },
  },
  {
    name: "another file system mounted in the workspace is seen, and said not to be covered",
    rootOnly: true,
    layerOnly: true,
    async run(open) {
      const base = mkdtempSync(join(tmpdir(), "protected-"));
      const mounted = join(base, "work/sub/other disk");
      mkdirSync(mounted, { recursive: true });
      execFileSync("mount", ["-t", "tmpfs", "none", mounted]);
      try {
        writeFileSync(join(mounted, "there"), "there");
        await using folder = await open({ base });
        assert.equal(await folder.hand.run(`result = read("sub/other disk/there")`), "there");
        const pending = await folder.step(`put("sub/other disk/new", "n"); put("sub/x", "x")`);
        assert.deepEqual(told(pending.effects), ["created sub/x"]);
        assert.match(pending.effects.uncovered.join(), /sub\/other disk\/ is another file system/);
        await pending.keep(facts);
        assert.equal(readFileSync(join(mounted, "new"), "utf8"), "n");
        // The kernel does not let go of the folder around it: more is done in there, again and again.
        for (const name of ["y", "z"])
          await folder.kept(`put("sub/${name}", "1"); os.remove("sub/x") if "${name}" == "y" else None`);
        assert.deepEqual(Object.keys(folder.outside()).slice(-2), ["sub/y", "sub/z"]);
        assert.deepEqual(await folder.inside(), folder.outside());
      } finally {
        execFileSync("umount", [mounted]);
        rmSync(base, { recursive: true, force: true });
      }
    },
  },
];
