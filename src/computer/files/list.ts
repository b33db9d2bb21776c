// Lists a folder.

import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Context } from "../module.ts";
import { onPath, openPlace } from "./place.ts";

const most = 5_000;

export interface Entry {
  name: string;
  type: "file" | "folder" | "link" | "other";
  size: number;
  modified: string;
}

export function list({ path }: { path: string }, context: Context): Promise<Entry[]> {
  return onPath(path, context.cwd, async () => {
    using folder = openPlace(path, context, { folder: true });
    const names = (await readdir(folder.path)).sort();
    if (names.length > most) context.note(`the first ${most} of ${names.length} entries`);
    const entries = await Promise.all(names.slice(0, most).map((name) => describe(folder.path, name)));
    return entries.filter((entry) => entry !== undefined);
  });
}

async function describe(folder: string, name: string): Promise<Entry | undefined> {
  const facts = await lstat(join(folder, name)).catch(() => undefined);
  if (!facts) return undefined; // gone since it was listed
  const { size, mtime } = facts;
  const type = facts.isFile() ? "file" : facts.isDirectory() ? "folder" : facts.isSymbolicLink() ? "link" : "other";
  return { name, type, size, modified: mtime.toISOString() };
}
