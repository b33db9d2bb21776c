import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Place } from "../support/program.ts";
import { Terminal } from "../support/terminal.ts";

const script = join(import.meta.dirname, "../support/editor-script.ts");

interface Options {
  columns?: number;
  rows?: number;
  /** For the script. */
  with?: Record<string, unknown>;
}

function open(place: Place, { with: what = {}, ...size }: Options = {}): Terminal {
  // The emulator folds as the one in that program does.
  place.env.TERM_PROGRAM = "vscode";
  return new Terminal(place, [script, JSON.stringify(what)], { ...size, program: process.execPath });
}

/** Not longer than `see` waits. */
const patiently = { timeout: 20_000 };

const prompt = /\n>$/;
const pasted = (text: string): string => `\x1b[200~${text}\x1b[201~`;
const manyLines = Array.from({ length: 120 }, (_, index) => `line ${index}`).join("\r");
const key = {
  up: "\x1b[A",
  down: "\x1b[B",
  right: "\x1b[C",
  left: "\x1b[D",
  wordLeft: "\x1bb",
  shiftEnter: "\x1b[13;2u",
};

/** What was read, in order. */
const got = (screen: Terminal): string[] =>
  [...screen.raw.matchAll(/got (".*")\r/g)].map((match) => JSON.parse(match[1]!) as string);

