// What a layer has caught, told as effects.

import { type Dirent, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import type { Effect } from "../effects/effect.ts";
import { inOrder } from "../effects/rank.ts";
import { findRenames } from "../effects/renames.ts";
import type { Caught } from "./upper.ts";

export function effectsOf(caught: readonly Caught[], base: string): Effect[] {
  return inOrder(findRenames(caught.map((each) => effectOf(each, base))));
}

function effectOf({ path, upper, change, before, after, changedOutside }: Caught, base: string): Effect {
  const kind = (after ?? before)?.kind ?? "other";
  const whole = kind === "folder" && change !== "mode" && change !== "changed";
  const inner = relative(base, path);
  const name = inner.startsWith("..") ? path : inner;
  return {
    path,
    name: kind === "folder" ? `${name}/` : name,
    change,
    kind,
    ...(before && { before, beforePath: path }),
    ...(after && upper && { after, afterPath: upper }),
    ...(whole && countFiles(upper ?? path)),
    ...(changedOutside && {
      warning: "It was changed from outside while the block ran; undo brings that version back.",
    }),
  };
}

const mostCounted = 20_000;

function countFiles(folder: string): { files: number; moreFiles?: true } {
  let files = 0;
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const entry of entriesOf(at)) {
      if (entry.isDirectory()) folders.push(join(at, entry.name));
      else files++;
      if (files >= mostCounted) return { files, moreFiles: true };
    }
  }
  return { files };
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
