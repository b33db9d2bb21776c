// Folders within folders without end, as only a program makes them that means harm or has lost its way: no path leads to their
// bottom. They are taken out of a layer whole, before anything else goes down there.

import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { versionOf } from "../effects/version.ts";
import { findTool } from "../find-tool.ts";
import { raw, visibleNamesIn } from "../undo/names.ts";
import { opened } from "./access.ts";

const mostLevels = 400;
/** In bytes; a path has about four thousand. */
const longestPath = 3_000;

/** Whether nobody goes down there, so many folders below the first one. */
export const isWithoutEnd = (level: number, path: string): boolean =>
  level > mostLevels || (path.length > longestPath / 3 && Buffer.byteLength(path) > longestPath);

/** Whether that is what went wrong. */
export const isTooDeep = (error: unknown): boolean =>
  error instanceof RangeError ||
  /call stack/.test(String((error as Error).message)) ||
  (error as NodeJS.ErrnoException).code === "ENAMETOOLONG";

/** Takes them out of the upper folder of a layer. Returns the folders that they began in, right below the top. */
export function dropTooDeep(upper: string): string[] {
  return visibleNamesIn(upper).filter((name) => {
    const deep = deepestIn(`${upper}/${name}`, upper.length);
    for (const path of deep) remove(path);
    return deep.length > 0;
  });
}

/** By a program that needs no path to the bottom; its arguments are text. */
function remove(path: string): void {
  if (path.isWellFormed()) execFileSync(findTool("rm") ?? "rm", ["-rf", "--", path], { stdio: "pipe" });
  else rmSync(raw(path), { recursive: true, force: true });
}

function deepestIn(top: string, before: number): string[] {
  const found: string[] = [];
  const waiting = [{ path: top, level: 1 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { path, level } = next;
    if (versionOf(path)?.kind !== "folder") continue;
    if (isWithoutEnd(level, path.slice(before))) found.push(path);
    else
      opened(path, 0o500, () => {
        for (const name of visibleNamesIn(path)) waiting.push({ path: `${path}/${name}`, level: level + 1 });
      });
  }
  return found;
}
