// Finds programs on the PATH. Every start asks for several, so it looks with as few calls as it can and remembers.

import { existsSync, statSync } from "node:fs";
import { delimiter, isAbsolute, sep } from "node:path";

const known = new Map<string, string | undefined>();
const folders = new Map<string, string[]>();

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
  for (const folder of foldersOf(path)) {
    for (const ending of endings) {
      const candidate = `${folder}${sep}${name}${ending}`;
      if (isProgram(candidate)) return candidate;
    }
  }
  return undefined;
}

/** The folders of a PATH that exist, each once. */
function foldersOf(path: string): string[] {
  const before = folders.get(path);
  if (before) return before;
  const named = new Set(path.split(delimiter).filter((folder) => isAbsolute(folder)));
  const there = [...named].filter((folder) => existsSync(folder));
  folders.set(path, there);
  return there;
}

function isProgram(path: string): boolean {
  // The cheaper question first: most of them are not there.
  if (!existsSync(path)) return false;
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && (process.platform === "win32" || (found.mode & 0o111) !== 0);
}
