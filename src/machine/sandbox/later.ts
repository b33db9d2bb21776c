// What programs of the person would run later by themselves, outside and without a sandbox: start files, and hooks of git. Found among
// what a step has made, so that it is not kept.

import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Effect, Version } from "../effects/effect.ts";
import { versionOf } from "../effects/version.ts";
import { opened } from "../layer/access.ts";
import { isWithin } from "../layer/mounts.ts";
import { isWithoutEnd } from "../layer/too-deep.ts";
import { raw, textOf } from "../undo/names.ts";
import { gitSettings } from "./git-settings.ts";
import { startPlaces } from "./start-files.ts";

/** What is held back, as plain data. */
export interface Bars {
  roots: readonly string[];
  /** Files, and folders with all that is in them. */
  starts: readonly string[];
  /** What the person lets be written all the same; more is added when they say so. */
  allowed: string[];
}

/** One place of the tree that a step has changed. A folder that is new is one, with all in it. */
export interface Changed {
  path: string;
  change: Effect["change"];
  kind: Version["kind"];
  /** Where what is there now can be read. */
  at: string;
  /** Of what was moved here: the name it had, and where what was there can be read; `loose`: with other permissions. */
  from?: { path: string; at: string; loose?: boolean } | undefined;
}

export interface Barred {
  path: string;
  why: "start" | "hook" | "hooks-path" | "repository" | "unseen";
  /** It was moved here from there. */
  from?: string;
}

/** Where what a step left at a path lies; undefined where there is nothing. */
export type Locate = (path: string) => string | undefined;

export interface BarsRequest {
  roots: readonly string[];
  home: string;
  env: NodeJS.ProcessEnv;
  allowWrite: readonly string[];
}

export function barsFor({ roots, home, env, allowWrite }: BarsRequest): Bars {
  // Whoever works in such a folder means to.
  const starts = startPlaces(home, env).filter((place) => !roots.some((root) => isWithin(root, place)));
  return {
    roots,
    starts: starts.filter((place) => roots.some((root) => isWithin(place, root))),
    allowed: [...allowWrite],
  };
}

/** Twice: some letters are only another one's small form. */
const folded = (text: string): string => text.toUpperCase().toLowerCase();

/** A name as the file systems compare it that are least exact: without case, and without what some of them do not see. */
const plain = (name: string): string =>
  folded(name.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, "").replace(/[. ]+$/, ""));

const isGitFolder = (path: string): boolean => /^(\.git|git~1)$/.test(plain(basename(path)));

