// Tables are drawn to the width of the screen, in the chat and as data from a session.

import { describe, expect, test } from "vitest";
import type { Table } from "../../src/messages/index.ts";
import { createStyle } from "../../src/terminal/style.ts";
import { drawTable } from "../../src/terminal/tables/index.ts";
import { paintedWidth } from "../../src/terminal/text/width.ts";
import { Place } from "../support/program.ts";
import { run, scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

const plain = createStyle(false);

const cities: Table = {
  columns: [
    { name: "", index: true },
    { name: "city", type: "str", numeric: false, nulls: 0 },
    { name: "people", type: "float64", numeric: true, nulls: 25 },
  ],
  rows: [
    ["0", "Ulm", "126405.0"],
    ["10", "東京", "13960000.0"],
    ["20", "Bonn\n\x1b[31m", null],
  ],
  total: 1_003,
};

const wide = (count: number, width: number): Table => ({
  columns: Array.from({ length: count }, (_, at) => ({
    name: `c${at}`.padEnd(width, "x"),
    type: "int64",
    numeric: true,
  })),
  rows: [Array.from({ length: count }, (_, at) => String(at))],
  total: 1,
});

describe("a drawn table", () => {
  test("has names and types above, numbers to the right, and below what is not shown", () => {
    expect(drawTable(cities, 80, plain)).toEqual([
      "    city       people",
      "    str       float64",
      "0   Ulm      126405.0",
      "10  東京   13960000.0",
      "20  Bonn↵        null",
      "… 1,000 more rows · null: people 25",
    ]);
  });

  test("types, the index and what is missing are faint; names are bold", () => {
    const [names, types, , , last] = drawTable(cities, 80, createStyle(true));
    expect(names).toContain("\x1b[1mcity\x1b[22m");
    expect(types).toContain("\x1b[2mfloat64\x1b[22m");
    expect(last).toMatch(/^\x1b\[2m20\x1b\[22m .*\x1b\[2mnull\x1b\[22m$/);
  });

  test.each([40, 57, 80, 120, 400])(
    "in %s columns every line fits, and the first and the last column are there",
    (room) => {
      const lines = drawTable(wide(200, 9), room, plain);
      for (const line of lines) expect(paintedWidth(line)).toBeLessThanOrEqual(room);
      expect(lines[0]).toMatch(/^c0x+ .* … .* c199x+$/);
      const kept = lines[0]!.split(/\s+/).length - 1;
      expect(lines.at(-1)).toBe(`… ${200 - kept} more columns`);
      expect(paintedWidth(lines[0]!)).toBeGreaterThan(room - 15);
    },
  );

  test("all columns are there when they fit, and long texts give way before columns do", () => {
    expect(drawTable(wide(5, 6), 40, plain)[0]).not.toContain("…");
    const text: Table = { columns: [{ name: "a" }, { name: "b" }], rows: [["x".repeat(90), 1]], total: 1 };
    const lines = drawTable(text, 60, plain);
    expect(lines[1]).toBe(`${"x".repeat(39)}…  1`);
    expect(lines.length).toBe(2);
  });

  test("one column that is too wide is cut; columns that never came are counted", () => {
    const alone: Table = { columns: [{ name: "words" }], rows: [["y".repeat(200)]], total: 1 };
    expect(drawTable(alone, 30, plain)).toEqual(["words", `${"y".repeat(29)}…`]);
    const table = wide(4, 2);
    expect(drawTable({ ...table, gap: { at: 2, count: 96 } }, 60, plain)).toEqual([
      "   c0     c1  …     c2     c3",
      "int64  int64  …  int64  int64",
      "    0      1  …      2      3",
      "… 96 more columns",
    ]);
  });

  test("nothing in it is said", () => {
    expect(drawTable({ columns: [{ name: "a" }], rows: [], total: 0 }, 40, plain)).toEqual(["a", "no rows"]);
  });
});

const frame =
  "import pandas as pd\npd.DataFrame({'city': ['Ulm', 'Bonn'] * 20, 'people': [126405, None] * 20, **{f'year_{n}': range(40) for n in range(12)}})";

describe("in the chat", () => {
  test("a data frame is a table for the person, and text for the model", async () => {
    await using model = await scriptedModel([run("python", frame), "ok"]);
    using place = new Place();
    await using screen = new Terminal(place, ["-y", "--model", "openai-chat/scripted", "--api_base", model.openai], {
      columns: 60,
    });
    await screen.prompt();
    screen.enter("go");
    await screen.see(/│ {5}city {4}people {2}year_0 .* … .* year_11\n│ {5}str {4}float64 {3}int64/);
    await screen.see(/│ 1 {3}Bonn {6}null {7}1 /);
    await screen.see(/│ … 20 more rows · … \d more columns · null: people 20/);
    await screen.see("ok");
    expect(screen.text()).not.toContain("[40 rows x 14 columns]");
    expect(JSON.stringify(model.requests.at(-1))).toContain("[40 rows x 14 columns]");
    expect(JSON.stringify(model.requests.at(-1))).not.toContain("vnd.interpreter");
  });

  test("SQL results are tables too; with --plain all is text", async () => {
    using place = new Place();
    await using screen = new Terminal(place, [], { columns: 60 });
    await screen.see("No model is set up");
    screen.enter("%sql SELECT 1 AS a, 'x' AS b, NULL AS c");
    await screen.see(/│ +a {2}b +c\n(│ .*\n)?│ +1 {2}x +null\n/);
    await using text = new Terminal(place, ["--plain"], { columns: 60 });
    await text.see("No model is set up");
    text.enter("%sql SELECT 1 AS a, 'x' AS b, NULL AS c");
    await text.see("(1 row)");
  });
});
