// Which workspace a folder belongs to, of those in which something was kept.

import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

export interface Workspace {
  /** The folders it watches over, the working folder first. */
  roots: readonly string[];
}

/** The folder itself or the nearest one around it; undefined when nothing was ever kept in any of them. */
export function findWorkspace(data: string, folder: string): Workspace | undefined {
  const all = workspacesIn(join(data, "undo"));
  for (let around = realpathSync(folder); ; around = dirname(around)) {
    const own = all.find(({ roots }) => roots[0] === around);
    const other = all.find(({ roots }) => roots.includes(around));
    if (own || other) return own ?? other;
    if (around === dirname(around)) return undefined;
  }
}

/** The one that was used last comes first. */
function workspacesIn(undo: string): Workspace[] {
  let names: string[];
  try {
    names = readdirSync(undo);
  } catch {
    return [];
  }
  const found = names.flatMap((name) => {
    const path = join(undo, name, "workspace.json");
    try {
      const { roots } = JSON.parse(readFileSync(path, "utf8")) as Workspace;
      return [{ roots, used: statSync(path).mtimeMs }];
    } catch {
      return [];
    }
  });
  return found.sort((one, other) => other.used - one.used);
}
