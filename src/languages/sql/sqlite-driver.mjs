// Runs blocks of SQL with the SQLite that Node brings along and tells the host what happens.
//
// Commands come on descriptor 3 and events go out on descriptor 4, one JSON object a line. The database is a file in the
// folder named by the first argument. Files that a query names in place of a table are read into tables of that name.

import { readFileSync, statSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { readTable } from "./sqlite-files.mjs";

const shownRows = 50;
const database = new DatabaseSync(join(process.argv[2], "tables.db"));
database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF");

let nonce = "";
let marks = 0;
/** When the files were read that are tables now. */
const loaded = new Map();

// --- telling the host -----------------------------------------------------------------------------------------------

function writeAll(fd, text) {
  const data = Buffer.from(text);
  for (let at = 0; at < data.length; ) {
    try {
      at += writeSync(fd, data, at);
    } catch (error) {
      if (error.code !== "EAGAIN") process.exit(1);
    }
  }
}

/** Sends an event that keeps its place between what was printed before and after it. */
function place(event) {
  marks++;
  for (const fd of [1, 2]) writeAll(fd, `\x1e${nonce}:${marks}\x1e`);
  writeAll(4, `\n${JSON.stringify({ ...event, mark: marks })}\n`);
}

// --- running blocks -------------------------------------------------------------------------------------------------

function run({ id, code, name }) {
  let status = "ok";
  let line = 1;
  try {
    for (const statement of statements(code)) {
      line = statement.line;
      writeAll(4, `\n{"op":"line","line":${line}}\n`);
      execute(withFiles(statement.text));
    }
  } catch (error) {
    status = "error";
    const message = hinted(error.message);
    place({ op: "error", name: "SQLError", message, traceback: `SQL error in ${name}, line ${line}: ${message}\n` });
  }
  place({ op: "end", id, status });
}

function hinted(message) {
  const missing = /^no such table: (.*)/.exec(message);
  if (!missing) return message;
  return `${message}. Files are tables by their path in quotes: FROM 'sales.csv'. To query Python's data frames, install duckdb in its environment and restart.`;
}

function execute(text) {
  const statement = database.prepare(text);
  const columns = statement.columns?.().map(({ name }) => ({ name })) ?? [];
  statement.setReadBigInts(true);
  if (columns.length === 0) {
    const { changes } = statement.run();
    if (/^\s*(insert|update|delete|replace)\b/i.test(text))
      writeAll(1, `${changes} ${changes === 1n || changes === 1 ? "row" : "rows"} changed\n`);
    return;
  }
  statement.setReturnArrays?.(true);
  const rows = [];
  let total = 0;
  for (const row of statement.iterate()) {
    if (total++ < shownRows) rows.push((Array.isArray(row) ? row : Object.values(row)).map(plain));
  }
  place({ op: "display", bundle: { "application/vnd.interpreter.table+json": { columns, rows, total } } });
}

function plain(value) {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Uint8Array) return `<${value.length} bytes>`;
  return value;
}

const token = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:''|[^'])*'?|"(?:""|[^"])*"?|`[^`]*`?|\[[^\]]*\]?|\w+|\s+|[\s\S]/g;

/** The statements of a block, each with the line it begins at. A trigger has semicolons inside. */
function* statements(code) {
  let text = "";
  let line = 1;
  let begin = 0;
  let words = [];
  for (const [part] of code.matchAll(token)) {
    const word = /^\w+$/.test(part) ? part.toLowerCase() : undefined;
    if (text.trim() === "" && !/^(\s|--|\/\*)/.test(part)) begin = line;
    line += part.split("\n").length - 1;
    text += part;
    if (word) words.push(word);
    const inTrigger = words[0] === "create" && words.slice(1, 4).includes("trigger") && words.at(-1) !== "end";
    if (part !== ";" || inTrigger) continue;
    if (words.length > 0) yield { text, line: begin };
    text = "";
    words = [];
  }
  if (words.length > 0) yield { text, line: begin };
}

// --- files as tables ------------------------------------------------------------------------------------------------

const reader = /^read_(csv|csv_auto|json|json_auto|parquet)$/i;

/** Reads the files a statement names in place of tables, and gives it the tables instead. */
function withFiles(text) {
  const parts = text.match(token) ?? [];
  const next = (index) => {
    let at = index + 1;
    while (at < parts.length && /^(\s|--|\/\*)/.test(parts[at])) at++;
    return at;
  };
  let expected = false;
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index];
    if (/^(from|join)$/i.test(part)) expected = true;
    else if (/^(\s|--|\/\*)/.test(part)) continue;
    else if (reader.test(part) && parts[next(index)] === "(") {
      const path = next(next(index));
      const close = next(path);
      if (!/^['"]/.test(parts[path] ?? "") || parts[close] !== ")")
        throw new Error(`${part} takes one path here, without options.`);
      load(unquoted(parts[path]));
      parts[index] = `"${unquoted(parts[path]).replaceAll('"', '""')}"`;
      for (let at = index + 1; at <= close; at++) parts[at] = "";
      expected = false;
    } else if (expected && /^['"]/.test(part)) {
      const path = unquoted(part);
      if (/\.\w+$/.test(path)) load(path);
      parts[index] = `"${path.replaceAll('"', '""')}"`;
      expected = false;
    } else expected = part === "," && expected;
  }
  return parts.join("");
}

function unquoted(part) {
  return part.slice(1, -1).replaceAll(part[0] + part[0], part[0]);
}

function load(path) {
  const file = statSync(resolve(path), { throwIfNoEntry: false });
  if (!file) {
    if (isTable(path)) return;
    throw new Error(`There is no file ${path} in ${process.cwd()}.`);
  }
  const version = `${file.mtimeMs} ${file.size}`;
  if (loaded.get(path) === version) return;
  const { columns, types, rows } = readTable(path, () => readFileSync(resolve(path), "utf8"));
  const name = `"${path.replaceAll('"', '""')}"`;
  const list = columns.map((column, index) => `"${column.replaceAll('"', '""')}" ${types[index]}`).join(", ");
  database.exec(`BEGIN; DROP TABLE IF EXISTS ${name}; CREATE TABLE ${name} (${list})`);
  try {
    const insert = database.prepare(`INSERT INTO ${name} VALUES (${columns.map(() => "?").join(", ")})`);
    for (const row of rows) insert.run(...row);
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
  loaded.set(path, version);
}

function isTable(name) {
  return database.prepare("SELECT 1 FROM sqlite_master WHERE name = ?").get(name) !== undefined;
}

/** Few people look at tables: what that takes is loaded when somebody does. */
async function view(command) {
  const { answer } = await import("./sqlite-viewer.mjs");
  writeAll(4, `\n${JSON.stringify({ op: "reply", id: command.id, value: answer(database, command, withFiles) })}\n`);
}

// --- start ----------------------------------------------------------------------------------------------------------

const commands = new Socket({ fd: 3 });
commands.on("end", () => process.exit(0)).on("error", () => process.exit(1));
createInterface({ input: commands }).on("line", (line) => {
  const command = JSON.parse(line);
  if (command.op === "run") run(command);
  else if (command.op === "table") view(command);
  else if (command.nonce) {
    nonce = command.nonce;
    const { version } = database.prepare("SELECT sqlite_version() AS version").get();
    writeAll(4, `\n{"op":"ready","version":"${version}"}\n`);
  }
});
