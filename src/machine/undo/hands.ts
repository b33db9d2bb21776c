// Does one thing at a time to the file system. What its owner may not write or read is opened for the moment and closed again;
// each opening is written down first, so that it is closed even when the process was killed meanwhile.

import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
} from "node:fs";
import { dirname } from "node:path";
import { factsOf } from "./facts.ts";
import { raw } from "./names.ts";

/** Bits of the owner's permission that an operation cannot do without. */
export interface Need {
  path: string;
  bits: number;
  /** The other name that it may have afterwards. */
  becomes?: string;
}

export interface Hands {
  /** Does it; where that is refused, once more with what it needs opened. */
  act<T>(what: string, needs: readonly Need[], operation: () => T): T;
  /** The same with something that takes longer. */
  actLong(what: string, needs: readonly Need[], operation: () => Promise<void>): Promise<void>;
  rename(from: string, to: string): void;
  /** A second name for a file; false where the file system has no such thing, or not for this file. */
  link(from: string, to: string): boolean;
  unlink(path: string): void;
  chmod(path: string, mode: number): void;
  makeFolder(path: string, mode?: number): void;
  /** Whether it was empty. */
  removeFolder(path: string): boolean;
  /** Gives back the permissions of everything that was opened. */
  closeUp(): void;
}

interface Opened {
  paths: string[];
  mode: number;
  inode: number;
}

/** Called before each operation that changes something. */
export type OnOperation = (what: string) => void;

/** `notes`: a file for what is open. */
export function openHands(notes: string, onOperation?: OnOperation): Hands {
  let opened: Opened[] = readNotes(notes);

  function openUp({ path, bits, becomes }: Need): boolean {
    const facts = factsOf(path);
    if (!facts || facts.isSymbolicLink() || (facts.mode & bits) === bits || facts.uid !== process.geteuid?.())
      return false;
    const mode = facts.mode & 0o7777;
    const note: Opened = { paths: becomes === undefined ? [path] : [path, becomes], mode, inode: facts.ino };
    onOperation?.(`note ${path}`);
    appendFileSync(notes, `${JSON.stringify(note)}\n`, { mode: 0o600 });
    opened.push(note);
    onOperation?.(`open ${path}`);
    chmodSync(raw(path), mode | bits);
    return true;
  }

  function openAll(needs: readonly Need[], error: unknown): void {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EACCES" && code !== "EPERM") throw error;
    // All of them, not only the first that helps.
    if (!needs.map(openUp).some((helped) => helped)) throw error;
  }

  const hands: Hands = {
    act(what, needs, operation) {
      onOperation?.(what);
      try {
        return operation();
      } catch (error) {
        openAll(needs, error);
        return operation();
      }
    },
    async actLong(what, needs, operation) {
      onOperation?.(what);
      try {
        await operation();
      } catch (error) {
        openAll(needs, error);
        await operation();
      }
    },
    rename(from, to) {
      const needs = [inFolderOf(from), inFolderOf(to), { path: from, bits: 0o200, becomes: to }];
      hands.act(`rename ${from} to ${to}`, needs, () => renameSync(raw(from), raw(to)));
    },
    link(from, to) {
      try {
        hands.act(`link ${from} to ${to}`, [inFolderOf(to)], () => linkSync(raw(from), raw(to)));
        return true;
      } catch (error) {
        if (noLinks.has((error as NodeJS.ErrnoException).code ?? "")) return false;
        throw error;
      }
    },
    unlink(path) {
      hands.act(`unlink ${path}`, [inFolderOf(path)], () => unlinkSync(raw(path)));
    },
    chmod(path, mode) {
      hands.act(`chmod ${path}`, [], () => chmodSync(raw(path), mode));
    },
    makeFolder(path, mode = 0o777) {
      hands.act(`make ${path}`, [inFolderOf(path)], () => {
        if (!factsOf(path)) mkdirSync(raw(path), mode);
      });
    },
    removeFolder(path) {
      try {
        hands.act(`remove ${path}`, [inFolderOf(path)], () => rmdirSync(raw(path)));
        return true;
      } catch {
        return false;
      }
    },
    closeUp() {
      if (opened.length === 0) return;
      for (const { paths, mode, inode } of opened.reverse()) {
        const path = paths.find((path) => factsOf(path)?.ino === inode);
        if (path !== undefined) hands.chmod(path, mode);
      }
      onOperation?.(`unlink ${notes}`);
      rmSync(notes, { force: true });
      opened = [];
    },
  };
  return hands;
}

const noLinks = new Set(["EPERM", "EACCES", "EMLINK", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"]);

/** To make, rename or delete something, its folder must be one to write in. */
export const inFolderOf = (path: string): Need => ({ path: dirname(path), bits: 0o300 });

function readNotes(notes: string): Opened[] {
  if (!factsOf(notes)) return [];
  const text = readFileSync(notes, "utf8");
  // The last line may have been cut short: then nothing was opened yet.
  return text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as Opened];
    } catch {
      return [];
    }
  });
}
