// What a file is, in a few words, and how it begins. However large it is, little of it is read.

import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, extname } from "node:path";
import { pictureFacts } from "../../pictures/index.ts";
import { places } from "../../settings/index.ts";
import { textOf } from "../undo/names.ts";
import { parquetShape } from "./parquet.ts";
import { plural } from "./plural.ts";

export interface Description {
  /** csv, png, text … with what can be counted: rows and columns, pixels, pages, lines. */
  kind: string;
  /** The first line of a text or a table. */
  preview?: string;
}

export interface FileFacts {
  /** csv, png 640×480, pdf, text … */
  what: string;
  /** What was counted in it. */
  rows?: number;
  columns?: number;
  lines?: number;
  /** There are even more: the rest of the file was not looked at. */
  more?: boolean;
  /** Whether it can be read line by line. */
  text: boolean;
  preview?: string;
}

/** So much is read of the beginning, to tell what it is; and of a text, to count its lines. */
const beginning = 64 * 1024;
const countable = 8 * 1024 * 1024;
const longestPreview = 120;

/** What the first line must not show. */
const secret = /^\.|secret|token|credential|passw|api_?key|(^|[._-])key|\.(pem|p12|pfx|env|keystore)$/i;

export function describeFile(path: string): Description {
  const facts = fileFacts(path);
  const kind = facts ? inWords(facts) : extensionOf(path) || "file";
  return { kind, ...(facts?.preview !== undefined && { preview: facts.preview }) };
}

/** csv 120 rows × 5 columns; txt, 12 lines; png 640×480. */
export function inWords({ what, rows, columns, lines, more }: FileFacts): string {
  const about = more ? "more than " : "";
  if (rows !== undefined && columns !== undefined)
    return `${what} ${about}${plural(rows, "row")} × ${plural(columns, "column")}`;
  return lines === undefined ? what : `${what}, ${about}${plural(lines, "line")}`;
}

const extensionOf = (name: string): string => extname(name).slice(1).toLowerCase();

/** Undefined when there is nothing to read, or it may not be read. `name` is what it is called, where it lies elsewhere meanwhile. */
export const fileFacts = (path: string, name = path): FileFacts | undefined =>
  withFile(path, (file, size) => look(file, size, extensionOf(name), secret.test(basename(name))));

/** All that is in a file; undefined when there is none that may be read, or it is larger. */
export const readWhole = (path: string, largest: number): Buffer | undefined =>
  withFile(path, (file, size) => (size > largest ? undefined : read(file, 0, size)));

