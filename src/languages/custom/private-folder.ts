// A folder for the blocks of one session, which only we can read and which goes when the session does.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const open = new Set<PrivateFolder>();
process.on("exit", () => {
  for (const folder of open) folder.remove();
});

export class PrivateFolder {
  readonly path: string;

  constructor() {
    this.path = mkdtempSync(join(tmpdir(), "oi-"));
    open.add(this);
  }

  /** Writes a block to a file named after it: programs show that name in their messages. */
  write(name: string, extension: string, code: string): string {
    const label = name.replace(/[^\w.-]+/g, "-").replace(/^-|-$/g, "") || "block";
    const file = join(this.path, `${label}.${extension}`);
    writeFileSync(file, code, { mode: 0o600 });
    return file;
  }

  remove(): void {
    open.delete(this);
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  }
}
