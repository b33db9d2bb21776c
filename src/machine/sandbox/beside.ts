// Start files in places beside the workspace that code may write: what was not there before a block is taken away when it has ended.

import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { nameOf } from "../effects/name.ts";
import { versionOf } from "../effects/version.ts";
import { type Holder, quote } from "../layer/holder.ts";
import { isWithin } from "../layer/mounts.ts";
import { raw } from "../undo/names.ts";
import { type Barred, type Bars, barredIn, barredSentences, type Changed } from "./later.ts";
import { startPlaces } from "./start-files.ts";

export interface Beside {
  /** Before a block: what is there is the person's, and stays as it is. */
  note(): Promise<void>;
  /** After it: what is new is taken away. Sentences about what was, and about what could not be. */
  takeBack(): Promise<{ denied: string[]; stays: string[] }>;
}

export interface BesideRequest {
  holder: Holder;
  bars: Bars;
  home: string;
  env: NodeJS.ProcessEnv;
  /** What may be written besides the workspace, from the start. */
  writable: readonly string[];
  /** What stays as it is already. */
  fixed: readonly string[];
}

export function openBeside({ holder, bars, home, env, writable, fixed }: BesideRequest): Beside {
  const starts = startPlaces(home, env).filter(
    (place) => !bars.roots.some((root) => isWithin(place, root) || isWithin(root, place)),
  );
  /** While a block runs: what was there when it began. What is not known of that is nobody's to take away. */
  const before = new Map<string, string | undefined>();
  const open = (): string[] => [...writable, ...bars.allowed];
  /** Those that code can reach; one behind a link is known by where that leads, too. */
  const reached = (): string[] => {
    const places = open();
    return starts.filter((start) => places.some((place) => start !== place && isWithin(start, place)));
  };
  const isAnother = (path: string): boolean => before.has(path) && before.get(path) !== identityOf(path);

  function changedAt(start: string): Changed[] {
    const around = foldersTo(start, open());
    const link = around.find((folder) => versionOf(folder)?.kind === "link");
    if (link !== undefined) return isAnother(link) ? [asChanged(link, "link")] : [];
    // One that was there is a mount, and only goes along with a folder around it.
    const isMade = isAnother(start) && (before.get(start) === undefined || around.some(isAnother));
    const kind = versionOf(start)?.kind;
    return isMade && kind ? [asChanged(start, kind)] : [];
  }

  return {
    async note() {
      before.clear();
      for (const start of reached()) {
        for (const path of [start, ...foldersTo(start, open())]) before.set(path, identityOf(path));
        const kind = versionOf(start)?.kind;
        const isNamed = bars.allowed.some((each) => isWithin(each, start));
        if (fixed.includes(start) || isNamed || (kind !== "file" && kind !== "folder")) continue;
        // Unless it is so already; a place that was closed and is open again has none of it left.
        const at = quote(start);
        await holder.run("eval", `[ ! -w ${at} ] || { mount --rbind ${at} ${at} && mount -o remount,bind,ro ${at}; }`);
      }
    },
    async takeBack() {
      const changed = new Map(reached().flatMap((start) => changedAt(start).map((each) => [each.path, each])));
      before.clear();
      if (changed.size === 0) return { denied: [], stays: [] };
      const around = { roots: open(), starts, allowed: bars.allowed };
      const barred = barredIn([...changed.values()], around, (path) => (versionOf(path) ? path : undefined));
      const gone: Barred[] = [];
      const stays: string[] = [];
      for (const each of barred) {
        // Within the walls: there it can be led astray to nothing that code may not write.
        if ((await holder.run("rm", "-rf", "--", each.path)) === undefined) gone.push(each);
        else stays.push(`${each.path} could not be taken back. Look at it before you start a shell or use git.`);
      }
      return { denied: barredSentences(gone, (path) => nameOf(path, "file", bars.roots)), stays };
    },
  };
}

const asChanged = (path: string, kind: Changed["kind"]): Changed => ({ path, change: "created", kind, at: path });

/** The folders around a place, from the inside, up to one that is open as a whole. */
function foldersTo(place: string, open: readonly string[]): string[] {
  const folders: string[] = [];
  for (let at = dirname(place); open.some((each) => at !== each && isWithin(at, each)); at = dirname(at))
    folders.push(at);
  return folders;
}

/** Which file or folder it is, whatever is in it; undefined where there is none. */
function identityOf(path: string): string | undefined {
  try {
    const facts = lstatSync(raw(path), { throwIfNoEntry: false });
    return facts && `${facts.dev} ${facts.ino}`;
  } catch {
    return undefined;
  }
}
