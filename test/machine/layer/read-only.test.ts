// With --plan, code can look at everything and write nowhere but where temporary files are.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ProtectedFolder, whyNoLayer } from "../../support/protected-folder.ts";

const noLayer = whyNoLayer();
const refusal = /Read-only file system|Permission denied/;

describe.skipIf(noLayer !== "")(`a plan${noLayer && ` (skipped: ${noLayer})`}`, () => {
  test("lets nothing be written in the workspace, in any way", async () => {
    const prepare = (at: string) => {
      mkdirSync(join(at, "sub"));
      writeFileSync(join(at, "file"), "old");
    };
    await using folder = await ProtectedFolder.open({ plan: true, prepare });
    expect(folder.protection.kind).toBe("read-only");
    const before = folder.outside();
    expect(await folder.hand.run(`result = read("file")`)).toBe("old");
    for (const code of [
      `put("new", "n")`,
      `put("file", "new")`,
      `open("file", "r+")`,
      `os.remove("file")`,
      `os.rename("file", "other")`,
      `os.mkdir("folder")`,
      `os.rmdir("sub")`,
      `os.chmod("file", 0o600)`,
      `os.utime("file")`,
      `os.symlink("file", "link")`,
      `os.link("file", "link")`,
      `subprocess.run("echo x > sub/x", shell=True, check=True, capture_output=True)`,
    ])
      await expect(folder.hand.run(code), code).rejects.toThrow(/Read-only file system|returned non-zero/);
    const pending = await folder.protection.pending();
    expect(pending.effects.files).toEqual([]);
    expect(folder.outside()).toEqual(before);
  });

  test("lets nothing be written elsewhere, and temporary files be", async () => {
    await using folder = await ProtectedFolder.open({ plan: true });
    const elsewhere = [homedir(), "/var/tmp", "/usr", "/etc"].filter((place) => existsSync(place));
    for (const place of elsewhere) {
      const path = join(realpathSync(place), `plan-${process.pid}`);
      if (path.startsWith(realpathSync(tmpdir()))) continue;
      await expect(folder.hand.run(`put(${JSON.stringify(path)}, "x")`), path).rejects.toThrow(refusal);
      expect(existsSync(path)).toBe(false);
    }
    const name = await folder.hand.run(
      `import tempfile; f = tempfile.NamedTemporaryFile("w", delete=False); f.write("x"); f.close(); result = f.name`,
    );
    expect(readFileSync(name as string, "utf8")).toBe("x");
    rmSync(name as string);
  });

  test.skipIf(process.getuid?.() !== 0)("shows what is mounted in the workspace, and guards it as well", async () => {
    const base = mkdtempSync(join(realpathSync(tmpdir()), "plan-"));
    const mounted = join(base, "work", "other disk");
    mkdirSync(mounted, { recursive: true });
    execFileSync("mount", ["-t", "tmpfs", "none", mounted]);
    try {
      writeFileSync(join(mounted, "there"), "there");
      await using folder = await ProtectedFolder.open({ plan: true, base });
      expect(await folder.hand.run(`result = read("other disk/there")`)).toBe("there");
      await expect(folder.hand.run(`put("other disk/new", "n")`)).rejects.toThrow(refusal);
    } finally {
      execFileSync("umount", [mounted]);
      rmSync(base, { recursive: true, force: true });
    }
  });
});
