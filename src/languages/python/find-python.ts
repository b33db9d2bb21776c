// Finds the person's own Python: the one they chose, the environment they are in, the one beside their files,
// and only then the one on the PATH, looking through pyenv's slow stand-ins to the interpreter itself.

import { existsSync, statSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { readPlainFile } from "../../settings/index.ts";

export interface FoundPython {
  path: string;
  /** Where it was found, for people: ".venv", "conda base", "PATH". */
  origin: string;
}

const windows = process.platform === "win32";
const inEnvironment = windows ? ["Scripts/python.exe", "python.exe"] : ["bin/python3", "bin/python"];
const onPath = windows ? ["python.exe", "python3.exe"] : ["python3", "python"];

export function findPython(chosen: string | undefined, cwd: string, env: NodeJS.ProcessEnv): FoundPython | undefined {
  if (chosen) {
    const path = isFile(resolve(cwd, chosen))
      ? resolve(cwd, chosen)
      : (inFolder(resolve(cwd, chosen)) ?? search(chosen, env));
    return path ? { path, origin: "chosen" } : undefined;
  }
  if (env.VIRTUAL_ENV) {
    const path = inFolder(env.VIRTUAL_ENV);
    if (path) return { path, origin: "active virtual environment" };
  }
  if (env.CONDA_PREFIX) {
    const path = inFolder(env.CONDA_PREFIX);
    if (path) return { path, origin: `conda ${env.CONDA_DEFAULT_ENV ?? ""}`.trim() };
  }
  for (const name of [".venv", "venv"]) {
    const path = isFile(join(cwd, name, "pyvenv.cfg")) ? inFolder(join(cwd, name)) : undefined;
    if (path) return { path, origin: name };
  }
  const path = onPath.map((name) => search(name, env, cwd)).find((found) => found !== undefined);
  return path ? { path, origin: "PATH" } : undefined;
}

function inFolder(folder: string): string | undefined {
  return inEnvironment.map((name) => join(folder, name)).find(isFile);
}

function search(name: string, env: NodeJS.ProcessEnv, cwd = process.cwd()): string | undefined {
  for (const folder of (env.PATH ?? "").split(delimiter)) {
    const path = join(folder, name);
    if (!folder || !isFile(path)) continue;
    const pyenv = env.PYENV_ROOT ?? join(env.HOME ?? "", ".pyenv");
    if (folder !== join(pyenv, "shims")) return path;
    const real = throughShim(pyenv, name, env, cwd);
    if (real) return real;
  }
  return undefined;
}

/** The interpreter a pyenv shim would start: the same rules, without starting anything. */
function throughShim(pyenv: string, name: string, env: NodeJS.ProcessEnv, cwd: string): string | undefined {
  const versions = (
    env.PYENV_VERSION?.split(":") ??
    versionFile(cwd) ??
    versionLines(join(pyenv, "version")) ??
    []
  ).filter((version) => version !== "system");
  return versions.map((version) => join(pyenv, "versions", version, "bin", name)).find(isFile);
}

function versionFile(folder: string): string[] | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const lines = versionLines(join(at, ".python-version"));
    if (lines) return lines;
    if (dirname(at) === at) return undefined;
  }
}

function versionLines(path: string): string[] | undefined {
  const text = readPlainFile(path, 10_000)?.bytes.toString("utf8");
  return text?.split(/\s+/).filter(Boolean);
}

function isFile(path: string): boolean {
  // A folder that may not be looked into has nothing for us.
  return existsSync(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