function withFile<T>(path: string, use: (file: number, size: number) => T): T | undefined {
  let file: number;
  try {
    // A pipe must not be waited for.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  } catch {
    return undefined;
  }
  try {
    const facts = fstatSync(file);
    return facts.isFile() && isWhereItSays(path, file) ? use(file, facts.size) : undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}

/** Code may have put a link on the way there, which leads to what it must not see. The way to the person's own folders may have one. */
function isWhereItSays(path: string, file: number): boolean {
  const found =
    process.platform === "linux"
      ? textOf(readlinkSync(`/proc/self/fd/${file}`, { encoding: "buffer" }))
      : realpathSync(path);
  if (found === path) return true;
  const tops = [process.cwd(), homedir(), tmpdir(), places().data].filter((top) => path.startsWith(`${top}/`));
  return tops.some((top) => found === `${realpathSync(top)}${path.slice(top.length)}`);
}

function look(file: number, size: number, extension: string, hidden: boolean): FileFacts {
  const head = read(file, 0, Math.min(size, beginning));
  const picture = pictureFacts(head);
  if (picture) return { what: `${picture.kind} ${picture.width}×${picture.height}`, text: false };
  if (extension === "pdf" || head.toString("latin1", 0, 5) === "%PDF-") return { what: pdf(file, size), text: false };
  if (head.toString("latin1", 0, 4) === "PK\x03\x04")
    return { what: archive(file, size, extension || "zip"), text: false };
  if (head.toString("latin1", 0, 4) === "PAR1")
    return { what: extension || "parquet", ...parquetShape(file, size), text: false };
  if (head.includes(0)) return { what: extension || "binary", text: false };
  return text(file, size, head, extension, hidden);
}

function text(file: number, size: number, head: Buffer, extension: string, hidden: boolean): FileFacts {
  const first = /^[^\n]*/.exec(head.toString("utf8").replace(/^\ufeff?\s*/, ""))![0].trim();
  const table = extension === "csv" || extension === "tsv";
  const counted = countLines(file, size, table);
  const shape = table
    ? { rows: Math.max(0, counted - 1), columns: cells(first, extension === "tsv" ? "\t" : separatorOf(first)) }
    : { lines: counted };
  return {
    what: extension || "text",
    ...shape,
    ...(size > countable && { more: true }),
    text: true,
    ...(first !== "" && !hidden && { preview: cut(first) }),
  };
}

/** In a table those that are not inside of quotes. */
function countLines(file: number, size: number, table: boolean): number {
  const end = Math.min(size, countable);
  let lines = 0;
  let inQuotes = false;
  let last = 0x0a;
  for (let at = 0; at < end; ) {
    const bytes = read(file, at, Math.min(1 << 20, end - at));
    if (bytes.length === 0) break;
    if (table && (inQuotes || bytes.includes(0x22)))
      for (let index = 0; index < bytes.length; index++) {
        if (bytes[index] === 0x22) inQuotes = !inQuotes;
        else if (bytes[index] === 0x0a && !inQuotes) lines++;
      }
    else for (let found = bytes.indexOf(0x0a); found !== -1; found = bytes.indexOf(0x0a, found + 1)) lines++;
    last = bytes.at(-1)!;
    at += bytes.length;
  }
  return lines + (last === 0x0a ? 0 : 1);
}

const separatorOf = (line: string): string =>
  [",", ";", "\t"].reduce((best, each) => (cells(line, each) > cells(line, best) ? each : best));

function cells(line: string, separator: string): number {
  let count = 1;
  let inQuotes = false;
  for (const character of line) {
    if (character === '"') inQuotes = !inQuotes;
    else if (character === separator && !inQuotes) count++;
  }
  return count;
}

/** Pages are counted where they can be seen without unpacking anything. */
function pdf(file: number, size: number): string {
  const seen = `${read(file, 0, Math.min(size, 1 << 20)).toString("latin1")}${size > 1 << 20 ? read(file, size - beginning, beginning).toString("latin1") : ""}`;
  const counts = [...seen.matchAll(/\/Type\s*\/Pages[^>]*?\/Count\s+(\d+)|\/Count\s+(\d+)[^>]*?\/Type\s*\/Pages/g)];
  const pages = Math.max(0, ...counts.map(([, one, other]) => Number(one ?? other)));
  const single = seen.match(/\/Type\s*\/Page(?!s)/g)?.length ?? 0;
  return pages || single ? `pdf, ${plural(pages || single, "page")}` : "pdf";
}

/** A zip has a list of its files at its end; an office document is one. */
function archive(file: number, size: number, extension: string): string {
  const list = read(file, Math.max(0, size - beginning), beginning).toString("latin1");
  const number = (at: number): number => list.charCodeAt(at) + 256 * list.charCodeAt(at + 1);
  const names: string[] = [];
  for (let at = list.indexOf("PK\x01\x02"); at !== -1; at = list.indexOf("PK\x01\x02", at + 46))
    names.push(list.slice(at + 46, at + 46 + number(at + 28)));
  const has = (pattern: RegExp): number => names.filter((name) => pattern.test(name)).length;
  if (extension === "xlsx") return `xlsx, ${plural(has(/^xl\/worksheets\/[^/]+\.xml/), "sheet")}`;
  if (extension === "pptx") return `pptx, ${plural(has(/^ppt\/slides\/[^/]+\.xml/), "slide")}`;
  if (extension !== "zip") return extension;
  const end = list.lastIndexOf("PK\x05\x06");
  const count = end === -1 ? names.length : number(end + 10);
  return `zip, ${plural(count, "file")}`;
}

function read(file: number, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, from));
}

const cut = (line: string): string => (line.length > longestPreview ? `${line.slice(0, longestPreview - 1)}…` : line);
