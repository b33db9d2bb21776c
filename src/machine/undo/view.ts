// The tree as it will be when some steps have been taken back: what is checked before anything is done.

import { basename, dirname, join, sep } from "node:path";
import type { Version } from "../effects/effect.ts";
import type { Sight } from "./contents.ts";
import { factsOf, versionAt } from "./facts.ts";
import { visibleNamesIn } from "./names.ts";

export interface View extends Sight {
  /** Where that lies on the disk which will be at the path; undefined: nothing will. */
  locate(path: string): string | undefined;
  /** What lies there will be at the path; nothing where that is undefined. */
  put(path: string, location: string | undefined): void;
  /** What the file at the path has, by whatever name, will be what the file at the location has. */
  write(path: string, location: string): void;
  setMode(path: string, mode: number): void;
}

/** What will be another one about a file or folder that stays the same. */
interface Rewrite {
  location?: string;
  mode?: number;
}

/** `isApart`: whether things go there and come back as copies. */
export function openView(isApart: (path: string) => boolean): View {
  const places = new Map<string, string | undefined>();
  /** Those of them that are right in a folder; folders that have some deeper in are there too. */
  const placesIn = new Map<string, Set<string>>();
  /** By inode: another name of a file has the same content. */
  const rewrites = new Map<string, Rewrite>();

  /** The path itself or a folder around it that something was put at. */
  function placeAround(path: string): string | undefined {
    if (places.size === 0) return undefined;
    for (let around = path; ; around = dirname(around)) {
      if (places.has(around)) return around;
      if (around === dirname(around)) return undefined;
    }
  }

  function placeOf(path: string): string | undefined {
    const around = placeAround(path);
    if (around === undefined) return path;
    const place = places.get(around);
    return place === undefined ? undefined : place + path.slice(around.length);
  }

  function keyAt(path: string): string | undefined {
    const place = placeOf(path);
    const facts = place === undefined ? undefined : factsOf(place);
    return facts && `${facts.dev} ${facts.ino}`;
  }

  function rewriteOf(path: string): Rewrite | undefined {
    if (rewrites.size === 0) return undefined;
    const key = keyAt(path);
    return key === undefined ? undefined : rewrites.get(key);
  }

  function rewrite(path: string, more: Rewrite): void {
    const key = keyAt(path);
    if (key !== undefined) rewrites.set(key, { ...rewrites.get(key), ...more });
  }

  function remember(path: string): void {
    for (let inner = path, around = dirname(path); around !== inner; inner = around, around = dirname(around)) {
      const known = placesIn.get(around);
      placesIn.set(around, (known ?? new Set()).add(inner));
      if (known) break;
    }
  }

  /** What was put into it is gone with what was there. */
  function forgetIn(path: string): void {
    for (const place of placesIn.get(path) ?? []) {
      forgetIn(place);
      places.delete(place);
    }
    placesIn.delete(path);
  }

  /** Whether something was put into it: then there will be a folder. */
  const isAround = (path: string): boolean =>
    [...(placesIn.get(path) ?? [])].some((inner) => places.get(inner) !== undefined || isAround(inner));

  const view: View = {
    locate: (path) => rewriteOf(path)?.location ?? placeOf(path),
    isCopied: (path) => placeAround(path) !== undefined || rewriteOf(path) !== undefined || isApart(path),
    version(path): Version | undefined {
      const location = view.locate(path);
      const version = location === undefined ? undefined : versionAt(location);
      if (!version && isAround(path)) return { kind: "folder", size: 0, mode: 0o777, modified: Date.now(), inode: 0 };
      const mode = rewriteOf(path)?.mode;
      return version && mode !== undefined ? { ...version, mode } : version;
    },
    names(path) {
      const location = placeOf(path);
      const names = new Set(location === undefined ? [] : visibleNamesIn(location));
      for (const place of placesIn.get(path) ?? []) {
        if (places.get(place) !== undefined || isAround(place)) names.add(basename(place));
        else if (places.has(place)) names.delete(basename(place));
      }
      return [...names];
    },
    put(path, location) {
      forgetIn(path);
      places.set(path, location);
      remember(path);
    },
    write(path, location) {
      const mode = versionAt(location)?.mode;
      rewrite(path, { location, ...(mode !== undefined && { mode }) });
    },
    setMode: (path, mode) => rewrite(path, { mode }),
  };
  return view;
}

/** The tree as it is. */
export const present: Sight = { names: visibleNamesIn, version: versionAt, isCopied: () => false };

/** Whether one of them is the other, or in it. */
export const isRelated = (one: string, other: string): boolean =>
  one === other || one.startsWith(join(other, sep)) || other.startsWith(join(one, sep));
