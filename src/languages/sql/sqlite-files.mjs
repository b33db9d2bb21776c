// Reads a file of records as a table: columns, their types as SQLite has them, and rows.

/** @returns {{ columns: string[], types: string[], rows: unknown[][] }} */
export function readTable(path, read) {
  const kind = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  if (["csv", "tsv", "txt"].includes(kind)) return typed(separated(read(), kind));
  if (["json", "jsonl", "ndjson"].includes(kind)) return records(read(), kind, path);
  throw new Error(
    `A .${kind} file cannot be a table with SQLite, only .csv, .tsv, .json and .jsonl. DuckDB reads more: install duckdb in Python's environment and restart.`,
  );
}

/** The fields of every line; quoted ones may hold separators, quotes and line ends. */
function separated(text, kind) {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const separator = kind === "tsv" ? "\t" : likelySeparator(body);
  const rows = [];
  let row = [];
  let at = 0;
  while (at < body.length) {
    let field;
    if (body[at] === '"') {
      let end = at + 1;
      let quotes = false;
      for (;;) {
        end = body.indexOf('"', end);
        if (end === -1) end = body.length;
        if (body[end + 1] !== '"') break;
        quotes = true;
        end += 2;
      }
      field = body.slice(at + 1, end);
      if (quotes) field = field.replaceAll('""', '"');
      at = end + 1;
      // What follows the closing quote by mistake belongs to the field.
      const rest = nextEnd(body, at, separator);
      field += body.slice(at, rest).replace(/\r$/, "");
      at = rest;
    } else {
      const end = nextEnd(body, at, separator);
      field = body.slice(at, end).replace(/\r$/, "");
      at = end;
    }
    row.push(field);
    if (at >= body.length || body[at] === "\n") {
      if (row.length > 1 || row[0] !== "") rows.push(row);
      row = [];
    } else if (at === body.length - 1) {
      row.push("");
      rows.push(row);
      row = [];
    }
    at++;
  }
  return rows;
}

function nextEnd(text, from, separator) {
  const comma = text.indexOf(separator, from);
  const line = text.indexOf("\n", from);
  return Math.min(comma === -1 ? text.length : comma, line === -1 ? text.length : line);
}

function likelySeparator(text) {
  const first = text.slice(0, text.indexOf("\n") === -1 ? text.length : text.indexOf("\n")).replace(/"[^"]*"/g, "");
  const counts = [",", ";", "\t", "|"].map((separator) => [separator, first.split(separator).length]);
  return counts.reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}

function typed(lines) {
  if (lines.length === 0) throw new Error("The file is empty.");
  const columns = named(lines[0]);
  const rows = lines.slice(1);
  const types = columns.map((_, index) => typeOf(rows, index));
  for (const row of rows) {
    row.length = columns.length;
    for (let index = 0; index < columns.length; index++) {
      const text = row[index];
      row[index] = text === undefined || text === "" ? null : types[index] === "TEXT" ? text : Number(text);
    }
  }
  return { columns, types, rows };
}

/** Numbers with a leading zero are names of things: postcodes, article numbers. */
function typeOf(rows, index) {
  let type = "INTEGER";
  let seen = false;
  for (const row of rows) {
    const text = row[index];
    if (text === undefined || text === "") continue;
    seen = true;
    if (/^-?(0|[1-9]\d{0,14})$/.test(text)) continue;
    if (!/^-?(0|[1-9]\d*)(\.\d+)?(e[-+]?\d+)?$/i.test(text)) return "TEXT";
    type = "REAL";
  }
  return seen ? type : "TEXT";
}

function records(text, kind, path) {
  const read =
    kind === "json" ? JSON.parse(text) : text.split("\n").flatMap((line) => (line.trim() ? [JSON.parse(line)] : []));
  const list = Array.isArray(read) ? read : [read];
  if (!list.every((record) => typeof record === "object" && record !== null))
    throw new Error(`${path} is not a list of records.`);
  const columns = [...new Set(list.flatMap((record) => Object.keys(record)))];
  if (columns.length === 0) throw new Error(`${path} has no records.`);
  const rows = list.map((record) => columns.map((column) => stored(record[column])));
  return { columns, types: columns.map(() => ""), rows };
}

function stored(value) {
  if (value === undefined || value === null) return null;
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "object" ? JSON.stringify(value) : value;
}

function named(header) {
  const seen = new Map();
  return header.map((text, index) => {
    const name = text.trim() || `column${index + 1}`;
    const count = (seen.get(name.toLowerCase()) ?? 0) + 1;
    seen.set(name.toLowerCase(), count);
    return count === 1 ? name : `${name}_${count}`;
  });
}
