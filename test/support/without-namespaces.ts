// Where nobody can make a namespace, as in most containers: what has to do without is tried there.

import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** In front of a program and its arguments. */
export const withoutNamespaces: readonly string[] = ["perl", join(import.meta.dirname, "without-namespaces.pl")];

/** Why there can be no Landlock here; empty where there can. */
export function whyNoLandlock(): string {
  if (process.platform !== "linux") return "only Linux has Landlock";
  const [command, ...args] = withoutNamespaces;
  const ask = "exit(syscall(444, 0, 0, 1) > 0 ? 0 : 1)";
  const { status, stderr, error } = spawnSync(command!, [...args, "perl", "-e", ask], { encoding: "utf8" });
  if (error) return `perl cannot be run (${error.message})`;
  return status === 0 ? "" : `the kernel has no Landlock${stderr && ` (${stderr.trim()})`}`;
}
