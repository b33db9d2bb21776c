// What a file is, in a few words, and how it begins. However large it is, little of it is read.

import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { basename, extname } from "node:path";
import { pictureFacts } from "../../pictures/index.ts";

export interface Description {
  /** csv, png, text … with what can be counted: rows and columns, pixels, pages, lines. */
  kind: string;
  /** The first line of a text or a table. */
  preview?: string;
}

/** So much is read of the beginning, to tell what it is; and of a text, to count its lines. */
const beginning = 64 * 1024;
const countable = 8 * 1024 * 1024;
const longestPreview = 120;

/** What the first line must not show. */
const secret = /^\.|secret|token|credential|passw|api_?key|(^|[._-])key|\.(pem|p12|pfx|env|keystore)$/i;

export function describeFile(path: string): Description {
  const extension = extname(path).slice(1).toLowerCase();
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return { kind: extension || "file" };
  }
  try {
    const { size } = fstatSync(file);
    const head = read(file, 0, Math.min(size, beginning));
    const picture = pictureFacts(head);
    if (picture) return { kind: `${picture.kind} ${picture.width}×${picture.height}` };
    if (extension === "pdf" || head.toString("latin1", 0, 5) === "%PDF-") return { kind: pdf(file, size) };
    if (head.toString("latin1", 0, 4) === "PK\x03\x04") return { kind: archive(file, size, extension || "zip") };
    if (head.includes(0)) return { kind: extension || "binary" };
    return text(file, size, head, extension, secret.test(basename(path)));
  } finally {
    closeSync(file);
  }
}

function text(file: number, size: number, head: Buffer, extension: string, hidden: boolean): Description {
  const first = /^[^\n]*/.exec(head.toString("utf8").replace(/^\ufeff?\s*/, ""))![0].trim();
  const preview = first !== "" && !hidden ? { preview: cut(first) } : {};
  const table = extension === "csv" || extension === "tsv";
  const lines = countLines(file, size, table);
  const about = size > countable ? "more than " : "";
  if (!table) return { kind: `${extension || "text"}, ${about}${plural(lines, "line")}`, ...preview };
  const columns = cells(first, extension === "tsv" ? "\t" : separatorOf(first));
  return {
    kind: `${extension} ${about}${plural(Math.max(0, lines - 1), "row")} × ${plural(columns, "column")}`,
    ...preview,
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

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
const cut = (line: string): string => (line.length > longestPreview ? `${line.slice(0, longestPreview - 1)}…` : line);
