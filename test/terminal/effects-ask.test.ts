// The question whether what a block did is kept, in a real terminal, with real files behind it.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { EffectsQuestion } from "../../src/agent/index.ts";
import { type Effect, type Effects, noEffects } from "../../src/machine/index.ts";
import { EffectsFolder, effectBetween } from "../support/effects.ts";
import { Place } from "../support/program.ts";
import { Terminal } from "../support/terminal.ts";

const program = join(import.meta.dirname, "../support/effects-question.ts");

interface Asking {
  columns?: number;
  rows?: number;
  plain?: boolean;
  held?: boolean;
  variables?: boolean;
  env?: NodeJS.ProcessEnv;
}

/** A place where a program asks about these effects. */
function ask(effects: Partial<Effects>, options: Asking = {}) {
  const { columns = 120, rows = 30, plain = false, held = true, variables = true, env = {} } = options;
  const place = new Place(env);
  const all = { ...noEffects, ...effects };
  const question: EffectsQuestion = { language: "python", code: "x", id: "1", effects: all, held, variables };
  const file = join(place.folder, "question.json");
  writeFileSync(file, JSON.stringify({ question, plain }));
  const screen = new Terminal(place, [program, file], { columns, rows, program: process.execPath });
  return {
    screen,
    folder: place.folder,
    async decide(text: string): Promise<unknown> {
      screen.enter(text);
      await screen.see(/decided .*\}/);
      return JSON.parse(/decided (\{[\s\S]*\})/.exec(screen.text().replaceAll("\n", ""))![1]!);
    },
    async [Symbol.asyncDispose]() {
      await screen[Symbol.asyncDispose]();
      place[Symbol.dispose]();
    },
  };
}

const table = (rows: number) => `id,name,price,cups,day\n${"1,a,2,3,4\n".repeat(rows)}`;

/** Overwrites a table, deletes a text, makes two files and a folder. */
function usual(files: EffectsFolder): Effect[] {
  const inner = join(files.folder, "inner");
  mkdirSync(inner);
  return [
    effectBetween("notes/old.txt", files.put("one\ntwo\n")),
    effectBetween("sales.csv", files.put(table(120)), files.put(table(118))),
    effectBetween("clean.py", undefined, files.put("import pandas\n")),
    effectBetween("report.md", undefined, files.put("# Report\n\nAll is well.\n")),
    effectBetween("charts/", undefined, inner, { files: 12 }),
  ];
}

test("says how much, then what was lost first, then asks; y keeps all of it", async () => {
  using files = new EffectsFolder();
  await using it = ask({ files: usual(files), hosts: ["example.org"], processes: [{ pid: 7, command: "sleep 9" }] });
  await it.screen.see("Keep? y n d s a ?, or what to change:");
  expect(it.screen.text()).toBe(
    `16 files: 14 new, 1 changed (−2 rows), 1 deleted · contacted example.org · 1 program left running
1 deleted notes/old.txt  was txt, 2 lines, 8 B
2 changed sales.csv      120 → 118 rows, 5 columns
3 new     clean.py       py, 1 line, 14 B
          import pandas
4 new     report.md      md, 3 lines, 23 B
          # Report
5 new     charts/        folder (12 files)
n takes back files and variables. It ends what still runs.
! What was sent over the network cannot be taken back.
still running: sleep 9 (7)
Keep? y n d s a ?, or what to change:`,
  );
  expect(await it.decide("y")).toEqual({ type: "keep" });
});

test.each([
  ["yes", { type: "keep" }],
  ["Yes please!", { type: "keep" }],
  ["ok, keep it", { type: "keep" }],
  ["no thanks", { type: "discard" }],
  ["Keep it.", { type: "keep" }],
  ["n", { type: "discard" }],
  ["discard", { type: "discard" }],
  ["n, use tabs instead", { type: "discard", words: "use tabs instead" }],
  ["write it as parquet", { type: "discard", words: "write it as parquet" }],
  ["a", { type: "always" }],
  ["s 1 3-4", { type: "keep", only: ["/desk/notes/old.txt", "/desk/clean.py", "/desk/report.md"] }],
  ["s *.csv, charts", { type: "keep", only: ["/desk/sales.csv", "/desk/charts/"] }],
  ["s 1-5", { type: "keep" }],
  ["keep only notes", { type: "keep", only: ["/desk/notes/old.txt"] }],
])("%s decides", async (answer, decision) => {
  using files = new EffectsFolder();
  await using it = ask({ files: usual(files) });
  await it.screen.see("Keep?");
  expect(await it.decide(answer)).toEqual(decision);
});

