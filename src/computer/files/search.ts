// Finds lines by what they say and files by what they are called: with ripgrep where it is there, by ourselves otherwise.

import { lstat, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { ComputerFault, type Context } from "../module.ts";
import { glob } from "./glob.ts";
import { onPath, openPlace, placeOf } from "./place.ts";
import { findRipgrep, listWithRipgrep, searchWithRipgrep } from "./ripgrep.ts";
import { searchInThread } from "./search-worker.ts";
import { walk } from "./walk.ts";

export interface Hit {
  path: string;
  line: number;
  text: string;
}

export interface Found {
  hits: Hit[];
  /** There is more than was asked for. */
  cut: boolean;
}

export interface Query {
  pattern: string;
  /** The folder it happens in, and what in there: "." or one file. */
  root: string;
  target: string;
  filter: string | undefined;
  literal: boolean;
  matchCase: boolean;
  limit: number;
}

export interface Search {
  pattern: string;
  path: string;
  glob: string | undefined;
  literal: boolean;
  case: boolean;
  limit: number;
}

const longestText = 500;
const most = 10_000;
const mostFiles = 200_000;
const largest = 10 << 20;

export function search(asked: Search, context: Context): Promise<Hit[]> {
  const { path, cwd } = { ...asked, cwd: context.cwd };
  if (asked.pattern === "") throw new ComputerFault("ValueError", "The pattern is empty.");
  const limit = bounded(asked.limit);
  return onPath(path, cwd, async () => {
    const place = placeOf(path, cwd);
    const folder = await isFolder(path, context);
    const query: Query = {
      pattern: asked.pattern,
      root: folder ? place : dirname(place),
      target: folder ? "." : basename(place),
      filter: asked.glob,
      literal: asked.literal,
      matchCase: asked.case,
      limit,
    };
    const ripgrep = await findRipgrep(context.env);
    const { hits, cut } = ripgrep
      ? await searchWithRipgrep(ripgrep, query, context)
      : await searchByOurselves(query, context);
    if (cut) context.note(`only the first ${limit} matches; narrow the pattern or raise limit`);
    return hits.map((hit) => ({
      path: folder ? shownPath(path, hit.path) : path,
      line: hit.line,
      text: hit.text.length > longestText ? `${hit.text.slice(0, longestText)}…` : hit.text,
    }));
  });
}

export function find(
  { pattern, path, limit }: { pattern: string; path: string; limit: number },
  context: Context,
): Promise<string[]> {
  const { cwd, env, signal, note } = context;
  if (pattern === "") throw new ComputerFault("ValueError", "The pattern is empty.");
  const most = bounded(limit);
  const wanted = /[*?[{]/.test(pattern) ? glob(pattern) : partOfName(pattern);
  return onPath(path, cwd, async () => {
    const root = placeOf(path, cwd);
    if (!(await isFolder(path, context))) throw new ComputerFault("NotADirectoryError", `${path} is not a folder.`);
    const found: string[] = [];
    let cut = false;
    const take = (file: string) => {
      if (!wanted(file)) return true;
      if (found.length < most) found.push(shownPath(path, file));
      else cut = true;
      return !cut;
    };
    const ripgrep = await findRipgrep(env);
    if (ripgrep) await listWithRipgrep(ripgrep, root, context, take);
    else {
      using held = openPlace(root, context, { folder: true });
      for await (const file of walk(held, signal)) if (!take(file)) break;
    }
    if (cut) note(`only the first ${most} files; narrow the pattern or raise limit`);
    return found;
  });
}

async function isFolder(path: string, context: Context): Promise<boolean> {
  using place = openPlace(path, context);
  return (await (place.held ? lstat : stat)(place.path)).isDirectory();
}

async function searchByOurselves(query: Query, context: Context): Promise<Found> {
  const { signal, note } = context;
  const source = query.literal ? query.pattern.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&") : query.pattern;
  const flags = query.matchCase ? "u" : "iu";
  try {
    new RegExp(source, flags);
  } catch (error) {
    throw new ComputerFault("ValueError", `The pattern is not a regular expression: ${(error as Error).message}`);
  }
  const wanted = query.filter === undefined ? () => true : glob(query.filter);
  const files: string[] = [];
  using root = openPlace(query.root, context, { folder: true });
  if (query.target !== ".") files.push(query.target);
  else {
    for await (const path of walk(root, signal)) {
      if (!wanted(path)) continue;
      files.push(path);
      if (files.length < mostFiles) continue;
      note(`only the first ${mostFiles} files were searched`);
      break;
    }
  }
  const { path, held } = root;
  const found = await searchInThread({ root: path, held, files, source, flags, limit: query.limit, largest }, signal);
  if (found.skipped > 0) note(`${found.skipped} files larger than ${largest >> 20} MB were not searched`);
  return found;
}

function partOfName(pattern: string): (path: string) => boolean {
  const part = pattern.toLowerCase();
  const whole = part.includes("/");
  return (path) => (whole ? path : path.slice(path.lastIndexOf("/") + 1)).toLowerCase().includes(part);
}

function shownPath(path: string, inner: string): string {
  const base = path.replace(/[\\/]+$/, "");
  return base === "." || base === "./" ? inner : base === "" ? `/${inner}` : `${base}/${inner}`;
}

function bounded(limit: number): number {
  if (!(limit >= 1)) throw new ComputerFault("ValueError", "limit is 1 or more.");
  return Math.min(Math.floor(limit), most);
}
