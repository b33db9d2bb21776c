// What a sandbox has of the system itself: a few devices of its own, and nothing that steers the kernel.

import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Holder } from "../layer/holder.ts";
import { may, must, type Operation, type Step } from "./mounting.ts";

/** Devices that hold nothing of anybody; and those that people compute with. */
const plain = ["null", "zero", "full", "random", "urandom", "tty"];
const computing = /^(nvidia.*|kfd|dri|dxg)$/;

/** Through them, an administrator without any rights left would still steer the kernel of the whole machine. */
const steering = ["sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi"].map((name) => `/proc/${name}`);
/** What the kernel knows of others. */
const telling = ["kcore", "keys", "key-users", "timer_list", "latency_stats", "kmsg"].map((name) => `/proc/${name}`);

/** The holder keeps the terminals of this machine open under this number: covered, they are found by it alone. */
const terminals = 9;

/** To be done before they are covered. */
export const keepTerminals = (holder: Holder): Promise<string | undefined> =>
  holder.run("eval", `[ ! -d /dev/pts ] || exec ${terminals}</dev/pts`);

/** Puts a small `/dev` together and in the place of the system's. */
export function deviceMounts(aside: string): Step[] {
  const at = (name: string): string => join(aside, name);
  const devices = readdirSync("/dev").filter((name) => plain.includes(name) || computing.test(name));
  const operations: Operation[] = [
    { do: "mount", type: "devpts", at: at("pts"), data: "newinstance,ptmxmode=0666,mode=620" },
    { do: "mount", type: "tmpfs", at: at("shm"), flags: ["nosuid", "nodev"], data: "mode=1777" },
    { do: "mount", type: "tmpfs", at: at("terminals"), data: "mode=755,size=64k" },
    { do: "link", to: "/proc/self/fd", at: at("fd") },
    { do: "link", to: "/proc/self/fd/0", at: at("stdin") },
    { do: "link", to: "/proc/self/fd/1", at: at("stdout") },
    { do: "link", to: "/proc/self/fd/2", at: at("stderr") },
    { do: "link", to: "pts/ptmx", at: at("ptmx") },
    { do: "bind", from: aside, at: "/dev", deep: true },
    { do: "detach", at: aside },
    { do: "close", at: "/dev", flags: [] },
  ];
  return [
    must({ do: "mount", type: "tmpfs", at: aside, data: "mode=755,size=1m" }),
    ...["pts", "shm", "terminals"].map((name) => must({ do: "folder", at: at(name) })),
    ...devices.flatMap((name) => {
      const step = plain.includes(name) ? must : may;
      const from = join("/dev", name);
      const isFolder = statSync(from, { throwIfNoEntry: false })?.isDirectory();
      return [
        step({ do: isFolder ? "folder" : "file", at: at(name) }),
        step({ do: "bind", from, at: at(name), deep: true }),
      ];
    }),
    ...operations.map(must),
  ];
}

export function systemMounts(blank: string): Step[] {
  const there = (paths: readonly string[]): string[] => paths.filter((path) => existsSync(path));
  return [
    ...there(steering).flatMap((path) => [
      must({ do: "bind", from: path, at: path }),
      must({ do: "close", at: path, flags: [] }),
    ]),
    ...there(telling).map((path) => must({ do: "bind", from: blank, at: path })),
  ];
}

/** A terminal of this machine is seen inside, under another name. Resolves with that, or with undefined where it cannot be. */
export async function showTerminal(holder: Holder, path: string): Promise<string | undefined> {
  const number = /^\/dev\/pts\/(\d+)$/.exec(path)?.[1];
  if (number === undefined) return undefined;
  const inside = `/dev/terminals/${number}`;
  const from = `/proc/self/fd/${terminals}/${number}`;
  const problem = await holder.run("eval", `umount -l ${inside} 2>&-; : > ${inside} && mount --bind ${from} ${inside}`);
  return problem === undefined ? inside : undefined;
}
