// The values of a file, column by column: tables with delimiters, JSON, JSON lines, and the lines of other text. Formats that are
// not text (xlsx, parquet, databases) are not read.

import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createInterface } from "node:readline";

export type Take = (column: string, value: string) => void;

/** Larger files are read only so far. */
export const mostRead = 256 * 1024 * 1024;
const mostJson = 64 * 1024 * 1024;

const kinds: Readonly<Record<string, "table" | "lines" | "json">> = {
  csv: "table",
  tsv: "table",
  psv: "table",
  tab: "table",
  jsonl: "lines",
  ndjson: "lines",
  json: "json",
  geojson: "json",
};

const extension = (path: string): string => /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";

/** Whether a file can have columns that are read. */
export const hasColumns = (path: string): boolean => extension(path) in kinds;

/** Formats that hold no text that could be found again. */
export const isUnread = (path: string): boolean =>
  /^(xlsx?|xlsm|ods|parquet|feather|arrow|orc|avro|pkl|pickle|npy|npz|h5|hdf5?|db|sqlite3?|duckdb|zip|gz|bz2|xz|zst|7z|pdf|docx?|png|jpe?g|gif|webp|mp[34]|wav)$/.test(
    extension(path),
  );

/** Hands over every value of the columns that are wanted; of a text without columns, its lines. */
export async function readValues(path: string, wanted: (column: string) => boolean, take: Take): Promise<void> {
  const kind = kinds[extension(path)];
  if (kind === "json") {
    if ((await stat(path)).size > mostJson) return;
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    walk(value, "", wanted, take);
  } else if (kind === "table") await readTable(path, wanted, take);
  else
    for await (const line of lines(path)) {
      if (kind === "lines") walk(parsed(line), "", wanted, take);
      else if (wanted("")) take("", line.trim());
    }
}

const lines = (path: string) =>
  createInterface({ input: createReadStream(path, { encoding: "utf8", end: mostRead }), crlfDelay: Infinity });

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** What is nested belongs to the name that it is under. */
function walk(value: unknown, name: string, wanted: (column: string) => boolean, take: Take): void {
  if (Array.isArray(value)) for (const each of value) walk(each, name, wanted, take);
  else if (typeof value === "object" && value !== null)
    for (const [key, each] of Object.entries(value)) walk(each, wanted(name) && name !== "" ? name : key, wanted, take);
  else if (name !== "" && wanted(name)) take(name, value === null || value === undefined ? "" : String(value));
}

async function readTable(path: string, wanted: (column: string) => boolean, take: Take): Promise<void> {
  let header: string[] | undefined;
  let chosen: number[] = [];
  let separator = ",";
  let open = "";
  for await (const line of lines(path)) {
    // A field in quotes may go on in the next line.
    const whole = open === "" ? line : `${open}\n${line}`;
    if (isOpen(whole) && whole.length < 1_000_000) {
      open = whole;
      continue;
    }
    open = "";
    if (whole.trim() === "") continue;
    if (!header) {
      separator = separatorOf(whole);
      header = fieldsOf(whole.replace(/^\uFEFF/, ""), separator);
      chosen = header.flatMap((name, index) => (wanted(name.trim()) ? [index] : []));
      if (chosen.length === 0) return;
      continue;
    }
    const fields = fieldsOf(whole, separator);
    for (const index of chosen) take(header[index]!.trim(), (fields[index] ?? "").trim());
  }
}

const isOpen = (line: string): boolean => (line.match(/"/g)?.length ?? 0) % 2 === 1;

function separatorOf(header: string): string {
  const count = (sign: string): number => header.split(sign).length;
  return ["\t", ";", "|"].reduce((best, sign) => (count(sign) > count(best) ? sign : best), ",");
}

function fieldsOf(line: string, separator: string): string[] {
  if (!line.includes('"')) return line.split(separator);
  const fields: string[] = [];
  let field = "";
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    const sign = line[at]!;
    if (quoted && sign === '"' && line[at + 1] === '"') field += line[++at];
    else if (sign === '"') quoted = !quoted;
    else if (sign === separator && !quoted) {
      fields.push(field);
      field = "";
    } else field += sign;
  }
  return [...fields, field];
}
