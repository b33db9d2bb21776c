// What walls have refused, read from what programs say of it: what was tried, and how it is allowed.

import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { isWithin } from "../layer/mounts.ts";
import { leadsTo, relativeNames } from "./relative.ts";
import type { Walls } from "./walls.ts";

export interface Refused {
  kind: "read" | "write";
  /** What was tried. */
  path: string;
  /** What a rule must name to allow it. */
  allow: string;
  /** It is a folder that was to be made, right in one that is there: it has to be made before it can be opened. */
  makes?: true;
  /** In a sentence, with what to do about it. */
  why: string;
}

export interface RefusalsRequest {
  walls: Pick<Walls, "hidden" | "shown" | "fixed" | "level">;
  /** What may be written: nothing there is refused by walls. */
  open: readonly string[];
  /** What the system says where walls keep something from being written; it may say the same where the person may not do it either. */
  says?: RegExp;
  /** The folders that a relative name may be meant from, the likeliest first. */
  from?: readonly string[];
}

const mostTold = 5;
const readOnly = /read-only file system|EROFS/i;
const unseen =
  /permission denied|EACCES|no such file|ENOENT|operation not permitted|EPERM|no such device or address|ENXIO/i;

export function refusalsIn(output: string, request: RefusalsRequest): Refused[] {
  const { walls, open, says = readOnly, from = [] } = request;
  const found = new Map<string, Refused>();
  /** What is nearest around it holds. */
  const kindOf = (path: string): "hidden" | "open" | "closed" => {
    const real = realOf(path);
    const [hidden, seen] = [walls.hidden, [...open, ...walls.shown]].map((places) =>
      Math.max(0, ...places.filter((place) => isWithin(real, place)).map(({ length }) => length)),
    );
    if (hidden! > seen!) return "hidden";
    const isOpen = open.some((place) => isWithin(real, place));
    return isOpen && !walls.fixed.some((place) => isWithin(real, place)) ? "open" : "closed";
  };
  /** Of what was read of a line, the place that walls keep from code. */
  const refusedBy = (line: string, paths: readonly string[]): string | undefined => {
    const whole = paths.findLast((each) => kindOf(each) !== "open");
    if (whole !== undefined || from.length === 0) return whole;
    const said = says.test(line) ? says : unseen;
    return relativeNames(line, said)
      .flatMap((name) => leadsTo(name, from))
      .find((each) => kindOf(each) === "hidden" || (says.test(line) && kindOf(each) === "closed"));
  };
  const lines = output.split("\n");
  for (const [index, written] of lines.entries()) {
    // A shell names itself, or the file of the block, and not what was tried.
    const line = written.replace(/^\/[^:]+: (?=line \d+: )/, "sh: ");
    if (!says.test(line) && !unseen.test(line)) continue;
    // A part of a relative path is none.
    const paths = [...line.matchAll(/(?:^|[\s'"‘“:=(])(\/[^'"’”:\n]+)/g)].map(([, path]) => path!.trim());
    const path = refusedBy(line, paths);
    if (path === undefined) continue;
    const isRead = kindOf(path) === "hidden" && unseen.test(line);
    if (!isRead && !(says.test(line) && (readOnly.test(line) || mayWrite(path)))) continue;
    const makes = !isRead && isFolderToMake(path, line, lines[index - 1] ?? "");
    const [kind, allow] = isRead ? (["read", path] as const) : (["write", makes ? path : nearestTo(path)] as const);
    const first = makes ? ` Make it first (mkdir ${asWord(path)}).` : "";
    const why = `The sandbox (${walls.level}) does not let code ${kind} ${path}.${first} ${howToAllow(kind, allow)}`;
    found.set(`${kind} ${path}`, { kind, path, allow, ...(makes && { makes }), why });
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

/** Python names what was called in the line above the error. Not where a link leads elsewhere: what is made is what was named. */
function isFolderToMake(path: string, line: string, above: string): boolean {
  const isPython = /\[Errno \d+\]/.test(line) && /\b(mkdir|makedirs)\b/.test(above);
  const isSaid = isPython || /cannot create directory|\bmkdir\b/i.test(line);
  return isSaid && nearestTo(path) === dirname(path) && realOf(path) === path;
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
