// Puts new content in the place of a file in one moment: whoever reads it sees the old or the new one, never a part.

import { randomUUID } from "node:crypto";
import { chmod, chown, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

export async function replaceFile(path: string, text: string): Promise<void> {
  // A link stays a link. What lies behind `/proc` has none, and its name would lead out of there.
  const place = path.startsWith("/proc/") ? path : await realpath(path).catch(() => path);
  const before = await stat(place).catch(() => undefined);
  const draft = join(dirname(place), `.${basename(place).slice(0, 100)}.${randomUUID()}.tmp`);
  try {
    await writeFile(draft, text, { flag: "wx", ...(before && { mode: before.mode & 0o7777 }) });
    if (before) {
      await chown(draft, before.uid, before.gid).catch(() => {});
      await chmod(draft, before.mode & 0o7777);
    }
    await rename(draft, place);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    // A file that may be written in a folder that may not.
    const { code } = error as NodeJS.ErrnoException;
    if (!before || (code !== "EACCES" && code !== "EPERM")) throw error;
    await writeFile(place, text);
  }
}
