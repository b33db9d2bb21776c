// Whether there is a place for what is kept. Where none can be made, all goes to a temporary folder for the time of this start.

import { existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { places } from "./places.ts";

/**
 * In some places (/proc) no folder can be made although the one around it is there, and Node never stops trying when it is to make
 * several. A sentence when it is so: then the environment names another place. Permissions that are missing are told where they matter.
 */
export function homeProblem(env: NodeJS.ProcessEnv): string | undefined {
  const { data } = places(env);
  if (existsSync(data)) return undefined;
  let missing = data;
  while (!existsSync(dirname(missing))) missing = dirname(missing);
  try {
    // Made when there is something to keep.
    mkdirSync(missing);
    rmdirSync(missing);
    return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") return undefined;
  }
  const other = mkdtempSync(join(tmpdir(), "interpreter-home-"));
  env.INTERPRETER_HOME = other;
  // Whoever looks for the person's own folder must not try to make it there either.
  if (env.HOME && !existsSync(env.HOME)) env.HOME = other;
  process.on("exit", () => rmSync(other, { recursive: true, force: true }));
  return `Nothing can be kept in ${data}: no folder can be made there. Conversations, undo and settings last only until this ends. Set HOME or INTERPRETER_HOME to a folder of yours.`;
}