describe("writing", () => {
  test("a line is corrected in its middle, by words and by characters", async () => {
    using place = new Place();
    await using screen = open(place);
    await screen.see(prompt);
    screen.type(`say hello wrld${key.left.repeat(3)}o`);
    await screen.see(/> say hello world$/);
    expect(screen.beforeCursor).toBe("> say hello wo");
    screen.type("\x01\x1b[1;5C\x1bd");
    await screen.see(/> say world$/);
    screen.type("\x19\x1f\x1f");
    await screen.see(/> say hello world$/);
    screen.enter();
    await screen.see('got "say hello world"');
    expect(screen.text().match(/> say hello world/g)).toHaveLength(1);
  });

  test.each([
    ["Shift-Enter", key.shiftEnter],
    ["Alt-Enter", "\x1b\r"],
    ["Ctrl-J", "\n"],
    ["Ctrl-Enter", "\x1b[27;5;13~"],
    ["a backslash before Enter", "\\\r"],
  ])("%s breaks the line", async (_, keys) => {
    using place = new Place();
    await using screen = open(place);
    await screen.see(prompt);
    screen.type(`one${keys}two`);
    await screen.see(/> one\n {2}two$/);
    screen.type(key.up);
    await expect.poll(() => screen.beforeCursor, patiently).toBe("> one");
    screen.type(`!${key.down}?`);
    await screen.see(/> one!\n {2}two\?$/);
    screen.enter();
    await screen.see("got");
    expect(got(screen)).toEqual(["one!\ntwo?"]);
    expect(screen.text()).toMatch(/> one!\n {2}two\?\ngot/);
  });

  test.each([40, 80, 200])(
    "a long text wraps at %i columns and is edited where the cursor is seen",
    async (columns) => {
      const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(" ");
      using place = new Place();
      await using screen = open(place, { columns });
      await screen.see(prompt);
      screen.type(words);
      await screen.see(/word59$/);
      expect(screen.beforeCursor).toMatch(/word59$/);
      screen.type(`${key.wordLeft.repeat(30)}X`);
      await screen.see("Xword30");
      expect(screen.beforeCursor).toMatch(/ X$/);
      screen.enter();
      await screen.see("got");
      expect(got(screen)).toEqual([words.replace("word30", "Xword30")]);
      const shown = screen.text().slice(screen.text().indexOf("> "), screen.text().indexOf("\ngot"));
      expect(shown.replace(/\s+/g, " ")).toBe(`> ${words.replace("word30", "Xword30")}`);
    },
  );

  test.each([40, 80])("wide characters keep the cursor in its place at %i columns", async (columns) => {
    using place = new Place();
    await using screen = open(place, { columns });
    await screen.see(prompt);
    screen.type(`${"漢字".repeat(30)}é`);
    await screen.see(/é$/);
    screen.type(`${key.left.repeat(2)}x`);
    await screen.see(/x字é$/);
    expect(screen.beforeCursor).toMatch(/漢x$/);
    screen.type(`${key.right}\x7f`);
    await screen.see(/xé$/);
    screen.enter();
    await screen.see("got");
    expect(got(screen)).toEqual([`${"漢字".repeat(29)}漢xé`]);
  });

  test("pictures, about whose width terminals do not agree, keep the cursor in its place", async () => {
    using place = new Place();
    await using screen = open(place);
    await screen.see(prompt);
    screen.type(`a👩‍👩‍👧b🇩🇪c${key.left.repeat(3)}x`);
    await screen.see(/> a👩‍👩‍👧xb🇩🇪c$/);
    expect(screen.beforeCursor).toBe("> a👩‍👩‍👧x");
    screen.type("\x7f\x7f");
    await screen.see(/> ab🇩🇪c$/);
    screen.type("\x05!");
    await screen.see(/> ab🇩🇪c!$/);
    expect(screen.beforeCursor).toBe("> ab🇩🇪c!");
  });

  test.each([
    [80, 40],
    [40, 80],
    [80, 23],
    [200, 60],
  ])("the window goes from %i to %i columns in the middle of typing", async (before, after) => {
    const words = Array.from({ length: 30 }, (_, index) => `word${index}`).join(" ");
    using place = new Place();
    await using screen = open(place, { columns: before });
    await screen.see(prompt);
    screen.type(`${words}${key.wordLeft.repeat(12)}`);
    await expect.poll(() => screen.beforeCursor, patiently).toMatch(/word17 $/);
    screen.resize(after, 40);
    const shown = () => screen.text().replace(/\s+/g, " ");
    await expect.poll(shown, patiently).toBe(`ready > ${words}`);
    screen.type("X");
    await expect.poll(() => screen.beforeCursor, patiently).toMatch(/(^|\s)X$/);
    expect(shown()).toBe(`ready > ${words.replace("word18", "Xword18")}`);
    screen.enter();
    await screen.see("got");
    expect(shown()).toContain(`ready > ${words.replace("word18", "Xword18")} got`);
  });

  test("a text higher than the screen is seen around the cursor, and stays whole when it is sent", async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
    using place = new Place();
    await using screen = open(place, { columns: 40, rows: 10 });
    await screen.see(prompt);
    screen.type(lines.join("\n"));
    await screen.see(/line 29$/);
    expect(screen.text()).not.toContain("line 5\n");
    screen.type(`${key.up.repeat(27)}!`);
    await expect.poll(() => screen.beforeCursor, patiently).toBe("  line 2!");
    expect(screen.text()).toMatch(/^ready/);
    screen.enter();
    await screen.see('\ngot "');
    const sent = lines.map((line, index) => (index === 2 ? "line 2!" : line));
    expect(got(screen)).toEqual([sent.join("\n")]);
    expect(screen.text()).toContain(`ready\n> ${sent.join("\n  ")}\ngot`);
    expect(screen.text().match(/line 7\n/g)).toHaveLength(1);
  });

  test("Ctrl-L clears the screen and keeps the line", async () => {
    using place = new Place();
    await using screen = open(place);
    await screen.see(prompt);
    screen.type("kept\x0c");
    await screen.see(/^> kept$/);
    screen.enter("!");
    await screen.see('got "kept!"');
  });

  test("Ctrl-C is told; Ctrl-D deletes, and ends where there is nothing to delete", async () => {
    using place = new Place();
    await using screen = open(place);
    await screen.see(prompt);
    screen.type("\x03");
    await screen.see(/ready\ninterrupted\n>$/);
    screen.type("ab\x01\x04");
    await screen.see(/> b$/);
    screen.type("\x04\x04");
    expect(await screen.ended()).toBe(0);
    expect(screen.text()).toMatch(/interrupted\n> \nbye$/);
    expect(screen.raw).toContain("\x1b[?2004l");
  });

  test("a sequence that means nothing is not typed", async () => {
    using place = new Place();
    await using screen = open(place);
    await screen.see(prompt);
    screen.type("a\x1b[99;99zb\x1b]11;rgb:0/0/0\x07c\x1bOP\x1b[24~d");
    await screen.see(/> abcd$/);
  });
});

