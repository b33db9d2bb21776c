// What the documents say is run, so that it stays true.

import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { settingsPage } from "../../src/settings/page.ts";
import { helpFor } from "../../src/terminal/commands/help.ts";
import { commandsPage } from "../../src/terminal/commands/page.ts";
import { Place } from "../support/program.ts";
import { reply, run, scriptedModel } from "../support/scripted-model.ts";
import { testPython } from "../support/session.ts";

const root = join(import.meta.dirname, "../..");
/** Pages; pictures are beside them. */
function docsFiles(): string[] {
  return readdirSync(join(root, "docs")).filter((name) => !name.startsWith("images"));
}
const documents = ["README.md", "CONTRIBUTING.md", ...docsFiles().map((name) => `docs/${name}`)];
const read = (name: string) => readFileSync(join(root, name), "utf8");

test("docs/settings.md is what the table of options says", () => {
  expect(read("docs/settings.md")).toBe(settingsPage());
});

test("docs/commands.md is what the table of commands says", () => {
  expect(read("docs/commands.md")).toBe(commandsPage());
});

test.each(documents)("every link in %s leads somewhere", (name) => {
  const links = [...read(name).matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map((match) => match[1]!);
  for (const link of links) expect(existsSync(join(root, dirname(name), link)), link).toBe(true);
});

test.each(documents)("every flag named in %s exists", (name) => {
  const flags = [...read(name).matchAll(/(?<![\w-])--([a-z][a-z_-]+)/g)].map((match) => match[1]!.replaceAll("-", "_"));
  const known = [...settingsPage().matchAll(/--([a-z_-]+)/g)].map((match) => match[1]!.replaceAll("-", "_"));
  for (const flag of flags) expect([...known, "no_", "prefix"], `--${flag}`).toContain(flag);
});

test.each(documents)("every chat command named in %s exists", (name) => {
  for (const [, command] of read(name).matchAll(/`%([a-z_]+)/g)) expect(helpFor("")).toContain(`%${command}`);
});

test("the examples of the library run as they are written", async () => {
  await using model = await scriptedModel(() => reply("Nothing large."));
  const folder = mkdtempSync(join(tmpdir(), "docs-test-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules", "open-interpreter"));
  const examples = [...read("docs/library.md").matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1]!);
  expect(examples).toHaveLength(2);
  const outputs = [];
  for (const [index, example] of examples.entries()) {
    const file = join(folder, `example-${index}.ts`);
    writeFileSync(file, example);
    const env = {
      ...process.env,
      ANTHROPIC_API_KEY: "key",
      ANTHROPIC_BASE_URL: model.anthropic,
      VIRTUAL_ENV: join(testPython, "../.."),
    };
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const { execFile } = await import("node:child_process");
    execFile(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", file],
      { env, cwd: folder },
      (error, stdout) => (error ? reject(error) : resolve(stdout)),
    );
    outputs.push(await promise);
  }
  expect(outputs).toEqual(["Nothing large.", "21\n"]);
  rmSync(folder, { recursive: true, force: true });
});

test("the command of docs/automation.md prints chunks and ends with done", async () => {
  await using model = await scriptedModel([run("python", "print(1)"), "ok"]);
  using place = new Place();
  const { stdout } = await place.run([
    "--model",
    "x",
    "--api_base",
    model.openai,
    "-y",
    "make a chart of sales.csv",
    "--json",
  ]);
  const last = /`(\{"role": "server".*\})`/.exec(read("docs/automation.md"))![1]!;
  expect(JSON.parse(stdout.trim().split("\n").at(-1)!)).toEqual(JSON.parse(last));
});

test("the schema of docs/automation.md is followed by what its command prints", async () => {
  await using model = await scriptedModel([run("python", "print(12)"), '{ "total": 12, "files": ["a.txt"] }']);
  using place = new Place();
  const [, command] = /interpreter (-y --output_schema .*)\n/.exec(read("docs/automation.md"))!;
  const [, schema] = /```json\n([\s\S]*?)```/.exec(read("docs/automation.md"))!;
  writeFileSync(join(place.folder, "answer.json"), schema!);
  const words = command!.match(/"[^"]*"|\S+/g)!.map((word) => word.replaceAll('"', ""));
  const { code, stdout } = await place.run(["--model", "x", "--api_base", model.openai, ...words]);
  expect([code, stdout]).toEqual([0, '{"total":12,"files":["a.txt"]}\n']);
});

test("the patterns of docs/privacy.md hide what the page says, and the table looks as it is shown", async () => {
  const page = read("docs/privacy.md");
  const patterns = [.../never_send:\n([\s\S]*?)```/.exec(page)![1]!.matchAll(/- (\S+)/g)].map((match) => match[1]!);
  expect(patterns).toHaveLength(4);
  const code = [
    "import pandas",
    'emails = ["p%d@x.org" % min(i, 1197) for i in range(1204)]',
    'pandas.DataFrame({"id": range(1204), "Email": emails, "pay": 7.5})',
  ].join("\n");
  await using model = await scriptedModel([run("python", code), "ok"]);
  using place = new Place();
  writeFileSync(join(place.folder, "clients.csv"), "who\nJohanna\n");
  const flags = patterns.flatMap((pattern) => ["--never_send", pattern]);
  const { stdout } = await place.run(["--model", "x", "--api_base", model.openai, "-y", ...flags, "is Johanna there?"]);
  expect(stdout).toContain("p1@x.org");
  const sent = JSON.stringify(model.requests.at(-1)!.body.messages);
  const shown = /reads of them[\s\S]*?```text\n([\s\S]*?)```/.exec(page)![1]!.trimEnd().split("\n");
  for (const line of shown) expect(sent).toContain(line);
  expect(sent).toContain("is ‹hidden› there?");
  expect(sent).not.toMatch(/p\d+@x/);
  const { stdout: outbox } = await place.run(["outbox", "2", "--json"]);
  expect(outbox).toBe(model.requests.at(-1)!.text);
});

test("what the README shows of the tour is what the tour prints", () => {
  using place = new Place();
  const stdout = execFileSync(process.execPath, [join(root, "bin/interpreter.js"), "tour"], {
    env: place.env,
    encoding: "utf8",
  });
  const shown = /```text\n([\s\S]*?)```/.exec(read("README.md"))![1]!;
  const printed = stdout.split("\n").map((line) => line.trimEnd());
  for (const line of shown.split("\n")) if (!line.includes("…")) expect(printed).toContain(line.trimEnd());
});
