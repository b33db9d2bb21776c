// A pseudo-terminal: for programs that will only talk to one. Loaded when one of them is run, and not before.

import { closeSync, constants, openSync } from "node:fs";
import { createRequire } from "node:module";
import type { ReadStream } from "node:tty";

export interface TerminalDevice {
  /** What a process opens: "/dev/pts/3". */
  readonly path: string;
  /** What programs print, as they print it. */
  onData(listener: (data: string) => void): void;
  /** What the person types. */
  write(data: string): void;
  resize(columns: number, rows: number): void;
  close(): void;
}

/** Whether the optional part is installed, without loading it. */
export function terminalsInstalled(): boolean {
  if (process.platform === "win32") return false;
  try {
    createRequire(import.meta.url).resolve("@lydell/node-pty");
    return true;
  } catch {
    return false;
  }
}

/** Undefined where the optional part is not installed or the platform has no such devices. */
export async function openTerminalDevice(): Promise<TerminalDevice | undefined> {
  if (process.platform === "win32") return undefined;
  const pair = await openPair();
  if (!pair) return undefined;
  // Somebody must keep the programs' side open between two programs. The library would read from it, and so take away
  // what is typed; a descriptor nobody reads does not.
  const kept = openSync(pair._pty, constants.O_RDWR | constants.O_NOCTTY);
  pair._slave.destroy();
  let listener: (data: string) => void = () => {};
  pair._master.on("data", (data) => listener(String(data)));
  pair._master.on("error", () => {});
  return {
    path: pair._pty,
    onData(next) {
      listener = next;
    },
    write: (data) => pair.write(data),
    resize: (columns, rows) => pair.resize(Math.max(1, columns), Math.max(1, rows)),
    close() {
      // Never the library's own destroy(): it signals the process of the terminal, and a pair without one has the
      // number -1, which means every process there is.
      if (pair._master.destroyed) return;
      pair._master.destroy();
      closeSync(kept);
    },
  };
}

/** What the library gives for a pair without a program. It has this function, but does not describe it. */
interface Pair {
  readonly _pty: string;
  readonly _master: ReadStream;
  readonly _slave: ReadStream;
  on(event: "error", listener: (error: Error) => void): void;
  write(data: string): void;
  resize(columns: number, rows: number): void;
}

async function openPair(): Promise<Pair | undefined> {
  try {
    const library = (await import("@lydell/node-pty")) as unknown as { default: { open(options: object): Pair } };
    const pair = library.default.open({ cols: 80, rows: 24, encoding: "utf8" });
    pair.on("error", () => {});
    return pair;
  } catch {
    return undefined;
  }
}
