// Effects made from real files, as a layer or a store would tell of them: what was there and what is there lie elsewhere, under
// names of their own.

import { lstatSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { versionOf } from "../../src/machine/effects/version.ts";
import type { Effect } from "../../src/machine/index.ts";

export class EffectsFolder implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "effects-test-"));
  #count = 0;

  /** A file with this in it; the path it lies at. */
  put(content: string | Buffer): string {
    const path = join(this.folder, String(++this.#count));
    writeFileSync(path, content);
    return path;
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** What became of `name`, between two paths that are there now. */
export function effectBetween(name: string, before?: string, after?: string, more: Partial<Effect> = {}): Effect {
  for (const path of [before, after]) if (path !== undefined) lstatSync(path);
  const [old, young] = [before && versionOf(before), after && versionOf(after)];
  return {
    path: `/desk/${name}`,
    name,
    change: !old ? "created" : !young ? "deleted" : "changed",
    kind: (young || old || { kind: "file" as const }).kind,
    ...(old && { before: old, beforePath: before! }),
    ...(young && { after: young, afterPath: after! }),
    ...more,
  };
}
