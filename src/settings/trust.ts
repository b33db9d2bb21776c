// Which folders the person trusts, and with which settings in them: kept in the data folder, for them alone.

import { createHash } from "node:crypto";
import { readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Places } from "./places.ts";
import { replaceFile } from "./replace-file.ts";

interface Kept {
  trusted: boolean;
  /** Of the settings that were there when the person said so. */
  settings: string;
}

/** What was said of this folder with these settings in it; undefined when nothing was, or they have changed since. */
export function trustOf(places: Places, folder: string, text: string): boolean | undefined {
  const kept = readAll(places)[realpathSync(folder)];
  return kept?.settings === hashOf(text) ? kept.trusted : undefined;
}

/** Whether one of these folders is trusted, whatever has changed in it. */
export function isTrusted(places: Places, folders: readonly string[]): boolean {
  const all = readAll(places);
  return folders.some((folder) => all[realpathSync(folder)]?.trusted);
}

export function keepTrust(places: Places, folder: string, text: string, trusted: boolean): void {
  write(places, { ...readAll(places), [realpathSync(folder)]: { trusted, settings: hashOf(text) } });
}

/** Tells whether there was something to forget. */
export function forgetTrust(places: Places, folder: string): boolean {
  const { [realpathSync(folder)]: was, ...others } = readAll(places);
  if (was) write(places, others);
  return was !== undefined;
}

const fileOf = (places: Places): string => join(places.data, "trust.json");

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

const write = (places: Places, all: Readonly<Record<string, Kept>>): void =>
  replaceFile(fileOf(places), `${JSON.stringify(all, null, 2)}\n`);

/** A file that others could have written says nothing. */
function readAll(places: Places): Record<string, Kept> {
  const path = fileOf(places);
  try {
    const { uid, mode } = statSync(path);
    if (process.platform !== "win32" && (uid !== process.getuid?.() || (mode & 0o022) !== 0)) return {};
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, Kept>) : {};
  } catch {
    return {};
  }
}
