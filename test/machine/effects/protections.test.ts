// What must hold of every protection: as whoever runs the tests, and as an ordinary user where that is the administrator.

import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { whyNoLayer } from "../../support/protected-folder.ts";
import { opener, type Way } from "./cases/case.ts";
import { allCases } from "./cases/index.ts";
import { runProperty } from "./property/run.ts";

const noLayer = whyNoLayer();
const isRoot = process.getuid?.() === 0;
const script = join(import.meta.dirname, "run-as.ts");
/** Random operations of one run, and which: others with PROPERTY_SEED, thousands of them with PROPERTY_OPERATIONS. */
const operations = Number(process.env.PROPERTY_OPERATIONS ?? 150);
const seed = Number(process.env.PROPERTY_SEED ?? 7);

const someone = ["--reuid=65534", "--regid=65534", "--clear-groups"];
/** Why an ordinary user cannot run them: the tests' own folder may be closed to others. */
function whyNoOther(): string {
  if (!isRoot) return "the tests are not run by the administrator";
  const { status } = spawnSync("setpriv", [...someone, process.execPath, "--version"]);
  const readable = spawnSync("setpriv", [...someone, "test", "-r", script]).status === 0;
  return status === 0 && readable ? "" : "another user cannot read the tests";
}
const noOther = whyNoOther();

async function asOther(...args: string[]): Promise<Record<string, string>> {
  const home = mkdtempSync(join(tmpdir(), "other-home-"));
  spawnSync("chown", ["65534:65534", home]);
  try {
    const command = ["env", `HOME=${home}`, process.execPath, "--disable-warning=ExperimentalWarning", script, ...args];
    const { stdout } = await promisify(execFile)("setpriv", [...someone, ...command], { maxBuffer: 1 << 26 });
    return JSON.parse(stdout.trim().split("\n").at(-1)!) as Record<string, string>;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const notOk = (results: Record<string, string>) => Object.entries(results).filter(([, result]) => result !== "ok");

for (const way of ["layer", "checkpoint"] as const satisfies readonly Way[]) {
  const whyNot = way === "layer" ? noLayer : "";
  describe.skipIf(whyNot)(`${way}${whyNot && ` (${whyNot})`}`, () => {
    for (const { name, layerOnly, rootOnly, run } of allCases)
      test.skipIf((layerOnly && way !== "layer") || (rootOnly && !isRoot))(name, () => run(opener(way)), 120_000);

    test.skipIf(noOther)(`as an ordinary user${noOther && ` (${noOther})`}`, { timeout: 300_000 }, async () => {
      const results = await asOther("cases", way);
      expect(Object.keys(results).length).toBeGreaterThan(20);
      expect(notOk(results)).toEqual([]);
    });

    test("random operations, keeps, discards, undos and redos are as in a tree in memory", {
      timeout: 300_000,
    }, async () => {
      const tally = await runProperty({ way, seed, operations });
      expect(tally.operations).toBeGreaterThanOrEqual(operations);
    });

    test.skipIf(noOther)(
      `the same as an ordinary user${noOther && ` (${noOther})`}`,
      { timeout: 300_000 },
      async () => {
        expect(notOk(await asOther("property", way, String(seed), String(operations)))).toEqual([]);
      },
    );
  });
}