describe("pasting", () => {
  test("many lines are one character on the screen, and sent whole", async () => {
    using place = new Place();
    await using screen = open(place, { columns: 40 });
    await screen.see(prompt);
    screen.type(`explain ${pasted(manyLines)} please`);
    await screen.see(/> explain \[pasted 120 lines\] please$/);
    screen.enter();
    await screen.see("got");
    expect(screen.text()).toContain("> explain [pasted 120 lines] please\ngot");
    screen.type(`${pasted(manyLines)}x${key.left.repeat(1)}\x7f`);
    await screen.see(/\n> x$/);
    screen.enter();
    await screen.see('got "x"');
    expect(screen.raw).toContain(JSON.stringify(manyLines.replaceAll("\r", "\n")).slice(1, -1));
  });

  test("few lines stand as they are, and nothing in them is a key or reaches the terminal", async () => {
    using place = new Place();
    await using screen = open(place);
    await screen.see(prompt);
    screen.type(pasted("one\rtwo\x1b[2J\x03\x04\tend"));
    await screen.see("> one\n  two^[[2J^C^D    end");
    screen.enter();
    await screen.see("got");
    expect(got(screen)).toEqual(["one\ntwo\x1b[2J\x03\x04\tend"]);
    expect(screen.raw).not.toContain("\x1b[2J");
  });

  test("without text the clipboard may hold a picture", async () => {
    using place = new Place();
    await using screen = open(place);
    await screen.see(prompt);
    screen.type(`see${pasted("")}`);
    await screen.see(/clipboard\n> see$/);
  });
});

describe("history", () => {
  const history = (place: Place) => join(place.folder, "data", "history.jsonl");

  test("goes across runs, in a private file, with messages of several lines whole", async () => {
    using place = new Place();
    const what = { with: { history: history(place), question: "name? " } };
    {
      await using screen = open(place, what);
      await screen.see(/name\?$/);
      screen.enter("an answer");
      await screen.see(prompt);
      screen.enter("first");
      await screen.see('got "first"');
      screen.enter(`two${key.shiftEnter}lines`);
      await screen.see('lines"');
      screen.enter(" not this one");
      await screen.see('got " not');
      screen.enter(`look ${pasted(manyLines)}`);
      await screen.see('got "look line 0');
      screen.enter("last");
      await screen.see('got "last"');
      screen.enter("last");
      await screen.see(/got "last"[\s\S]*got "last"/);
    }
    expect(statSync(history(place)).mode & 0o777).toBe(0o600);
    expect(readFileSync(history(place), "utf8").trim().split("\n")).toHaveLength(4);
    await using screen = open(place, what);
    await screen.see(/name\?$/);
    screen.enter(key.up);
    await screen.see('answer ""');
    screen.type(`draft${"\x7f".repeat(5)}${key.up}`);
    await screen.see(/> last$/);
    screen.type(key.up);
    await screen.see(/> look \[pasted 120 lines\]$/);
    screen.type(key.up);
    await screen.see(/> two\n {2}lines$/);
    screen.type(key.up);
    await screen.see(/> first$/);
    screen.type(key.up + key.down);
    await screen.see(/> two\n {2}lines$/);
    screen.type(`${key.up.repeat(2)}!`);
    await screen.see(/> first!$/);
    screen.type(`${"\x7f".repeat(6)}tw${key.up}`);
    await screen.see(/> two\n {2}lines$/);
    screen.type(key.down.repeat(2));
    await screen.see(/> tw$/);
    screen.type(`\x15${key.up.repeat(2)}`);
    await screen.see(/> look \[pasted 120 lines\]$/);
    screen.enter();
    await screen.see('got "look line 0');
    expect(screen.raw).toContain('line 119"');
  });

  test("Ctrl-R searches while one types, Ctrl-R again goes further back", async () => {
    using place = new Place();
    const texts = ["make a chart of the sales", "delete the chart", "what time is it?"];
    mkdirSync(join(place.folder, "data"));
    writeFileSync(history(place), texts.map((text) => `${JSON.stringify({ text })}\n`).join(""));
    await using screen = open(place, { with: { history: history(place) }, columns: 40 });
    await screen.see(prompt);
    screen.type("draft\x12char");
    await screen.see(/> delete the chart\nsearch: char$/);
    expect(screen.raw).toContain("\x1b[1m\x1b[4mchar\x1b[24m\x1b[22m");
    screen.type("\x12");
    await screen.see(/> make a chart of the sales\nsearch: char$/);
    screen.type("\x12zz");
    await screen.see(/nothing found: charzz$/);
    screen.type("\x1b");
    await screen.see(/\n> draft$/);
    screen.type("\x12TIME");
    await screen.see(/nothing found: TIME$/);
    screen.type("\x7f\x7f\x7f\x7ftime");
    await screen.see(/> what time is it\?\nsearch: time$/);
    screen.enter();
    await screen.see(/\n> what time is it\?$/);
    expect(got(screen)).toEqual([]);
    screen.enter();
    await screen.see('got "what time is it?"');
  });

  test("without a place to write it works until the end", async () => {
    using place = new Place();
    writeFileSync(join(place.folder, "data"), "a file where the folder would be");
    await using screen = open(place, { with: { history: history(place) } });
    await screen.see(prompt);
    screen.enter("first");
    await screen.see('got "first"');
    screen.type(key.up);
    await screen.see(/\n> first$/);
    expect(existsSync(history(place))).toBe(false);
  });
});