export function barredIn(changed: readonly Changed[], bars: Bars, locate: Locate): Barred[] {
  const found: Barred[] = [];
  const roots = bars.roots.map(folded);
  const starts = new Set(bars.starts.map(folded));
  const aroundStarts = new Set([...starts].flatMap((place) => foldersTo(dirname(place), roots)));
  const isStart = (path: string): boolean =>
    starts.size > 0 && foldersTo(folded(path), roots).some((each) => starts.has(each));
  /** Whether git takes a folder for a repository, or for the part of one that has its hooks. */
  const isRepository = remembering((path) => isGitFolder(path) || looksLikeOne((name) => locate(join(path, name))));
  const isHooks = (path: string): boolean => isNamed(path, /^hooks$/) && isRepository(dirname(path));
  /** Only by its own name: who lets a folder be written does not think of this. */
  const names = (path: string): boolean =>
    isStart(path) ||
    path.split("/").some((name) => isGitFolder(name) || plain(name) === "hooks") ||
    isRepository(dirname(path));
  const allowed = bars.allowed.filter(names);
  const isAllowed = (path: string): boolean => allowed.some((each) => isWithin(path, each));

  /** What is known of the folder around it is not asked again: a new folder may have very many files. */
  const judge = (path: string, kind: Version["kind"], at: string, inHooks: boolean): Barred["why"] | undefined => {
    const name = starts.size > 0 ? folded(path) : path;
    if (starts.has(name) || (kind === "link" && aroundStarts.has(name))) return "start";
    if (inHooks) return plain(path).endsWith(".sample") ? undefined : "hook";
    if (kind === "folder") return undefined;
    if (kind === "link" && isHooks(path)) return "hook";
    const isSettings = isNamed(path, /^config(\.worktree)?$/) && isRepository(dirname(path));
    return isSettings && hooksIn(at, dirname(path)).some(isInRepository) ? "hooks-path" : undefined;
  };
  const isInRepository = (path: string): boolean => foldersTo(path, bars.roots).some(isRepository);
  const namedHooks = remembering((repository) => {
    const settings = locate(join(repository, "config"));
    return settings === undefined ? [] : hooksIn(settings, repository).filter(isInRepository);
  });

  const visit = (
    path: string,
    kind: Version["kind"],
    at: string,
    one: Changed,
    why?: Barred["why"],
    level = 0,
  ): void => {
    const isPartly = kind === "folder" && allowed.some((each) => isWithin(each, path));
    if (why && !isPartly) {
      if (!isAllowed(path) && !isMovedHook(path, why, one)) found.push({ path, why });
    } else if (kind === "folder") {
      const entries = isWithoutEnd(level, path) ? undefined : entriesOf(at);
      if (!entries) found.push({ path, why: "unseen" });
      const inHooks = isHooks(path);
      for (const entry of entries ?? []) {
        const [inner, place] = [`${path}/${entry.name}`, `${at}/${entry.name}`];
        const its = entry.isDirectory() ? "folder" : entry.isSymbolicLink() ? "link" : "file";
        const what = why ?? judge(inner, its, place, inHooks);
        if (its === "folder") opened(place, 0o500, () => visit(inner, its, place, one, what, level + 1));
        else if (what) visit(inner, its, place, one, what);
      }
    }
  };

  /** A hook that has come along with its repository is the one that the person had. */
  const isMovedHook = (path: string, why: Barred["why"], { path: top, from }: Changed): boolean => {
    if (why !== "hook" || !from) return false;
    const inner = path.slice(top.length);
    const [was, wasAt] = [join(from.path, inner), join(from.at, inner)];
    const [repository, inside] = [dirname(dirname(was)), dirname(dirname(wasAt))];
    const wasRepository = isGitFolder(repository) || looksLikeOne((name) => versionOf(join(inside, name)));
    const wasHook = plain(basename(dirname(was))) === "hooks" && wasRepository && basename(was) === basename(path);
    return wasHook && isSameFile(wasAt, locate(path), from.loose);
  };

  for (const one of changed) {
    const { path, change, kind, at } = one;
    if (change === "deleted" || (change === "mode" && kind === "folder")) continue;
    const around = foldersTo(dirname(path), bars.roots);
    const hooks = around.find(isHooks);
    const named = around.filter(isRepository).flatMap(namedHooks);
    // Deeper than right in the folder of hooks, or in another one that settings name.
    const isDeeper = (hooks !== undefined && hooks !== dirname(path)) || named.some((folder) => isWithin(path, folder));
    const isInStart = isStart(dirname(path));
    const why = isInStart ? "start" : isDeeper ? "hook" : judge(path, kind, at, hooks !== undefined);
    opened(at, kind === "folder" ? 0o500 : 0, () => visit(path, kind, at, one, why));
    const last = found.at(-1);
    if (last?.path === path && one.from) last.from = one.from.path;
  }
  return [...found, ...becoming(changed, found)];

  /** What makes a repository of a folder that had something like hooks already. */
  function becoming(all: readonly Changed[], barred: readonly Barred[]): Barred[] {
    const held = new Set(barred.map(({ path }) => path));
    return all.flatMap(({ path, change }) => {
      const folder = dirname(path);
      if (change === "deleted" || change === "mode" || !/^(objects|refs)$/.test(plain(basename(path)))) return [];
      if (isGitFolder(folder) || !isRepository(folder)) return [];
      const [hooks, at] = [join(folder, "hooks"), locate(join(folder, "hooks"))];
      if (at === undefined || isAllowed(hooks)) return [];
      const there = versionOf(at)?.kind === "link" || (entriesOf(at) ?? []).some(({ name }) => isHook(hooks, name));
      return there && !held.has(hooks) ? [{ path, why: "repository" as const }] : [];
    });

    function isHook(hooks: string, name: string): boolean {
      return !plain(name).endsWith(".sample") && !held.has(join(hooks, name));
    }
  }
}

