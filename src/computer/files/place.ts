// Where a path leads, and what the system's refusals mean in plain words.

import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { openAnchored } from "../../machine/index.ts";
import { ComputerFault, type Context } from "../module.ts";

/** Relative paths start in the folder the code is in; `~` is the person's home. */
export function placeOf(path: string, cwd: string): string {
  if (path === "" || path.includes("\0")) throw new ComputerFault("ValueError", "That is not a path.");
  if (path === "~" || /^~[\\/]/.test(path)) return join(homedir(), path.slice(1));
  return isAbsolute(path) ? path : resolve(cwd, path);
}

/** Somewhere that stays what it is, whatever code does to the way there meanwhile. */
export interface Place extends Disposable {
  /** Where this process finds it. */
  readonly path: string;
  /** Whether links were followed already: what is one now has only just become it. */
  readonly held: boolean;
}

export interface PlaceOptions {
  /** Makes folders on the way that are missing. */
  make?: boolean;
  /** It is a folder. */
  folder?: boolean;
}

/** Links lead where they lead for the code, not for us. */
export function openPlace(path: string, { cwd, view }: Pick<Context, "cwd" | "view">, options?: PlaceOptions): Place {
  const place = placeOf(path, cwd);
  const seen = view(place);
  if (seen !== place) {
    const anchored = openAnchored({ root: seen.slice(0, -place.length) || sep, path: place, ...options });
    return { path: anchored.path, held: true, [Symbol.dispose]: () => anchored[Symbol.dispose]() };
  }
  if (options?.make) mkdirSync(dirname(place), { recursive: true });
  return { path: place, held: false, [Symbol.dispose]: () => {} };
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
