// Deletes a file, or a folder with all in it, also where its owner may not write.

import { chmodSync, rmdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import type { Pace } from "../checkpoint/pace.ts";
import { factsOf } from "./facts.ts";
import { type Hands, inFolderOf } from "./hands.ts";
import { namesIn, raw } from "./names.ts";

/** Nothing is done where there is nothing. */
export async function removeTree(path: string, hands: Hands, pace: Pace): Promise<void> {
  const facts = factsOf(path);
  if (!facts) return;
  if (pace.due()) await pace.rest();
  if (!facts.isDirectory()) return hands.act(`remove ${path}`, [inFolderOf(path)], () => unlinkSync(raw(path)));
  if ((facts.mode & 0o700) !== 0o700) chmodSync(raw(path), 0o700);
  for (const name of namesIn(path)) await removeTree(join(path, name), hands, pace);
  hands.act(`remove ${path}`, [inFolderOf(path)], () => rmdirSync(raw(path)));
}
