// What is in a folder that a step put in place, written down so that what somebody adds or changes later is noticed.

import { createHash } from "node:crypto";
import { join, sep } from "node:path";
import type { Pace } from "../checkpoint/pace.ts";
import type { Version } from "../effects/effect.ts";
import { isAsPlaced } from "./facts.ts";

type Entry = [name: string, version: Version];

/** Of more than can be listed: how many there are, and a digest over all of them, which tells that but not what has changed. */
export type Contents = { entries: Entry[] } | { count: number; digest: string };

export const mostListed = 20_000;

/** Where the folder is looked at: as it is, or as it will be. */
export interface Sight {
  names(path: string): string[];
  version(path: string): Version | undefined;
  /** Whether it may be a copy of what was there. */
  isCopied(path: string): boolean;
}

/** What is at these paths is looked after elsewhere. */
export interface Looking {
  sight: Sight;
  except: ReadonlySet<string>;
  pace: Pace;
}

/** In a certain order. `visit` says whether to look into a folder. */
async function walk(
  folder: string,
  looking: Looking,
  visit: (name: string, version: Version) => boolean,
  inner = "",
): Promise<void> {
  const { sight, except, pace } = looking;
  for (const name of sight.names(folder).sort()) {
    if (pace.due()) await pace.rest();
    const path = join(folder, name);
    const version = except.has(path) ? undefined : sight.version(path);
    if (version && visit(inner + name, version) && version.kind === "folder")
      await walk(path, looking, visit, `${inner}${name}/`);
  }
}

export async function readContents(folder: string, looking: Looking, most = mostListed): Promise<Contents> {
  const entries: Entry[] = [];
  const digest = createHash("sha256");
  let count = 0;
  await walk(folder, looking, (name, version) => {
    count++;
    if (count <= most) entries.push([name, version]);
    digest.update(lineOf(name, version));
    return true;
  });
  return count <= most ? { entries } : { count, digest: digest.digest("hex") };
}

/** Copies have another inode and nearly the same time. */
const lineOf = (name: string, { kind, size, mode, modified, target = "" }: Version): string =>
  `${name}\0${kind}\0${size}\0${mode}\0${kind === "folder" ? 0 : Math.floor(modified)}\0${target}\0`;

/** What is different now, as the end of a sentence; undefined: nothing. */
export async function differenceIn(folder: string, contents: Contents, looking: Looking): Promise<string | undefined> {
  if (!("entries" in contents)) {
    const now = await readContents(folder, looking, 0);
    if ("digest" in now && now.digest === contents.digest) return undefined;
    const more = "count" in now ? now.count - contents.count : 0;
    return more > 0 ? `${things(more)} added since` : "something in it was changed or deleted since";
  }
  const known = new Map(entriesWithout(folder, contents.entries, looking.except));
  let [added, changed, seen] = [0, 0, 0];
  await walk(folder, looking, (name, version) => {
    const placed = known.get(name);
    if (!placed) added++;
    else {
      seen++;
      if (!isAsPlaced(version, placed, looking.sight.isCopied(join(folder, name)))) changed++;
    }
    // A folder that was added counts as one thing.
    return placed !== undefined;
  });
  const deleted = known.size - seen;
  if (added > 0) return `${things(added)} added since`;
  if (changed > 0) return `${things(changed)} changed since`;
  return deleted > 0 ? `${things(deleted)} deleted since` : undefined;
}

/** Without what is looked after elsewhere. */
function entriesWithout(folder: string, entries: readonly Entry[], except: ReadonlySet<string>): readonly Entry[] {
  const start = join(folder, "/");
  const inner = [...except].flatMap((path) =>
    path.startsWith(start) ? path.slice(start.length).replaceAll(sep, "/") : [],
  );
  if (inner.length === 0) return entries;
  const gone = new Set(inner);
  const isGone = (name: string): boolean => {
    for (let end = name.length; end !== -1; end = name.lastIndexOf("/", end - 1))
      if (gone.has(name.slice(0, end))) return true;
    return false;
  };
  return entries.filter(([name]) => !isGone(name));
}

const things = (count: number): string => (count === 1 ? "1 thing in it was" : `${count} things in it were`);
