// The files below a folder that may have something to hide; those that nobody keeps data in are passed over.

import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** So many files and folders are looked at. */
const mostEntries = 20_000;
const never = new Set(["node_modules", "__pycache__", "site-packages"]);

export async function* findFiles(folder: string): AsyncGenerator<string> {
  let seen = 0;
  const folders = [folder];
  for (let next = folders.shift(); next !== undefined; next = folders.shift()) {
    for (const entry of await readdir(next, { withFileTypes: true }).catch(() => [])) {
      if (++seen > mostEntries) return;
      const path = join(next, entry.name);
      if (entry.isDirectory() && !never.has(entry.name) && !entry.name.startsWith(".")) folders.push(path);
      else if (entry.isFile()) yield path;
    }
  }
}
