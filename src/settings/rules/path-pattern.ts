// Patterns of paths: `~/Desktop`, `./out`, `/srv/data/**/*.csv`. What is named is meant with everything below it.

import { readdirSync, realpathSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { InputProblem } from "../problem.ts";

export interface PathPlaces {
  /** What `./` means. */
  cwd: string;
  /** What `~` means. */
  home: string;
}

export interface PathPattern {
  /** As it is kept: whole, or below `~`. */
  text: string;
  /** The folder or file that it begins with, and whether that is all of it. */
  base: string;
  whole: boolean;
  matches(path: string): boolean;
}

const hasGlob = (text: string): boolean => /[*?]/.test(text);

/** `loose`: a bare name is one in the working folder, as it is in a shell. */
export function readPathPattern(written: string, places: PathPlaces, where: string, loose = false): PathPattern {
  const wrong = (hint: string): InputProblem =>
    new InputProblem(`${where}${JSON.stringify(written)} is no path for a rule.`, hint);
  if (written.trim() === "" || written.includes("\0")) throw wrong("For example: ~/Desktop, ./out or /srv/data.");
  if (/^~[^/\\]/.test(written)) throw wrong("~ is your own folder; write any other in full.");
  if (!loose && !/^(~|\.{1,2})([/\\]|$)|^[/\\]|^[a-z]:[/\\]/i.test(written))
    throw wrong(`Begin it with /, ~/ or ./, for example: ./${written}`);
  const path = absolute(written, places);
  const segments = path.split("/");
  const first = segments.findIndex(hasGlob);
  const end = first === -1 ? segments.length : first;
  const base = segments.slice(0, end).join("/") || "/";
  const rest = segments.slice(end);
  const plain = expression(segments);
  const real = realPath(base);
  // A link in the working folder may have been put there by code: what it leads to is not what was named.
  const trusted = real === base || !isBelow(base, slashed(places.cwd)) || isBelow(real, realPath(places.cwd));
  const forms = trusted && real !== base ? [plain, expression([...real.split("/"), ...rest])] : [plain];
  return {
    text: shortened(path, places.home),
    base,
    whole: rest.length === 0 || rest.every((segment) => segment === "**"),
    matches: (each) => forms.some((form) => form.test(each)),
  };
}

/** A path as it is compared: whole, with slashes, in one spelling of its letters. */
export function absolute(written: string, { cwd, home }: PathPlaces): string {
  const inHome = written === "~" || /^~[/\\]/.test(written) ? join(home, written.slice(1)) : written;
  return slashed(resolve(cwd, inHome));
}

const slashed = (path: string): string => (sep === "/" ? path : path.replaceAll(sep, "/")).normalize("NFC");

/** With `~` where it lies below the home folder. */
export function shortened(path: string, home: string): string {
  const own = slashed(home);
  return own !== "/" && isBelow(path, own) ? `~${path.slice(own.length)}` : path;
}

/** Where a path leads, as far as it is there. */
export function realPath(path: string): string {
  try {
    return slashed(realpathSync.native(path));
  } catch {
    const parent = dirname(path);
    return parent === path ? path : slashed(join(realPath(parent), path.slice(parent.length)));
  }
}

/** Itself, or below it. */
export const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);

/** Names are compared as the system compares them. */
const letters = process.platform === "darwin" || process.platform === "win32" ? "i" : "";

function expression([start = "", ...segments]: readonly string[]): RegExp {
  const text = segments
    .filter((segment) => segment !== "")
    .map((segment) =>
      segment === "**"
        ? "(?:/[^/]+)*"
        : `/${segment
            .replace(/[.+^${}()|[\]\\]/g, "\\$&")
            .replaceAll("*", "[^/]*")
            .replaceAll("?", "[^/]")}`,
    );
  return new RegExp(`^${start.replace(/[^\w:]/g, "\\$&")}${text.join("")}(?:/.*)?$`, `s${letters}`);
}

/** Entries that are looked at for one pattern. */
const mostEntries = 20_000;

/** What there is that a pattern names: the highest folders and files. Links are not followed. */
export function expand({ base, whole, matches }: PathPattern): string[] {
  if (whole) return [base];
  const found: string[] = [];
  let left = mostEntries;
  const look = (folder: string): void => {
    for (const entry of entriesOf(folder)) {
      if (left-- <= 0) return;
      const path = folder.endsWith("/") ? `${folder}${entry.name}` : `${folder}/${entry.name}`;
      if (matches(path)) found.push(path);
      else if (entry.isDirectory()) look(path);
    }
  };
  look(base);
  return found;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
