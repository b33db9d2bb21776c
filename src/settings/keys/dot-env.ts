// Keys in the `.env` of the working folder. Only the variables that are asked for are read, and they go nowhere else:
// a folder that somebody else made may bring a key, but neither an address to send keys to nor anything for the sessions.

import { join } from "node:path";
import { readPlainFile } from "../plain-file.ts";

/** More than this is no list of variables. */
const longest = 1_000_000;

export function readDotEnv(folder: string, names: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  const file = readPlainFile(join(folder, ".env"), longest);
  const text = file && file.size <= longest ? file.bytes.toString("utf8") : "";
  for (const [name, value] of parseDotEnv(text)) if (value !== "" && names.includes(name)) found[name] = value;
  return found;
}

/** `NAME=value`, `export NAME="value"`, comments. Nothing in a value is replaced or run; the last of a name counts. */
export function parseDotEnv(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/)) {
    const [, name, written = ""] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/.exec(line) ?? [];
    if (name) found.set(name, unquoted(written));
  }
  return found;
}

function unquoted(written: string): string {
  const single = /^'([^']*)'\s*(?:#.*)?$/.exec(written);
  if (single) return single[1]!;
  const double = /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/.exec(written);
  if (double) return double[1]!.replace(/\\(.)/g, "$1");
  return written.replace(/(^|\s)#.*$/, "").trim();
}
