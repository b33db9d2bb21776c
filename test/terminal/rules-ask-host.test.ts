// The question about a host that no rule speaks of, in a real terminal; and what is said of what was refused.

import { join } from "node:path";
import { expect, test } from "vitest";
import { readHostAnswer } from "../../src/terminal/sandbox/ask-host.ts";
import { deniedLines } from "../../src/terminal/sandbox/denied-lines.ts";
import { Place } from "../support/program.ts";
import { Terminal } from "../support/terminal.ts";

const program = join(import.meta.dirname, "../support/host-question.ts");

function ask(question: object, more: object = {}) {
  const place = new Place();
  const screen = new Terminal(place, [program, JSON.stringify({ question, ...more })], {
    columns: 100,
    program: process.execPath,
  });
  return {
    screen,
    async [Symbol.asyncDispose]() {
      await screen[Symbol.asyncDispose]();
      place[Symbol.dispose]();
    },
  };
}

const question = { host: "example.org", port: 443, language: "python" };

test.each([
  ["o", "once", "This one time, code may reach example.org on port 443."],
  [
    "Conversation",
    "conversation",
    "Remembered: until this conversation is left, code may reach example.org on port 443.",
  ],
  ["a", "always", "Remembered: from now on, in every conversation, code may reach example.org on port 443."],
  ["no.", "no", "It is not let through. To allow it later: /allow host example.org:443"],
])("%s is %s, and it says exactly what that means", async (typed, answer, words) => {
  await using it = ask(question);
  await it.screen.see("python code wants to reach example.org:443. Let it? o c a n ?:");
  expect(it.screen.text()).toContain("working …\npython code");
  it.screen.enter(typed);
  await it.screen.see(`decided ${answer}`);
  expect(it.screen.text()).toContain(words);
});

test("? explains, with the lines of the block that name the host; what means nothing asks again", async () => {
  await using it = ask({ ...question, code: "import x\nx.get('https://Example.org/a')\nprint(1)" });
  await it.screen.see("Let it?");
  it.screen.enter("?");
  await it.screen.see('rule "allow host example.org:443" into your rules');
  await it.screen.see("2  x.get('https://Example.org/a')");
  it.screen.enter("maybe");
  await it.screen.see("o lets it through once, c for this conversation, a always, n does not, ? says more.");
  it.screen.enter("");
  await it.screen.see(/says more\.\n[\s\S]*says more\./);
  it.screen.enter("c");
  await it.screen.see("decided conversation");
});

test("an address is named so that a rule can name it; text from code cannot paint the screen", async () => {
  await using it = ask({ host: "fd12::1", port: 8080, language: "py\u001b[2J" });
  await it.screen.see("wants to reach [fd12::1]:8080.");
  expect(it.screen.raw).not.toContain("\u001b[2J code");
  it.screen.type("\x03");
  await it.screen.see("decided no");
});

test("in a plain terminal it is a line as well, and the end of input is a no", async () => {
  await using it = ask(question, { plain: true });
  await it.screen.see("Let it? o c a n ?:");
  it.screen.type("\x04");
  await it.screen.see("decided no");
});

test("where nobody is, the answer is no at once", async () => {
  await using it = ask(question, { screen: false });
  await it.screen.see("decided no");
  expect(it.screen.text()).not.toContain("Let it?");
});

test("letters and words mean the same; anything else means nothing", () => {
  expect(
    ["o", "once", "Yes", "c", "a", "ALWAYS", "n", "don't", "?", "", "alway", "example.org"].map(readHostAnswer),
  ).toEqual([
    "once",
    "once",
    "once",
    "conversation",
    "always",
    "always",
    "no",
    "no",
    "explain",
    undefined,
    undefined,
    undefined,
  ]);
});

test("what was refused is told with how to allow it, as commands in the chat and as flags elsewhere", () => {
  const refused = [
    { host: "example.org", port: 443, why: "you did not allow it." },
    { kind: "write" as const, path: "/srv/my data/x.csv" },
  ];
  expect(deniedLines(refused, { chat: true })).toEqual([
    "The sandbox did not let code reach example.org:443: you did not allow it.",
    "  To allow it: /allow once host example.org:443; for this conversation: /allow host example.org:443; always: /allow always host example.org:443",
    "The sandbox did not let code write /srv/my data/x.csv.",
    "  To allow it: /allow once write /srv/my data/x.csv; for this conversation: /allow write /srv/my data/x.csv; always: /allow always write /srv/my data/x.csv",
  ]);
  expect(deniedLines(refused, { chat: false })[3]).toBe(
    "  To allow it: --allow_write '/srv/my data/x.csv' for one run; always: a rule \"allow write /srv/my data/x.csv\", see interpreter rules check write '/srv/my data/x.csv'",
  );
  const many = Array.from({ length: 7 }, (_, index) => ({ host: `a${index}.example.org`, port: 80 }));
  expect(deniedLines(many, { chat: true }).at(-1)).toBe("And 2 more.");
});
