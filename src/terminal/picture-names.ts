// Names for pictures shown in this run: in a private folder that stays, so that they can be opened.

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function pictureNames(): () => string {
  let folder: string | undefined;
  let count = 0;
  return () => {
    folder ??= mkdtempSync(join(tmpdir(), "interpreter-pictures-"));
    return join(folder, `picture-${++count}.png`);
  };
}
