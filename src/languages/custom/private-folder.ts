// A folder for the blocks of one session, which only we and the session can read and which goes when the session does.

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type HeldFolder, holdFolder } from "../../machine/index.ts";

const open = new Set<PrivateFolder>();
process.on("exit", () => {
  for (const folder of open) folder.remove();
});

export class PrivateFolder {
  readonly path: string;
  /** Code can write there, too. */
  readonly held: HeldFolder;

  constructor() {
    this.path = mkdtempSync(join(tmpdir(), "oi-"));
    this.held = holdFolder(this.path);
    open.add(this);
  }

  /** Writes a block to a file named after it: programs show that name in their messages. */
  write(name: string, extension: string, code: string): string {
    const label = name.replace(/[^\w.-]+/g, "-").replace(/^-|-$/g, "") || "block";
    const file = `${label}.${extension}`;
    this.held.write(file, code);
    return join(this.path, file);
  }

  remove(): void {
    open.delete(this);
    this.held.remove();
  }
}
