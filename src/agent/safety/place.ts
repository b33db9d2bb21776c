// Where a path leads: inside the working folder, into a folder of the system, to the person's own files.

import { posix } from "node:path";
import { gap } from "./value.ts";

export interface Place {
  /** The folder that the block may work in. */
  workspace: string;
  /** Where it is at the moment: what relative paths start from. */
  cwd: string;
  home: string;
  /** Folders whose files nobody misses. */
  temporary: readonly string[];
}

export interface Spot {
  /** With `~` for the home folder; without `.` and `..`. */
  path: string;
  /** False when it cannot be told. */
  known: boolean;
  inside: boolean;
  temporary: boolean;
  /** The working folder itself, or one around it. */
  holdsAll: boolean;
  /** The home folder itself, the root, or a folder of the system. */
  precious: boolean;
  /** In a folder that belongs to the system. */
  system: boolean;
}

const systemFolder =
  /^(\/(bin|boot|dev|etc|lib|lib32|lib64|opt|proc|root|run|sbin|srv|sys|usr|var|System|Library|Applications|private\/(etc|var))|[A-Za-z]:\/(Windows|Program Files( \(x86\))?|ProgramData))(\/|$)/;
const preciousFolder =
  /^(\/|~|\/(home|Users|mnt|media|Volumes)(\/[^/]+)?|\/(bin|boot|dev|etc|lib|lib64|opt|proc|root|run|sbin|srv|sys|usr|var|System|Library|Applications)(\/(local|lib|bin|share|log|www))?|[A-Za-z]:(\/(Windows|Users|Program Files))?\/?)$/;

export function spotOf(written: string, place: Place): Spot {
  const all = absolute(written, place);
  // What a pattern matches in a folder is the folder, for these questions.
  const folder = all.replace(/\/(\*+|\.\[\^\.\]\*|\{\*,\.\*\}|\.\*|\.)$/, "") || "/";
  const known = !folder.startsWith(gap);
  const workspace = absolute(place.workspace, place);
  const temporary = place.temporary.some((each) => isIn(folder, each) && folder !== each);
  const inside = known && isIn(folder, workspace);
  // Somebody who works in /opt/app means what is in there.
  const ownSystem = systemFolder.test(workspace);
  const whole = known && !folder.includes(gap);
  const holdsAll = whole && isIn(workspace, folder);
  const path = isIn(all, place.home) ? `~${all.slice(place.home.length)}` : all;
  const short = isIn(folder, place.home) ? `~${folder.slice(place.home.length)}` : folder;
  return {
    path,
    known,
    inside,
    temporary,
    holdsAll,
    precious: whole && preciousFolder.test(short) && !temporary,
    system: known && systemFolder.test(folder) && !temporary && !isIn(folder, place.home) && !(inside && ownSystem),
  };
}

const isIn = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);

/** The path from the root, whatever way it was written. A path that begins with a gap stays as it is. */
export function absolute(written: string, { cwd, home }: Pick<Place, "cwd" | "home">): string {
  const path = written
    .replaceAll("\\", "/")
    .replace(/^file:\/\//, "")
    .replace(/^~(?=\/|$)/, home);
  if (path.startsWith(gap)) return path;
  const full = /^(\/|[A-Za-z]:)/.test(path) ? path : `${cwd}/${path}`;
  return posix.normalize(full).replace(/(.)\/$/, "$1");
}
