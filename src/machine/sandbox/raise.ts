// Puts up the walls of a sandbox inside of a namespace: a list of mounts, made one after the other.

import { mkdirSync, mkdtempSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Holder, quote } from "../layer/holder.ts";
import { isWithin, listMounts, type Mount } from "../layer/mounts.ts";
import { deviceMounts, systemMounts } from "./devices.ts";
import { isFolder, type Walls } from "./walls.ts";

export interface RaiseRequest {
  holder: Holder;
  walls: Walls;
  /** The workspace, which stays as it is. */
  roots: readonly string[];
  /** Where temporary files go. */
  temporary: readonly string[];
  /** What is put in the place of files. */
  blank: string;
}

/** They are put in place anew; what lies below them cannot be reached any more. */
const replaced = ["/proc", "/dev"];
/** Touching one starts whatever is behind it. */
const without = /^autofs$/;
/** What a mount may not lose when it is changed by an ordinary user. */
const flags = /^(nosuid|nodev|noexec|noatime|nodiratime|relatime)$/;

/** Resolves with what could not be done, in words, or with undefined. */
export async function raiseWalls(request: RaiseRequest): Promise<string | undefined> {
  // Where nothing is hidden.
  const aside = mkdtempSync(join(request.temporary[0]!, "interpreter-"));
  try {
    // All at once: a word to the holder and back takes longer than most of the mounts.
    const steps = [...deviceMounts(aside), ...mountsFor({ ...request, aside })].map(asWords);
    return await request.holder.run("eval", steps.join(" && "));
  } finally {
    rmdirSync(aside);
  }
}

/** For a shell, which goes on as long as nothing fails that is needed. */
function asWords({ command, needed, otherwise }: Step): string {
  const words = command.map(quote).join(" ");
  if (needed) return words;
  return `{ ${words} 2>/dev/null || ${otherwise ? otherwise.map(quote).join(" ") : ":"}; }`;
}

export interface Step {
  command: string[];
  /** Whether there is no sandbox without it. */
  needed: boolean;
  /** What does as well; without both there is no sandbox. */
  otherwise?: string[];
}

function mountsFor({ walls, roots, temporary, blank, aside }: RaiseRequest & { aside: string }): Step[] {
  const mounts = listMounts();
  const open = [...temporary, ...walls.writable];
  const isOpen = (path: string): boolean => [...roots, ...open].some((place) => isWithin(path, place));
  const stays = outermost([...walls.shown, ...roots, ...temporary]);
  const around = outermost(
    walls.hidden.filter((path) => stays.some((place) => place !== path && isWithin(place, path))),
  );
  return [
    // What stays writable is made a mount of its own first.
    ...open.flatMap(bind),
    ...mounts
      .filter(
        ({ path, type }) => !without.test(type) && !isOpen(path) && !replaced.some((place) => isWithin(path, place)),
      )
      .map(({ path, options }) => closed(path, options)),
    ...systemMounts(blank),
    ...walls.pinned.flatMap(bind),
    ...walls.fixed.filter(isOpen).flatMap((path) => [...bind(path), must(...readOnly(path, optionsAt(path, mounts)))]),
    ...around.flatMap((path) => hideAround(path, stays, aside)),
    ...outermost(walls.hidden.filter((path) => !around.includes(path))).map((path) => ({
      ...hide(path, blank),
      needed: !around.some((folder) => isWithin(path, folder)),
    })),
  ];
}

/** A file system that cannot be made read-only is not seen at all; one that others have covered is not there. */
const closed = (path: string, options: readonly string[]): Step => ({
  command: readOnly(path, options),
  needed: path === "/",
  ...(path !== "/" && {
    otherwise: ["eval", `[ ! -e ${quote(path)} ] || mount -t tmpfs -o ro,size=4k,mode=000 tmpfs ${quote(path)}`],
  }),
});

export const must = (...command: string[]): Step => ({ command, needed: true });
const bind = (path: string): Step[] => [must("mount", "--rbind", path, path)];

const outermost = (paths: readonly string[]): string[] =>
  [...new Set(paths)].filter((path) => !paths.some((other) => other !== path && isWithin(path, other)));

function hide(path: string, blank: string): Step {
  return isFolder(path)
    ? must("mount", "-t", "tmpfs", "-o", "ro,size=4k,mode=000", "tmpfs", path)
    : must("mount", "--bind", blank, path);
}

/** Nothing is seen of a folder but what stays: that is put aside, and back when all is hidden. */
function hideAround(path: string, stays: readonly string[], aside: string): Step[] {
  const kept = stays.filter((place) => isWithin(place, path));
  const sides = kept.map((place, index) => ({ place, side: join(aside, String(index)) }));
  return [
    must("mount", "-t", "tmpfs", "tmpfs", aside),
    ...sides.flatMap(({ place, side }) => [must("mkdir", side), must("mount", "--rbind", place, side)]),
    must("mount", "-t", "tmpfs", "-o", "size=1m,mode=755", "tmpfs", path),
    ...sides.flatMap(({ place, side }) => [must("mkdir", "-p", place), must("mount", "--rbind", side, place)]),
    must("mount", "-o", "remount,bind,ro", path),
    must("umount", "-l", aside),
  ];
}

function optionsAt(path: string, mounts: readonly Mount[]): string[] {
  return mounts.findLast((mount) => isWithin(path, mount.path))?.options ?? [];
}

const readOnly = (path: string, options: readonly string[]): string[] => [
  "mount",
  "-o",
  ["remount", "bind", "ro", ...options.filter((option) => flags.test(option))].join(","),
  path,
];

/** Nobody may read it, and there is nothing in it. */
export function blankFile(scratch: string): string {
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const path = join(scratch, "blank");
  writeFileSync(path, "", { mode: 0o000 });
  return path;
}
