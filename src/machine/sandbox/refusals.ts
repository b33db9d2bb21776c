// What walls have refused, read from what programs say of it: what was tried, and how it is allowed.

import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { isWithin } from "../layer/mounts.ts";
import type { Walls } from "./walls.ts";

export interface Refused {
  kind: "read" | "write";
  /** What was tried. */
  path: string;
  /** What a rule must name to allow it. */
  allow: string;
  /** In a sentence, with what to do about it. */
  why: string;
}

export interface RefusalsRequest {
  walls: Pick<Walls, "hidden" | "shown" | "level">;
  /** What may be written: nothing there is refused by walls. */
  open: readonly string[];
  /** What the system says where walls keep something from being written; it may say the same where the person may not do it either. */
  says?: RegExp;
}

const mostTold = 5;
const readOnly = /read-only file system|EROFS/i;
const unseen = /permission denied|EACCES|no such file|ENOENT|operation not permitted|EPERM/i;

export function refusalsIn(output: string, { walls, open, says = readOnly }: RefusalsRequest): Refused[] {
  const found = new Map<string, Refused>();
  /** What is nearest around it holds. */
  const kindOf = (path: string): "hidden" | "open" | "closed" => {
    const real = realOf(path);
    const [hidden, seen] = [walls.hidden, [...open, ...walls.shown]].map((places) =>
      Math.max(0, ...places.filter((place) => isWithin(real, place)).map(({ length }) => length)),
    );
    return hidden! > seen! ? "hidden" : open.some((place) => isWithin(real, place)) ? "open" : "closed";
  };
  for (const line of output.split("\n")) {
    if (!says.test(line) && !unseen.test(line)) continue;
    // Shells name the file of the block first; a part of a relative path is none.
    const paths = [...line.matchAll(/(?:^|[\s'"‘“:=(])(\/[^'"’”:\n]+)/g)].map(([, path]) => path!.trim());
    const path = paths.findLast((each) => kindOf(each) !== "open");
    if (path === undefined) continue;
    const isRead = kindOf(path) === "hidden" && unseen.test(line);
    if (!isRead && !(says.test(line) && (readOnly.test(line) || mayWrite(path)))) continue;
    const [kind, allow] = isRead ? (["read", path] as const) : (["write", nearestTo(path)] as const);
    const why = `The sandbox (${walls.level}) does not let code ${kind} ${path}. ${howToAllow(kind, allow)}`;
    found.set(`${kind} ${path}`, { kind, path, allow, why });
  }
  return [...found.values()].slice(0, mostTold);
}

/** All ways, from the shortest to the longest: for this run, for the conversation, for good. */
export const howToAllow = (kind: "read" | "write" | "host", what: string): string =>
  `To allow it: --allow_${kind} ${asWord(what)} for one run, /allow ${kind} ${what} for this conversation, /allow always ${kind} ${what} for good.`;

/** As a shell takes it for one word. */
const asWord = (text: string): string => (/^[\w./:@~+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** Where it leads, as far as it is there. */
function realOf(path: string): string {
  const there = nearestTo(path);
  try {
    return join(realpathSync(there), path.slice(there.length));
  } catch {
    return path;
  }
}

/** What can be opened: the file, or the folder that it would be in. */
function nearestTo(path: string): string {
  let at = path;
  while (at !== dirname(at) && !existsSync(at)) at = dirname(at);
  return at;
}

/** Whether the person could, without walls. */
function mayWrite(path: string): boolean {
  try {
    accessSync(nearestTo(path), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
