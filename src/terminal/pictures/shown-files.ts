// The pictures and pages that were shown, as files that stay, so that they can be opened.

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class ShownFiles {
  readonly #fileFor: (name: string) => string;
  readonly #elsewhere = inTemporaryFolder();
  readonly #paths: string[] = [];

  /** `fileFor` says where a new file goes; a private temporary folder unless told. */
  constructor(fileFor: (name: string) => string = inTemporaryFolder()) {
    this.#fileFor = fileFor;
  }

  /** Saves one, and says where. */
  save(kind: "picture" | "page", extension: string, content: Buffer | string): string {
    const name = `${kind}-${this.#paths.length + 1}.${extension}`;
    const path = write(this.#fileFor, name, content) ?? write(this.#elsewhere, name, content) ?? "(not saved)";
    this.#paths.push(path);
    return path;
  }

  /** A file that is there already; its number. */
  add(path: string): number {
    return this.#paths.push(path);
  }

  get count(): number {
    return this.#paths.length;
  }

  /** Counted from 1; the last one without a number. */
  find(number = this.#paths.length): string | undefined {
    return this.#paths[number - 1];
  }
}

/** Nothing where it cannot be written: a full disk does not end a chat. */
function write(fileFor: (name: string) => string, name: string, content: Buffer | string): string | undefined {
  try {
    const path = fileFor(name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  } catch {
    return undefined;
  }
}

function inTemporaryFolder(): (name: string) => string {
  let folder: string | undefined;
  return (name) => {
    folder ??= mkdtempSync(join(tmpdir(), "interpreter-pictures-"));
    return join(folder, name);
  };
}
