// Seals what was saved with a key that stays on this machine. What is brought back is run, in a way: so it must be what was written
// here, and not what came with a folder from somewhere else.

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { notPrivate } from "./private.ts";

/** The key, made when there is none. Undefined when it cannot be trusted. */
export function sealKey(path: string): Buffer | undefined {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const file = openSync(path, "wx", 0o600);
    writeSync(file, randomBytes(32).toString("hex"));
    closeSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") return undefined;
  }
  if (notPrivate(path, "file")) return undefined;
  const key = Buffer.from(readFileSync(path, "utf8").trim(), "hex");
  return key.length === 32 ? key : undefined;
}

/** `place` is what the text belongs to: the same text elsewhere has another seal. */
export function seal(key: Buffer, place: string, text: string): string {
  return createHmac("sha256", key).update(`${place}\n${text}`).digest("hex");
}

export function isSealed(key: Buffer, place: string, text: string, given: string): boolean {
  const made = Buffer.from(seal(key, place, text));
  const other = Buffer.from(given);
  return made.length === other.length && timingSafeEqual(made, other);
}
