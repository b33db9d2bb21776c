// Puts new content in the place of a file in one moment: whoever reads it sees the old or the new one, never a part.

import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Place } from "./place.ts";

export async function replaceFile({ path, held }: Pick<Place, "path" | "held">, text: string): Promise<void> {
  // A link stays a link.
  const place = held ? path : await realpath(path).catch(() => path);
  const before = await lstat(place).catch(() => undefined);
  const draft = join(dirname(place), `.${basename(place).slice(0, 100)}.${randomUUID()}.tmp`);
  try {
    await writeNew(draft, text, before);
    await rename(draft, place);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    // A file that may be written in a folder that may not.
    const { code } = error as NodeJS.ErrnoException;
    if (!before || (code !== "EACCES" && code !== "EPERM")) throw error;
    const file = await open(place, constants.O_WRONLY | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0));
    await file.writeFile(text).finally(() => file.close());
  }
}

/** Nothing is done to it by its name: that may be somebody else's by then. */
async function writeNew(
  draft: string,
  text: string,
  before: { mode: number; uid: number; gid: number } | undefined,
): Promise<void> {
  const mode = before && before.mode & 0o7777;
  const file = await open(draft, "wx", mode);
  try {
    await file.writeFile(text);
    if (before && mode !== undefined) {
      await file.chown(before.uid, before.gid).catch(() => {});
      await file.chmod(mode);
    }
  } finally {
    await file.close();
  }
}
