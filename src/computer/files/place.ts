// Where a path leads, and what the system's refusals mean in plain words.

import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { ComputerFault } from "../module.ts";

/** Relative paths start in the folder the code is in; `~` is the person's home. */
export function placeOf(path: string, cwd: string): string {
  if (path === "" || path.includes("\0")) throw new ComputerFault("ValueError", "That is not a path.");
  if (path === "~" || /^~[\\/]/.test(path)) return join(homedir(), path.slice(1));
  return isAbsolute(path) ? path : resolve(cwd, path);
}

const meanings: Partial<Record<string, [name: string, what: string]>> = {
  ENOENT: ["FileNotFoundError", "does not exist"],
  EACCES: ["PermissionError", "may not be touched: permission denied"],
  EPERM: ["PermissionError", "may not be touched: operation not permitted"],
  EROFS: ["PermissionError", "is on a disk that is read-only"],
  EISDIR: ["IsADirectoryError", "is a folder"],
  ENOTDIR: ["NotADirectoryError", "leads through something that is not a folder"],
  EEXIST: ["FileExistsError", "is there already"],
  ENOSPC: ["OSError", "cannot be written: the disk is full"],
  ELOOP: ["OSError", "is a link that leads in a circle"],
  ENAMETOOLONG: ["OSError", "is too long a name"],
};

/** Does something with a path, and says in plain words why it cannot. */
export async function onPath<T>(path: string, cwd: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const meaning = meanings[(error as NodeJS.ErrnoException).code ?? ""];
    if (!meaning) throw error;
    const [name, what] = meaning;
    const where = isAbsolute(path) ? "" : ` (in ${cwd})`;
    throw new ComputerFault(name, `${path}${where} ${what}.`);
  }
}
