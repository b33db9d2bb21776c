// What others do to take back what code did: a git repository beside the folder, with a snapshot before each step.

import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";

export interface GitCheckpoint {
  /** `git add -A && git write-tree`: the name of the snapshot, or undefined where it took longer than allowed. */
  take(most?: number): string | undefined;
  /** The tree as it was then: what is new goes, what was changed comes back. */
  takeBack(snapshot: string): void;
}

export function openGitCheckpoint(repository: string, folder: string): GitCheckpoint {
  mkdirSync(repository, { recursive: true });
  const env = {
    ...{ PATH: process.env.PATH, HOME: repository, GIT_CONFIG_NOSYSTEM: "1" },
    ...{ GIT_DIR: repository, GIT_WORK_TREE: folder },
  };
  const git = (args: readonly string[], timeout?: number): string | undefined => {
    const { status, signal, stdout, stderr } = spawnSync("git", ["-c", "gc.auto=0", ...args], {
      ...{ env, cwd: folder, encoding: "utf8" },
      ...(timeout !== undefined && { timeout, killSignal: "SIGKILL" }),
    });
    if (timeout !== undefined && signal === "SIGKILL") return undefined;
    if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
    return stdout.trim();
  };
  git(["init", "-q"]);
  return {
    take: (most) => (git(["add", "-A"], most) === undefined ? undefined : git(["write-tree"])),
    takeBack(snapshot) {
      // What is new has to be known to git, or it stays.
      git(["add", "-A"]);
      git(["read-tree", "-m", "-u", snapshot]);
    },
  };
}
