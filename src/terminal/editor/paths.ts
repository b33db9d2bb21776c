// Completes the path of a file, as people type paths: from the home folder, relative, with spaces escaped or in quotes.

import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Offer } from "./completion.ts";

/** More names than this are not offered. */
const most = 1_000;

const windows = process.platform === "win32";
const separator = windows ? /[\\/]/ : /\//;

/** The word before the cursor: as it stands there, and the path it means. */
export interface Word {
  typed: string;
  path: string;
  /** The quote it began with. */
  quote: string;
}

export function lastWord(before: string): Word {
  const quoted = /(?:^|\s)(["'])((?:(?!\1)[^\n])*)$/.exec(before);
  if (quoted) return { typed: quoted[1]! + quoted[2]!, path: quoted[2]!, quote: quoted[1]! };
  const typed = (windows ? /[^\s"']*$/ : /(?:\\.|[^\s"'\\])*$/).exec(before)![0];
  return { typed, path: windows ? typed : typed.replace(/\\(.)/g, "$1"), quote: "" };
}

export const looksLikePath = ({ path }: Word): boolean => separator.test(path) || path.startsWith("~");

/** What may stand in place of the word. */
export async function offerPaths({ typed, path, quote }: Word, cwd: string): Promise<Offer> {
  if (path === "~") return { matches: [{ text: `${quote}~/` }], replaced: typed };
  const cut = windows ? path.search(/[^\\/]*$/) : path.lastIndexOf("/") + 1;
  const [folder, begun] = [path.slice(0, cut), path.slice(cut)];
  const names = await namesIn(
    resolve(
      cwd,
      folder.replace(/^~(?=[/\\])/, () => homedir()),
    ),
  );
  const fits = names.filter(({ name }) => name.startsWith(begun) && (begun.startsWith(".") || !name.startsWith(".")));
  const matches = fits
    .slice(0, most)
    .map(({ name, isFolder }) => ({ text: quote + escaped(folder + name, quote) + (isFolder ? "/" : "") }));
  return { matches, replaced: typed };
}

function escaped(path: string, quote: string): string {
  return quote || windows ? path : path.replace(/[\s"'\\()&;|<>$`*?[\]{}!#]/g, "\\$&");
}

async function namesIn(folder: string): Promise<{ name: string; isFolder: boolean }[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = await Promise.all(
    entries.slice(0, most * 10).map(async (entry) => ({
      name: entry.name,
      isFolder: entry.isDirectory() || (entry.isSymbolicLink() && (await isFolder(join(folder, entry.name)))),
    })),
  );
  return names.sort((one, other) => (one.name < other.name ? -1 : 1));
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
