// A pseudo-terminal: for programs that will only talk to one. Loaded when one of them is run, and not before.

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

/** Undefined where the optional part is not installed or the platform has no such devices. */
export async function openTerminalDevice(): Promise<TerminalDevice | undefined> {
  if (process.platform === "win32") return undefined;
  const opened = await openPair();
  if (!opened) return undefined;
  let listener: (data: string) => void = () => {};
  opened.on("data", (data) => listener(data));
  // The last program that has it open leaves: for us that is no error.
  opened.on("error", () => {});
  return {
    path: opened._pty,
    onData(next) {
      listener = next;
    },
    write: (data) => opened.write(data),
    resize: (columns, rows) => opened.resize(Math.max(1, columns), Math.max(1, rows)),
    close: () => opened.destroy(),
  };
}

/** What the library gives for a pair without a program. It has this function, but does not describe it. */
interface Pair {
  readonly _pty: string;
  on(event: "data", listener: (data: string) => void): void;
  on(event: "error", listener: (error: Error) => void): void;
  write(data: string): void;
  resize(columns: number, rows: number): void;
  destroy(): void;
}

async function openPair(): Promise<Pair | undefined> {
  try {
    const library = (await import("@lydell/node-pty")) as unknown as { default: { open(options: object): Pair } };
    return library.default.open({ cols: 80, rows: 24, encoding: "utf8" });
  } catch {
    return undefined;
  }
}
