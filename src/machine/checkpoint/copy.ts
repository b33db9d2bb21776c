// Copies and compares the content of single files: by reference where the file system can, with holes left holes, in bites.

import { execFile } from "node:child_process";
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { copyFile } from "node:fs/promises";
import { promisify } from "node:util";
import { raw } from "../undo/names.ts";
import type { Pace } from "./pace.ts";

/** Up to here it is quicker to copy at once than to wait for somebody else to. */
const small = 256 * 1024;

const piece = 1024 * 1024;

export interface Content {
  path: string;
  size: number;
  mode: number;
  /** What it takes on the disk. */
  bytes: number;
}

/** To a path where nothing is. Rejects with the system's error. */
export type Copy = (from: Content, to: string, pace: Pace) => Promise<void>;

export function openCopy(): Copy {
  // Until the file system says no: asking for each of many small files takes longer than copying them.
  let clones = true;
  const clone = (from: string | Buffer, to: string | Buffer): boolean => {
    try {
      if (clones) copyFileSync(from, to, constants.COPYFILE_FICLONE_FORCE);
      return clones;
    } catch {
      rmSync(to, { force: true });
      clones = false;
      return false;
    }
  };
  return async (from, path, pace) => {
    const [source, to] = [raw(from.path), raw(path)];
    if (clone(source, to)) {
      if ((from.mode & 0o7600) !== 0o600) chmodSync(to, 0o600);
    } else if (from.size <= small) {
      writeFileSync(to, readFileSync(source), { flag: "wx", mode: 0o600 });
    } else if (from.bytes < from.size * 0.9) {
      await copyWithHoles(from.path, path, pace);
    } else {
      await copyFile(source, to, constants.COPYFILE_FICLONE);
      chmodSync(to, 0o600);
    }
  };
}

async function copyWithHoles(from: string, to: string, pace: Pace): Promise<void> {
  try {
    // Only this program can be told to step over holes without reading them.
    if (process.platform !== "linux" || !from.isWellFormed() || !to.isWellFormed()) throw new Error("not for this one");
    await promisify(execFile)("cp", ["--sparse=always", "--", from, to]);
    chmodSync(to, 0o600);
  } catch {
    rmSync(raw(to), { force: true });
    await copyPieces(from, to, pace);
  }
}

/** Pieces that are nothing but zeros are not written. */
export async function copyPieces(from: string, to: string, pace: Pace): Promise<void> {
  const source = openSync(raw(from), "r");
  try {
    const target = openSync(raw(to), "wx", 0o600);
    try {
      const bytes = Buffer.alloc(piece);
      const zeros = Buffer.alloc(piece);
      let place = 0;
      for (let read = readSync(source, bytes, 0, piece, place); read > 0; ) {
        if (!zeros.subarray(0, read).equals(bytes.subarray(0, read))) writeSync(target, bytes, 0, read, place);
        place += read;
        if (pace.due()) await pace.rest();
        read = readSync(source, bytes, 0, piece, place);
      }
      ftruncateSync(target, place);
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

/** Of files that have this size; undefined when one of them cannot be read. */
export async function sameContent(one: string, other: string, size: number, pace: Pace): Promise<boolean | undefined> {
  const open: number[] = [];
  const length = Math.min(size + 1, piece);
  try {
    for (const path of [one, other]) open.push(openSync(raw(path), "r"));
    const [mine, yours] = [Buffer.allocUnsafe(length), Buffer.allocUnsafe(length)];
    for (let place = 0; ; ) {
      const [read, also] = [readSync(open[0]!, mine, 0, length, place), readSync(open[1]!, yours, 0, length, place)];
      if (read !== also || !mine.subarray(0, read).equals(yours.subarray(0, also))) return false;
      if (read === 0) return true;
      place += read;
      if (pace.due()) await pace.rest();
    }
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") throw error;
    return undefined;
  } finally {
    for (const file of open) closeSync(file);
  }
}
