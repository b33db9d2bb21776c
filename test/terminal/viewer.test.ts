// `%view` in a real terminal: keys go in, and the emulator shows what a person sees.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Place } from "../support/program.ts";
import { until } from "../support/session.ts";
import { Terminal } from "../support/terminal.ts";

const [up, down, right, left] = ["\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"];
const [pageDown, home, end, back, enter] = ["\x1b[6~", "\x1b[H", "\x1b[F", "\x1b", "\r"];

const table = `import pandas as pd
df = pd.DataFrame({
    'city': ['Ulm', 'Bonn', 'Aachen', None] * 25,
    'people': [126405, 331885, 249070, None] * 25,
    'note': ['first line\\nsecond line'] * 100,
    **{f'year_{n}': range(n, n + 100) for n in range(30)},
})
`;

interface Options {
  columns?: number;
  rows?: number;
  env?: NodeJS.ProcessEnv;
  args?: string[];
}

/** A chat with a data frame in its Python session. */
async function chat(place: Place, { columns = 80, rows = 20, args = [] }: Options = {}): Promise<Terminal> {
  const screen = new Terminal(place, args, { columns, rows });
  await screen.see("No model is set up");
  const seed = table
    .split("\n")
    .map((line) => line.trim())
    .join(" ")
    .replace("pd df", "pd; df");
  screen.enter(`%python ${seed}`);
  await screen.see(/\n>$/);
  return screen;
}

async function open(place: Place, options: Options = {}): Promise<Terminal> {
  const screen = await chat(place, options);
  screen.enter("%view df");
  await screen.see(/^df {2}pandas DataFrame/);
  return screen;
}

const lines = (screen: Terminal): string[] => screen.text().split("\n");

/** Waits until a line of the screen, counted from 0, is like this. */
const line = (screen: Terminal, number: number, like: RegExp) => until(() => like.test(lines(screen)[number] ?? ""));

