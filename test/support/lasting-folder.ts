// Folders for tests that are no temporary ones: code in a sandbox may write to those, wherever this project lies.

import { accessSync, constants, mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

const temporary = ["/tmp/", "/var/tmp/", `${realpathSync(tmpdir())}/`];
const places = [
  join(import.meta.dirname, "../../node_modules/.sandbox"),
  "/opt/.sandbox",
  join(realpathSync(homedir()), ".sandbox"),
];

/** Undefined where there is none that can be written to. */
export const lastingPlace = places.find(
  (path) => !temporary.some((folder) => path.startsWith(folder)) && canMake(path),
);

export function lastingFolder(prefix: string): string {
  if (lastingPlace === undefined) throw new Error("There is no folder here but temporary ones.");
  return realpathSync(mkdtempSync(join(lastingPlace, prefix)));
}

function canMake(path: string): boolean {
  try {
    mkdirSync(path, { recursive: true });
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