describe("Tab", () => {
  const offers = ["alpha", "alphabet", "beta", ...Array.from({ length: 30 }, (_, index) => `number${index}`)];

  test("completes what is certain, and lists the rest below", async () => {
    using place = new Place();
    await using screen = open(place, { with: { offers }, columns: 40 });
    await screen.see(prompt);
    screen.type("say be\t");
    await screen.see(/> say beta$/);
    screen.type(" al\t");
    await screen.see(/> say beta alpha\n❯ alpha +a note\n {2}alphabet +a note$/);
    expect(screen.beforeCursor).toBe("> say beta alpha");
    screen.type("\t");
    await screen.see(/\n {2}alpha +a note\n❯ alphabet +a note$/);
    screen.enter();
    await screen.see(/> say beta alphabet$/);
    screen.type(" al\t");
    await screen.see("❯ alpha");
    screen.type("b");
    await screen.see(/alphab\n❯ alphabet +a note$/);
    screen.type("\x1b");
    await screen.see(/> say beta alphabet alphab$/);
    screen.enter();
    await screen.see('got "say beta alphabet alphab"');
    expect(screen.text()).toMatch(/> say beta alphabet alphab\ngot/);
  });

  test("a long list is bounded and moves with the choice; what follows goes on from it", async () => {
    using place = new Place();
    await using screen = open(place, { with: { offers }, columns: 40, rows: 8 });
    await screen.see(prompt);
    screen.type("n\t");
    await screen.see(/> number\n❯ number0 +a note\n( {2}number\d.*\n)+ {2}1 of 30$/);
    screen.type(key.up);
    await screen.see("❯ number29");
    await screen.see(/30 of 30$/);
    screen.type(key.left);
    await screen.see(/> number$/);
    screen.type("X");
    await screen.see(/> numbeXr$/);
  });
});

