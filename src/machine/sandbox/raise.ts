// Puts up the walls of a sandbox inside of a namespace: a list of mounts, made one after the other.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Holder } from "../layer/holder.ts";
import { isWithin, listMounts, type Mount } from "../layer/mounts.ts";
import { listeningSockets } from "./sockets.ts";
import { isFolder, type Walls } from "./walls.ts";

export interface RaiseRequest {
  holder: Holder;
  walls: Walls;
  /** The workspace, which stays as it is. */
  roots: readonly string[];
  /** Where temporary files go. */
  temporary: readonly string[];
  /** A folder of ours, for what is put in the place of files. */
  scratch: string;
}

/** File systems that hold no files of anybody. */
const without =
  /^(proc|sysfs|devtmpfs|devpts|cgroup2?|mqueue|securityfs|debugfs|tracefs|bpf|pstore|configfs|fusectl|binfmt_misc|hugetlbfs|autofs|rpc_pipefs|nsfs|efivarfs|overlay)$/;
/** What a mount may not lose when it is changed by an ordinary user. */
const flags = /^(nosuid|nodev|noexec|noatime|nodiratime|relatime)$/;

/** Resolves with what could not be done, in words, or with undefined. */
export async function raiseWalls(request: RaiseRequest): Promise<string | undefined> {
  const { holder } = request;
  for (const { command, needed } of mountsFor(request)) {
    const problem = await holder.run(...command);
    if (problem !== undefined && needed) return `${command.at(-1)}: ${problem}`;
  }
  return undefined;
}

interface Step {
  command: string[];
  /** Whether there is no sandbox without it. */
  needed: boolean;
}

function mountsFor({ walls, roots, temporary, scratch }: RaiseRequest): Step[] {
  const mounts = listMounts();
  const open = [...temporary, ...walls.writable];
  const blank = blankFile(scratch);
  const must = (...command: string[]): Step => ({ command, needed: true });
  const bind = (path: string): Step => must("mount", "--bind", path, path);
  return [
    // What stays writable is made a mount of its own first.
    ...open.map(bind),
    ...mounts
      .filter(({ path, type }) => !without.test(type) && ![...roots, ...open].some((place) => isWithin(path, place)))
      .map(({ path, options }) => ({ command: readOnly(path, options), needed: path === "/" })),
    ...walls.fixed.flatMap((path) => [bind(path), must(...readOnly(path, optionsAt(path, mounts)))]),
    ...walls.hidden
      .filter((path) => !holds(path, [...walls.shown, ...roots, ...temporary]))
      .map((path) => hide(path, blank)),
    ...walls.hidden.flatMap((path) => {
      const kept = [...walls.shown, ...roots, ...temporary].filter((place) => isWithin(place, path) && place !== path);
      return kept.length > 0 ? hideAround(path, kept, scratch) : [];
    }),
    ...listeningSockets()
      .filter((path) => !roots.some((root) => isWithin(path, root)))
      .map((path) => ({ command: ["mount", "--bind", blank, path], needed: false })),
  ];
}

const holds = (path: string, places: readonly string[]): boolean =>
  places.some((place) => place !== path && isWithin(place, path));

function hide(path: string, blank: string): Step {
  const command = isFolder(path)
    ? ["mount", "-t", "tmpfs", "-o", "ro,size=4k,mode=000", "tmpfs", path]
    : ["mount", "--bind", blank, path];
  return { command, needed: true };
}

/** Nothing is seen of a folder but some places in it. */
function hideAround(path: string, kept: readonly string[], scratch: string): Step[] {
  const aside = kept.map((place, index) => ({ place, side: join(scratch, `shown-${index}-${kept.length}`) }));
  for (const { side } of aside) mkdirSync(side, { recursive: true });
  const must = (...command: string[]): Step => ({ command, needed: true });
  return [
    ...aside.map(({ place, side }) => must("mount", "--rbind", place, side)),
    must("mount", "-t", "tmpfs", "-o", "size=1m,mode=755", "tmpfs", path),
    ...aside.flatMap(({ place, side }) => [must("mkdir", "-p", place), must("mount", "--rbind", side, place)]),
    must("mount", "-o", "remount,ro", path),
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
function blankFile(scratch: string): string {
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const path = join(scratch, "blank");
  writeFileSync(path, "", { mode: 0o000 });
  return path;
}
