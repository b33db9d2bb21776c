// Finds programs on the PATH. Every start asks for several, so it looks with as few calls as it can and remembers.

import { statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

const known = new Map<string, string | undefined>();

/** The first of these names that is a program on the PATH. */
export function findProgram(names: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  for (const name of names) {
    const path = findOne(name, env);
    if (path) return path;
  }
  return undefined;
}

function findOne(name: string, env: NodeJS.ProcessEnv): string | undefined {
  if (isAbsolute(name)) return isProgram(name) ? name : undefined;
  const searched = env.PATH ?? env.Path ?? "";
  const key = `${name}\0${searched}`;
  const before = known.get(key);
  // What was found may be gone, and what was missing may have been installed: only the first is cheap to check.
  if (before && isProgram(before)) return before;
  const found = search(name, searched, env);
  known.set(key, found);
  return found;
}

function search(name: string, path: string, env: NodeJS.ProcessEnv): string | undefined {
  const endings =
    process.platform === "win32" && !/\.\w+$/.test(name) ? (env.PATHEXT ?? ".EXE;.CMD;.BAT").split(";") : [""];
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    for (const ending of endings) {
      const candidate = join(folder, name + ending);
      if (isProgram(candidate)) return candidate;
    }
  }
  return undefined;
}

function isProgram(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && (process.platform === "win32" || (found.mode & 0o111) !== 0);
}
