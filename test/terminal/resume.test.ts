// The program that goes on with a conversation: what the person sees of it, and what a killed process leaves.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { finish, Place } from "../support/program.ts";
import { run, scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

const use = (url: string) => ["--model", "openai-chat/scripted", "--api_base", url];
const py = (code: string) => run("python", code);
const connects = [py("import sqlite3\nrows = [1, 2]"), py("conn = sqlite3.connect(':memory:')"), "Connected."];

function conversation(place: Place): string {
  const root = join(place.folder, ".home", "conversations");
  return join(root, readdirSync(root)[0]!);
}

test("--continue says in a line what comes back, and runs again what the person wants", async () => {
  await using model = await scriptedModel([
    ...connects,
    py("print(rows, conn.execute('select 7').fetchall())"),
    "Seven.",
  ]);
  using place = new Place();
  await place.run(["-y", ...use(model.openai), "connect"]);
  await using screen = new Terminal(place, ["--continue", ...use(model.openai)], { columns: 100 });
  await screen.see("Going on after 6 messages.");
  await screen.prompt();
  expect(screen.text()).toContain(
    "Python: 1 value and 1 module come back when it starts; 1 is gone: conn (sqlite3.Connection).",
  );
  screen.enter("ask it");
  await screen.see("This block made conn:");
  expect(screen.text()).toContain("python  conn = sqlite3.connect(':memory:')");
  screen.enter("what");
  await screen.see("y runs the blocks again, n does not:");
  screen.enter("y");
  await screen.see(/Run this\?[\s\S]*$/);
  screen.enter("y");
  await screen.see(/print\(rows[\s\S]*Run this\?/);
  screen.enter("y");
  await screen.see("Seven.");
  expect(screen.text()).toContain("[Python: 1 value and 1 module are back; 1 is gone: conn (sqlite3.Connection).]");
  expect(screen.text()).toContain("[1, 2] [(7,)]");
});

test("a no runs nothing, and the model is told what is gone", async () => {
  await using model = await scriptedModel([...connects, "I know."]);
  using place = new Place();
  await place.run(["-y", ...use(model.openai), "connect"]);
  await using screen = new Terminal(place, ["--continue", "-y", ...use(model.openai)], { columns: 100 });
  await screen.prompt();
  screen.enter("hello");
  await screen.see("Run again what made it? y n:");
  screen.enter("n");
  await screen.see("I know.");
  expect(model.requests.at(-1)!.text).toContain("Gone: conn (sqlite3.Connection, cannot be saved");
});

test("-y with nobody there runs nothing again", async () => {
  await using model = await scriptedModel([...connects, py("print(rows); conn"), "Gone."]);
  using place = new Place();
  await place.run(["-y", ...use(model.openai), "connect"]);
  const { stdout } = await place.run(["-y", "--continue", ...use(model.openai), "look"]);
  expect(stdout).toContain("[1, 2]");
  expect(stdout).toContain("NameError: name 'conn' is not defined");
});

test("the shell goes on in its folder with its variables, and says nothing when there is nothing to say", async () => {
  const first = [
    run("shell", "mkdir -p sub && cd sub && who=ada"),
    "In sub.",
    run("shell", 'echo "$who in $(basename $PWD)"'),
    "Yes.",
  ];
  await using model = await scriptedModel([
    ...first,
    run("shell", "echo hi"),
    "Hi.",
    run("shell", "echo again"),
    "Again.",
  ]);
  using place = new Place();
  await place.run(["-y", ...use(model.openai), "go"]);
  const { stdout } = await place.run(["-y", "--continue", ...use(model.openai), "where?"]);
  expect(stdout).toContain("[Shell: 2 values are back.]");
  expect(stdout).toContain("ada in sub");
  using other = new Place();
  await other.run(["-y", ...use(model.openai), "hi"]);
  const quiet = await other.run(["-y", "--continue", ...use(model.openai), "again"]);
  expect(quiet.stdout).not.toContain("[Shell");
});

test("killed at many moments, what is saved is whole: of the last step or of one before", async () => {
  for (let kill = 1; kill <= 8; kill++) {
    using place = new Place();
    const step = (n: number) => py(`n = ${n}\nlong = '${kill}' * 50_000 + str(n)\nprint('step', n)`);
    await using model = await scriptedModel([...Array.from({ length: 60 }, (_, n) => step(n)), "Done."]);
    const child = place.start(["-y", "--json", ...use(model.openai), "count"]);
    let since = 0;
    child.stdout!.on("data", (text) => {
      if (!existsSync(join(conversation(place), "state", "python", "saved"))) return;
      since += String(text).split('"content":"step').length - 1;
      if (since >= kill) setTimeout(() => child.kill("SIGKILL"), kill * 3);
    });
    await finish(child);
    await using again = await scriptedModel([py("print('found', n, long.endswith(str(n)), long[0])"), "Seen."]);
    const { stdout, stderr } = await place.run(["-y", "--continue", ...use(again.openai), "look"]);
    expect(stderr).toBe("");
    expect(stdout).toContain("[Python: 2 values are back");
    expect(stdout).toMatch(new RegExp(`found \\d+ True ${kill}`));
  }
});

test("a secret that a block was told is in no file of the conversation's state", async () => {
  await using model = await scriptedModel([py("password = 'hush' + 'hush'\nopen_text = 'seen'"), "Done."]);
  using place = new Place();
  await place.run(["-y", ...use(model.openai), "go"]);
  const folder = join(conversation(place), "state", "python");
  expect(existsSync(folder)).toBe(true);
  for (const file of readdirSync(folder)) expect(readFileSync(join(folder, file), "latin1")).not.toContain("hushhush");
});

test.each([80, 40])(
  "in %d columns the list of conversations has its dates, however long what was said is",
  async (columns) => {
    await using model = await scriptedModel(["One.", "Two."]);
    using place = new Place();
    const long = "please look at all of the files in this folder and tell me which have the largest share of comments";
    await place.run(["-y", ...use(model.openai), long]);
    await place.run(["-y", ...use(model.openai), "hello"]);
    await using screen = new Terminal(place, use(model.openai), { columns });
    await screen.prompt();
    screen.enter("/resume");
    await screen.see(/❯ 1 hello +20\d\d-\d\d-\d\d.*…\n {2}2 please look .*… {2}20\d\d-\d\d-\d\d.*…\n/);
    for (const line of screen.text().split("\n")) expect(line.length).toBeLessThan(columns + 1);
  },
);
