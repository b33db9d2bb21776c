// Reads a file of a folder that somebody else may have made: what is no plain file counts as none, since a pipe would be waited for.

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

export interface PlainFile {
  /** The beginning of it, up to as many bytes as were asked for. */
  bytes: Buffer;
  /** Of all of it. */
  size: number;
  /** Whether it belongs to whoever runs this. */
  own: boolean;
}

export function readPlainFile(path: string, most: number): PlainFile | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return undefined;
    const bytes = Buffer.alloc(Math.min(stat.size, most));
    const own = process.platform === "win32" || stat.uid === process.getuid?.();
    return { bytes: bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0)), size: stat.size, own };
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}
