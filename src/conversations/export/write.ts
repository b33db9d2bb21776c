// Writes an export and what goes beside it. A file of ours never takes the place of one of theirs.

import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { newId } from "../../messages/index.ts";
import { InputProblem } from "../../settings/index.ts";
import type { Exported } from "./index.ts";

/** Throws InputProblem when something is in the way; then nothing was written. */
export function writeExport(path: string, { text, beside }: Pick<Exported, "text" | "beside">): void {
  const folder = dirname(resolve(path));
  const files = [...beside.map(({ name, content }) => [join(folder, name), content] as const), [path, text] as const];
  const taken = files.find(([file]) => existsSync(file));
  if (taken) throw new InputProblem(`${taken[0]} is there already.`, "Name another file.");
  for (const [file, content] of files) {
    const draft = join(dirname(resolve(file)), `.${basename(file)}-${newId()}`);
    try {
      mkdirSync(dirname(resolve(file)), { recursive: true });
      writeFileSync(draft, content, { mode: 0o600, flag: "wx" });
      renameSync(draft, file);
    } catch (error) {
      rmSync(draft, { force: true });
      throw new InputProblem(`${file} cannot be written: ${(error as Error).message}`, "Name another file.");
    }
  }
}