/** Most names are told apart by their first letter. */
function isNamed(path: string, name: RegExp): boolean {
  const own = path.slice(path.lastIndexOf("/") + 1);
  return /^[hc\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/i.test(own) && name.test(plain(own));
}

const looksLikeOne = (part: (name: string) => unknown): boolean =>
  ["objects", "refs"].every((name) => part(name) !== undefined);

/** Where settings of a repository say that its hooks are, besides the usual place. */
function hooksIn(file: string, repository: string): string[] {
  const settings = gitSettings(file);
  const worktree = settings.findLast(({ key }) => key === "core.worktree")?.value;
  const base = worktree ? resolve(repository, worktree) : isGitFolder(repository) ? dirname(repository) : repository;
  return settings
    .filter(({ key, value }) => key === "core.hookspath" && value !== "")
    .map(({ value }) => resolve(base, value))
    .filter((path) => path !== join(repository, "hooks"));
}

function remembering<Result>(find: (path: string) => Result): (path: string) => Result {
  const known = new Map<string, Result>();
  return (path) => {
    if (!known.has(path)) known.set(path, find(path));
    return known.get(path)!;
  };
}

/** A folder and those around it, up to the workspace itself. */
function foldersTo(path: string, roots: readonly string[]): string[] {
  const folders: string[] = [];
  for (let at = path; roots.some((root) => at !== root && isWithin(at, root)); at = dirname(at)) folders.push(at);
  return folders;
}

/** Undefined where it cannot be looked into; one that is gone has none. */
function entriesOf(folder: string): Dirent[] | undefined {
  try {
    const entries = readdirSync(raw(folder) as string, { withFileTypes: true });
    // The mark for bytes that were no text; or a name that has it.
    if (!entries.some(({ name }) => name.includes("\ufffd"))) return entries;
    const bytes = readdirSync(raw(folder) as string, { withFileTypes: true, encoding: "buffer" });
    return bytes.map((entry) => Object.assign(entry as unknown as Dirent, { name: textOf(entry.name as Buffer) }));
  } catch (error) {
    return /^(ENOENT|ENOTDIR)$/.test((error as NodeJS.ErrnoException).code ?? "") ? [] : undefined;
  }
}

function isSameFile(one: string, other: string | undefined, loose = false): boolean {
  const [was, now] = [versionOf(one), other === undefined ? undefined : versionOf(other)];
  if (was?.kind !== "file" || now?.kind !== "file" || (!loose && (now.mode & ~was.mode & 0o111) !== 0)) return false;
  return was.size === now.size && readFileSync(raw(one)).equals(readFileSync(raw(other!)));
}

const because: Record<Barred["why"], string> = {
  start: "a shell or a program of yours would read it when it starts, outside of the sandbox",
  hook: "git would run it by itself, outside of the sandbox",
  "hooks-path": "it has git look for hooks in a folder inside of the repository",
  repository: "it makes a repository of a folder that has hooks in it",
  unseen: "it cannot be looked into",
};

const mostNamed = 3;

/** Of a path that is longer than anybody reads, both ends. */
const shortened = (name: string): string => (name.length > 300 ? `${name.slice(0, 100)}…${name.slice(-100)}` : name);

/** For person and model: what was not kept, why, and how it is allowed. One for all hooks of a repository. */
export function barredSentences(barred: readonly Barred[], name: (path: string) => string): string[] {
  const groups = new Map<string, Barred[]>();
  for (const each of barred) {
    const key = each.why === "hook" ? dirname(each.path) : each.path;
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()].map((group) => {
    const { path, why } = group[0]!;
    const left = group.length - mostNamed;
    const named = group.slice(0, mostNamed).map((each) => shortened(name(each.path)));
    const what = `${named.join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
    const place = why === "repository" ? join(dirname(path), "hooks") : group.length > 1 ? dirname(path) : path;
    const verb = group.length > 1 ? "were" : "was";
    const reason = group.length > 1 ? because[why].replace("run it", "run them") : because[why];
    return `${what} ${verb} not kept: ${reason}. To allow it: /allow write ${shortened(place)}, and then run the code again.`;
  });
}
