// What code is allowed to write and is not there yet: walls are opened only around what is there, and whoever allowed it must know.

import { existsSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { openRules, type Rules } from "../settings/index.ts";

/** `roots`: what may be written anyway. */
export async function missingPlaces(rules: Rules, roots: readonly string[]): Promise<string[]> {
  const { isBelow, realPath } = await openRules();
  const allowed = rules.paths("write", "allow");
  const there = allowed.filter((path) => existsSync(path));
  const open = [...[...roots, "/tmp", "/var/tmp", tmpdir()].map(realPath), ...there];
  return allowed.filter((path) => !existsSync(path) && !open.some((place) => isBelow(path, place)));
}

export async function notThereYet(path: string, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const name = (await openRules()).shortened(path, env.HOME ?? homedir());
  const how = `mkdir ${name} for a folder, touch ${name} for a file`;
  return `There is no ${name} yet, and code cannot make it. Make it first (${how}), or allow the folder around it.`;
}
