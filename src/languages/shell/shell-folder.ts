// What we and a shell leave for each other in a folder of the session: the block that runs, and what the shell has written down of
// itself. "state" is from when it left, "before" from before the block, "held" from before a block that may be taken back.

import { join } from "node:path";
import { PrivateFolder } from "../custom/private-folder.ts";

export class ShellFolder {
  readonly #folder = new PrivateFolder();
  /** The file of the last block. */
  #block: string | undefined;

  get path(): string {
    return this.#folder.path;
  }

  file(name: string): string {
    return join(this.path, name);
  }

  read(name: string): string {
    return this.#folder.held.read(name).toString("utf8");
  }

  write(name: string, text: string): string {
    this.#folder.held.write(name, text);
    return this.file(name);
  }

  delete(...names: string[]): void {
    for (const name of names) this.#folder.held.delete(name);
  }

  /** Writes a block to a file that the shell names in its messages. */
  writeBlock(id: number, name: string, code: string): string {
    this.delete("state", "before");
    if (this.#block) this.delete(this.#block);
    const label = name.replace(/[^\w.-]+/g, "-").replace(/^-|-$/g, "") || String(id);
    this.#block = label.startsWith("block") ? label : `block-${label}`;
    return this.write(this.#block, code);
  }

  /** Whether the shell came to the end of writing it. */
  isWhole(name: "state" | "before" | "held"): boolean {
    try {
      return this.#folder.held.read(name).subarray(-8).equals(Buffer.from("# whole\n"));
    } catch {
      return false;
    }
  }

  /** What the next shell takes over. */
  leaveToNext(name: "state" | "before" | "held"): void {
    this.#folder.held.rename(name, "state");
  }

  remove(): void {
    this.#folder.remove();
  }
}
