// A folder under a write layer, made in a mount namespace of its own: what is there before is below, what is done goes above.

import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localMachine, type Machine } from "../../src/machine/index.ts";

const setUp = `mount -t overlay overlay -o "$1" "$2" && cd "$2" && shift 2 && exec "$@"`;

export interface Overlay extends Disposable {
  /** What is there before: to be filled before anything is started. */
  folder: string;
  upper: string;
  /** Starts everything inside of the layer. */
  machine: Machine;
}

/** `as` an administrator, or as somebody who is one only in a namespace of their own. */
export type As = "root" | "user";

function inside(base: string, as: As): string[] {
  const [lower, upper, work] = ["tree", "upper", "work"].map((name) => join(base, name));
  const way = as === "user" ? "userxattr" : "redirect_dir=off"; // either way, folders are not redirected
  const options = `lowerdir=${lower},upperdir=${upper},workdir=${work},${way}`;
  return [as === "user" ? "-Urm" : "-m", "sh", "-c", setUp, "sh", options, lower!];
}

function makeFolders(): string {
  const base = mkdtempSync(join(tmpdir(), "overlay-test-"));
  for (const name of ["tree", "upper", "work"]) mkdirSync(join(base, name));
  return base;
}

function removeFolders(base: string): void {
  const closed = join(base, "work/work"); // the system leaves it so that nobody can look into it
  if (existsSync(closed)) chmodSync(closed, 0o700);
  rmSync(base, { recursive: true, force: true });
}

/** Why there can be no layer here; empty when there can. */
export function whyNoOverlay(as: As): string {
  if (process.platform !== "linux") return "only Linux has overlays";
  if (as === "root" && process.getuid?.() !== 0) return "not run as root";
  const base = makeFolders();
  const { status, stderr, error } = spawnSync("unshare", [...inside(base, as), "true"], { encoding: "utf8" });
  removeFolders(base);
  if (error) return `unshare cannot be run (${error.message})`;
  return status === 0 ? "" : `the system refuses (${stderr.trim().split("\n")[0]})`;
}

export function makeOverlay(as: As): Overlay {
  const base = makeFolders();
  return {
    folder: join(base, "tree"),
    upper: join(base, "upper"),
    machine: {
      ...localMachine,
      spawn: (request) =>
        localMachine.spawn({
          ...request,
          command: "unshare",
          args: [...inside(base, as), request.command, ...request.args],
        }),
    },
    [Symbol.dispose]: () => removeFolders(base),
  };
}
