// Who has a folder for writing: a conversation, or what undo keeps. Each process that does has a file of its own in it, named
// after itself, so that taking one away never hits somebody else's. Whoever finds another live one steps back.

import { closeSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { newId } from "../messages/index.ts";

export interface Lock {
  release(): void;
}

/** The process that has it. */
export interface Holder {
  process: number;
  /** Empty when it is this machine. */
  machine: string;
  file: string;
}

/** Holds the folder for writing, or says who does. Throws where nothing can be written. */
export function takeLock(folder: string): Lock | Holder {
  const name = `lock-${process.pid}-${startOf(process.pid)}-${newId(6)}@${machineName()}`;
  const path = join(folder, name);
  closeSync(openSync(path, "wx", 0o600));
  // First ours is there, then we look: of two that come at once at least one sees the other.
  const holder = holderOf(folder, name);
  if (!holder) return { release: () => rmSync(path, { force: true }) };
  rmSync(path, { force: true });
  return holder;
}

/** Who has the folder now. What dead processes left behind is taken away. */
export function holderOf(folder: string, except = ""): Holder | undefined {
  for (const name of readdirSync(folder)) {
    const [, process = "", start = "", machine = ""] = /^lock-(\d+)-([^-]*)-\w+@(.*)$/.exec(name) ?? [];
    if (process === "" || name === except) continue;
    const file = join(folder, name);
    if (machine !== machineName()) return { process: Number(process), machine, file };
    if (isAlive(Number(process), start)) return { process: Number(process), machine: "", file };
    rmSync(file, { force: true });
  }
  return undefined;
}

export const theProcess = ({ process, machine, file }: Holder): string =>
  machine ? `process ${process} on ${machine}, unless ${file} was left behind` : `another process (${process})`;

const machineName = (): string => hostname().replace(/[^\w.]/g, "_");

function isAlive(process_: number, start: string): boolean {
  try {
    process.kill(process_, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const now = startOf(process_);
  return start === "" || now === "" || start === now;
}

/** When a process began, to tell it from a later one with its number; empty where that cannot be told cheaply. */
function startOf(process_: number): string {
  if (process.platform !== "linux") return "";
  try {
    // The name of the program, in parentheses, may have spaces and parentheses of its own.
    const stat = readFileSync(`/proc/${process_}/stat`, "utf8");
    const facts = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, ticks] = [facts[0], facts[19]];
    if (state === "Z" || state === "X") return "ended";
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8)}.${ticks}`;
  } catch {
    return "";
  }
}
