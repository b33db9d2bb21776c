// A copy of a file or of a folder with all in it, to another file system or beside one that is still used: permissions, times,
// owners, links, hard links among what is copied, holes and named pipes included.

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  lchownSync,
  linkSync,
  lutimesSync,
  mkdirSync,
  readlinkSync,
  type Stats,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { openCopy } from "../checkpoint/copy.ts";
import type { Pace } from "../checkpoint/pace.ts";
import { findTool } from "../find-tool.ts";
import { factsOf } from "./facts.ts";
import { type Hands, inFolderOf } from "./hands.ts";
import { namesIn, raw } from "./names.ts";

export interface Copier {
  /** To a path where nothing is. What cannot be copied becomes a sentence in `problems`. */
  copy(from: string, to: string): Promise<void>;
}

/** All that is copied by one of them counts as one tree: files that are the same stay the same. */
export function openCopier(hands: Hands, pace: Pace, problems: string[]): Copier {
  const first = new Map<string, string>();
  const copyContent = openCopy();

  async function copy(from: string, to: string): Promise<void> {
    const facts = factsOf(from);
    if (!facts) return;
    if (pace.due()) await pace.rest();
    if (facts.isDirectory()) await copyFolder(from, to, facts);
    else if (facts.isSymbolicLink()) {
      const target = readlinkSync(raw(from), { encoding: "buffer" });
      hands.act(`make ${to}`, [inFolderOf(to)], () => symlinkSync(target, raw(to)));
      passFacts(facts, to);
    } else if (facts.isFile() || facts.isFIFO()) {
      const key = `${facts.dev} ${facts.ino}`;
      const same = facts.nlink > 1 ? first.get(key) : undefined;
      if (same !== undefined && isLinked(same, to)) return;
      if (facts.isFIFO())
        hands.act(`make ${to}`, [inFolderOf(to)], () =>
          execFileSync(findTool("mkfifo") ?? "mkfifo", ["-m", "600", "--", to]),
        );
      else await copyFile(from, to, facts);
      passFacts(facts, to);
      if (facts.nlink > 1) first.set(key, to);
    } else {
      problems.push(`${from} is a socket or a device: those are not copied.`);
    }
  }

  function isLinked(from: string, to: string): boolean {
    try {
      hands.act(`link ${from} to ${to}`, [inFolderOf(to)], () => linkSync(raw(from), raw(to)));
      return true;
    } catch {
      return false;
    }
  }

  async function copyFolder(from: string, to: string, facts: Stats): Promise<void> {
    hands.act(`make ${to}`, [inFolderOf(to)], () => mkdirSync(raw(to), 0o700));
    const names = hands.act(`read ${from}`, [{ path: from, bits: 0o500 }], () => namesIn(from));
    for (const name of names) await copy(join(from, name), join(to, name));
    passFacts(facts, to);
  }

  async function copyFile(from: string, to: string, facts: Stats): Promise<void> {
    const bytes = facts.blocks === undefined ? facts.size : Math.min(facts.size, facts.blocks * 512);
    const needs = [{ path: from, bits: 0o400 }, inFolderOf(to)];
    await hands.actLong(`copy ${from} to ${to}`, needs, async () => {
      if (!from.isWellFormed() || !to.isWellFormed()) copyFileSync(raw(from), raw(to));
      else await copyContent({ path: from, size: facts.size, mode: facts.mode, bytes }, to, pace);
    });
  }

  return { copy };
}

/** Owner, permissions and times, as far as that is allowed. */
function passFacts(facts: Stats, to: string): void {
  try {
    const now = factsOf(to)!;
    if (now.uid !== facts.uid || now.gid !== facts.gid) lchownSync(raw(to), facts.uid, facts.gid);
  } catch {} // Only the superuser gives files away.
  if (facts.isSymbolicLink()) {
    lutimesSync(raw(to), facts.atimeMs / 1000, facts.mtimeMs / 1000);
    return;
  }
  chmodSync(raw(to), facts.mode & 0o7777);
  utimesSync(raw(to), facts.atimeMs / 1000, facts.mtimeMs / 1000);
}
