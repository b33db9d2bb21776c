// Walls as rules of Landlock: what it does not grant is refused, and what it grants holds for everything below.

import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isWithin } from "../../layer/mounts.ts";
import type { Walls } from "../walls.ts";
import { device, ofFiles, reading, rights, writing } from "./rights.ts";

export interface Rule {
  path: string;
  rights: number;
}

export interface RulesRequest {
  walls: Walls;
  roots: readonly string[];
  temporary: readonly string[];
  /** Whether nothing in the workspace may be changed. */
  readOnly?: boolean;
}

/** Devices that hold nothing of anybody; and those that people compute with. */
const plain = /^(null|zero|full|random|urandom|tty)$/;
const computing = /^(nvidia.*|kfd|dri|dxg)$/;

/** Each place once, with all that is granted there. */
export function rulesFor(request: RulesRequest): Rule[] {
  const { walls, roots, temporary } = request;
  const { hidden } = walls;
  const granted = new Map<string, number>();
  const grant = (path: string, more: number): void => void granted.set(path, (granted.get(path) ?? 0) | more);
  const open = openPlaces(request);
  // Names are seen everywhere: a folder whose names are not cannot be looked through for those that may be read.
  if (walls.level === "workspace") grant("/", rights.list);
  for (const top of ["/", ...walls.shown, ...roots, ...temporary, ...walls.writable])
    for (const path of spread(top, [...hidden, "/dev"])) grant(path, reading);
  for (const top of open) for (const path of spread(top, [...hidden, ...keptIn(walls, roots)])) grant(path, writing);
  grant("/dev/shm", reading | writing);
  for (const { name } of entriesOf("/dev"))
    if (plain.test(name)) grant(join("/dev", name), device);
    else if (computing.test(name)) grant(join("/dev", name), device | rights.list);
  return [...granted].map(([path, all]) => ({ path, rights: isFolder(path) ? all : all & ofFiles }));
}

/** Where something may be written, unless it is an exception. */
const openPlaces = ({ walls, roots, temporary, readOnly }: RulesRequest): string[] => [
  ...(readOnly ? [] : roots),
  ...temporary,
  ...walls.writable,
];

/** What stays as it is. Hooks of the repository would close the whole folder around it: they are looked after otherwise. */
const keptIn = ({ fixed }: Walls, roots: readonly string[]): string[] => fixed.filter((path) => !isHook(path, roots));

export const isHook = (path: string, roots: readonly string[]): boolean =>
  roots.some((root) => isWithin(path, join(root, ".git")));

/** Folders that are open but for something in them: nothing new can be made right there. */
export function closedFolders(request: RulesRequest): { folder: string; because: string }[] {
  const exceptions = [...request.walls.hidden, ...keptIn(request.walls, request.roots)];
  return openPlaces(request).flatMap((top) =>
    exceptions
      .filter((path) => path !== top && isWithin(path, top))
      .slice(0, 1)
      .map((because) => ({ folder: top, because })),
  );
}

/** The widest places in a folder that have none of the exceptions in them. Links lead to places that have rules of their own. */
function spread(top: string, exceptions: readonly string[]): string[] {
  const inner = exceptions.filter((path) => path !== top && isWithin(path, top));
  if (inner.length === 0) return [top];
  return entriesOf(top)
    .filter((entry) => !entry.isSymbolicLink())
    .map(({ name }) => join(top, name))
    .filter((path) => !inner.includes(path))
    .flatMap((path) => spread(path, inner));
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
