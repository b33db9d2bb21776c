// Tables come with their columns and rows as data where somebody draws them, and can be looked at a page at a time.

import { describe, expect, test } from "vitest";
import type { TableAnswer, TableRequest } from "../../src/languages/index.ts";
import { python } from "../../src/languages/python/index.ts";
import { type Table, tableIn, tableType } from "../../src/messages/index.ts";
import { startSession, type TestSession, until } from "../support/session.ts";

const libraries = "import numpy as np, pandas as pd, polars as pl, pyarrow as pa\n";
const small = `${libraries}df = pd.DataFrame({'a': [3, 1, None, 1], 'b': ['x', None, 'Yy', 'é\\n'], 'd': pd.date_range('2024-01-01', periods=4)}, index=list('vwxy'))\n`;

async function shown(code: string, options = { tables: true }) {
  await using session = await startSession(python, [], process.env, options);
  const { bundles, displayed, error } = await session.run(code);
  expect(error).toBeUndefined();
  return { table: tableIn(bundles.at(-1)), bundle: bundles.at(-1)!, text: displayed.at(-1) };
}

describe("a table that is displayed", () => {
  test("has its columns with types and nulls, and its first rows as text", async () => {
    const { table, text } = await shown(`${small}df`);
    expect(table).toEqual({
      columns: [
        { name: "", index: true },
        { name: "a", type: "float64", numeric: true, nulls: 1 },
        { name: "b", type: expect.stringMatching(/^(str|object)$/), numeric: false, nulls: 1 },
        { name: "d", type: expect.stringMatching(/^datetime64/), numeric: false, nulls: 0 },
      ],
      rows: [
        ["v", "3.0", "x", "2024-01-01"],
        ["w", "1.0", null, "2024-01-02"],
        ["x", null, "Yy", "2024-01-03"],
        ["y", "1.0", "é\n", "2024-01-04"],
      ],
      total: 4,
    });
    expect(text).toMatch(/^ +a +b +d\nv +3\.0/);
  });

  test("is text alone where nobody draws it, and the text is the same", async () => {
    const plain = await shown(`${small}df`, { tables: false });
    expect(plain.bundle[tableType]).toBeUndefined();
    expect(plain.text).toBe((await shown(`${small}df`)).text);
  });

  test.each([
    [
      "a series",
      "df['a'].head(2)",
      ["", "a"],
      [
        ["v", "3.0"],
        ["w", "1.0"],
      ],
    ],
    [
      "one without a name",
      "pd.Series([1, 2])",
      ["", ""],
      [
        ["0", "1"],
        ["1", "2"],
      ],
    ],
    ["groups", "df.groupby(['b', 'a'], dropna=False).agg({'d': ['min']}).head(1)", ["b", "a", "d / min"], undefined],
    ["polars", "pl.DataFrame({'x': [1, None]})", ["x"], [["1"], [null]]],
    [
      "arrow",
      "pa.table({'x': [1, None], 'y': ['p', 'q']})",
      ["x", "y"],
      [
        ["1", "p"],
        [null, "q"],
      ],
    ],
    [
      "dictionaries",
      "[{'k': 1, 'v': None}, {'k': 2, 'v': 'b'}]",
      ["", "k", "v"],
      [
        ["0", "1", null],
        ["1", "2", "b"],
      ],
    ],
    ["nothing", "pd.DataFrame({'a': []})", ["", "a"], []],
  ])("%s", async (_, code, names, rows) => {
    const { table } = await shown(`${small}${code}`);
    expect(table?.columns.map(({ name }) => name)).toEqual(names);
    if (rows) expect(table?.rows).toEqual(rows);
  });

  test("numbers of a column have as many decimals as it needs; very large and very small ones are short", async () => {
    const { table } = await shown(
      `${libraries}pd.DataFrame({'a': [1.5, 1000000.25, -2], 'b': [1e20, 1.0, float('inf')], 'c': [1 / 3, 0, 2.0], 'd': [1e-9, 1, 2]})`,
    );
    expect(table?.rows.map((row) => row.slice(1))).toEqual([
      ["1.50", "1e+20", "0.333333", "1e-09"],
      ["1000000.25", "1", "0.000000", "1"],
      ["-2.00", "inf", "2.000000", "2"],
    ]);
  });

  test("what is not a table, or is set by the person, stays text", async () => {
    for (const code of ["1 + 1", "[{'a': {}}, {'a': {}}]", "[{'a': 1}]", "[{'a': 1}, {'b': 1}]", "np.zeros((3, 3))"])
      expect((await shown(`${libraries}${code}`)).table, code).toBeUndefined();
    expect((await shown(`${small}pd.set_option('display.max_rows', 500)\ndf`)).table).toBeUndefined();
  });

  test("of a wide one the first and the last columns; of a long one the first rows, without counting", async () => {
    const wide = (await shown(`${libraries}pd.DataFrame(np.zeros((3, 5000)))`)).table!;
    expect(wide.gap).toEqual({ at: 51, count: 5000 - 62 });
    expect(wide.columns.map(({ name }) => name)).toContain("4999");
    const long = (await shown(`${libraries}pd.DataFrame({'a': np.arange(6_000_000), 'b': np.zeros(6_000_000)})`))
      .table!;
    expect(long.total).toBe(6_000_000);
    expect(long.rows.length).toBe(20);
    expect(long.columns.map(({ nulls }) => nulls)).toEqual([undefined, 0, undefined]);
  });

  test("a value that is too long for a cell is cut", async () => {
    const { table } = await shown(
      `${libraries}pd.DataFrame({'a': ['x' * 10_000, 'y'], 'b': [list(range(100_000)), 1]})`,
    );
    expect(table?.rows).toEqual([
      ["0", `${"x".repeat(300)}…`, "100000 items"],
      ["1", "y", "1"],
    ]);
  });
});

