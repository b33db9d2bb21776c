// What the system has mounted, as far as a layer must know it.

import { readFileSync } from "node:fs";

export interface Mount {
  path: string;
  type: string;
  options: string[];
}

/** In the order in which they were made. */
export function listMounts(): Mount[] {
  return readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [facts = "", source = ""] = line.split(" - ");
      const [, , , , path = "", options = ""] = facts.split(" ");
      return { path: withoutEscapes(path), type: source.split(" ")[0] ?? "", options: options.split(",") };
    });
}

/** The one that a path is on: the last of the longest. */
export function mountOf(path: string, mounts: readonly Mount[]): Mount | undefined {
  let found: Mount | undefined;
  for (const mount of mounts)
    if (isWithin(path, mount.path) && mount.path.length >= (found?.path.length ?? 0)) found = mount;
  return found;
}

export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);

/** Spaces and the like are written in octal. */
const withoutEscapes = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
