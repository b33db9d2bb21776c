// The store in a process of its own, which can be killed, limited, or put into another namespace.

import { execFile, type SpawnSyncReturns, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import type { Killed } from "./killed.ts";

export interface Program extends AsyncDisposable {
  /** `before`: a command that it is an argument of. */
  run(what: Killed, before?: readonly string[]): SpawnSyncReturns<string>;
  /** What it prints, when it has ended. */
  start(what: Killed): Promise<string>;
}

export async function buildProgram(): Promise<Program> {
  const path = join(mkdtempSync(join(tmpdir(), "undo-program-")), "killed.mjs");
  chmodSync(dirname(path), 0o755);
  const entryPoints = [join(import.meta.dirname, "killed.ts")];
  await build({ entryPoints, outfile: path, bundle: true, platform: "node", format: "esm" });
  return {
    run(what, before = []) {
      const [command, ...args] = [...before, process.execPath, path, JSON.stringify(what)];
      return spawnSync(command!, args, { encoding: "utf8" });
    },
    async start(what) {
      const { stdout } = await promisify(execFile)(process.execPath, [path, JSON.stringify(what)]);
      return stdout;
    },
    async [Symbol.asyncDispose]() {
      rmSync(dirname(path), { recursive: true });
    },
  };
}

const memory = "/dev/shm";

/** A folder on another file system, if there is one. */
export const elsewhere = existsSync(memory) && statSync(memory).dev !== statSync(tmpdir()).dev ? memory : undefined;

export const isRoot = process.getuid?.() === 0;

/** Of somebody who may not do everything. */
export const nobody = 65534;

/** Does it as an ordinary user, where this is not one. */
export async function asOrdinaryUser<T>(work: () => Promise<T>): Promise<T> {
  if (!isRoot) return work();
  const [user, group] = [process.geteuid!(), process.getegid!()];
  process.setegid!(nobody);
  process.seteuid!(nobody);
  try {
    return await work();
  } finally {
    process.seteuid!(user);
    process.setegid!(group);
  }
}
