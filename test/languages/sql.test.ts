// SQL with SQLite, and with DuckDB inside the Python session where its environment has it.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { allLanguages, type SessionEvent, Sessions } from "../../src/languages/index.ts";
import { sql } from "../../src/languages/sql/index.ts";
import { textTable } from "../../src/languages/sql/table.ts";
import { localMachine } from "../../src/machine/index.ts";
import { startSession, testPython } from "../support/session.ts";

describe("SQLite", () => {
  test("tables stay from block to block, and every query of a block is shown", async () => {
    await using session = await startSession(sql);
    expect(session.session.description).toMatch(/^SQLite 3/);
    const made = await session.run(
      "create table t(a, b);\ninsert into t values (1, 'x;y'), (2, NULL);\nselect a from t; select b from t -- the end",
    );
    expect(made.stdout).toBe("2 rows changed\n");
    expect(made.displayed).toEqual(["a\n-\n1\n2\n(2 rows)", "b\n----\nx;y\nNULL\n(2 rows)"]);
    const { bundles } = await session.run("select '<b>' as \"a&b\"");
    expect(bundles[0]!["text/html"]).toContain("<th>a&amp;b</th>");
    expect(bundles[0]!["text/html"]).toContain("<td>&lt;b&gt;</td>");
  });

  test("files are tables: CSV with types, quotes and other separators, and JSON", async () => {
    await using session = await startSession(sql);
    writeFileSync(
      join(session.folder, "sales.csv"),
      'city,amount,"post code",note\nParis,10,01234,"a, ""b""\nc"\r\nRome,2.5,99999,\nOslo,,00001,x',
    );
    writeFileSync(join(session.folder, "more.csv"), "city;country\nParis;France\nRome;Italy\n");
    writeFileSync(join(session.folder, "people.json"), '[{"name": "Ann", "age": 5}, {"name": "Bo", "tags": ["x"]}]');
    const joined = await session.run(
      "select s.city, country, amount * 2 as twice, \"post code\" from 'sales.csv' s join read_csv('more.csv') m on s.city = m.city order by 1",
    );
    expect(joined.displayed).toEqual([
      "city   country  twice  post code\n-----  -------  -----  ---------\nParis  France      20  01234\nRome   Italy        5  99999\n(2 rows)",
    ]);
    expect((await session.run("select note, amount from 'sales.csv' where city = 'Paris'")).displayed[0]).toContain(
      'a, "b" c',
    );
    expect(
      (await session.run("select typeof(amount) as t from 'sales.csv' where city = 'Oslo'")).displayed[0],
    ).toContain("null");
    expect((await session.run("select name, age, tags from 'people.json'")).displayed[0]).toContain('["x"]');
  });

  test("a file that has changed is read again", async () => {
    await using session = await startSession(sql);
    const file = join(session.folder, "n.csv");
    writeFileSync(file, "n\n1\n");
    expect((await session.run("select n from 'n.csv'")).displayed).toEqual(["n\n-\n1\n(1 row)"]);
    writeFileSync(file, "n\n2\n");
    utimesSync(file, new Date(), new Date(Date.now() + 5_000));
    expect((await session.run("select n from 'n.csv'")).displayed).toEqual(["n\n-\n2\n(1 row)"]);
  });

  test("says what is wrong, in which line, and what to do", async () => {
    await using session = await startSession(sql);
    const failed = await session.run("select 1;\n\nselec 2");
    expect(failed.error?.traceback).toMatch(/<block 1>, line 3: near "selec": syntax error/);
    expect(failed.displayed).toHaveLength(1);
    expect((await session.run("select * from sales")).error?.message).toMatch(/FROM 'sales.csv'.*duckdb/);
    expect((await session.run("select * from 'nothing.csv'")).error?.message).toMatch(/no file nothing.csv in /);
    writeFileSync(join(session.folder, "x.parquet"), "PAR1");
    expect((await session.run("select * from 'x.parquet'")).error?.message).toMatch(/only .csv.*DuckDB reads more/);
  });

  test("a query that is interrupted leaves the tables, and so does one that crashes", async () => {
    await using session = await startSession(sql);
    await session.run("create table t(a); insert into t values (7)");
    const endless = "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c";
    const running = session.run(endless);
    setTimeout(() => session.session.interrupt(), 200);
    expect((await running).end).toEqual({ type: "end", status: "interrupted" });
    expect((await session.run("select a from t")).displayed).toEqual(["a\n-\n7\n(1 row)"]);
    const killed = session.run(endless);
    setTimeout(() => process.kill(session.session.pid!, "SIGKILL"), 200);
    expect((await killed).end).toMatchObject({
      status: "exited",
      explanation: expect.stringContaining("a new one has its tables"),
    });
    expect((await session.run("select a from t")).displayed).toEqual(["a\n-\n7\n(1 row)"]);
  });

  test("a long result shows its first rows and says how many there are", async () => {
    await using session = await startSession(sql);
    const { displayed } = await session.run(
      "with recursive c(x) as (select 1 union all select x + 1 from c limit 100000) select x, 9007199254740993 as big from c",
    );
    const lines = displayed[0]!.split("\n");
    expect(lines).toHaveLength(53);
    expect(lines.at(-1)).toBe("(100000 rows, the first 50 shown)");
    expect(lines[2]).toContain("9007199254740993");
  });

  test("triggers may have semicolons inside", async () => {
    await using session = await startSession(sql);
    const ran = await session.run(
      "create table t(a); create trigger g after insert on t begin update t set a = a + 1; delete from t where a = 3; end;\ninsert into t values (2); insert into t values (5); select a from t",
    );
    expect(ran.displayed).toEqual(["a\n-\n6\n(1 row)"]);
  });
});

