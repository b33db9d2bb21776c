// The menu in a real terminal: keys go in, and the screen is looked at.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Place } from "../support/program.ts";
import { Terminal } from "../support/terminal.ts";

const program = join(import.meta.dirname, "../support/menu.ts");

function open(place: Place, args: string[], size: { columns?: number; rows?: number } = {}): Terminal {
  const command = ["--disable-warning=ExperimentalWarning", program, ...args];
  return new Terminal(place, command, { ...size, program: process.execPath });
}

const up = "\x1b[A";
const down = "\x1b[B";

describe("what is chosen", () => {
  test.each([
    ["Enter takes the first", "\r", 1],
    ["the arrow goes down", `${down}\r`, 2],
    ["and up again", `${down}${down}${up}\r`, 2],
    ["arrows of another kind of terminal", "\x1bOB\x1bOB\r", 3],
    ["j and k", "jjk\r", 2],
    ["up from the first is the last", `${up}\r`, 12],
    ["down from the last is the first", `${up}${down}\r`, 1],
    ["a number", "7\r", 7],
    ["a number of two digits", "12\r", 12],
    ["a number that is too large begins anew", "13\r", 3],
    ["End", "\x1b[F\r", 12],
    ["keys that mean nothing", "xyz\x1b[5~\r", 1],
  ])("%s", async (_title, keys, value) => {
    using place = new Place();
    await using screen = open(place, ["12"]);
    await screen.see("❯");
    screen.type(keys);
    await screen.see(`{"type":"chosen","value":${value}}`);
    expect(screen.text()).toBe(`before\n{"type":"chosen","value":${value}}`);
  });

  test("an arrow that comes in two pieces is not Escape", async () => {
    using place = new Place();
    await using screen = open(place, ["3"]);
    await screen.see("❯");
    screen.type("\x1b");
    await sleep(5);
    screen.type("[B\r");
    await screen.see('{"type":"chosen","value":2}');
  });

  test.each([
    ["Escape goes back", "\x1b", "back"],
    ["so does q", "q", "back"],
    ["Ctrl-C leaves", "\x03", "left"],
    ["Ctrl-D leaves", "\x04", "left"],
  ])("%s", async (_title, keys, type) => {
    using place = new Place();
    await using screen = open(place, ["3"]);
    await screen.see("❯");
    screen.type(keys);
    await screen.see(`{"type":"${type}"}`);
    expect(screen.text()).toBe(`before\n{"type":"${type}"}`);
  });
});

describe("what is seen", () => {
  test("the choices with their notes, and where one is", async () => {
    using place = new Place();
    await using screen = open(place, ["2"]);
    await screen.see("Esc leaves.");
    screen.type("j");
    await screen.see("❯ 2 choice 2");
    expect(screen.text().split("\n")).toEqual([
      "before",
      "Which one?",
      "  1 choice 1  the one that is called 1, with a note that is longer than a narr…",
      "❯ 2 choice 2  the one that is called 2, with a note that is longer than a narr…",
      "↑ ↓ or a number, Enter. Esc leaves.",
    ]);
  });

  test("in 40 columns nothing wraps, and nothing above is touched", async () => {
    using place = new Place();
    await using screen = open(place, ["4"], { columns: 40 });
    await screen.see("Esc leaves.");
    for (const key of "jjjkk") screen.type(key);
    await screen.see("❯ 2");
    const lines = screen.text().split("\n");
    expect(lines[0]).toBe("before");
    expect(lines).toHaveLength(7);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(40);
  });

  test("in a low window the choices scroll", async () => {
    using place = new Place();
    await using screen = open(place, ["30"], { rows: 8 });
    await screen.see("Esc leaves.");
    expect(screen.text()).not.toContain("choice 30");
    screen.type("30");
    await screen.see("❯ 30 choice 30");
    screen.type("\r");
    await screen.see('{"type":"chosen","value":30}');
  });

  test("a window that becomes narrower leaves no traces", async () => {
    using place = new Place();
    await using screen = open(place, ["3"]);
    await screen.see("Esc leaves.");
    screen.resize(40, 40);
    await screen.see(/❯ 1 choice 1 {2}the one that is called 1…\n/);
    screen.type("j\r");
    await screen.see('{"type":"chosen","value":2}');
    expect(screen.text()).toBe('before\n{"type":"chosen","value":2}');
  });

  test("without colour the place is still seen", async () => {
    using place = new Place({ NO_COLOR: "1" });
    await using screen = open(place, ["2"]);
    await screen.see("❯ 1 choice 1");
    expect(screen.raw).not.toMatch(/\x1b\[[0-9;]*m/);
  });
});

describe("a terminal that cannot be painted in", () => {
  test("gets a list and a question", async () => {
    using place = new Place();
    await using screen = open(place, ["2", "plain"]);
    await screen.see("Number (empty leaves):");
    expect(screen.text()).toContain("Which one?\n  1. choice 1  (the one that is called 1,");
    screen.enter("9");
    await screen.see("There is no 9. It is a number from 1 to 2.");
    screen.enter("2");
    await screen.see('{"type":"chosen","value":2}');
    expect(screen.raw).not.toMatch(/\x1b\[\d*A/);
  });

  test.each([
    ["an empty line goes back", "\r", "back"],
    ["Ctrl-C leaves", "\x03", "left"],
    ["Ctrl-D leaves", "\x04", "left"],
  ])("%s", async (_title, keys, type) => {
    using place = new Place();
    await using screen = open(place, ["2", "plain"]);
    await screen.see("Number (empty leaves):");
    screen.type(keys);
    await screen.see(`{"type":"${type}"}`);
  });
});
