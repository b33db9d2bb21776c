// Changes what sessions see: takes things out of the layer so that the real ones are seen again, also where a process holds them.

import { chmodSync, linkSync, mkdirSync, rmSync, type Stats } from "node:fs";
import { constants } from "node:os";
import { dirname, join, relative } from "node:path";
import { newId } from "../../messages/index.ts";
import { openPace } from "../checkpoint/pace.ts";
import { openCopier } from "../undo/copy-tree.ts";
import { factsOf } from "../undo/facts.ts";
import { openHands } from "../undo/hands.ts";
import { raw, visibleNamesIn } from "../undo/names.ts";
import { writeInto } from "../undo/write-into.ts";
import { openAround, reaching } from "./access.ts";
import type { Holder } from "./holder.ts";
import { isBlind, type LeftInside } from "./left.ts";
import { type Held, isHeld } from "./members.ts";
import { isWithin } from "./mounts.ts";
import { removeTree } from "./sweep.ts";

/** One folder of the workspace, and where its changes are caught. */
export interface Covered {
  root: string;
  upper: string;
}

export interface InsideRequest {
  holder: Holder;
  covered: readonly Covered[];
  /** For what is needed meanwhile. */
  folder: string;
  /** Where this process sees what sessions see at a path. */
  view: (path: string) => string;
  /** The kernel looks again. */
  refresh: () => Promise<void>;
  /** What could not be done, in sentences. */
  problems: string[];
}

export interface Inside {
  inUpper(path: string): string;
  /** A file that a process has open becomes what the real one is; false where it lost its name instead. */
  takeOut(path: string, held: Held, left: LeftInside): Promise<boolean>;
  remove(path: string): void;
  chmod(path: string, mode: number): Promise<void>;
  /** Into a folder that does not show the real one. */
  bringIn(path: string): Promise<void>;
  /** Whether there was something at these paths, or in there, that was not seen as it really is. Now it can be. */
  reveal(paths: readonly string[], cameBack: (real: Stats) => boolean): boolean;
  /** Says of those that are still seen although something else is there: the kernel does not let go of them. */
  checkGone(paths: readonly string[]): void;
  /** Whether the real file has other names than those that it was given for that. */
  hasOtherNames(path: string): boolean;
  /** When nobody has a file open any more. */
  forgetRevealed(): void;
}

export function openInside({ holder, covered, folder, view, refresh, problems }: InsideRequest): Inside {
  const names = join(folder, "names");
  /** How many names a file was given, by its number. */
  const revealed = new Map<number, number>();
  const hands = () => openHands(join(folder, "opened"));
  const coverOf = (path: string): Covered => covered.find((each) => isWithin(path, each.root))!;

  const inside: Inside = {
    inUpper(path) {
      const { root, upper } = coverOf(path);
      return join(upper, relative(root, path));
    },
    async takeOut(path, held, left) {
      const [mine, real] = [factsOf(inside.inUpper(path)), factsOf(path)];
      // Where less is left of a file than a process has in its memory, that would be ended.
      const isShorter = held.mapped.has(path) && mine && real && real.size < mine.size;
      if (mine?.isFile() && real?.isFile() && held.open.has(path) && !isShorter && isOwn(path, mine, real, left)) {
        const upper = inside.inUpper(path);
        const close = openAround(coverOf(path).upper, [upper]);
        try {
          await writeInto(path, upper, hands(), openPace());
        } finally {
          close();
        }
        await inside.chmod(path, real.mode & 0o7777);
        return true;
      }
      const blind = isBlind(path, left);
      // The kernel goes on finding what a process holds under its name, until it is deleted by that name.
      if (blind || isHeld(path, held.paths)) {
        try {
          rmSync(raw(view(path)), { recursive: true, force: true });
        } catch {
          await holder.run("rm", "-rf", "--", path);
        }
      }
      inside.remove(path);
      if (isBlind(dirname(path), left)) {
        await refresh();
        await inside.bringIn(path);
      }
      return false;
    },
    remove(path) {
      const upper = inside.inUpper(path);
      reaching(coverOf(path).upper, upper, () => removeTree(upper));
    },
    async chmod(path, mode) {
      try {
        chmodSync(raw(view(path)), mode);
      } catch {
        await holder.run("chmod", mode.toString(8), "--", path);
      }
    },
    async bringIn(path) {
      if (seenAt(path) !== undefined) return;
      const closing = hands();
      await openCopier(closing, openPace(), problems).copy(path, view(path));
      closing.closeUp();
    },
    reveal(paths, cameBack) {
      const before = revealed.size;
      for (const path of paths) revealAt(path, cameBack);
      return revealed.size > before;
    },
    checkGone(paths) {
      for (const path of paths) {
        const [seen, real] = [seenAt(path), factsOf(path)];
        if (typeof seen === "object" && seen.isDirectory() && !real?.isDirectory()) problems.push(staleSentence(path));
      }
    },
    hasOtherNames(path) {
      const facts = factsOf(path);
      return facts?.isFile() === true && facts.nlink > 1 + (revealed.get(facts.ino) ?? 0);
    },
    forgetRevealed() {
      if (revealed.size > 0) removeTree(names);
      revealed.clear();
    },
  };

  /** It has not come here from another name: the kernel would not show it beside what is there then. */
  function isOwn(path: string, mine: Stats, real: Stats, left: LeftInside): boolean {
    const seen = seenAt(path);
    if (left.things.get(path)?.inode === mine.ino) return true;
    return typeof seen === "object" && (seen.ino === mine.ino || seen.ino === real.ino);
  }

  function seenAt(path: string): Stats | "stale" | undefined {
    try {
      return factsOf(view(path));
    } catch (error) {
      // A folder that was deleted and came back, while somebody stands in it or has something in it open.
      if ((error as NodeJS.ErrnoException).errno !== -constants.errno.ESTALE) return undefined;
      problems.push(staleSentence(path));
      return "stale";
    }
  }

  /**
   * As long as the layer, or a process, has what was made of a file, also under another name, the kernel takes that for the file, or
   * refuses to show one of them; unless the file has other names. So it is given one.
   */
  function revealAt(path: string, cameBack: (real: Stats) => boolean): void {
    const real = factsOf(path);
    if (real?.isDirectory() && typeof seenAt(path) === "object")
      for (const name of visibleNamesIn(path)) revealAt(join(path, name), cameBack);
    if (!real?.isFile() || real.nlink > 1 || factsOf(inside.inUpper(path))) return;
    if (!cameBack(real) && !isTakenForAnother(path, real)) return;
    mkdirSync(names, { recursive: true, mode: 0o700 });
    try {
      linkSync(raw(path), join(names, newId()));
      revealed.set(real.ino, (revealed.get(real.ino) ?? 0) + 1);
    } catch {
      if (isTakenForAnother(path, real))
        problems.push(`${path} is not seen as it is until the program that has it open has ended.`);
    }
  }

  /** What comes from the layer is younger. */
  function isTakenForAnother(path: string, real: Stats): boolean {
    const seen = seenAt(path);
    return typeof seen === "object" && seen.isFile() && seen.ctimeMs !== real.ctimeMs;
  }

  return inside;
}

const staleSentence = (path: string): string =>
  `${path} cannot be seen as it is until the programs that hold something in it have let go of it.`;
