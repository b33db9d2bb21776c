// A view of the file system in which nothing can be written but temporary files: for looking and planning.

import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { noEffects } from "../effects/effect.ts";
import type { Pending, Protection } from "../effects/protection.ts";
import { startHolder } from "./holder.ts";
import { isWithin, listMounts, mountOf } from "./mounts.ts";

/** File systems that hold no files of anybody. */
const without =
  /^(proc|sysfs|devtmpfs|devpts|tmpfs|cgroup2?|mqueue|securityfs|debugfs|tracefs|bpf|pstore|configfs|fusectl|binfmt_misc|hugetlbfs|autofs|rpc_pipefs|nsfs|efivarfs)$/;
/** What a mount may not lose when it is changed by an ordinary user. */
const flags = /^(nosuid|nodev|noexec|noatime|nodiratime|relatime)$/;

const nothing: Pending = {
  effects: noEffects,
  keep: async () => ({ problems: [] }),
  discard: async () => ({ problems: [] }),
};

/** Or a sentence where that cannot be. */
export async function openReadOnly(roots: readonly string[]): Promise<Protection | string> {
  if (process.platform !== "linux") return "Read-only folders need Linux.";
  const holder = await startHolder();
  if (typeof holder === "string") return holder;
  const temporary = realpathSync(tmpdir());
  const mounts = listMounts();
  const places = mounts.filter(({ path, type }) => !without.test(type) && !isWithin(path, temporary));
  const steps = [
    ["mount", "--rbind", temporary, temporary],
    ...places.map(({ path, options }) => readOnly(path, options)),
    ...roots.flatMap((root) => [
      ["mount", "--rbind", root, root],
      readOnly(root, mountOf(root, mounts)?.options ?? []),
      ...mounts
        .filter(({ path }) => path !== root && isWithin(path, root))
        .map(({ path, options }) => readOnly(path, options)),
    ]),
  ];
  for (const step of steps) {
    const problem = await holder.run(...step);
    if (problem === undefined) continue;
    holder.close();
    return `${step.at(-1)} cannot be made read-only: ${problem}.`;
  }
  return {
    kind: "read-only",
    roots,
    enter(request) {
      const [command, ...args] = holder.enter(request.cwd);
      return { ...request, command: command!, args: [...args, request.command, ...request.args], cwd: "/" };
    },
    view: (path) => `/proc/${holder.pid}/root${path}`,
    begin: async () => {},
    pending: async () => nothing,
    tooBig: () => [],
    close: async () => holder.close(),
  };
}

const readOnly = (path: string, options: readonly string[]): string[] => [
  "mount",
  "-o",
  ["remount", "bind", "ro", ...options.filter((option) => flags.test(option))].join(","),
  path,
];
