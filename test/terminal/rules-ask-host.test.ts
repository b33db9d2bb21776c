// The question about a host that no rule speaks of, in a real terminal; and what is said of what was refused.

import { join } from "node:path";
import { expect, test } from "vitest";
import { howToAllow } from "../../src/machine/sandbox/refusals.ts";
import { readScopeAnswer } from "../../src/terminal/sandbox/ask-scope.ts";
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
    ["o", "once", "Yes", "c", "a", "ALWAYS", "n", "don't", "?", "", "alway", "example.org"].map(readScopeAnswer),
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

const refused = { kind: "write", path: "/srv/data/new.csv", allow: "/srv/data" };

test.each([
  ["o", "once", "For the next step, code may write /srv/data and what is below it."],
  ["c", "conversation", "Remembered: until this conversation is left, code may write /srv/data and what is below it."],
  [
    "always",
    "always",
    "Remembered: from now on, in every conversation, code may write /srv/data and what is below it.",
  ],
  ["n", "no", "It stays so. To allow it later: /allow write /srv/data, or /allow always write /srv/data"],
])("of what the walls refused, %s is %s", async (typed, answer, words) => {
  await using it = ask(refused);
  await it.screen.see(
    "The sandbox did not let code write /srv/data/new.csv. Allow it to write in /srv/data? o c a n ?:",
  );
  it.screen.enter(typed);
  await it.screen.see(`decided ${answer}`);
  expect(it.screen.text().replace(/\s+/g, " ")).toContain(words);
});

test("what is allowed as it was tried is not named twice; ? says what each letter means", async () => {
  await using it = ask({ kind: "read", path: "/home/ada/.netrc", allow: "/home/ada/.netrc" });
  await it.screen.see("The sandbox did not let code read /home/ada/.netrc. Allow it? o c a n ?:");
  it.screen.enter("?");
  await it.screen.see('the rule "allow read /home/ada/.netrc"');
  it.screen.type("\x03");
  await it.screen.see("decided no");
});

test("where nobody is asked, all three ways are named", () => {
  expect(howToAllow("write", "/srv/my data/x.csv")).toBe(
    "To allow it: --allow_write '/srv/my data/x.csv' for one run, /allow write /srv/my data/x.csv for this conversation, /allow always write /srv/my data/x.csv for good.",
  );
  expect(howToAllow("host", "example.org")).toContain(
    "--allow_host example.org for one run, /allow host example.org for",
  );
});
