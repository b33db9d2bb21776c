// Blocks of our own that look into a shell, between those of others.

import type { DriverSession } from "../driver-session.ts";
import { SessionBusyError } from "../inspection.ts";
import type { SessionEvent } from "../language.ts";
import type { ShellFolder } from "./shell-folder.ts";

const longest = 3_000;

export class ShellLooks {
  readonly #folder: ShellFolder;
  readonly #kept: SessionEvent[] = [];
  #now: Promise<void> | undefined;

  constructor(folder: ShellFolder) {
    this.#folder = folder;
  }

  /** Settles when no block of ours runs. */
  get over(): Promise<void> {
    return this.#now ?? Promise.resolve();
  }

  /** What others have printed while we looked: shown with their next block. */
  takeKept(): SessionEvent[] {
    return this.#kept.splice(0);
  }

  /** Runs a block that writes something to a file, and gives what it wrote. */
  async look(driver: DriverSession, code: (file: string) => string): Promise<string> {
    const file = this.#folder.file("look");
    const look = async () => {
      const timer = setTimeout(() => driver.interrupt(), longest);
      for await (const event of driver.run(code(file), "<look>")) if (event.type === "output") this.#kept.push(event);
      clearTimeout(timer);
    };
    this.#now = look().catch(() => {});
    await this.#now;
    this.#now = undefined;
    try {
      return this.#folder.read("look");
    } catch {
      throw new SessionBusyError("The shell did not say.");
    } finally {
      this.#folder.delete("look");
    }
  }
}
