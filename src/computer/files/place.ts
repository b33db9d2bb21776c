// Where a path leads, and what the system's refusals mean in plain words.

import { readlink } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, resolve, sep } from "node:path";
import { ComputerFault, type Context } from "../module.ts";

/** Relative paths start in the folder the code is in; `~` is the person's home. */
export function placeOf(path: string, cwd: string): string {
  if (path === "" || path.includes("\0")) throw new ComputerFault("ValueError", "That is not a path.");
  if (path === "~" || /^~[\\/]/.test(path)) return join(homedir(), path.slice(1));
  return isAbsolute(path) ? path : resolve(cwd, path);
}

/** Where this process finds it. Links lead where they lead for the code, not for us. */
export async function hostPlaceOf(path: string, { cwd, view }: Pick<Context, "cwd" | "view">): Promise<string> {
  const place = placeOf(path, cwd);
  return view(place) === place ? place : view(await withoutLinks(place, view));
}

const mostLinks = 40;

async function withoutLinks(place: string, view: Context["view"]): Promise<string> {
  let links = 0;
  let waiting = place.split(sep).filter(Boolean);
  let at: string = sep;
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    const next = join(at, part);
    const target = await readlink(view(next)).catch(() => undefined);
    if (target === undefined) at = next;
    else if (++links > mostLinks) return place;
    else {
      waiting = [...resolve(at, target).split(sep).filter(Boolean), ...waiting];
      at = sep;
    }
  }
  return at;
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
