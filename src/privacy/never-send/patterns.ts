// What is never to be sent, as people write it: files (`clients.csv`, `data/private/*`), columns (`column:email`), and columns of
// files (`clients.csv:ssn`).

import { homedir } from "node:os";
import { isAbsolute, relative, resolve, sep } from "node:path";

export interface Pattern {
  /** As it was written. */
  written: string;
  /** Of the path of a file; absent means any. */
  file?: string;
  /** Of the name of a column; absent means all of them. */
  column?: string;
}

export function readPattern(written: string): Pattern {
  const text = written.trim();
  const [, any] = /^column:\s*(.+)$/i.exec(text) ?? [];
  if (any) return { written: text, column: any };
  // The colon of a drive is no colon before a column.
  const at = text.lastIndexOf(":");
  if (at > 1 && at < text.length - 1 && !/[\\/]/.test(text.slice(at)))
    return { written: text, file: text.slice(0, at), column: text.slice(at + 1).trim() };
  return { written: text, file: text };
}

/** The pattern that a file falls under as a whole. */
export function patternOf(path: string, patterns: readonly Pattern[], cwd: string): Pattern | undefined {
  return patterns.find(({ file, column }) => file !== undefined && column === undefined && isFile(path, file, cwd));
}

/** Whether any columns of a file may be hidden, and which: a test of their names. */
export function columnsOf(path: string, patterns: readonly Pattern[], cwd: string): ((name: string) => boolean)[] {
  return patterns.flatMap(({ file, column }) => {
    if (file !== undefined && !isFile(path, file, cwd)) return [];
    return [column === undefined ? () => true : (name: string) => isLike(column, name)];
  });
}

export const isLike = (column: string, name: string): boolean => glob(column, "i").test(name.trim());

/** A pattern without a slash is about the name of a file, in whatever folder; one that fits a folder is about all that is in it. */
function isFile(path: string, pattern: string, cwd: string): boolean {
  const whole = pattern
    .replace(/^~(?=[\\/]|$)/, () => homedir())
    .replaceAll("\\", "/")
    .replace(/\/+$/, "");
  const inside = relative(cwd, resolve(cwd, path)).split(sep).join("/");
  const from = isAbsolute(whole) ? resolve(cwd, path).split(sep).join("/") : inside;
  const flags = process.platform === "win32" || process.platform === "darwin" ? "i" : "";
  const test = glob(whole.replace(/^\.\//, ""), flags);
  const parts = from.split("/");
  if (!whole.includes("/")) return parts.some((part) => test.test(part));
  return parts.some((_, index) => test.test(parts.slice(0, index + 1).join("/")));
}

const made = new Map<string, RegExp>();

function glob(pattern: string, flags: string): RegExp {
  const key = `${flags} ${pattern}`;
  const test = made.get(key) ?? globTest(pattern, flags);
  made.set(key, test);
  return test;
}

function globTest(pattern: string, flags: string): RegExp {
  const source = pattern.replace(/\*\*\/|\*\*|\*|\?|[\\^$.+()[\]{}|]/g, (sign) => signs[sign] ?? `\\${sign}`);
  return new RegExp(`^${source}$`, flags);
}

const signs: Readonly<Record<string, string>> = { "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]" };
