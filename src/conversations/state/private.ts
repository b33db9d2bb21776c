// Whether something on disk is the person's own and nobody else's to write or to read.

import { lstatSync } from "node:fs";

/** A sentence about what is wrong with it, or nothing. Where the system has no owners, nothing is looked at. */
export function notPrivate(path: string, kind: "file" | "folder"): string | undefined {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (!facts) return `${path} is not there`;
  if (!(kind === "file" ? facts.isFile() : facts.isDirectory())) return `${path} is no ${kind}`;
  const uid = process.getuid?.();
  if (uid === undefined) return undefined;
  if (facts.uid !== uid) return `${path} belongs to somebody else`;
  return facts.mode & 0o077 ? `${path} is open to other users of this machine` : undefined;
}
