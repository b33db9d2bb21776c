// Puts up the walls of a sandbox inside of a namespace: a list of mounts, made one after the other.

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Holder } from "../layer/holder.ts";
import { isWithin, listMounts, type Mount } from "../layer/mounts.ts";
import { deviceMounts, keepTerminals, systemMounts } from "./devices.ts";
import { carryOut, must, type Operation, type Step } from "./mounting.ts";
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
  /** An empty folder that code cannot write, and that nothing hides. */
  aside: string;
  /** To be done in the end. */
  more: readonly Step[];
}

/** They are put in place anew; what lies below them cannot be reached any more. */
const replaced = ["/proc", "/dev"];
/** Touching one starts whatever is behind it. */
const without = /^autofs$/;
/** What a mount may not lose when it is changed by an ordinary user. */
const flags = /^(nosuid|nodev|noexec|noatime|nodiratime|relatime)$/;

/** Resolves with what could not be done, in words, or with undefined. */
export async function raiseWalls(request: RaiseRequest): Promise<string | undefined> {
  const { holder, aside, more } = request;
  return (
    (await keepTerminals(holder)) ??
    (await carryOut(holder, [...ownSystem, ...deviceMounts(aside), ...mountsFor(request), ...more]))
  );
}

/** Processes inside see themselves, and can speak with each other. */
const ownSystem: readonly Step[] = [
  must({ do: "mount", type: "proc", at: "/proc" }),
  must({ do: "loopback", at: "lo" }),
];

function mountsFor({ walls, roots, temporary, blank, aside }: RaiseRequest): Step[] {
  const mounts = listMounts();
  const open = [...temporary, ...walls.writable];
  const isOpen = (path: string): boolean => [...roots, ...open].some((place) => isWithin(path, place));
  const stays = outermost([...walls.shown, ...roots, ...temporary]);
  // A home and the folder of all homes, for one: nothing may cover again what stays of the outer one.
  const holding = walls.hidden.filter((path) => stays.some((place) => place !== path && isWithin(place, path)));
  const around = outermost(holding);
  return [
    // What stays writable is made a mount of its own first. One over all would have nothing of what comes after it.
    ...open.filter((path) => path !== "/").flatMap(bind),
    ...mounts
      .filter(
        ({ path, type }) => !without.test(type) && !isOpen(path) && !replaced.some((place) => isWithin(path, place)),
      )
      .map(({ path, options }) => closed(path, options)),
    ...systemMounts(blank),
    ...walls.pinned.flatMap(bind),
    ...walls.fixed.filter(isOpen).flatMap((path) => [...bind(path), must(close(path, optionsAt(path, mounts)))]),
    ...around.flatMap((path) => hideAround(path, stays, aside)),
    ...outermost(walls.hidden.filter((path) => !holding.includes(path))).map((path) => ({
      operation: hide(path, blank),
      needed: !around.some((folder) => isWithin(path, folder)),
    })),
  ];
}

/** A file system that cannot be made read-only is not seen at all; one that others have covered is not there. */
const closed = (path: string, options: readonly string[]): Step => ({
  ...must(close(path, options)),
  ...(path !== "/" && { otherwise: nothingAt(path) }),
});

const close = (at: string, options: readonly string[]): Operation => ({
  do: "close",
  at,
  flags: options.filter((option) => flags.test(option)),
});

const nothingAt = (at: string): Operation => ({
  do: "mount",
  type: "tmpfs",
  at,
  flags: ["ro"],
  data: "size=4k,mode=000",
});

export const bind = (path: string): Step[] => [must({ do: "bind", from: path, at: path, deep: true })];

const outermost = (paths: readonly string[]): string[] =>
  [...new Set(paths)].filter((path) => !paths.some((other) => other !== path && isWithin(path, other)));

export const hide = (path: string, blank: string): Operation =>
  isFolder(path) ? nothingAt(path) : { do: "bind", from: blank, at: path };

/** Nothing is seen of a folder but what stays: that is put aside, and back when all is hidden. */
export function hideAround(path: string, stays: readonly string[], aside: string): Step[] {
  const kept = stays.filter((place) => isWithin(place, path));
  const sides = kept.map((place, index) => ({ place, side: join(aside, String(index)), whole: isFolder(place) }));
  const move = (from: string, at: string, whole: boolean): Operation[] => [
    { do: "folder", at: whole ? at : dirname(at) },
    ...(whole ? [] : [{ do: "file", at } as const]),
    { do: "bind", from, at, deep: true },
  ];
  const operations: Operation[] = [
    { do: "mount", type: "tmpfs", at: aside },
    ...sides.flatMap(({ place, side, whole }) => move(place, side, whole)),
    { do: "mount", type: "tmpfs", at: path, data: "size=1m,mode=755" },
    ...sides.flatMap(({ place, side, whole }) => move(side, place, whole)),
    { do: "close", at: path, flags: [] },
    { do: "detach", at: aside },
  ];
  return operations.map(must);
}

function optionsAt(path: string, mounts: readonly Mount[]): string[] {
  return mounts.findLast((mount) => isWithin(path, mount.path))?.options ?? [];
}

/** A folder with a file that nobody may read and that has nothing in it, and with an empty folder. */
export function makeScratch(scratch: string): { blank: string; aside: string } {
  const [blank, aside] = [join(scratch, "blank"), join(scratch, "aside")];
  mkdirSync(aside, { recursive: true, mode: 0o700 });
  keepBlank(blank);
  return { blank, aside };
}

/** Makes it where there is none. */
export function keepBlank(blank: string): void {
  if (!existsSync(blank)) writeFileSync(blank, "", { mode: 0o000 });
}
