// One process a mirror: a second one in the same workspace gets a mirror of its own, which goes with it.

import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { holderOf, takeLock } from "../lock.ts";

export interface Claim {
  folder: string;
  /** Whether it is kept for the next process. */
  lasting: boolean;
  release(): void;
}

export function claimMirror(store: string): Claim {
  for (let number = 1; ; number++) {
    const folder = join(store, number === 1 ? "mirror" : `mirror-${number}`);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = takeLock(folder);
    if (!("release" in lock)) continue;
    const lasting = number === 1;
    if (lasting) sweep(store);
    const release = () => (lasting ? lock.release() : rmSync(folder, { recursive: true, force: true }));
    return { folder, lasting, release };
  }
}

/** Mirrors of second processes that did not end by themselves. */
function sweep(store: string): void {
  for (const name of readdirSync(store)) {
    const folder = join(store, name);
    if (/^mirror-\d+$/.test(name) && !holderOf(folder)) rmSync(folder, { recursive: true, force: true });
  }
}
