// The tree as it will be when some steps have been taken back: what is checked before anything is done.

import { basename, dirname, join, sep } from "node:path";
import type { Version } from "../effects/effect.ts";
import type { Sight } from "./contents.ts";
import { versionAt } from "./facts.ts";
import { visibleNamesIn } from "./names.ts";

export interface View extends Sight {
  /** Where that lies on the disk which will be at the path; undefined: nothing will. */
  locate(path: string): string | undefined;
  /** What lies there will be at the path; nothing where that is undefined. */
  put(path: string, location: string | undefined): void;
  setMode(path: string, mode: number): void;
}

/** `isApart`: whether things go there and come back as copies. */
export function openView(isApart: (path: string) => boolean): View {
  const places = new Map<string, string | undefined>();
  const modes = new Map<string, number>();
  /** Those of them that are right in a folder; folders that have some deeper in are there too. */
  const placesIn = new Map<string, Set<string>>();

  /** The path itself or a folder around it that something was put at. */
  function placeAround(path: string): string | undefined {
    if (places.size === 0) return undefined;
    for (let around = path; ; around = dirname(around)) {
      if (places.has(around)) return around;
      if (around === dirname(around)) return undefined;
    }
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
      modes.delete(place);
    }
    placesIn.delete(path);
  }

  const view: View = {
    locate(path) {
      const around = placeAround(path);
      if (around === undefined) return path;
      const place = places.get(around);
      return place === undefined ? undefined : place + path.slice(around.length);
    },
    isCopied: (path) => placeAround(path) !== undefined || isApart(path),
    version(path): Version | undefined {
      const location = view.locate(path);
      const version = location === undefined ? undefined : versionAt(location);
      const mode = modes.get(path);
      return version && mode !== undefined ? { ...version, mode } : version;
    },
    names(path) {
      const location = view.locate(path);
      const names = new Set(location === undefined ? [] : visibleNamesIn(location));
      for (const place of placesIn.get(path) ?? []) {
        if (!places.has(place)) continue;
        if (places.get(place) === undefined) names.delete(basename(place));
        else names.add(basename(place));
      }
      return [...names];
    },
    put(path, location) {
      forgetIn(path);
      modes.delete(path);
      places.set(path, location);
      remember(path);
    },
    setMode(path, mode) {
      modes.set(path, mode);
      remember(path);
    },
  };
  return view;
}

/** The tree as it is. */
export const present: Sight = { names: visibleNamesIn, version: versionAt, isCopied: () => false };

/** Whether one of them is the other, or in it. */
export const isRelated = (one: string, other: string): boolean =>
  one === other || one.startsWith(join(other, sep)) || other.startsWith(join(one, sep));