describe("the viewer", () => {
  test("shows a page, the column in words and the keys; arrows, pages and ends move", async () => {
    using place = new Place();
    await using screen = await open(place);
    await screen.see("city · str · null 25");
    await line(screen, 0, /^df {2}pandas DataFrame, 100 × 33 +row 1 of 100$/);
    await line(screen, 2, /^ +city +people +note +year_0 /);
    await line(screen, 3, /^ +str +float64 +str +int64 /);
    await line(screen, 4, /^0 +Ulm +126405\.0 +first line↵second line +0 /);
    await line(screen, 7, /^3 +null +null /);
    await line(screen, 18, /^14 /);
    await line(screen, 19, /^q close · \? keys · /);
    screen.type(right + down + down);
    await screen.see("row 3 of 100");
    await screen.see("people · float64 · null 25 · min 126405 · max 331885 · mean 235786.67");
    screen.type(pageDown);
    await screen.see("row 18 of 100");
    await line(screen, 4, /^15 +null /);
    screen.type("G");
    await screen.see("row 100 of 100");
    await line(screen, 18, /^99 /);
    screen.type(end);
    await screen.see("year_29 · int64 · null 0 · min 29 · max 128 · mean 78.5");
    await line(screen, 2, /year_28 +year_29$/);
    await line(screen, 18, /^99 .* 128$/);
    screen.type(`${left}${up}`);
    await screen.see(/row 99 of 100\nyear_28 /);
    screen.type(`${home}g`);
    await screen.see(/row 1 of 100\ncity /);
    await line(screen, 4, /^0 +Ulm /);
  });

  test("sorts up, down and back; filters by text, comparison and expression; what is wrong is one line", async () => {
    using place = new Place();
    await using screen = await open(place);
    screen.type(`${right}s`);
    await screen.see("people ↑");
    await screen.see(/\n0 +Ulm .*\n4 +Ulm /);
    screen.type("s");
    await screen.see("people ↓");
    await screen.see(/\n1 +Bonn .*\n5 +Bonn /);
    screen.type("s");
    await screen.see(/\n0 +Ulm .*\n1 +Bonn /);
    expect(screen.text()).not.toMatch(/[↑↓]/);
    screen.type(`${home}/aach`);
    await screen.see("/aach");
    screen.type(enter);
    await screen.see(/row 1 of 25\ncity · str · filter: aach · null 0/);
    await screen.see(/\n2 +Aachen .*\n6 +Aachen /);
    screen.type(`/${"\x7f".repeat(4)}year_0 > 90 and people < 300000${enter}`);
    await screen.see(/row 1 of 4\n/);
    screen.type(`/${"\x7f".repeat(60)}nowhere == 1${enter}`);
    await screen.see("That filter does not work: name 'nowhere' is not defined");
    await screen.see(/row 1 of 4\n/);
    screen.type(`${right}/${"\x7f".repeat(60)}> 300000${enter}`);
    await screen.see(/row 1 of 25\npeople · float64 · filter: > 300000 · null 0 · min 331885/);
    screen.type(`/${"\x7f".repeat(60)}${enter}`);
    await screen.see("row 1 of 100");
  });

  test("goes to rows and columns, shows a column in numbers, a whole value, and the keys", async () => {
    using place = new Place();
    await using screen = await open(place);
    screen.type(`:77${enter}`);
    await screen.see("row 77 of 100");
    screen.type(`:year_2${enter}`);
    await screen.see(/\nyear_2 · int64/);
    screen.type(`:NOTE${enter}`);
    await screen.see(/\nnote · str/);
    screen.type(`:nope${enter}`);
    await screen.see("There is no column nope.");
    screen.type(enter);
    await screen.see(/^first line\nsecond line\n/);
    screen.type("x");
    await screen.see(/^df {2}pandas/);
    screen.type(`${home}i`);
    await screen.see(/^type +str\nnull +25\ndistinct +3\nmost frequent {2}Ulm \(25\)\n/);
    screen.type(back);
    await screen.see(/^df {2}pandas/);
    screen.type("?");
    await screen.see(/^arrows, h j k l +move\n/);
    screen.type("x");
    await screen.see(/^df {2}pandas/);
  });

  test("q gives the chat back as it was, and nothing of it is in the conversation", async () => {
    using place = new Place();
    await using screen = await chat(place);
    screen.enter("%view df[df.people > 200000]");
    await screen.see("row 1 of 50");
    screen.type(`s${right}${down}q`);
    await screen.see(/%view df\[df\.people > 200000\]\n\n>$/);
    expect(screen.text()).toContain("No model is set up");
    expect(screen.raw).toMatch(/\x1b\[\?1049h[\s\S]*\x1b\[\?1049l/);
    screen.enter("%python 'as before'");
    await screen.see("│ 'as before'");
    screen.enter("%quit");
    expect(await screen.ended()).toBe(0);
    const home = join(place.folder, ".home");
    const log = readdirSync(home, { recursive: true, encoding: "utf8" }).find((file) => file.endsWith("log.jsonl"))!;
    expect(readFileSync(join(home, log), "utf8")).not.toContain("df.people > 200000");
  });

  test("Ctrl-C closes it, and the end of the program gives the screen back", async () => {
    using place = new Place();
    await using screen = await open(place);
    screen.type("\x03");
    await screen.see(/%view df\n\n>$/);
    screen.enter("%view df");
    await screen.see(/^df {2}pandas/);
    process.kill(screen.pid, "SIGTERM");
    await screen.ended();
    expect(screen.text()).toContain("%view df");
    expect(screen.text()).not.toMatch(/^df {2}pandas/m);
    expect(screen.raw.lastIndexOf("\x1b[?1049l")).toBeGreaterThan(screen.raw.lastIndexOf("\x1b[?1049h"));
    expect(screen.raw.lastIndexOf("\x1b[?25h")).toBeGreaterThan(screen.raw.lastIndexOf("\x1b[?25l"));
  });

  test("from 40 columns to 400, through every change of size, no line is too long and the cell stays", async () => {
    using place = new Place();
    await using screen = await open(place, { columns: 120, rows: 30 });
    screen.type(`:year_20${enter}:50${enter}`);
    await screen.see(/row 50 of 100\nyear_20 · int64 · null 0/);
    for (const [columns, rows] of [
      [40, 10],
      [400, 50],
      [60, 6],
      [80, 24],
    ] as const) {
      screen.resize(columns, rows);
      await until(() => lines(screen).length === rows && /\nq close[^\n]*$/.test(screen.text()));
      await screen.see(
        new RegExp(
          `^df {2}[^\\n]{0,${columns - 10}} row 50 of 100\\nyear_20[^\\n]*\\n[^\\n]*year_20[^\\n]*\\n[^\\n]*int64`,
        ),
      );
      await screen.see(/\n49 .*\b69\b/);
    }
    screen.type("q");
    await screen.see(/\n>$/);
  });

  test("without colour the cell is still to be seen", async () => {
    using place = new Place({ NO_COLOR: "1" });
    await using screen = await open(place);
    const shown = screen.raw.slice(screen.raw.indexOf("\x1b[?1049h"));
    expect(shown).toContain("\x1b[7mUlm\x1b[27m");
    expect(shown).not.toMatch(/\x1b\[(?:[0-9;]*;)?(?:[349][0-9]|2|1)m/);
  });

  test("five million rows open with a page", async () => {
    using place = new Place();
    await using screen = await chat(place);
    screen.enter(
      "%python import numpy as np; big = pd.DataFrame({'a': np.arange(5_000_000), 'b': np.arange(5_000_000) % 7})",
    );
    await screen.see(/% 7\}\)\n\n>$/);
    screen.enter("%view big");
    await screen.see("row 1 of 5,000,000");
    screen.type("G");
    await screen.see("row 5,000,000 of 5,000,000");
    await screen.see(/\n4999999 +4999999 +4\n/);
    screen.type("s");
    await screen.see("a ↑");
    screen.type("s");
    await screen.see("a ↓");
    await screen.see(/row 1 of 5,000,000\n/);
    await screen.see(/\n4999999 +4999999 +4\n/);
    screen.type("q");
    await screen.see(/%view big\n\n>$/);
  });
});

test("tables and queries of SQL are looked at in the same way", async () => {
  using place = new Place();
  await using screen = new Terminal(place, [], { columns: 80, rows: 20 });
  await screen.see("No model is set up");
  screen.enter(
    "%sql CREATE TABLE people(name TEXT, age INTEGER); INSERT INTO people VALUES ('Ada', 36), ('Bo', NULL), ('Cy', 7)",
  );
  await screen.see(/3 rows changed|'Cy', 7\)\n\n>$/);
  screen.enter("%python 1");
  await screen.see("│ 1");
  screen.enter("%view people");
  await screen.see(/^people {2}.*3 × 2 +row 1 of 3\nname · /);
  screen.type(`${right}s`);
  await screen.see(/age ↑[\s\S]*Cy +7(\.0)?\n.*Ada +36(\.0)?\n.*Bo +null/);
  screen.type(`/age > 10${enter}`);
  await screen.see("row 1 of 1");
  await screen.see(/null 0 · min 36 · max 36 · mean 36/);
  screen.type("q");
  await screen.see(/%view people\n\n>$/);
  screen.enter("%view sql nowhere");
  await screen.see(/no such table: nowhere|name 'nowhere' is not defined/);
});

