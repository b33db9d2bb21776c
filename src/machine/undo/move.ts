// The moves that a step is made of, each of them so that it can be done again, or taken back, whatever of it was done when the
// process was killed: how far it had come is read from what lies where.

import { basename, dirname, join } from "node:path";
import type { Pace } from "../checkpoint/pace.ts";
import type { Copier } from "./copy-tree.ts";
import { factsOf, isSameNode } from "./facts.ts";
import type { Hands } from "./hands.ts";
import { writeInto } from "./write-into.ts";

export type Move =
  /** What is at `path` goes to `goes`, and what lies at `comes` takes its place; both on the file system of `path`. */
  | { way: "swap"; path: string; comes?: string; goes?: string }
  /** The file at `path` gets the content of the one at `comes`. `was` is a copy of what it had. */
  | { way: "through"; path: string; comes: string; was: string }
  | { way: "mode"; path: string; from: number; to: number }
  /** A folder that is missing around something, or that was and is empty. */
  | { way: "folder"; path: string; to: "there" | "gone" };

export interface Mover {
  hands: Hands;
  pace: Pace;
  copier: Copier;
  problems: string[];
}

export async function doMove(move: Move, mover: Mover): Promise<void> {
  const { hands } = mover;
  if (move.way === "swap") swap(move, mover);
  else if (move.way === "through") await doThrough(move, mover);
  else if (move.way === "mode") hands.chmod(move.path, move.to);
  else if (move.to === "there") hands.makeFolder(move.path);
  else hands.removeFolder(move.path);
  hands.closeUp();
}

export async function takeMoveBack(move: Move, mover: Mover): Promise<void> {
  const { hands, pace } = mover;
  if (move.way === "swap") swapBack(move, hands);
  else if (move.way === "through") {
    if (factsOf(move.path)?.isFile()) await writeInto(move.was, move.path, hands, pace);
  } else if (move.way === "mode") {
    if (factsOf(move.path)) hands.chmod(move.path, move.from);
  } else if (move.to === "there") hands.removeFolder(move.path);
  else hands.makeFolder(move.path);
  hands.closeUp();
}

type Swap = Extract<Move, { way: "swap" }>;

function swap({ path, comes, goes }: Swap, mover: Mover): void {
  const { hands } = mover;
  const here = factsOf(path);
  const gone = goes === undefined ? undefined : factsOf(goes);
  if (comes === undefined) {
    // When it has gone already, what is there now is somebody else's.
    if (here && !gone && goes !== undefined) hands.rename(path, goes);
    return;
  }
  const coming = factsOf(comes);
  if (!coming) {
    if (!here || (goes !== undefined && !gone)) throw new Error(`${comes} is not there any more`);
    return;
  }
  if (!here) {
    hands.rename(comes, path);
    return;
  }
  if (gone ? !isSameNode(here, gone) && !isSameNode(here, coming) : goes === undefined) setAside(path, mover);
  else if (!gone) {
    // A file has two names for a moment, so that there is no moment without it.
    const canStay = !here.isDirectory() && !coming.isDirectory() && isLinkable(here.isSymbolicLink());
    if (!(canStay && hands.link(path, goes!))) hands.rename(path, goes!);
  }
  // Renaming a file to another name of itself does nothing.
  if (isSameNode(here, coming)) hands.unlink(comes);
  else hands.rename(comes, path);
}

/** Elsewhere a second name for a link would be one for what it points to. */
const isLinkable = (isLink: boolean): boolean => !isLink || process.platform === "linux";

function swapBack({ path, comes, goes }: Swap, hands: Hands): void {
  const here = factsOf(path);
  const gone = goes === undefined ? undefined : factsOf(goes);
  if (comes === undefined) {
    if (gone && !here) hands.rename(goes!, path);
    return;
  }
  const coming = factsOf(comes);
  if (coming) {
    if (!gone) return;
    if (here && isSameNode(here, gone)) hands.unlink(goes!);
    else if (!here || isSameNode(here, coming)) hands.rename(goes!, path);
    return;
  }
  const canStay = here && gone && !here.isDirectory() && !gone.isDirectory() && isLinkable(here.isSymbolicLink());
  if (here && !(canStay && hands.link(path, comes))) hands.rename(path, comes);
  if (gone) hands.rename(goes!, path);
}

async function doThrough({ path, comes }: Extract<Move, { way: "through" }>, mover: Mover): Promise<void> {
  if (!factsOf(comes)) return;
  const here = factsOf(path);
  if (here?.isFile()) return writeInto(comes, path, mover.hands, mover.pace);
  if (here) setAside(path, mover);
  await mover.copier.copy(comes, path);
}

/** Something that somebody put there after the process was killed, and before its work was finished. It is theirs. */
function setAside(path: string, { hands, problems }: Mover): void {
  for (let number = 1; ; number++) {
    const aside = join(dirname(path), `${basename(path)}.aside-${number}`);
    if (factsOf(aside)) continue;
    hands.rename(path, aside);
    problems.push(`Something had been put at ${path} meanwhile: it is at ${aside} now.`);
    return;
  }
}
