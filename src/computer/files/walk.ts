// Walks a folder where ripgrep is not there to do it: every file, but for what .gitignore names, .git and node_modules.

import { constants } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { openAnchored } from "../../machine/index.ts";
import { glob, type Matches } from "./glob.ts";
import type { Place } from "./place.ts";

const never = new Set([".git", "node_modules"]);

interface Rule {
  /** Where the rule stands, as a path from the root that ends with a slash, or "". */
  base: string;
  matches: Matches;
  folders: boolean;
  keeps: boolean;
}

/** Paths from the root, with slashes. Folders that cannot be read are left out; links are not followed. */
export async function* walk(root: Pick<Place, "path" | "held">, signal: AbortSignal): AsyncGenerator<string> {
  const open: { path: string; rules: Rule[] }[] = [{ path: "", rules: [] }];
  for (let next = open.pop(); next; next = open.pop()) {
    signal.throwIfAborted();
    const { path } = next;
    using folder = holdInside(root, path);
    if (!folder) continue;
    const entries = await readdir(folder.path, { withFileTypes: true }).catch(() => []);
    const ignores = entries.some((entry) => entry.name === ".gitignore" && entry.isFile());
    const rules = ignores ? [...next.rules, ...(await readRules(join(folder.path, ".gitignore"), path))] : next.rules;
    entries.sort((one, other) => (one.name < other.name ? -1 : 1));
    const folders = [];
    for (const entry of entries) {
      const inner = path + entry.name;
      const folder = entry.isDirectory();
      if (never.has(entry.name) || isIgnored(rules, inner, folder)) continue;
      if (folder) folders.push({ path: `${inner}/`, rules });
      else if (entry.isFile()) yield inner;
    }
    open.push(...folders.reverse());
  }
}

/** A folder below another one; undefined where it is gone, or has become something else. */
function holdInside({ path: root, held }: Pick<Place, "path" | "held">, path: string): Place | undefined {
  if (!held) return { path: join(root, path), held, [Symbol.dispose]: () => {} };
  try {
    return Object.assign(openAnchored({ root, path, folder: true }), { held });
  } catch {
    return undefined;
  }
}

async function readRules(path: string, base: string): Promise<Rule[]> {
  // A pipe must not be waited for.
  const flag = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const text = await readFile(path, { encoding: "utf8", flag }).catch(() => "");
  return text.split(/\r?\n/, 2_000).flatMap((line) => {
    const pattern = line.trim();
    if (pattern === "" || pattern.startsWith("#") || pattern.length > 500) return [];
    const keeps = pattern.startsWith("!");
    const bare = pattern.replace(/^!/, "").replace(/\/$/, "");
    // A slash inside ties the pattern to its folder.
    const matches = bare.includes("/") ? tied(bare.replace(/^\//, "")) : glob(bare);
    return [{ base, matches, folders: pattern.endsWith("/"), keeps }];
  });
}

function tied(pattern: string): Matches {
  const matches = glob(pattern);
  return pattern.includes("/") ? matches : (path) => !path.includes("/") && matches(path);
}

function isIgnored(rules: readonly Rule[], path: string, folder: boolean): boolean {
  const rule = rules.findLast(({ base, matches, folders }) => (folder || !folders) && matches(path.slice(base.length)));
  return rule !== undefined && !rule.keeps;
}
