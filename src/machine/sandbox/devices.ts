// What a sandbox has of the system itself: a few devices of its own, and nothing that steers the kernel.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Holder } from "../layer/holder.ts";
import type { Step } from "./raise.ts";

/** Devices that hold nothing of anybody; and those that people compute with. */
const plain = ["null", "zero", "full", "random", "urandom", "tty"];
const computing = /^(nvidia.*|kfd|dri|dxg)$/;

/** Through them, an administrator without any rights left would still steer the kernel of the whole machine. */
const steering = ["sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi"].map((name) => `/proc/${name}`);
/** What the kernel knows of others. */
const telling = ["kcore", "keys", "key-users", "timer_list", "latency_stats", "kmsg"].map((name) => `/proc/${name}`);

/** The holder keeps the terminals of this machine open under this number: covered, they are found by it alone. */
const terminals = 9;

const must = (...command: string[]): Step => ({ command, needed: true });

/** Puts a small `/dev` together and in the place of the system's. */
export function deviceMounts(aside: string): Step[] {
  const at = (name: string): string => join(aside, name);
  const devices = readdirSync("/dev").filter((name) => plain.includes(name) || computing.test(name));
  const links = [
    ["/proc/self/fd", "fd"],
    ["/proc/self/fd/0", "stdin"],
    ["/proc/self/fd/1", "stdout"],
    ["/proc/self/fd/2", "stderr"],
    ["pts/ptmx", "ptmx"],
  ];
  return [
    { command: ["eval", `[ -d /dev/pts ] && exec ${terminals}</dev/pts`], needed: false },
    must("mount", "-t", "tmpfs", "-o", "mode=755,size=1m", "tmpfs", aside),
    must("mkdir", at("pts"), at("shm"), at("terminals")),
    ...devices.map((name) => ({
      command: [
        "eval",
        `{ [ -d /dev/${name} ] && mkdir ${at(name)} || : > ${at(name)}; } && mount --rbind /dev/${name} ${at(name)}`,
      ],
      needed: plain.includes(name),
    })),
    must("mount", "-t", "devpts", "-o", "newinstance,ptmxmode=0666,mode=620", "devpts", at("pts")),
    must("mount", "-t", "tmpfs", "-o", "mode=1777,nosuid,nodev", "tmpfs", at("shm")),
    must("mount", "-t", "tmpfs", "-o", "mode=755,size=64k", "tmpfs", at("terminals")),
    ...links.map(([to = "", name = ""]) => must("ln", "-s", to, at(name))),
    must("mount", "--rbind", aside, "/dev"),
    must("umount", "-l", aside),
    must("mount", "-o", "remount,bind,ro", "/dev"),
  ];
}

export function systemMounts(blank: string): Step[] {
  return [
    ...steering
      .filter((path) => existsSync(path))
      .flatMap((path) => [must("mount", "--bind", path, path), must("mount", "-o", "remount,bind,ro", path)]),
    ...telling.filter((path) => existsSync(path)).map((path) => must("mount", "--bind", blank, path)),
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