describe("what cannot be looked at", () => {
  test("is one plain line", async () => {
    using place = new Place();
    await using screen = new Terminal(place, [], { columns: 100 });
    await screen.see("No model is set up");
    screen.enter("%view");
    await screen.see("Say what to look at: %view NAME");
    screen.enter("%view df");
    await screen.see("No session is running yet");
    screen.enter("!true");
    await screen.see(/!true\n\n>$/);
    screen.enter("%view df");
    await screen.see("No session with tables is running yet: Python and SQL have them.");
    screen.enter("%view shell df");
    await screen.see("A shell session has no tables that can be looked at.");
    screen.enter("%python x = 42");
    await screen.see(/x = 42\n\n>$/);
    screen.enter("%view df");
    await screen.see("There is no such thing here: name 'df' is not defined. %vars lists what there is.");
    screen.enter("%view x");
    await screen.see("x is not a table (int).");
    screen.enter("%view __import__('time').sleep(60)");
    await screen.see(/sleep\(60\)\n$|sleep\(60\)$/);
    screen.type("\x03");
    await screen.see("It was stopped.");
    expect(screen.raw).not.toContain("\x1b[?1049h");
  });

  test("with --plain nothing takes the screen", async () => {
    using place = new Place();
    await using screen = await chat(place, { args: ["--plain"] });
    screen.enter("%view df");
    await screen.see("Tables can be looked at only in a terminal, and not with --plain.");
  });
});
