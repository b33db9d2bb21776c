// Renaming folders inside the write layer, which refuses it with EXDEV: Python and JavaScript do it all the same.

import { chmodSync, linkSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Language } from "../../src/languages/index.ts";
import { javascript } from "../../src/languages/javascript/index.ts";
import { python } from "../../src/languages/python/index.ts";
import { type As, makeOverlay, whyNoOverlay } from "../support/overlay.ts";
import { startSession, type TestSession } from "../support/session.ts";

/** A folder with what is easily lost on the way. */
function fill(folder: string): void {
  mkdirSync(join(folder, "old/deep"), { recursive: true });
  writeFileSync(join(folder, "old/deep/run.sh"), "echo hi\n");
  chmodSync(join(folder, "old/deep/run.sh"), 0o750);
  linkSync(join(folder, "old/deep/run.sh"), join(folder, "old/same.sh"));
  symlinkSync("nowhere", join(folder, "old/dangling"));
  symlinkSync("deep", join(folder, "old/link"));
  for (const path of ["old/deep/run.sh", "old/deep"]) utimesSync(join(folder, path), 1_000_000_000, 1_000_000_000);
  chmodSync(join(folder, "old/deep"), 0o711);
  mkdirSync(join(folder, "empty"));
  mkdirSync(join(folder, "full"));
  writeFileSync(join(folder, "full/file"), "");
}

/** What a shell sees of it. */
const list =
  "cd $1 && find . | sort | xargs stat -c '%n %F %a %Y %h' | sed -E 's/^(\\.|\\.\\/link|\\.\\/dangling) ([a-z ]+) [0-9]+ [0-9]+/\\1 \\2/'";

const kept = `. directory 3
./dangling symbolic link 1
./deep directory 711 1000000000 2
./deep/run.sh regular file 750 1000000000 2
./link symbolic link 1
./same.sh regular file 750 1000000000 2`;

const renames: {
  language: Language;
  ways: Record<string, (from: string, to: string) => string>;
  shell: (command: string) => string;
}[] = [
  {
    language: python,
    ways: {
      "os.rename": (from, to) => `import os; os.rename('${from}', '${to}')`,
      "os.replace": (from, to) => `import os; os.replace(b'${from}', b'${to}/')`,
      "Path.rename": (from, to) => `from pathlib import Path; Path('${from}').rename('${to}')`,
      "os.renames": (from, to) => `import os; os.renames('${from}', '${to}')`,
    },
    shell: (command) =>
      `import subprocess; print(subprocess.run(${JSON.stringify(command)}, shell=True, stdout=-1, text=True).stdout)`,
  },
  {
    language: javascript,
    ways: {
      renameSync: (from, to) => `import { renameSync } from 'node:fs'; renameSync('${from}', '${to}')`,
      "fs.promises": (from, to) => `await require('fs').promises.rename('${from}', '${to}')`,
      "fs/promises": (from, to) => `import { rename as move } from 'fs/promises'; await move('${from}', '${to}')`,
      callback: (from, to) =>
        `import fs from 'fs'; await new Promise((done, fail) => fs.rename('${from}', '${to}', (error) => error ? fail(error) : done()))`,
    },
    shell: (command) =>
      `console.log(require('child_process').execFileSync('sh', ['-c', ${JSON.stringify(command)}], { encoding: 'utf8' }))`,
  },
];

const users = (["root", "user"] as As[]).map((as) => ({ as, why: whyNoOverlay(as) }));

describe.each(users)("as $as ($why)", ({ as, why }) => {
  describe.each(renames)("$language.name", ({ language, ways, shell }) => {
    async function withSession<T>(work: (session: TestSession) => Promise<T>, layer = "1"): Promise<T> {
      using overlay = makeOverlay(as);
      fill(overlay.folder);
      const env = { ...process.env, _OI_LAYER: layer };
      const { folder: cwd, machine } = overlay;
      await using session = await startSession(language, [], env, { machine, cwd });
      return await work(session);
    }
    const seen = async (session: TestSession, path: string) =>
      (await session.run(shell(list.replace("$1", path)))).stdout.trim();
    const names = async (session: TestSession) => (await session.run(shell("ls -A"))).stdout.trim().split("\n");

    test.skipIf(why).each(Object.entries(ways))(
      "%s keeps modes, times and links, and leaves nothing behind",
      async (_, way) => {
        await withSession(async (session) => {
          expect((await session.run(way("old", "new"))).error?.traceback).toBeUndefined();
          expect(await seen(session, "new")).toBe(kept);
          expect(await names(session)).toEqual(["empty", "full", "new"]);
          // A folder that the layer itself has made goes the quick way, and one that is empty gives its place.
          expect((await session.run(way("new", "empty"))).error?.traceback).toBeUndefined();
          expect(await seen(session, "empty")).toBe(kept);
        });
      },
    );

    test.skipIf(why)(
      "a folder that is not empty, a folder inside itself and another file system are refused",
      async () => {
        await withSession(async (session) => {
          for (const way of Object.values(ways)) {
            expect((await session.run(way("old", "full"))).error?.message).toMatch(/not empty/i);
            expect((await session.run(way("old", "old/deep/x"))).error?.message).toMatch(/invalid argument/i);
            expect((await session.run(way("old", join(tmpdir(), "elsewhere")))).error?.message).toMatch(
              /cross-device/i,
            );
          }
          expect(await names(session)).toEqual(["empty", "full", "old"]);
          expect(await seen(session, "old")).toBe(kept);
        });
      },
    );

    test.skipIf(why)("where there is no room for a copy, everything is as it was", async () => {
      await withSession(async (session) => {
        await session.run(
          shell("mkdir bin; printf '#!/bin/sh\\necho no room >&2; mkdir \"$4\"; exit 1' > bin/cp; chmod +x bin/cp"),
        );
        const path = "process.env.PATH = `${process.cwd()}/bin:${process.env.PATH}`";
        await session.run(
          language === python ? "import os; os.environ['PATH'] = os.getcwd() + '/bin:' + os.environ['PATH']" : path,
        );
        for (const way of Object.values(ways))
          expect((await session.run(way("old", "new"))).error?.message).toMatch(/no room/);
        expect(await names(session)).toEqual(["bin", "empty", "full", "old"]);
      });
    });

    test.skipIf(why)("without a layer, nothing is done about it", async () => {
      await withSession(async (session) => {
        for (const way of Object.values(ways))
          expect((await session.run(way("old", "new"))).error?.message).toMatch(/cross-device/i);
      }, "auto");
    });
  });
});
