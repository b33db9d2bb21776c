// A folder that code may write in as well as we: it is held, so that whoever puts a link or another folder in its place, or a link or
// a pipe in the place of a file in it, leads nobody astray.

import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { newId } from "../messages/index.ts";
import { namesIn, raw } from "./undo/names.ts";

export interface HeldFolder {
  /** Puts a file there, in the place of whatever had that name. */
  write(name: string, text: string): void;
  /** Opens a file that is new, to write it. */
  create(name: string): number;
  /** Throws where it is no plain file, or too large to be one of ours. */
  read(name: string): Buffer;
  rename(from: string, to: string): void;
  /** Nothing happens where it is no file, or there is none. */
  delete(name: string): void;
  /** A folder in it, where there is none yet. */
  make(name: string): void;
  names(): string[];
  /** Lets it go. */
  close(): void;
  /** Deletes it with all that is in it, as far as that can be, and lets it go. */
  remove(): void;
}

const { O_CREAT, O_EXCL, O_RDONLY, O_WRONLY, O_DIRECTORY } = constants;
/** Not every system has them. */
const [O_NOFOLLOW, O_NONBLOCK] = [constants.O_NOFOLLOW ?? 0, constants.O_NONBLOCK ?? 0];
const largest = 512 * 1024 * 1024;

/** Throws where it is no folder itself. */
export const holdFolder = (path: string): HeldFolder =>
  process.platform === "linux" ? held(openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), path) : watched(path);

/** By its number, whatever becomes of its name. */
function held(folder: number, path: string): HeldFolder {
  let isOpen = true;
  const at = (name: string): string => {
    if (!isOpen) throw new Error(`${path} is not held any more.`);
    return `/proc/self/fd/${folder}/${name}`;
  };
  const close = (): void => {
    if (isOpen) closeSync(folder);
    isOpen = false;
  };
  return {
    ...files(at),
    close,
    remove() {
      if (!isOpen) return;
      empty(at("."));
      close();
      removeEmpty(path);
    },
  };
}

/** Where a folder cannot be held: it must still be the one it was. */
function watched(path: string): HeldFolder {
  const { ino, dev } = lstatSync(path);
  const at = (name: string): string => {
    const now = lstatSync(path);
    if (!now.isDirectory() || now.ino !== ino || now.dev !== dev) throw new Error(`${path} is another one now.`);
    return join(path, name);
  };
  return {
    ...files(at),
    close() {},
    remove() {
      try {
        empty(at("."));
      } catch {} // It is not ours any more.
      removeEmpty(path);
    },
  };
}

function files(at: (name: string) => string): Omit<HeldFolder, "close" | "remove"> {
  const create = (name: string): number => openSync(at(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  return {
    create,
    write(name, text) {
      const draft = `.${newId()}`;
      const file = create(draft);
      try {
        writeFileSync(file, text);
      } finally {
        closeSync(file);
      }
      renameSync(at(draft), at(name));
    },
    read(name) {
      const file = openSync(at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      try {
        const facts = fstatSync(file);
        if (!facts.isFile() || facts.size > largest) throw new Error(`${name} is no file of ours.`);
        return readFileSync(file);
      } finally {
        closeSync(file);
      }
    },
    rename: (from, to) => renameSync(at(from), at(to)),
    delete(name) {
      try {
        unlinkSync(at(name));
      } catch {}
    },
    make(name) {
      try {
        mkdirSync(at(name), { mode: 0o700 });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
    },
    names: () => readdirSync(at(".")),
  };
}

/** Each folder in it is held while it is emptied; what cannot be deleted stays. */
function empty(folder: string): void {
  for (const name of namesIn(folder)) {
    const path = `${folder}/${name}`;
    try {
      unlinkSync(raw(path));
    } catch {
      emptyFolder(path);
    }
  }
}

function emptyFolder(path: string): void {
  try {
    if (process.platform === "linux") {
      const folder = openSync(raw(path), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      try {
        empty(`/proc/self/fd/${folder}`);
      } finally {
        closeSync(folder);
      }
    } else if (lstatSync(path).isDirectory()) empty(path);
    rmdirSync(raw(path));
  } catch {}
}

function removeEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {}
}
