// What a step costs grows with what it changes, not with the folder: the same number of calls to the file system among few files
// and among many.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { facts, ProtectedFolder, whyNoLayer } from "../../support/protected-folder.ts";

const noLayer = whyNoLayer();

const watched = [
  "lstatSync",
  "statSync",
  "readdirSync",
  "opendirSync",
  "openSync",
  "readlinkSync",
  "readFileSync",
] as const;

/** How often the file system is asked about that folder meanwhile, from this process. */
async function callsFor(folder: string, work: () => Promise<void>): Promise<number> {
  const originals = watched.map((name) => [name, fs[name]] as const);
  let calls = 0;
  for (const [name, original] of originals) {
    const counted = (...args: unknown[]) => {
      if (String(args[0]).includes(folder)) calls++;
      return (original as (...args: unknown[]) => unknown)(...args);
    };
    Object.assign(fs, { [name]: counted });
  }
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    Object.assign(fs, Object.fromEntries(originals));
    syncBuiltinESMExports();
  }
  return calls;
}

async function callsAmong(files: number): Promise<number> {
  const prepare = (at: string) => {
    fs.mkdirSync(join(at, "many"));
    const make = `seq ${files - 1} | xargs touch`;
    execFileSync("sh", ["-c", make], { cwd: join(at, "many") });
    fs.writeFileSync(join(at, "many", "0"), "old");
  };
  // A file system in memory, where so many files take no time.
  const base = fs.mkdtempSync(fs.existsSync("/dev/shm") ? "/dev/shm/cost-" : "/tmp/cost-");
  await using folder = await ProtectedFolder.open({ base, prepare });
  const calls = await callsFor(base, async () => {
    const pending = await folder.step(`put("many/0", "new"); put("many/new", "n"); os.remove("many/1")`);
    expect(pending.effects.files).toHaveLength(3);
    const { number } = await pending.keep(facts);
    await (await folder.step(`put("many/0", "newer")`)).discard();
    await folder.undo(number);
    await folder.protection.begin();
  });
  expect(fs.readFileSync(folder.at("many/0"), "utf8")).toBe("old");
  return calls;
}

describe.skipIf(noLayer !== "")(`the cost of a step${noLayer && ` (skipped: ${noLayer})`}`, () => {
  test("is the same among 100 000 files as among 100", async () => {
    const few = await callsAmong(100);
    expect(few).toBeGreaterThan(20);
    expect(await callsAmong(100_000)).toBe(few);
  });
});
