// Folders to keep and undo steps in: what is in them as text, and changes made of sources beside them.

import {
  chmodSync,
  type Dirent,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import type { NodeChange } from "../../../src/machine/undo/change.ts";
import { openUndoStore, type UndoStore, type UndoStoreRequest } from "../../../src/machine/undo/store.ts";

export const facts = { id: "block", language: "python", code: "print(1)" };

export interface Place extends Disposable {
  /** The workspace. */
  root: string;
  /** Where sources are put, on the file system of the store. */
  beside: string;
  data: string;
  store: UndoStore;
  open(more?: Partial<UndoStoreRequest>): UndoStore;
  /** A path in the workspace. */
  at(name: string): string;
}

/** `where`: a folder on another file system, for the workspace. */
export function place(where = tmpdir()): Place {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), "undo-")));
  const own = where === tmpdir() ? outside : realpathSync(mkdtempSync(join(where, "undo-")));
  const [root, beside, data] = [join(own, "root"), join(outside, "beside"), join(outside, "data")];
  for (const folder of [root, beside, data]) mkdirSync(folder);
  const open = (more: Partial<UndoStoreRequest> = {}): UndoStore =>
    openUndoStore({ data, roots: [root], limit: 1e9, ...more });
  const remove = (folder: string): void => {
    openUp(folder);
    rmSync(folder, { recursive: true, force: true });
  };
  return {
    ...{ root, beside, data, open, store: open() },
    at: (name) => join(root, name),
    [Symbol.dispose]() {
      remove(own);
      remove(outside);
    },
  };
}

function openUp(folder: string): void {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) openUp(join(folder, entry.name));
}

let count = 0;

/** What takes the place of a path, lying beside the workspace; a string is a file's text. */
export function put({ beside, at }: Place, name: string, text: string, mode = 0o644): NodeChange {
  const source = join(beside, `source-${count++}`);
  writeFileSync(source, text);
  chmodSync(source, mode);
  return { path: at(name), how: "whole", source, had: has(at(name)), has: true };
}

/** The same with a folder, which `fill` fills. */
export function putFolder({ beside, at }: Place, name: string, fill: (folder: string) => void): NodeChange {
  const source = join(beside, `source-${count++}`);
  mkdirSync(source);
  fill(source);
  return { path: at(name), how: "whole", source, had: has(at(name)), has: true };
}

export function putLink({ beside, at }: Place, name: string, target: string): NodeChange {
  const source = join(beside, `source-${count++}`);
  symlinkSync(target, source);
  return { path: at(name), how: "whole", source, had: has(at(name)), has: true };
}

export const gone = ({ at }: Place, name: string): NodeChange => {
  return { path: at(name), how: "whole", had: true, has: false };
};

export const mode = ({ at }: Place, name: string, modeAfter: number): NodeChange => {
  const modeBefore = lstatSync(at(name)).mode & 0o7777;
  return { path: at(name), how: "mode", had: true, has: true, modeBefore, modeAfter };
};

export const has = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

export function write(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
}

/** Everything in a folder: kinds, permissions, contents, and which names are names of one file. */
export function snapshot(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  const names = new Map<number, string>();
  const look = (path: string): void => {
    const name = relative(folder, path);
    const facts = lstatSync(path);
    const bits = (facts.mode & 0o7777).toString(8);
    if (facts.isSymbolicLink()) found[name] = `link to ${readlinkSync(path)}`;
    else if (facts.isDirectory()) {
      found[`${name}/`] = bits;
      const entries: Dirent[] = readdirSync(path, { withFileTypes: true });
      for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) look(join(path, entry.name));
    } else if (facts.isFile()) {
      const first = facts.nlink > 1 ? (names.get(facts.ino) ?? "") : "";
      names.set(facts.ino, names.get(facts.ino) ?? name);
      found[name] = `${bits} ${first ? `same as ${first}` : textIn(path, facts.mode)}`;
    } else found[name] = `${bits} ${facts.isFIFO() ? "pipe" : "other"}`;
  };
  look(folder);
  return found;
}

/** Also where its owner may not read. */
function textIn(path: string, mode: number): string {
  if ((mode & 0o400) === 0) chmodSync(path, 0o600);
  try {
    return readFileSync(path, "latin1");
  } finally {
    if ((mode & 0o400) === 0) chmodSync(path, mode & 0o7777);
  }
}
