// Files that a message may mention with @: those below the working folder, found by any letters of their path in order.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Match } from "./completion.ts";
import { type Ignores, readIgnores } from "./ignored.ts";

/** So many files and folders are looked at; a larger tree is known only in part. */
const mostEntries = 5_000;
const mostOffered = 50;
/** A list that is older (ms) is made anew. */
const fresh = 3_000;

/** Folders that nobody mentions. */
const never = new Set([".git", ".hg", ".svn", ".venv", ".cache", ".tox", "__pycache__", "node_modules", ".DS_Store"]);

export function createMentions(cwd: string): (query: string) => Promise<Match[]> {
  let listed: Promise<string[]> | undefined;
  let at = Number.NEGATIVE_INFINITY;
  return async (query) => {
    if (performance.now() - at > fresh) {
      at = performance.now();
      listed = list(cwd);
    }
    return rank(await listed!, query).map((path) => ({ text: `${mention(path)}${path.endsWith("/") ? "" : " "}` }));
  };
}

const mention = (path: string): string => (/[\s"']/.test(path) ? `@"${path}"` : `@${path}`);

/** The paths below a folder, those near it first; folders end with a slash. */
export async function list(root: string): Promise<string[]> {
  const paths: string[] = [];
  let folders: { path: string; ignores: { base: string; ignores: Ignores }[] }[] = [{ path: "", ignores: [] }];
  while (folders.length > 0 && paths.length < mostEntries) {
    const below: typeof folders = [];
    for (const { path, ignores } of folders) {
      const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => []);
      const here = entries.some(({ name }) => name === ".gitignore")
        ? [...ignores, { base: path, ignores: readIgnores(await content(join(root, path, ".gitignore"))) }]
        : ignores;
      for (const entry of entries) {
        const whole = path + entry.name;
        const isFolder = entry.isDirectory();
        const said = here.map((each) => each.ignores(whole.slice(each.base.length), isFolder));
        if (never.has(entry.name) || said.findLast((each) => each !== undefined)) continue;
        paths.push(isFolder ? `${whole}/` : whole);
        if (isFolder) below.push({ path: `${whole}/`, ignores: here });
        if (paths.length >= mostEntries) return paths;
      }
    }
    folders = below;
  }
  return paths;
}

const content = (path: string): Promise<string> => readFile(path, "utf8").catch(() => "");

/** The best first: in the name before in the path, together before apart, short before long. */
export function rank(paths: readonly string[], query: string): string[] {
  const wanted = query.toLowerCase();
  const scored = paths.flatMap((path) => {
    const score = scoreOf(path.toLowerCase(), wanted);
    return score === undefined ? [] : [{ path, score: score + path.length / 1_000 }];
  });
  scored.sort((one, other) => one.score - other.score || (one.path < other.path ? -1 : 1));
  return scored.slice(0, mostOffered).map(({ path }) => path);
}

function scoreOf(path: string, wanted: string): number | undefined {
  if (wanted === "") return path.split("/").length;
  const name = path.replace(/\/$/, "").replace(/^.*\//, "");
  if (path.startsWith(wanted)) return 0;
  if (name.startsWith(wanted)) return 1;
  if (name.includes(wanted)) return 2;
  if (path.includes(wanted)) return 3;
  let at = -1;
  for (const letter of wanted) {
    at = path.indexOf(letter, at + 1);
    if (at === -1) return undefined;
  }
  return 4;
}
