// What others do to take back what code did: a git repository beside the folder, with a snapshot before each step.

import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";

export interface GitCheckpoint {
  /**
   * The first one, which takes all files in; false where that took longer than allowed. They go into one pack, which is several
   * times as fast as what git does unless told otherwise: a file for each.
   */
  takeFirst(most: number): boolean;
  /** `git add -A && git write-tree`: the name of the snapshot. */
  take(): string;
  /** The tree as it was then: what is new goes, what was changed comes back. */
  takeBack(snapshot: string): void;
}

export function openGitCheckpoint(repository: string, folder: string): GitCheckpoint {
  mkdirSync(repository, { recursive: true });
  const env = {
    ...{ PATH: process.env.PATH, HOME: repository, GIT_CONFIG_NOSYSTEM: "1" },
    ...{ GIT_DIR: repository, GIT_WORK_TREE: folder },
  };
  const start = (args: readonly string[], timeout?: number) =>
    spawnSync("git", ["-c", "gc.auto=0", ...args], { env, cwd: folder, encoding: "utf8", timeout });
  const git = (...args: string[]): string => {
    const { status, stdout, stderr } = start(args);
    if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
    return stdout.trim();
  };
  const take = (): string => {
    git("add", "-A");
    return git("write-tree");
  };
  git("init", "-q");
  return {
    take,
    takeFirst(most) {
      const { signal } = start(["-c", "core.bigFileThreshold=1", "add", "-A"], most);
      if (signal === null) take();
      return signal === null;
    },
    takeBack(snapshot) {
      // What is new has to be known to git, or it stays.
      git("add", "-A");
      git("read-tree", "-m", "-u", snapshot);
    },
  };
}
