// What is in a folder that a step made or deleted: how many files, and what they are called.

import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { raw } from "../undo/names.ts";

const mostCounted = 20_000;

export function countFiles(folder: string): { files: number; moreFiles?: true } {
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

/** From the folder on; what is right in a folder comes before what lies deeper, and a folder with nothing in it is named, too. */
export function* namesInside(folder: string, inner = ""): Generator<string> {
  const entries = entriesOf(join(folder, inner)).sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const entry of entries) if (!entry.isDirectory()) yield inner + entry.name;
  for (const entry of entries) {
    if (!entry.isDirectory()) continue;
    let empty = true;
    for (const name of namesInside(folder, `${inner}${entry.name}/`)) {
      empty = false;
      yield name;
    }
    if (empty) yield `${inner}${entry.name}/`;
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(raw(folder) as string, { withFileTypes: true });
  } catch {
    return [];
  }
}
