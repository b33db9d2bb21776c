// The pictures and pages that were shown, as files that stay, so that they can be opened.

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class ShownFiles {
  readonly #fileFor: (name: string) => string;
  readonly #paths: string[] = [];

  /** `fileFor` says where a new file goes; a private temporary folder unless told. */
  constructor(fileFor: (name: string) => string = inTemporaryFolder()) {
    this.#fileFor = fileFor;
  }

  /** Saves one, and says where. */
  save(kind: "picture" | "page", extension: string, content: Buffer | string): string {
    const path = this.#fileFor(`${kind}-${this.#paths.length + 1}.${extension}`);
    writeFileSync(path, content, { mode: 0o600 });
    this.#paths.push(path);
    return path;
  }

  get count(): number {
    return this.#paths.length;
  }

  /** Counted from 1; the last one without a number. */
  find(number = this.#paths.length): string | undefined {
    return this.#paths[number - 1];
  }
}

function inTemporaryFolder(): (name: string) => string {
  let folder: string | undefined;
  return (name) => {
    folder ??= mkdtempSync(join(tmpdir(), "interpreter-pictures-"));
    return join(folder, name);
  };
}