describe("looking at a table", () => {
  const page = { do: "page", rows: [0, 10], columns: [0, 10] } as const;

  /** What is looked at, and a short way to ask. */
  async function look(session: TestSession, code: string) {
    const ask = (request: TableRequest): Promise<TableAnswer> => session.session.viewTable!(request);
    const opened = await ask({ do: "open", code });
    const table = async (request: Partial<Extract<TableRequest, { do: "page" }>> = {}): Promise<Table> => {
      const answer = await ask({ ...page, ...request });
      if (!("table" in answer)) throw new Error(JSON.stringify(answer));
      return answer.table;
    };
    const first = async (request: Parameters<typeof table>[0] = {}) => {
      const { columns, rows } = await table(request);
      return rows.map((row) => row[columns.findIndex(({ index }) => !index)]);
    };
    return { opened, ask, table, first };
  }

  test.each([
    ["pandas", "df", "pandas DataFrame", "a == 1 and b != 'x'", ["1.0", "1.0"]],
    ["polars", "pl.from_pandas(df)", "polars DataFrame", "a = 1 and b is not null", ["1.0"]],
    ["arrow", "pa.Table.from_pandas(df, preserve_index=False)", "Arrow table", "a == 1", undefined],
    ["dictionaries", "rows", "list of dictionaries", "a == 1 and b is None", ["1.0"]],
  ])("%s: pages, sorting, filters and what is known of a column", async (_, code, kind, expression, matching) => {
    await using session = await startSession(python);
    await session.run(
      `${small}rows = [{'a': 3.0, 'b': 'x'}, {'a': 1.0, 'b': None}, {'b': 'Yy'}, {'a': 1.0, 'b': 'é'}]`,
    );
    const { opened, ask, first, table } = await look(session, code);
    expect(opened).toEqual({ kind, rows: 4, columns: code === "rows" ? 2 : 3 });
    expect(await first()).toEqual(["3.0", "1.0", null, "1.0"]);
    expect(await first({ rows: [1, 2] })).toEqual(["1.0", null]);
    expect(await first({ rows: [3, 100] })).toEqual(["1.0"]);
    expect(await first({ rows: [99, 5] })).toEqual([]);
    expect((await table({ columns: [1, 1] })).columns.filter(({ index }) => !index).map(({ name }) => name)).toEqual([
      "b",
    ]);
    expect(await first({ sort: { column: 0, descending: false } })).toEqual(["1.0", "1.0", "3.0", null]);
    expect(await first({ sort: { column: 0, descending: true } })).toEqual(["3.0", "1.0", "1.0", null]);
    expect(await first({ filter: { text: "> 1", column: 0 } })).toEqual(["3.0"]);
    expect(await first({ filter: { text: "y", column: 1 } })).toEqual([null]);
    expect(await first({ filter: { text: "'X'", column: 1 } })).toEqual(["3.0"]);
    const both = { filter: { text: "<= 3", column: 0 }, sort: { column: 0, descending: false } };
    expect((await table(both)).total).toBe(3);
    expect(await first({ ...both, rows: [1, 2] })).toEqual(["1.0", "3.0"]);
    const found = ask({ ...page, filter: { text: expression, column: 0 } });
    if (matching) expect(await first({ filter: { text: expression, column: 0 } })).toEqual(matching);
    else expect(await found).toEqual({ problem: expect.stringContaining("is filtered by a text, or by a comparison") });
    const facts = await ask({ do: "column", column: 0, whole: false });
    expect(facts).toEqual({
      facts: expect.arrayContaining([
        ["null", "1"],
        ["min", "1"],
        ["max", "3"],
        ["mean", "1.666667"],
      ]),
    });
    const filtered = await ask({ do: "column", column: 0, whole: true, filter: { text: "== 1", column: 0 } });
    expect(filtered).toEqual({
      facts: expect.arrayContaining([
        ["max", "1"],
        ["distinct", "1"],
        ["most frequent", "1.0 (2)"],
      ]),
    });
    expect(await ask({ do: "cell", row: 0, column: 1, sort: { column: 1, descending: true } })).toEqual({
      text: expect.stringMatching(/^é/),
    });
    expect(await ask({ do: "close" })).toEqual({ closed: true });
    expect(await ask(page)).toEqual({ problem: "The table is no longer there." });
  });

  test("an array of numbers, and one of one dimension", async () => {
    await using session = await startSession(python);
    await session.run("import numpy as np\nm = np.array([[1.5, 2], [np.nan, 1], [0, 5]])");
    const { opened, table, first } = await look(session, "m");
    expect(opened).toEqual({ kind: "NumPy array", rows: 3, columns: 2 });
    expect((await table()).rows).toEqual([
      ["0", "1.5", "2.0"],
      ["1", null, "1.0"],
      ["2", "0.0", "5.0"],
    ]);
    expect(await first({ sort: { column: 0, descending: true } })).toEqual(["1.5", "0.0", null]);
    expect(await first({ filter: { text: ">= 2", column: 1 } })).toEqual(["1.5", "0.0"]);
    expect((await look(session, "m[:, 1]")).opened).toEqual({ kind: "NumPy array", rows: 3, columns: 1 });
  });

  test("leaves the session as it was: its table, its names, its output, its last value", async () => {
    await using session = await startSession(python);
    const names = "sorted(globals())";
    const [before] = (await session.run(`${small}7\n${names}`)).displayed.slice(-1);
    await session.run("41 + 1");
    const { opened, first } = await look(session, "print('noise') or display('more') or df");
    expect(opened).toMatchObject({ kind: "pandas DataFrame" });
    await first({ sort: { column: 0, descending: true }, filter: { text: "a < 3", column: 0 } });
    const after = await session.run(`print(_, df.index.tolist())\n${names}`);
    expect(after.stdout).toBe("42 ['v', 'w', 'x', 'y']\n");
    expect(after.displayed.at(-1)).toBe(before);
  });

  test("what cannot be looked at is one plain line", async () => {
    await using session = await startSession(python);
    await session.run(small);
    const problem = async (code: string) => ((await look(session, code)).opened as { problem: string }).problem;
    expect(await problem("nope")).toBe(
      "There is no such thing here: name 'nope' is not defined. %vars lists what there is.",
    );
    expect(await problem("df[")).toMatch(/^df\[ is not an expression: .*\.$/);
    expect(await problem("42")).toMatch(/^42 is not a table \(int\)\. /);
    expect(await problem("1 / 0")).toBe("ZeroDivisionError: division by zero");
    expect(await problem("input('name? ')")).toMatch(/^EOFError: .*nobody is here to answer/);
    expect(await problem("exit(3)")).toBe("SystemExit: 3");
    expect(await problem("df.pipe(pl.from_pandas).lazy()")).toMatch(/^A lazy frame has no rows yet/);
    const { ask } = await look(session, "df");
    const filtered = (text: string) => ask({ ...page, filter: { text, column: 0 } });
    expect(await filtered("nope > 1")).toEqual({ problem: "That filter does not work: name 'nope' is not defined" });
    expect(await filtered("a > ")).toEqual({ problem: expect.stringMatching(/^That filter does not work: /) });
    expect(await filtered("(a + 1)")).toEqual({ problem: "That is not true or false for each row." });
    expect((await session.run("1")).displayed).toEqual(["1"]);
  });

  test("while a block runs, that is said; a long look can be given up, and the session goes on", async () => {
    await using session = await startSession(python);
    await session.run(small);
    let running = false;
    const block = session.run("import time\nprint('on', flush=True)\ntime.sleep(30)", (event) => {
      running ||= event.type === "output";
    });
    await until(() => running);
    expect((await look(session, "df")).opened).toEqual({
      problem: "Python is running a block. Look again when it is done.",
    });
    session.session.interrupt();
    expect((await block).end.status).toBe("interrupted");
    const stop = new AbortController();
    const looking = session.session.viewTable!({ do: "open", code: "__import__('time').sleep(60)" }, stop.signal);
    setTimeout(() => stop.abort(), 300);
    expect(await looking).toEqual({ problem: "It was stopped." });
    expect((await session.run("len(df)")).displayed).toEqual(["4"]);
  });

  test("also while background tasks go on between blocks", async () => {
    await using session = await startSession(python);
    await session.run(
      `${small}import asyncio\nasync def tick():\n    while True: await asyncio.sleep(0.01)\nt = asyncio.create_task(tick())\nawait asyncio.sleep(0)`,
    );
    expect((await look(session, "df")).opened).toMatchObject({ rows: 4 });
  });

  test("five million rows: only a page comes out, whatever is done with them", async () => {
    await using session = await startSession(python);
    await session.run(
      `${libraries}rng = np.random.default_rng(1)\nbig = pd.DataFrame({'a': np.arange(5_000_000), 'r': rng.random(5_000_000)})`,
    );
    const before = process.memoryUsage.rss();
    const { opened, table, first } = await look(session, "big");
    expect(opened).toEqual({ kind: "pandas DataFrame", rows: 5_000_000, columns: 2 });
    expect((await table()).rows.length).toBe(10);
    expect(await first({ rows: [4_999_998, 10] })).toEqual(["4999998", "4999999"]);
    expect(await first({ sort: { column: 0, descending: true }, rows: [0, 2] })).toEqual(["4999999", "4999998"]);
    const even = await table({ filter: { text: "a % 2 == 0", column: 0 }, sort: { column: 1, descending: false } });
    expect(even.total).toBe(2_500_000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000);
  });
});
