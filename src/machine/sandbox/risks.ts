// Files in the workspace that programs of the person run, later and outside, without being asked: told when code has written one.

import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { startFiles } from "./walls.ts";

export interface RiskPlaces {
  home: string;
  /** Where this process finds what code sees. */
  view(path: string): string;
}

/** Settings of git that name a program, which git then starts by itself. */
const starting =
  /^(core\.(hookspath|fsmonitor|sshcommand|pager|editor|askpass|gitproxy)|alias\..*|filter\..*\.(clean|smudge|process)|diff\.external|diff\..*\.(textconv|command)|merge\..*\.driver|credential(\..*)?\.helper|gpg(\..*)?\.program|include(if\..*)?\.path|remote\..*\.(uploadpack|receivepack|vcs)|sequence\.editor|url\..*\.insteadof|protocol\.ext\.allow|init\.templatedir)$/;

/** Of a folder that is new as a whole: how much of it is looked at. */
const mostLookedAt = 5_000;

export function risksIn(changed: readonly string[], { home, view }: RiskPlaces): string[] {
  const paths = changed.flatMap((path) => [path, ...filesIn(path, view)]);
  const atStart = startFiles.map((name) => join(home, name));
  return paths.flatMap((path) => {
    if (/\/\.git(\/modules\/.*)?\/hooks\/[^/]+$/.test(path) && !path.endsWith(".sample"))
      return [`${path} is a hook: git runs it, without a sandbox, when you work in that repository.`];
    if (atStart.some((file) => path === file || path.startsWith(`${file}/`)))
      return [`${path} is read whenever a shell or a session of yours starts, without a sandbox.`];
    if (/^(sitecustomize|usercustomize)\.py$|\.pth$/.test(basename(path)) && /\/site-packages\/[^/]+$/.test(path))
      return [`${path} is run by every Python that finds it, without a sandbox.`];
    if (!/\/\.git(\/modules\/.*)?\/config(\.worktree)?$/.test(path)) return [];
    const keys = keysOf(view(path)).filter((key) => starting.test(key));
    if (keys.length === 0) return [];
    return [
      `${path} has ${[...new Set(keys)].join(", ")}: git starts what is named there, without a sandbox. Look at it before you use git.`,
    ];
  });
}

/** Files of repositories below a folder, as far as they matter here. Links are not followed. */
function filesIn(folder: string, view: RiskPlaces["view"]): string[] {
  const found: string[] = [];
  const waiting = [folder];
  let looked = 0;
  for (let at = waiting.shift(); at !== undefined && looked < mostLookedAt; at = waiting.shift()) {
    if (!lstatSync(view(at), { throwIfNoEntry: false })?.isDirectory()) continue;
    for (const entry of readdirSync(view(at), { withFileTypes: true })) {
      looked++;
      const path = join(at, entry.name);
      if (!entry.isDirectory()) found.push(path);
      else if (!/^(objects|node_modules)$/.test(entry.name)) waiting.push(path);
    }
  }
  return found.filter((path) => path.includes("/.git/"));
}

/** Names of settings as git writes them: `[section "sub"]`, then `key = value`. In lower case. */
export function keysOf(file: string): string[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8").slice(0, 1_000_000);
  } catch {
    return [];
  }
  let section = "";
  return text
    .toLowerCase()
    .split("\n")
    .flatMap((line) => {
      const [, name, sub, rest = line] = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/.exec(line) ?? [];
      if (name !== undefined) section = sub === undefined ? name : `${name}.${sub}`;
      const key = /^\s*([a-z][a-z0-9-]*)\s*(?:[=#;]|$)/.exec(rest)?.[1];
      return key === undefined ? [] : [`${section}.${key}`];
    });
}
