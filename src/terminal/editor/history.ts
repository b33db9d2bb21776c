// What was typed before, in this conversation and in others: a private file with one JSON object a line. Without a place to
// write, it is remembered until the program ends.

import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

export interface Entry {
  text: string;
  /** Parts that were pasted and are shown folded. */
  folds?: [from: number, to: number][];
}

export interface History {
  /** Oldest first. Read from the file when first asked for. */
  entries(): readonly Entry[];
  add(entry: Entry): void;
}

/** So much is kept. Trimming waits until there is a quarter more, so that it is seldom. */
const mostEntries = 5_000;
const mostBytes = 4_000_000;
const longestEntry = 100_000;

/** Without a path it is remembered only here. */
export function openHistory(path: string | undefined): History {
  const added: Entry[] = [];
  let all: Entry[] | undefined;
  return {
    entries() {
      all ??= path === undefined ? [...added] : afresh(path, added);
      return all;
    },
    add(entry) {
      if (!worthKeeping(entry.text)) return;
      const last = (all ?? added).at(-1);
      if (last?.text === entry.text) return;
      all?.push(entry);
      added.push(entry);
      if (path !== undefined) attempt(() => append(path, entry));
    },
  };
}

/** A line that begins with a space is the person's way to say: not this one. */
const worthKeeping = (text: string): boolean => text.trim() !== "" && !/^\s/.test(text) && text.length <= longestEntry;

/** What the file has; what was added here comes last even when it could not be written. */
function afresh(path: string, added: readonly Entry[]): Entry[] {
  const { entries, bytes } = attempt(() => read(path)) ?? { entries: [], bytes: 0 };
  if (entries.length > mostEntries * 1.25 || bytes > mostBytes * 1.25) attempt(() => trim(path));
  const written = new Set(added.map(({ text }) => text));
  return withoutRepeats([...entries.filter(({ text }) => !written.has(text)), ...added]).slice(-mostEntries);
}

function read(path: string): { entries: Entry[]; bytes: number } {
  const content = readFileSync(path, "utf8");
  const entries = content.split("\n").flatMap((line) => readEntry(line) ?? []);
  return { entries: withoutRepeats(entries), bytes: content.length };
}

/** Undefined for a line that is empty, torn or somebody else's. */
function readEntry(line: string): Entry | undefined {
  if (line === "") return undefined;
  const value = attempt(() => JSON.parse(line) as Partial<Entry> | null);
  if (typeof value?.text !== "string" || value.text === "") return undefined;
  const folds = Array.isArray(value.folds) ? value.folds.filter(isRange) : [];
  return folds.length > 0 ? { text: value.text, folds } : { text: value.text };
}

const isRange = (value: unknown): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every((each) => Number.isInteger(each));

const withoutRepeats = (entries: readonly Entry[]): Entry[] =>
  entries.filter(({ text }, index) => text !== entries[index - 1]?.text);

/** One write at the end of the file, so that what two programs write at once does not mix. */
function append(path: string, entry: Entry): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  withLock(path, () => {
    const file = openSync(path, "a+", 0o600);
    try {
      writeSync(file, `${endsTorn(file) ? "\n" : ""}${JSON.stringify(entry)}\n`);
    } finally {
      closeSync(file);
    }
  });
}

/** Whether the last line was cut off, by a full disk or a power failure. */
function endsTorn(file: number): boolean {
  const { size } = fstatSync(file);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== 10;
}

function trim(path: string): void {
  withLock(path, () => {
    const lines: string[] = [];
    let bytes = 0;
    for (const entry of read(path).entries.slice(-mostEntries).reverse()) {
      const line = `${JSON.stringify(entry)}\n`;
      bytes += line.length;
      if (bytes > mostBytes) break;
      lines.unshift(line);
    }
    const draft = `${path}.${process.pid}.tmp`;
    writeFileSync(draft, lines.join(""), { mode: 0o600 });
    renameSync(draft, path);
  });
}

/** A lock that is older belongs to a program that is gone. */
const staleAfter = 2_000;

/** Keeps programs from writing while one of them trims. One that waits too long goes on: nobody waits to type. */
function withLock(path: string, action: () => void): void {
  const lock = `${path}.lock`;
  let held = false;
  for (let tries = 0; !held && tries < 100; tries++) {
    held = attempt(() => closeSync(openSync(lock, "wx", 0o600)) ?? true) ?? false;
    if (held) break;
    const since = attempt(() => statSync(lock).mtimeMs);
    if (since !== undefined && Date.now() - since > staleAfter) attempt(() => rmSync(lock, { force: true }));
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  }
  try {
    action();
  } finally {
    if (held) attempt(() => rmSync(lock, { force: true }));
  }
}

/** What fails here, fails for lack of a file that can be used, and is no reason to stop anybody from typing. */
function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
