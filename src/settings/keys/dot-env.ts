// Keys in the `.env` of the working folder. Only the variables that are asked for are read, and they go nowhere else:
// a folder that somebody else made may bring a key, but neither an address to send keys to nor anything for the sessions.

import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** More than this is no list of variables. */
const longest = 1_000_000;

export function readDotEnv(folder: string, names: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of parseDotEnv(readText(join(folder, ".env"))))
    if (value !== "" && names.includes(name)) found[name] = value;
  return found;
}

/** What is no plain file of a sensible size counts as none: a pipe would be waited for. */
function readText(path: string): string {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    return "";
  }
  try {
    const stat = fstatSync(file);
    return stat.isFile() && stat.size <= longest ? readFileSync(file, "utf8") : "";
  } finally {
    closeSync(file);
  }
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
