// Files in the workspace that programs of the person run, later and outside, without being asked: told when code has written one.

import { type Dirent, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { versionOf } from "../effects/version.ts";
import { isWithin } from "../layer/mounts.ts";
import { type GitSetting, gitSettings } from "./git-settings.ts";

export interface RiskPlaces {
  /** The workspace. */
  roots: readonly string[];
  /** Where this process finds what code sees. */
  view(path: string): string;
}

/** Settings of git that name a program, which git then starts by itself. */
const starting = new RegExp(
  `^(${[
    "core\\.(hookspath|fsmonitor|sshcommand|pager|editor|askpass|gitproxy|alternaterefscommand)",
    "alias\\..*",
    "pager\\..*",
    "hook\\..*\\.command",
    "filter\\..*\\.(clean|smudge|process)",
    "diff\\.external",
    "diff\\..*\\.(textconv|command)",
    "merge\\..*\\.driver",
    "(diff|merge|gui)tool\\..*\\.(cmd|path)",
    "(browser|man)\\..*\\.(cmd|path)",
    "trailer\\..*\\.(cmd|command)",
    "interactive\\.difffilter",
    "credential(\\..*)?\\.helper",
    "gpg(\\..*)?\\.(program|defaultkeycommand)",
    "include(if\\..*)?\\.path",
    "remote\\..*\\.(uploadpack|receivepack|vcs)",
    "submodule\\..*\\.update",
    "sequence\\.editor",
    "url\\..*\\.insteadof",
    "protocol\\.ext\\.allow",
    "init\\.templatedir",
  ].join("|")})$`,
);

/** Some of them start something only with certain values. */
const harmless: readonly [RegExp, RegExp][] = [
  [/^alias\./, /^[^!]/],
  [/^submodule\./, /^[^!]/],
  [/^(core\.fsmonitor|pager\..*)$/, /^(true|false|yes|no|on|off|1|0)$/i],
];

const starts = ({ key, value }: GitSetting): boolean =>
  starting.test(key) && !harmless.some(([of, values]) => of.test(key) && values.test(value));

/** Of a folder that is new as a whole: how much of it is looked at. */
const mostLookedAt = 5_000;

export function risksIn(changed: readonly string[], { roots, view }: RiskPlaces): string[] {
  const paths = changed.flatMap((path) => [path, ...filesIn(path, view)]);
  const hooks = changed.length === 0 ? [] : roots.flatMap((root) => hookFoldersOf(root, view));
  const written = hooks.filter((folder) => changed.some((path) => isWithin(path, folder) || isWithin(folder, path)));
  const ofHooks = written.map(
    (folder) =>
      `${folder} has hooks (core.hooksPath): git runs them, without a sandbox, when you work in that repository.`,
  );
  const others = paths.flatMap((path) => {
    if (/^(sitecustomize|usercustomize)\.py$|\.pth$/.test(basename(path)) && /\/site-packages\/[^/]+$/.test(path))
      return [`${path} is run by every Python that finds it, without a sandbox.`];
    if (!/\/\.git(\/modules\/.*)?\/config(\.worktree)?$/i.test(path)) return [];
    const keys = gitSettings(view(path))
      .filter(starts)
      .map(({ key }) => key);
    if (keys.length === 0) return [];
    return [
      `${path} has ${[...new Set(keys)].join(", ")}: git starts what is named there, without a sandbox. Look at it before you use git.`,
    ];
  });
  return [...ofHooks, ...others];
}

/** Folders beside a repository that its settings name for its hooks. */
function hookFoldersOf(root: string, view: RiskPlaces["view"]): string[] {
  const named = gitSettings(view(join(root, ".git/config"))).filter(({ key }) => key === "core.hookspath");
  return named.map(({ value }) => resolve(root, value)).filter((folder) => !isWithin(root, folder));
}

/** Files of repositories below a folder, as far as they matter here. Links are not followed. */
function filesIn(folder: string, view: RiskPlaces["view"]): string[] {
  const found: string[] = [];
  const waiting = [folder];
  let looked = 0;
  for (let at = waiting.shift(); at !== undefined && looked < mostLookedAt; at = waiting.shift()) {
    if (versionOf(view(at))?.kind !== "folder") continue;
    for (const entry of entriesOf(view(at))) {
      looked++;
      const path = join(at, entry.name);
      if (!entry.isDirectory()) found.push(path);
      else if (!/^(objects|node_modules)$/.test(entry.name)) waiting.push(path);
    }
  }
  return found.filter((path) => path.includes("/.git/"));
}

/** None where it may not be looked into. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
