// Files of a sandbox are reached by this process, which could be led anywhere: links lead where they lead for the code, also while it
// exchanges them.

import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createComputer } from "../../src/computer/index.ts";
import { Sessions } from "../../src/languages/index.ts";
import { localMachine } from "../../src/machine/index.ts";

const why = process.platform === "linux" ? "" : "there is no /proc";

/** What code sees lies below a folder, as it does in a sandbox; what lies beside that is not for it. */
function desk() {
  const base = mkdtempSync(join(tmpdir(), "links-test-"));
  const [root, outside] = [join(base, "root"), join(base, "outside")];
  for (const folder of [join(root, "shop/real"), outside]) mkdirSync(folder, { recursive: true });
  for (const name of ["file", "file2"]) {
    writeFileSync(join(outside, name), "SECRET\n");
    writeFileSync(join(root, "shop/real", name), "ours\n");
  }
  // Without ripgrep, which is started where the code is.
  const env = { PATH: "" };
  const view = (path: string) => `${root}${path}`;
  const sessions = new Sessions([], { machine: localMachine, cwd: base, env });
  const onCall = createComputer({ sessions, machine: localMachine, view, env });
  return {
    base,
    root,
    outside,
    files: async (name: string, ...args: unknown[]) =>
      onCall(
        { module: "files", name, args, kwargs: {}, language: "python", cwd: "/shop" },
        new AbortController().signal,
        () => {},
      ),
    [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true }),
  };
}

type Desk = ReturnType<typeof desk>;

const outsideOf = ({ outside }: Desk) =>
  Object.fromEntries(readdirSync(outside).map((name) => [name, readFileSync(join(outside, name), "utf8")]));
const untouched = { file: "SECRET\n", file2: "SECRET\n" };

const calls: readonly [name: string, call: (it: Desk, way: string) => Promise<unknown>][] = [
  ["read", (it, way) => it.files("read", `${way}/file`)],
  ["list", (it, way) => it.files("list", way)],
  ["search", (it, way) => it.files("search", "SECRET|ours", way)],
  ["search in one file", (it, way) => it.files("search", "SECRET|ours", `${way}/file`)],
  ["find", (it, way) => it.files("find", "file", way)],
  ["write", (it, way) => it.files("write", `${way}/new`, "x")],
  ["write over", (it, way) => it.files("write", `${way}/file`, "ours\n")],
  ["write with folders", (it, way) => it.files("write", `${way}/deep/new`, "x")],
  ["edit", (it, way) => it.files("edit", `${way}/file`, "our", "our ")],
];

describe.skipIf(why)("a link that leads out", () => {
  for (const [name, call] of calls)
    test(`${name}: leads nowhere`, async () => {
      using it = desk();
      symlinkSync(it.outside, join(it.root, "shop/way"));
      const said = await call(it, "way").catch((error: Error) => error.message);
      expect(JSON.stringify(said)).not.toMatch(/SECRET|file2/);
      expect(outsideOf(it)).toEqual(untouched);
    });

  test("one within is followed, however it is written", async () => {
    using it = desk();
    symlinkSync("/shop/real", join(it.root, "shop/whole"));
    symlinkSync("../shop/real/../real", join(it.root, "shop/part"));
    symlinkSync("real/file", join(it.root, "shop/name"));
    for (const path of ["whole/file", "part/file", "name", "whole/../real/file"])
      expect(await it.files("read", path)).toBe("ours\n");
    expect(await it.files("write", "name", "theirs\n")).toContain("+theirs");
    expect(readFileSync(join(it.root, "shop/real/file"), "utf8")).toBe("theirs\n");
    expect(await it.files("write", "whole/deep/er/new", "x")).toContain("Made");
    expect(existsSync(join(it.root, "shop/real/deep/er/new"))).toBe(true);
  });

  test("one that leads in a circle is told", async () => {
    using it = desk();
    symlinkSync("/shop/circle", join(it.root, "shop/circle"));
    await expect(it.files("read", "circle/x")).rejects.toThrow("is a link that leads in a circle");
  });
});

/** Exchanges a folder and a link that leads out, and a file and a link, as fast as it can. */
const exchange = `
const fs = require("fs");
const [shop, outside] = process.argv.slice(1);
process.chdir(shop);
fs.mkdirSync("swap/deep/at", { recursive: true });
for (const name of ["file", "file2"]) fs.writeFileSync("swap/deep/at/" + name, "ours\\n");
console.log("now");
for (;;) {
  try { fs.renameSync("swap/deep/at", "swap/aside"); } catch {}
  try { fs.symlinkSync(outside, "swap/deep/at"); } catch {}
  try { fs.unlinkSync("swap/deep/at"); } catch {}
  try { fs.renameSync("swap/aside", "swap/deep/at"); } catch {}
  try { fs.symlinkSync(outside + "/file", "swap/next"); fs.renameSync("swap/next", "swap/deep/at/file"); } catch {}
  try { fs.writeFileSync("swap/next2", "ours\\n"); fs.renameSync("swap/next2", "swap/deep/at/file"); } catch {}
}`;

describe.skipIf(why)("a link that is exchanged meanwhile", () => {
  for (const [name, call] of calls)
    test(`${name}: never leads out`, { timeout: 60_000 }, async () => {
      using it = desk();
      const child = spawn(process.execPath, ["-e", exchange, join(it.root, "shop"), it.outside], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const ended = new Promise((resolve) => child.once("close", resolve));
      try {
        await new Promise((resolve) => child.stdout.once("data", resolve));
        let done = 0;
        for (let attempt = 0; attempt < 1_500; attempt++) {
          // A search goes into the folder by itself, the others are told where.
          const way = /^(search|find)$/.test(name) && attempt % 2 ? "swap" : "swap/deep/at";
          const said = await call(it, way).then(
            (value) => {
              done++;
              return JSON.stringify(value);
            },
            () => "",
          );
          expect(said).not.toContain("SECRET");
          if (/search/.test(name) && attempt > 150) break;
        }
        // Otherwise nothing would be shown by it.
        expect(done).toBeGreaterThan(0);
      } finally {
        child.kill("SIGKILL");
        await ended;
      }
      expect(outsideOf(it)).toEqual(untouched);
    });
});
