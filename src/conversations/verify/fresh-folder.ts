// A folder that has nothing but what an export says it needs.

import { constants, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isOutside } from "../clean/places.ts";

export interface FreshFolder extends Disposable {
  path: string;
  /** What was copied into it. */
  copied: string[];
}

/** `inputs` are files by their place in `from`; what is not there is left out. */
export function freshFolder(from: string, inputs: readonly string[]): FreshFolder {
  const path = mkdtempSync(join(tmpdir(), "interpreter-export-"));
  const copied = inputs.filter((place) => !isOutside(place) && existsSync(join(from, place)));
  for (const place of copied) {
    mkdirSync(dirname(join(path, place)), { recursive: true });
    cpSync(join(from, place), join(path, place), { recursive: true, mode: constants.COPYFILE_FICLONE });
  }
  return {
    path,
    copied,
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}