describe("beside the text", () => {
  test("what is hidden is not shown, not remembered, and not given to the next line", async () => {
    using place = new Place();
    const history = join(place.folder, "history.jsonl");
    await using screen = open(place, { with: { hidden: "word? ", question: "again? ", history } });
    await screen.see(/word\?$/);
    screen.type(`hunter\x17hunter2${pasted("long\rpasted\rsecret\rof lines")}`);
    screen.type(key.left);
    await expect.poll(() => screen.beforeCursor, patiently).toBe("word? ");
    screen.enter();
    await screen.see('answer "hunter2long');
    await screen.see(/again\?$/);
    screen.enter(`\x19${key.up}\x1f`);
    await screen.see('answer ""');
    await screen.see(prompt);
    screen.enter(`\x19${key.up}`);
    await screen.see('got ""');
    expect(screen.raw.match(/hunter2/g)).toHaveLength(1);
    expect(existsSync(history)).toBe(false);
  });

  test("what is typed while nobody asks is kept for the next message; with Enter it is given on at once", async () => {
    using place = new Place();
    await using screen = open(place, { with: { work: 600, question: "sure? " } });
    await screen.see("ready");
    screen.type("first\rhalf a mess");
    await screen.see('stray "first"');
    await screen.see('ahead "half a mess"');
    await screen.see(/sure\?$/);
    screen.enter("yes");
    await screen.see('answer "yes"');
    await screen.see(/> half a mess$/);
    screen.enter("age");
    await screen.see('got "half a message"');
  });

  test("the text is edited in the person's own editor", async () => {
    using place = new Place();
    const editor = join(place.folder, "editor.sh");
    writeFileSync(editor, '#!/bin/sh\nls -l "$1" | cut -c1-10\nsed -i.bak s/before/after/ "$1"\n');
    chmodSync(editor, 0o755);
    place.env.EDITOR = editor;
    await using screen = open(place);
    await screen.see(prompt);
    screen.type(`before ${pasted(manyLines)}\x18\x05`);
    await screen.see(/> after \[pasted 120 lines\]$/);
    expect(screen.text()).toContain("-rw-------");
    screen.type("\x07");
    await screen.see(/-rw-[\s\S]*-rw-[\s\S]*> after \[pasted 120 lines\]$/);
    screen.enter("!");
    await screen.see('got "after line 0');
    expect(screen.raw).toContain('line 119!"');
  });

  test("Ctrl-Z stops the program, and fg brings it back with the line", async () => {
    using place = new Place();
    await using screen = new Terminal(place, ["--norc", "-i"], { program: "/bin/bash" });
    screen.enter(`PS1='shell> '; "${process.execPath}" "${script}" '{}'`);
    await screen.see(/ready\n>$/);
    screen.type("kept\x1a");
    await screen.see(/Stopped[\s\S]*shell>$/);
    screen.enter("stty -a | grep -o ' icanon'; fg");
    await screen.see(/ icanon\n[\s\S]*\n> kept$/);
    screen.enter("!");
    await screen.see('got "kept!"');
  });

  test("when it is ended from outside, the terminal is handed back as it was", async () => {
    using place = new Place();
    await using screen = new Terminal(place, ["--norc", "-i"], { program: "/bin/bash" });
    screen.enter(`"${process.execPath}" "${script}" '{"pid":true}'; echo left $?; stty -a | grep -o ' icanon'`);
    await screen.see(/pid \d+\n>$/);
    screen.type("half a line");
    await screen.see(/> half a line$/);
    process.kill(Number(/pid (\d+)/.exec(screen.raw)![1]), "SIGTERM");
    await screen.see(/left 143\n icanon\n/);
    expect(screen.raw.lastIndexOf("\x1b[?2004l", screen.raw.indexOf("left 143"))).toBeGreaterThan(
      screen.raw.indexOf("half"),
    );
  });

  test.each(["plain", "TERM=dumb"])("%s: lines are read without one escape sequence", async (way) => {
    using place = new Place();
    const what = { plain: way === "plain", hidden: "word? " };
    const command = [...(way === "plain" ? [] : [way]), process.execPath, script, JSON.stringify(what)];
    await using screen = new Terminal(place, command, { program: "/usr/bin/env" });
    await screen.see(/word\?$/);
    screen.enter("hunter2");
    await screen.see('answer "hunter2"');
    await screen.see(prompt);
    screen.enter("one\\");
    await screen.see("…");
    screen.enter("two");
    await screen.see('got "one\\ntwo"');
    screen.type("\x03");
    await screen.see("interrupted");
    screen.type("\x04");
    expect(await screen.ended()).toBe(0);
    expect(screen.raw).not.toContain("\x1b");
    expect(screen.raw.match(/hunter2/g)).toHaveLength(1);
  });
});
