// Shows a long text in the person's pager.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sanitize } from "./sanitize.ts";

/** The terminal must be free for it; wide lines are not broken in less, where the arrows go to the side. Says what went wrong, if anything did. */
export async function showInPager(text: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "interpreter-output-"));
  const path = join(folder, "output.txt");
  const pager = env.PAGER || (process.platform === "win32" ? "more" : "less");
  // Ctrl-C in the pager is the pager's.
  const ignore = () => {};
  process.on("SIGINT", ignore);
  try {
    writeFileSync(path, sanitize(text), { mode: 0o600 });
    const status = await new Promise<number | null>((resolve) => {
      const child = spawn(`${pager} "${path}"`, { shell: true, stdio: "inherit", env: { LESS: "S", ...env } });
      child.on("error", () => resolve(null));
      child.on("exit", resolve);
    });
    return status === 0 ? undefined : `The pager (${pager}) could not be used. Set PAGER to the one you like.`;
  } finally {
    process.off("SIGINT", ignore);
    rmSync(folder, { recursive: true, force: true });
  }
}
