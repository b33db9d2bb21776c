// Opens a text in the person's own editor.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The text as the person left it; undefined when the editor failed. The terminal must be free for it. */
export async function editElsewhere(text: string, fileName: string): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "interpreter-edit-"));
  const path = join(folder, fileName);
  try {
    writeFileSync(path, text, { mode: 0o600 });
    const editor = process.env.VISUAL || process.env.EDITOR || (process.platform === "win32" ? "notepad" : "vi");
    if ((await run(`${editor} "${path}"`)) !== 0) {
      process.stdout.write(
        `The editor (${editor}) ended with an error: nothing is changed. EDITOR names the one to use.\n`,
      );
      return undefined;
    }
    const edited = readFileSync(path, "utf8");
    return text.endsWith("\n") ? edited : edited.replace(/\r?\n$/, "");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(command: string): Promise<number | null> {
  // Ctrl-C in the editor is the editor's.
  const ignore = () => {};
  process.on("SIGINT", ignore);
  return new Promise<number | null>((resolve) => {
    const child = spawn(command, { shell: true, stdio: "inherit" });
    child.on("error", () => resolve(null));
    child.on("exit", resolve);
  }).finally(() => process.off("SIGINT", ignore));
}