test("what is unclear is asked again, and never discards", async () => {
  using files = new EffectsFolder();
  await using it = ask({ files: usual(files) });
  const { screen } = it;
  await screen.see("Keep?");
  for (const unclear of [
    "?",
    "hm",
    "ja",
    "claro",
    "1 3-5",
    "yes but rename it",
    "keep the good ones",
    "/undo",
    "s 9",
    "d 7",
  ]) {
    screen.enter(unclear);
    const before = unclear.replace(/[?/]/g, "\\$&");
    await screen.see(new RegExp(`: ${before}\\n[\\s\\S]*(Keep\\?|Keep which\\?)[^\\n]*:$`));
    if (screen.text().endsWith("names:")) {
      screen.enter();
      await screen.see(/names: ?\nKeep\?[^\n]*:$/);
    }
  }
  expect(screen.text()).toContain("Nothing here is called the. Numbers (1 3-5) or names (data/ *.csv) keep");
  expect(screen.text()).toContain("The numbers go from 1 to 5.");
  expect(screen.text()).not.toContain("decided");
  expect(await it.decide("y")).toEqual({ type: "keep" });
});

test("d shows the list and the differences in the pager, d2 those of one file", async () => {
  using files = new EffectsFolder();
  await using it = ask({ files: usual(files), uncovered: ["Nobody watched /mnt."] }, { env: { PAGER: "cat" } });
  const { screen } = it;
  await screen.see("Keep?");
  screen.enter("d");
  await screen.see(
    /1 deleted: notes\/old\.txt\n--- notes\/old\.txt\n\+\+\+ notes\/old\.txt\n@@ -1,2 \+0,0 @@\n-one\n-two/,
  );
  await screen.see(/! Nobody watched \/mnt\.\n[\s\S]*5 new: charts\/\nfolder \(12 files\)\n[\s\S]*Keep\?/);
  expect(screen.text()).toMatch(/4 new {5}report\.md\n5 new {5}charts\//);
  screen.enter("d4");
  await screen.see(/: d4\n4 new: report\.md\n--- report\.md\n\+\+\+ report\.md\n@@ -0,0 \+1,3 @@\n\+# Report\n/);
  await screen.see(/All is well\.\nKeep\?[^\n]*$/);
  expect(await it.decide("n")).toEqual({ type: "discard" });
});

test("s alone asks which, Enter goes back, Ctrl-C and Ctrl-D discard", async () => {
  using files = new EffectsFolder();
  for (const [key, where] of [
    ["\x03", "Keep?"],
    ["\x04", "Keep which?"],
  ] as const) {
    await using it = ask({ files: usual(files).slice(0, 2) });
    const { screen } = it;
    await screen.see("Keep?");
    screen.enter("s");
    await screen.see("Keep which?");
    if (where === "Keep?") {
      screen.enter();
      await screen.see(/names: ?\nKeep\?[^\n]*:$/);
    }
    screen.type(key);
    await screen.see('decided {"type":"discard"}');
    // The folder for the second round is made anew.
    files[Symbol.dispose]();
    mkdirSync(files.folder);
  }
});

test("where it is asked which, letters mean what they meant before, and what is in a folder is told with it", async () => {
  using files = new EffectsFolder();
  await using it = ask({ files: usual(files) }, { env: { PAGER: "cat" } });
  const { screen } = it;
  writeFileSync(join(files.folder, "inner", "north.json"), "{}");
  await screen.see("Keep?");
  screen.enter("s");
  await screen.see("Keep which?");
  screen.enter("d5");
  await screen.see(/5 new: charts\/\nfolder \(12 files\)\n {2}north\.json\nKeep which\?/);
  screen.enter("s *.json");
  await screen.see(
    /\*\.json is in charts\/, which is kept or discarded as a whole: that is number 5\.[\s\S]*Keep which\?[^\n]*:$/,
  );
  screen.enter("y");
  await screen.see(/names: y\nNumbers \(1 3-5\) or names[\s\S]*Keep which\?[^\n]*:$/);
  screen.enter("n");
  await screen.see(/names: n\nKeep\?[^\n]*:$/);
  screen.enter("s");
  await screen.see(/: s\nKeep which\?[^\n]*:$/);
  expect(await it.decide("s 1-2 charts")).toEqual({
    type: "keep",
    only: ["/desk/notes/old.txt", "/desk/sales.csv", "/desk/charts/"],
  });
  expect(screen.text()).toContain("Keeps 14 files: 12 new, 1 changed, 1 deleted, and discards 2 files new.");
});

test.each([
  [40, 10],
  [40, 24],
  [80, 10],
  [120, 30],
  [200, 12],
])("fits one screen of %d × %d, however much there is", async (columns, rows) => {
  using files = new EffectsFolder();
  const many = Array.from({ length: 200 }, (_, index) =>
    effectBetween(`a folder/with a rather long name/file-number-${index}.txt`, undefined, files.put("x\n")),
  );
  const effects = {
    files: [...usual(files), ...many],
    hosts: ["one.example.org", "two.example.org", "three.example.org", "four.example.org", "five.example.org"],
    processes: [{ pid: 4_211, command: `python -m http.server ${"8000 ".repeat(40)}` }],
    uncovered: [
      "The file system mounted at /desk/mnt was not watched: what was done there stays.",
      "A socket was made in this folder; it is left as it is.",
    ],
  };
  await using it = ask(effects, { columns, rows, held: false, variables: false });
  await it.screen.see("Keep?");
  const shown = it.screen.text().split("\n");
  expect(shown.length).toBeLessThanOrEqual(rows);
  for (const line of shown) expect(line.length).toBeLessThan(columns + (line.startsWith("Keep?") ? 1 : 0));
  expect(shown[0]).toMatch(/^216 files: 214 new, 1 changed/);
  expect(it.screen.text()).toMatch(/1 deleted .*old\.txt/);
  expect(it.screen.text()).toMatch(/… and \d+ more: d shows all\n/);
  expect(it.screen.text()).toContain("It is done already.");
  expect(await it.decide("y")).toEqual({ type: "keep" });
});

test("names and words of a program cannot paint on the screen or break its rows", async () => {
  using files = new EffectsFolder();
  const evil = "a\x1b[2Jb\nc\u202e.txt";
  await using it = ask(
    {
      files: [effectBetween(evil, undefined, files.put("\x1b]0;owned\x07hello\n"), { warning: "\x1b[31mred\nline" })],
      hosts: ["evil\x1b[1m.org"],
      uncovered: ["one\ntwo"],
    },
    { columns: 100 },
  );
  await it.screen.see("Keep?");
  expect(it.screen.raw).not.toContain("\x1b[2J");
  expect(it.screen.raw).not.toContain("owned");
  expect(it.screen.text()).toMatch(/^1 file new · contacted evil\.org\n1 new ab c\ufffd\.txt {2}! red line\n/);
  expect(it.screen.text()).toContain("! one two\n");
  expect(await it.decide("y")).toEqual({ type: "keep" });
});

test("without colours, without paint and without Unicode it says the same", async () => {
  using files = new EffectsFolder();
  await using it = ask({ files: usual(files) }, { plain: true, env: { LC_ALL: "C", NO_COLOR: "1" } });
  await it.screen.see("Keep?");
  expect(it.screen.raw).not.toContain("\x1b");
  expect(it.screen.text()).toMatch(/^[\x00-\x7f]*$/);
  expect(it.screen.text()).toContain("2 changed sales.csv      120 > 118 rows, 5 columns");
  it.screen.enter("d1");
  await it.screen.see(/1 deleted: notes\/old\.txt\n[\s\S]*-two\nKeep\?/);
  expect(await it.decide("n")).toEqual({ type: "discard" });
});

test("where no file was changed, that is said, and there is nothing to choose from", async () => {
  await using it = ask({ hosts: ["example.org"] }, { variables: false });
  await it.screen.see("No file was changed: n takes back nothing.");
  expect(it.screen.text()).toMatch(/^contacted example\.org\n/);
  it.screen.enter("s 1");
  await it.screen.see("No file was changed. Numbers");
});

test("where variables do not come back, that is said", async () => {
  using files = new EffectsFolder();
  await using it = ask({ files: usual(files) }, { variables: false });
  await it.screen.see("n takes back files, not variables.\nKeep?");
});
