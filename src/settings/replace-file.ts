// Writes a file of ours in one moment: whoever reads it sees the old or the new one, never a half.

import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** A new file is private; a link stays a link, and whoever could read the file still can. */
export function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const place = existsSync(path) ? realpathSync(path) : path;
  const mode = existsSync(place) ? statSync(place).mode & 0o777 : 0o600;
  const draft = `${place}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, text, { mode });
    renameSync(draft, place);
  } finally {
    rmSync(draft, { force: true });
  }
}
