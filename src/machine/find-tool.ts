// Where a program is found that we start ourselves, outside of all walls: where systems keep theirs, and only then on the PATH, but
// nowhere that code can write, such as the environment of a project: it may have put another one there.

import { accessSync, constants, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { isWithin } from "./layer/mounts.ts";

export const systemFolders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/run/current-system/sw/bin"] as const;

export function findTool(name: string, { env = process.env, cwd = process.cwd() } = {}): string | undefined {
  const onPath = (env.PATH ?? env.Path ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  const system = process.platform === "win32" ? [] : systemFolders;
  return [...system, ...onPath]
    .map((folder) => join(folder, name))
    .find((path) => isProgram(path) && !isWrittenByCode(path, cwd));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether it lies in the folder that is worked in or in a cache, or leads there. */
export function isWrittenByCode(path: string, cwd: string): boolean {
  const caches = [".cache", ".npm"].map((name) => join(homedir(), name));
  const writable = [cwd, ...caches].flatMap((place) => [place, real(place)]);
  return [path, real(path)].some((each) => writable.some((place) => place !== "/" && isWithin(each, place)));
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
