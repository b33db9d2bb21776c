// The machine we are on: starts processes in a group of their own, so that a whole block can be stopped at once.

import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import type { Limits } from "./limits.ts";
import { everyProcess } from "./session-members.ts";
import { openTerminalDevice, type TerminalDevice } from "./terminal-device.ts";

export interface SpawnRequest {
  command: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** How many channels (descriptors 3, 4, …) to open beside stdout and stderr. */
  channels?: number;
  /** Whether it reads what we write to its stdin; otherwise that is the null device. */
  stdin?: boolean;
  /** Told the process's number as soon as it has one. */
  onStart?: (pid: number) => void;
  /** Where what is started only waits for the process that was asked for, and that has a number of its own where it lives. */
  numbers?: Numbers;
}

export interface Numbers {
  /** The process that was asked for; undefined until it is there. It leads a group. */
  leader(started: number): number | undefined;
  /** What we call the process that calls itself so. */
  outside(inner: number): number | undefined;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Process {
  /** Where another one waits for it, that one's until it is there. */
  readonly pid: number;
  /** Where it was asked for. */
  readonly stdin?: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Descriptors 3, 4, … each readable and writable from here; the driver uses one direction of each. */
  readonly channels: readonly (Readable & Writable)[];
  /** Settles once, when the process is gone. */
  readonly exited: Promise<Exit>;
  /** Sends a signal to the process and everything it started. False where the platform has no signals. */
  signal(signal: NodeJS.Signals): boolean;
  /**
   * A process that it had forked goes on in its place, by the numbers it has for itself: signals go to that one's group, until `gone`
   * is called. Returns the numbers we have for it.
   */
  moved(pid: number, group: number): { pid: number; group: number };
  gone(): void;
}

/** Where sessions live and what they may touch. */
export interface Machine {
  readonly name: string;
  /** What a session may take of it. */
  readonly limits?: Limits;
  /** Rejects when the program cannot be started. */
  spawn(request: SpawnRequest): Promise<Process>;
  /** Connects with what listens at a port of it; rejects when nobody does. Without it, its ports are found where we are. */
  connect?(port: number): Promise<Socket>;
  /** A terminal for programs that need one; undefined where there is none to be had. */
  openTerminal(): Promise<TerminalDevice | undefined>;
}

/** With the group that its signals go to. */
const running = new Map<ChildProcess, () => number>();

// Whatever way we leave, what we started leaves with us.
process.on("exit", () => {
  for (const [child, group] of running) kill(child, group(), "SIGKILL");
});

export const localMachine: Machine = {
  name: "local",
  openTerminal: openTerminalDevice,
  spawn(request) {
    const channels = request.channels ?? 0;
    const child = spawn(request.command, request.args, {
      cwd: request.cwd,
      env: request.env,
      detached: process.platform !== "win32",
      windowsHide: true,
      stdio: [
        request.stdin ? "pipe" : "ignore",
        "pipe",
        "pipe",
        ...Array.from({ length: channels }, () => "pipe" as const),
      ],
    });
    const exited = new Promise<Exit>((resolve) => {
      child.once("exit", (code, signal) => {
        running.delete(child);
        resolve({ code, signal });
      });
    });
    return new Promise<Process>((resolve, reject) => {
      child.once("error", reject);
      child.once("spawn", () => {
        const { numbers } = request;
        let movedTo: { pid: number; group: number } | undefined;
        const pid = () => movedTo?.pid ?? numbers?.leader(child.pid!) ?? child.pid!;
        const group = () => movedTo?.group ?? pid();
        running.set(child, group);
        request.onStart?.(child.pid!);
        for (const stream of child.stdio) stream?.on("error", () => {});
        resolve({
          get pid() {
            return pid();
          },
          ...(child.stdin && { stdin: child.stdin }),
          stdout: child.stdout!,
          stderr: child.stderr!,
          channels: child.stdio.slice(3) as (Readable & Writable)[],
          exited,
          signal: (signal) => kill(child, group(), signal),
          moved: (inner, to) => {
            const named = numbers
              ? { pid: numbers.outside(inner), group: numbers.outside(to) }
              : { pid: inner, group: to };
            // Code can say so, too: nobody is signalled who was not started from here.
            if (isOfSession(named, numbers ? undefined : child.pid!)) {
              movedTo = named;
              request.onStart?.(movedTo.pid);
            }
            return { pid: pid(), group: group() };
          },
          gone: () => running.delete(child),
        });
      });
    });
  },
};

/** Whether there is such a process with such a group, of the session that a process has begun. */
function isOfSession(
  named: { pid: number | undefined; group: number | undefined },
  leader: number | undefined,
): named is { pid: number; group: number } {
  const { pid, group } = named;
  if (pid === undefined || group === undefined) return false;
  if (process.platform !== "linux" || leader === undefined) return true;
  const found = everyProcess().find((each) => each.pid === pid);
  return found?.leader === leader && found.group === group;
}

function kill(child: ChildProcess, group: number, signal: NodeJS.Signals): boolean {
  if (process.platform === "win32") {
    if (signal === "SIGINT") return false;
    return child.kill();
  }
  try {
    process.kill(-group, signal);
    return true;
  } catch {
    return false;
  }
}
