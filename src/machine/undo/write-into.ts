// New content for a file that stays the same file, because it has other names that are to follow.

import { chmodSync, closeSync, ftruncateSync, openSync, readSync, utimesSync, writeSync } from "node:fs";
import type { Pace } from "../checkpoint/pace.ts";
import { factsOf } from "./facts.ts";
import type { Hands } from "./hands.ts";
import { raw } from "./names.ts";

const piece = 1024 * 1024;

/** Can be done again from the beginning at any time, as long as `from` is there. */
export async function writeInto(from: string, to: string, hands: Hands, pace: Pace): Promise<void> {
  const facts = factsOf(from)!;
  const source = hands.act(`read ${from}`, [{ path: from, bits: 0o400 }], () => openSync(raw(from), "r"));
  try {
    const target = hands.act(`write ${to}`, [{ path: to, bits: 0o600 }], () => openSync(raw(to), "r+"));
    try {
      const bytes = Buffer.allocUnsafe(Math.min(piece, facts.size + 1));
      const zeros = Buffer.alloc(bytes.length);
      const hasHoles = facts.blocks !== undefined && facts.blocks * 512 < facts.size;
      if (hasHoles) ftruncateSync(target, 0);
      let place = 0;
      for (let read = readSync(source, bytes, 0, bytes.length, place); read > 0; ) {
        const isHole = hasHoles && zeros.subarray(0, read).equals(bytes.subarray(0, read));
        if (!isHole) writeAll(target, bytes, read, place);
        place += read;
        if (pace.due()) await pace.rest();
        read = readSync(source, bytes, 0, bytes.length, place);
      }
      ftruncateSync(target, place);
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
  hands.closeUp();
  hands.act(`chmod ${to}`, [], () => {
    chmodSync(raw(to), facts.mode & 0o7777);
    utimesSync(raw(to), facts.atimeMs / 1000, facts.mtimeMs / 1000);
  });
}

function writeAll(target: number, bytes: Buffer, length: number, place: number): void {
  for (let done = 0; done < length; ) done += writeSync(target, bytes, done, length - done, place + done);
}
