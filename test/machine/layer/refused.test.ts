// Where there can be no layer, it is said why, and checkpoints take over.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openLayer } from "../../../src/machine/layer/open.ts";
import { openUndoStore } from "../../../src/machine/undo/store.ts";
import { ProtectedFolder, whyNoLayer } from "../../support/protected-folder.ts";

const noLayer = whyNoLayer();
const protectScript = `
const [, data, folder] = process.argv;
const { protect } = await import(${JSON.stringify(join(import.meta.dirname, "../../../src/machine/effects/protect.ts"))});
const { protection } = await protect({ folders: [folder], data, wanted: "auto", plan: false, limit: 1e9, asks: false });
console.log(JSON.stringify({ kind: protection.kind, why: protection.why }));
await protection.close();
process.exit(0);
`;

/** What protects a folder when somebody else asks. */
function protectedFor(command: readonly string[], base: string): { kind: string; why?: string } {
  const node = [process.execPath, "--disable-warning=ExperimentalWarning", "--input-type=module", "-e", protectScript];
  const [program, ...args] = [...command, ...node, join(base, "data"), join(base, "work")];
  const { stdout, stderr } = spawnSync(program!, args, { encoding: "utf8", cwd: "/" });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as { kind: string; why?: string };
}

const someone = ["setpriv", "--reuid=64123", "--regid=64123", "--clear-groups"];
const isRoot = process.getuid?.() === 0;
const canBeSomeone =
  isRoot && spawnSync(someone[0]!, [...someone.slice(1), process.execPath, "--version"]).status === 0;

describe.skipIf(noLayer !== "")(`a layer that cannot be${noLayer && ` (skipped: ${noLayer})`}`, () => {
  test("over a folder of the system", async () => {
    const data = mkdtempSync(join(realpathSync(tmpdir()), "refused-"));
    const store = openUndoStore({ data, roots: ["/"], limit: 1e9 });
    expect(await openLayer({ roots: ["/"], store, limit: 1e9, asks: false })).toBe("/ belongs to the system.");
    rmSync(data, { recursive: true });
  });

  test("in a layer: what code starts there has checkpoints", async () => {
    await using folder = await ProtectedFolder.open();
    const script = protectScript.replaceAll("\\", "\\\\");
    const said = await folder.hand.run(
      `done = subprocess.run([${JSON.stringify(process.execPath)}, "--disable-warning=ExperimentalWarning", "--input-type=module", "-e", ${JSON.stringify(script)}, ${JSON.stringify(join(folder.base, "other"))}, "."], capture_output=True, text=True); result = done.stdout or done.stderr`,
    );
    expect(JSON.parse(said as string)).toMatchObject({ kind: "checkpoint", why: expect.stringContaining("overlay") });
  });

  test.skipIf(!canBeSomeone)("over files of another group, for an ordinary user", () => {
    const base = mkdtempSync("/var/tmp/refused-");
    try {
      mkdirSync(join(base, "work"));
      mkdirSync(join(base, "data"));
      writeFileSync(join(base, "work", "ours"), "");
      execFileSync("chown", ["-R", "64123:64123", base]);
      expect(protectedFor(someone, base).kind).toBe("layer");
      execFileSync("chgrp", ["12", join(base, "work", "ours")]);
      expect(protectedFor(someone, base)).toEqual({
        kind: "checkpoint",
        why: "ours belongs to another user or group.",
      });
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  });

  test.skipIf(!isRoot)("where namespaces are refused", () => {
    const base = mkdtempSync("/var/tmp/refused-");
    try {
      mkdirSync(join(base, "work"));
      // Nobody may make a further one in there.
      const command = ["unshare", "-Ur", "sh", "-c", 'echo 0 > /proc/sys/user/max_mnt_namespaces; exec "$@"', "sh"];
      const { kind, why } = protectedFor(command, base);
      expect(kind).toBe("checkpoint");
      expect(why).toMatch(/^Namespaces are not allowed here: .*\.$/);
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  });
});