test("a wide table and a long text are cut", () => {
  const columns = Array.from({ length: 60 }, (_, index) => `c${index}`);
  const rows = [columns.map(() => "x".repeat(500))];
  const text = textTable({ columns: columns.map((name) => ({ name })), rows, total: 1 });
  expect(text).toContain("… 20 more");
  expect(text.split("\n")[2]!.length).toBeLessThan(41 * 63);
});

const duckdb = spawnSync(testPython, ["-c", "import duckdb, pandas"]).status === 0;

describe("DuckDB in Python", () => {
  test.skipIf(!duckdb)("data frames and files are tables, and the result is a data frame", async () => {
    const folder = mkdtempSync(join(tmpdir(), "sql-test-"));
    writeFileSync(join(folder, "rates.csv"), "currency,rate\nEUR,1\nUSD,0.5\n");
    const sessions = new Sessions(allLanguages(process.env), {
      machine: localMachine,
      cwd: folder,
      env: process.env,
      python: testPython,
    });
    const run = async (name: string, code: string): Promise<SessionEvent[]> =>
      Array.fromAsync(sessions.run(sessions.find(name)!, code));
    const shown = (events: SessionEvent[]) =>
      events.flatMap((event) => (event.type === "display" ? [String(event.bundle["text/plain"])] : []));
    try {
      await run(
        "python",
        "import pandas as pd\nsales = pd.DataFrame({'currency': ['EUR', 'USD', None], 'amount': [10, 20, 30]})",
      );
      const joined = await run(
        "sql",
        "select currency, amount * rate as euro from sales join 'rates.csv' using (currency) order by 1",
      );
      expect(shown(joined)).toEqual(["currency  euro\n--------  ----\nEUR         10\nUSD         10\n(2 rows)"]);
      expect(shown(await run("python", "type(_sql).__name__, float(_sql['euro'].sum())"))).toEqual([
        "('DataFrame', 20.0)",
      ]);
      expect(shown(await run("python", "[n for n in dir() if 'interpreter' in n]"))).toEqual(["[]"]);
      expect(shown(await run("sql", "create table kept as select 1 as a; select a, NULL as b from kept"))).toEqual([
        "a  b\n-  ----\n1  NULL\n(1 row)",
      ]);
      const failed = (await run("sql", "select * from nowhere")).find((event) => event.type === "error");
      expect(failed).toMatchObject({ name: "CatalogException" });
      expect(String(failed && "traceback" in failed && failed.traceback)).not.toContain("Traceback");
      const many = shown(await run("sql", "select * from range(1500000)"))[0]!;
      expect(many).toMatch(
        /\(1000000 rows, the first 50 shown\) There are more: the first 1000000 are kept in _sql\.$/,
      );
      expect((await sessions.live()).map((session) => session.description)).toEqual(
        expect.arrayContaining([expect.stringMatching(/^DuckDB in Python/)]),
      );
    } finally {
      await sessions.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
