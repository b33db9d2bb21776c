// Output and words that mean no good, or are only very long: the terminal stays as it was, and the person can go on.

import { expect, test } from "vitest";
import { Place } from "../support/program.ts";
import { reply, run, say, scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

const use = (url: string) => ["-y", "--model", "openai-chat/scripted", "--api_base", url];
const after = /ok\n\n.*tokens.*\n>$/;

async function shows(code: string, check: (screen: Terminal) => void, options: { columns?: number } = {}) {
  await using model = await scriptedModel([run("python", code), "ok"]);
  using place = new Place();
  await using screen = new Terminal(place, use(model.openai), options);
  await screen.prompt();
  screen.enter("go");
  await screen.see(after);
  check(screen);
  // It still listens, and shows what is typed.
  screen.enter("!echo still $((40 + 2))");
  await screen.see("│ still 42");
}

test("every kind of escape sequence is taken out", async () => {
  const code = String.raw`
import sys
for text in ["\x1b[2J", "\x1b[?1049h", "\x1b[8m", "\x1b]0;owned\x07", "\x1b]52;c;cm0gLXJm\x07", "\x1b[6n", "\x1bc", "\x9b31m", "\x1b[?1000h", "\x1bP$q\x1b\\", "\x1b[200~rm\x1b[201~", "\x07\x08\x7f"]:
    sys.stdout.write("<" + text + ">")
print("end")`;
  await shows(code, (screen) => {
    expect(screen.text()).toContain("end");
    const ours = screen.raw.replaceAll(/\x1b\[\?(?:2004|25|1004|7)[hl]|\x1b\[>?\d*(?:;\d+)*[umqr]/g, "");
    expect(ours).not.toMatch(/\x1b\[2J|\x1b\[\?1049|\x1b\]0|\x1b\]52|\x1b\[6n|\x1bc|\x9b|\x1b\[\?1000|\x1bP|\x1b\[8m/);
  });
});

test("a line of a megabyte costs a few rows", async () => {
  await shows("print('x' * 1_000_000)", (screen) => {
    expect(screen.text().split("\n").length).toBeLessThan(80);
    expect(screen.raw.length).toBeLessThan(60_000);
  });
});

test("a hundred thousand lines are folded, with their size and the way to see them", async () => {
  await shows("for i in range(100_000): print(i)", (screen) => {
    expect(screen.text()).toMatch(/… 99,932 of 100,000 lines not shown \(589 kB in all\)\. Ctrl-O shows it\./);
    expect(screen.text()).toContain("│ 99999");
    expect(screen.raw.length).toBeLessThan(60_000);
  });
});

test("Ctrl-O shows the whole of it in the pager", async () => {
  await using model = await scriptedModel([run("python", "for i in range(5000): print('row', i)"), "ok"]);
  using place = new Place();
  place.env.PAGER = "tail -n 3";
  await using screen = new Terminal(place, use(model.openai));
  await screen.prompt();
  screen.enter("go");
  await screen.see(after);
  screen.type("\x0f");
  await screen.see(/row 4997\n *row 4998\n *row 4999/);
});

test("text that runs the other way, marks without end and wide signs leave the rows where they are", async () => {
  const words =
    "\u202eevil\u202c \u0645\u0631\u062d\u0628\u0627 **bold `code [link](<http://x ~~ | a | b |\n\n| a |\n|---|\n| 日本 |";
  await using model = await scriptedModel([reply(say(words))]);
  using place = new Place();
  await using screen = new Terminal(place, use(model.openai), { columns: 40 });
  await screen.prompt();
  screen.enter("go");
  await screen.see(/日本\n\n.*tokens.*\n>$/);
  expect(screen.raw).not.toContain("\u202e");
});

test("a progress bar moves in one place, also when it is wider than the screen", async () => {
  const code = "import time\nfor i in range(101): print('\\r' + '#' * i + f' {i} %', end='', flush=True)\nprint()";
  await shows(
    code,
    (screen) => {
      expect(screen.text()).toContain("100 %");
      expect(screen.text().match(/^│.* %$/gm)).toHaveLength(1);
    },
    { columns: 60 },
  );
});

test("without Unicode our own signs are plain", async () => {
  await using model = await scriptedModel([reply(say("- one\n\nok"), run("python", "print(1)")), "ok"]);
  using place = new Place();
  place.env.LANG = "C";
  place.env.LC_ALL = "C";
  await using screen = new Terminal(place, use(model.openai));
  await screen.prompt();
  screen.enter("go");
  await screen.see(/\| 1\n\nok\n\n.*tokens.*\n>$/);
  expect(screen.text()).toContain("* one");
  expect(screen.raw).not.toMatch(/[│•·…]/);
});
