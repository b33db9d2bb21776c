// Where a program of the system is found: on the PATH, and where systems keep theirs.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

export function findTool(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/bin", "/usr/sbin", "/sbin"];
  return folders
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
