// Whatever blocks do to files, what is decided about them comes true: random operations against what the tree has to be.

import { spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { randomBlocks } from "./random-blocks.ts";

const isRoot = process.getuid?.() === 0;
const folder = (): string => mkdtempSync(join(realpathSync(tmpdir()), "random-blocks-"));

/** A failure names the seed that brings it about again; with others here, other things happen. */
const first = Number(process.env.SEED ?? 0);

test.each([1, 2, 3, 4])("as the user who runs this (%i)", { timeout: 300_000 }, async (number) => {
  await randomBlocks(first + number, 80, folder());
});

test.runIf(isRoot).each([5, 6, 7])("as an ordinary user (%i)", { timeout: 300_000 }, (number) => {
  const nobody = 65_534;
  const place = folder();
  chownSync(place, nobody, nobody);
  const program = join(import.meta.dirname, "random-blocks.ts");
  const as = [`--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups", process.execPath];
  const { stdout, stderr } = spawnSync("setpriv", [...as, program, String(first + number), "80", place], {
    encoding: "utf8",
    cwd: "/",
  });
  rmSync(place, { recursive: true, force: true });
  expect(stderr).toBe("");
  expect(stdout).toBe("all as it has to be\n");
});

const memory = statSync("/dev/shm", { throwIfNoEntry: false });

const isApart = memory !== undefined && memory.dev !== statSync(tmpdir()).dev;

test.runIf(isApart)("with the workspace on another file system", { timeout: 300_000 }, async () => {
  const [place, data] = [mkdtempSync("/dev/shm/random-blocks-"), folder()];
  await randomBlocks(first + 8, 80, place, data);
  rmSync(data, { recursive: true });
});
