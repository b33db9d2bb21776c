// Empties the upper folder of a layer of whatever the real tree has as well. What is only in it stays.

import { chmodSync, lstatSync, readdirSync, readlinkSync, rmdirSync, rmSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { Version } from "../effects/effect.ts";
import { versionOf } from "../effects/version.ts";
import { isHeld } from "./members.ts";
import { isBlind, isSameTime, isUnchanged, isWhiteout, type LeftInside } from "./upper.ts";

export interface SweepRequest {
  root: string;
  upper: string;
  /** What processes hold. */
  held: ReadonlySet<string>;
  /** What lay in it before; nothing is taken out of its blind folders. */
  left: LeftInside;
}

/** Returns what is left in it. */
export function sweepUpper({ root, upper, held, left }: SweepRequest): Map<string, Version> {
  const stays = new Map<string, Version>();

  function folder(path: string, inUpper: string): void {
    for (const name of readdirSync(inUpper)) entry(join(path, name), join(inUpper, name));
  }

  function entry(path: string, inUpper: string): void {
    const now = lstatSync(inUpper, { throwIfNoEntry: false });
    if (!now) return;
    const real = lstatSync(path, { throwIfNoEntry: false });
    if (now.isDirectory()) {
      if (real?.isDirectory() || isBlind(path, left)) folder(path, inUpper);
      // The kernel goes on writing into a folder that somebody stands in.
      const stands = isHeld(path, held) || isBlind(path, left) || !real;
      if (!stands && rmdirIfEmpty(inUpper)) return;
    } else if (!isBlind(path, left) && !isHeld(path, held) && isSuperfluous(path, real, inUpper, now)) {
      rmSync(inUpper, { force: true });
      return;
    }
    const version = versionOf(inUpper);
    if (version) stays.set(path, version);
  }

  function isSuperfluous(path: string, real: Stats | undefined, inUpper: string, now: Stats): boolean {
    if (isWhiteout(now)) return !real;
    const known = left.versions.get(path);
    return (known && isUnchanged(known, now)) || (real !== undefined && isCopy(path, real, inUpper, now));
  }

  folder(root, upper);
  return stays;
}

function isCopy(path: string, real: Stats, inUpper: string, now: Stats): boolean {
  if (real.isSymbolicLink() && now.isSymbolicLink()) return readlinkSync(path) === readlinkSync(inUpper);
  return real.isFile() && now.isFile() && real.size === now.size && isSameTime(real.mtimeMs, now.mtimeMs);
}

function rmdirIfEmpty(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch {
    return false; // There is something in it.
  }
}

/** Also folders whose owner may not write in them. */
export function removeTree(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    openUp(path);
    rmSync(path, { recursive: true, force: true });
  }
}

function openUp(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  chmodSync(path, 0o700);
  for (const name of readdirSync(path)) openUp(join(path, name));
}
