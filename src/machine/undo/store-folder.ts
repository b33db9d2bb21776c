// Where the steps of a workspace are kept: a folder named after the real path of the workspace.

import { createHash } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The folder of a workspace in the data folder. */
export function storeFolder(data: string, root: string): string {
  return join(data, "undo", createHash("sha256").update(realPath(root)).digest("hex").slice(0, 16));
}

/** The workspaces that have one among this folder and those around it, the nearest first. */
export function workspacesAround(data: string, folder: string): string[] {
  const found: string[] = [];
  for (let root = realPath(folder); ; root = dirname(root)) {
    if (existsSync(join(storeFolder(data, root), "workspace.json"))) found.push(root);
    if (root === dirname(root)) return found;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
