// The folders whose changes are caught: the working folder, and those that were added to it.

import { statSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { InputProblem } from "../settings/index.ts";

/** Written from the working folder, or from the person's own (~). Throws InputProblem for what is no folder. */
export function workspaceFolders(cwd: string, added: readonly string[] = []): readonly string[] {
  const folders = added.map((written) => {
    const path = resolve(
      cwd,
      written.replace(/^~(?=[/\\]|$)/, () => homedir()),
    );
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
    throw new InputProblem(`--workspace ${written} is no folder.`, "Name a folder that is there.");
  });
  return [cwd, ...folders];
}
