// Lets the person look at a table or a query of SQLite a page at a time: every page, order and filter is a query of its own.

const most = { text: 300, value: 100_000, frequent: 5 };

/** What is looked at: a query in brackets, its columns, and how many rows it has. */
let looked;

/** `withFiles` puts tables in the place of the files that a query names. */
export function answer(database, command, withFiles) {
  try {
    return answers[command.do](database, command, withFiles);
  } catch (error) {
    return { problem: error.problem ?? `${error.message}.` };
  }
}

const answers = { open, page, column, cell, close };

function open(database, { code }, withFiles) {
  looked = undefined;
  const text = code.trim().replace(/;\s*$/, "");
  const query = /^(select|with|values)\b/i.test(text)
    ? text
    : `SELECT * FROM ${/^\w+$/.test(text) ? name(text) : text}`;
  const source = `(${withFiles(query)})`;
  const statement = database.prepare(`SELECT * FROM ${source}`);
  if (!statement.columns) throw { problem: "Looking at tables of SQLite needs Node 22.16 or newer." };
  const columns = statement.columns().map((each) => ({ name: each.name, type: each.type ?? "" }));
  const { rows } = database.prepare(`SELECT count(*) AS rows FROM ${source}`).get();
  looked = { source, columns, rows };
  return { kind: "SQLite table", rows, columns: columns.length };
}

function page(database, { rows: [start, count], columns: [first, many], sort, filter }) {
  const { source, columns } = current();
  const chosen = columns.slice(first, first + many);
  const { where, values } = condition(filter);
  const total = filter
    ? database.prepare(`SELECT count(*) AS rows FROM ${source}${where}`).get(...values).rows
    : looked.rows;
  const list = chosen.map((each) => name(each.name)).join(", ");
  const statement = database.prepare(`SELECT ${list} FROM ${source}${where}${order(sort)} LIMIT ? OFFSET ?`);
  const rows = arrays(statement, [...values, count, start]);
  const numeric = (at) =>
    rows.length > 0 && rows.every((row) => row[at] === null || /number|bigint/.test(typeof row[at]));
  return {
    table: {
      columns: chosen.map((each, at) => ({ ...each, numeric: numeric(at) })),
      rows: rows.map((row) => row.map((value) => shown(value, most.text))),
      total,
    },
  };
}

function column(database, { column: number, filter, whole }) {
  const { source, columns } = current();
  const { where, values } = condition(filter);
  const it = name(columns[number].name);
  const get = (what) => Object.entries(database.prepare(`SELECT ${what} FROM ${source}${where}`).get(...values));
  const numbers = `sum(typeof(${it}) IN ('integer', 'real'))`;
  const [[, nulls], [, numeric]] = get(`sum(${it} IS NULL), ${numbers}`);
  const facts = [
    ["type", columns[number].type || "any"],
    ["null", nulls ?? 0],
  ];
  if (numeric) facts.push(...get(`min(${it}) AS min, max(${it}) AS max, avg(${it}) AS mean`));
  if (whole) {
    facts.push(...get(`count(DISTINCT ${it}) AS "distinct"`));
    const group = `SELECT ${it}, count(*) FROM ${source}${where} GROUP BY 1 HAVING count(${it}) > 1 ORDER BY 2 DESC LIMIT ?`;
    for (const [value, times] of arrays(database.prepare(group), [...values, most.frequent]))
      facts.push(["most frequent", `${shown(value, 100)} (${times})`]);
  }
  return { facts: facts.map(([key, value]) => [key, String(shown(value, most.text) ?? "")]) };
}

function cell(database, { row, column: number, sort, filter }) {
  const { source, columns } = current();
  const { where, values } = condition(filter);
  const it = name(columns[number].name);
  const statement = database.prepare(`SELECT ${it} FROM ${source}${where}${order(sort)} LIMIT 1 OFFSET ?`);
  const [found] = arrays(statement, [...values, row]);
  if (!found) throw { problem: "There is no such row." };
  return { text: shown(found[0], most.value) ?? "null" };
}

function close() {
  looked = undefined;
  return { closed: true };
}

function current() {
  if (!looked) throw { problem: "The table is no longer there." };
  return looked;
}

/** A text in quotes is looked for; `> 3` compares; what has signs or words of an expression is one; any other text is looked for. */
function condition(filter) {
  if (!filter) return { where: "", values: [] };
  const it = name(looked.columns[filter.column].name);
  const [, , quoted] = /^\s*(["'])([\s\S]*)\1\s*$/.exec(filter.text) ?? [];
  const [, sign, other] = /^\s*(==|!=|<=|>=|<|>|=)\s*([\s\S]+?)\s*$/.exec(filter.text) ?? [];
  if (sign) {
    const value = /^(['"])(.*)\1$/.exec(other)?.[2] ?? (Number.isNaN(Number(other)) ? other : Number(other));
    return { where: ` WHERE ${it} ${sign} ?`, values: [value] };
  }
  if (quoted === undefined && /[<>=!()]|\b(and|or|in|is|not|like|between)\b/i.test(filter.text))
    return { where: ` WHERE (${filter.text})`, values: [] };
  return { where: ` WHERE instr(lower(CAST(${it} AS TEXT)), lower(?)) > 0`, values: [quoted ?? filter.text] };
}

const order = (sort) =>
  sort ? ` ORDER BY ${name(looked.columns[sort.column].name)} ${sort.descending ? "DESC" : "ASC"} NULLS LAST` : "";

const name = (text) => `"${text.replaceAll('"', '""')}"`;

function arrays(statement, values) {
  statement.setReadBigInts(true);
  return statement.all(...values).map((row) => Object.values(row));
}

function shown(value, longest) {
  if (value === null || value === undefined) return null;
  if (typeof value === "number") return String(Number(value.toPrecision(10)));
  const text = value instanceof Uint8Array ? `<${value.length} bytes>` : String(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
