// `interpreter rules` and its check, and /rules, /allow and /deny in the chat.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ruleTable } from "../../src/terminal/rules/list.ts";
import { createStyle } from "../../src/terminal/style.ts";
import { Place } from "../support/program.ts";
import { Terminal } from "../support/terminal.ts";

/** A person with rules; their home is elsewhere than the folder that is worked in, and not among temporary files. */
function place(rules?: string): Place & { file: string } {
  const made = new Place();
  mkdirSync(join(made.folder, ".home"));
  made.env.HOME = "/home/nobody-in-particular";
  const file = join(made.folder, ".home", "rules.yaml");
  if (rules !== undefined) writeFileSync(file, rules);
  return Object.assign(made, { file });
}

const mine = `- allow: { host: "*.example.org" }
  because: we work with them
- deny: { host: bad.example.org }
- ask: { command: "git push *" }
`;

test("lists what holds, with where it is said", async () => {
  using it = place(mine);
  it.env.npm_config_registry = "https://npm.example.com/";
  const { code, stdout } = await it.run(["rules", "--allow_write", "/srv/data", "--sandbox", "workspace"]);
  expect(code).toBe(0);
  const lines = stdout.trim().split("\n");
  expect(lines.slice(0, 5)).toEqual([
    "sandbox\tworkspace\t--sandbox",
    `deny\thost\tbad.example.org\t${it.file}:3`,
    `ask\tcommand\tgit push *\t${it.file}:4`,
    `allow\thost\t*.example.org\t${it.file}:1`,
    "allow\twrite\t/srv/data\t--allow_write",
  ]);
  expect(lines).toContain(`allow\thost\tnpm.example.com\tnpm: npm_config_registry`);
  const { stdout: json } = await it.run(["rules", "--json"]);
  const { sandbox, rules } = JSON.parse(json);
  expect([sandbox, rules[0]]).toEqual([
    "workspace",
    { verdict: "deny", kind: "host", what: "bad.example.org", origin: `${it.file}:3` },
  ]);
});

test.each([40, 100])("in %d columns nothing is cut, and nothing broken within a word", (columns) => {
  const what = "git hooks, start files, and what Open Interpreter keeps, whatever rules say";
  const origin = "/home/somebody/.config/open-interpreter/rules.yaml:3";
  const because = "these would run outside of the walls, where nobody sees what they do to anything";
  const rows = [...ruleTable([{ verdict: "deny", kind: "write", what, origin, because }], columns, createStyle(false))];
  for (const row of rows) expect(row.length).toBeLessThanOrEqual(columns);
  const said = rows.join("").replace(/^deny {3}write {5}/, "");
  expect(said.split(/\s+/).join(" ")).toContain(because);
  expect(said.split(/\s+/).join(" ")).toContain(what);
  expect(said.replace(/\s+/g, "")).toContain(origin);
});

test.each<[words: string[], verdict: string, because: RegExp]>([
  [["host", "docs.example.org"], "allow", /because we work with them\n.*rules\.yaml:1/],
  [
    ["host", "https://bad.example.org/x"],
    "deny",
    /because there is a rule: deny host bad\.example\.org\n.*rules\.yaml:3\n.*edit that rule/,
  ],
  [
    ["host", "example.com"],
    "ask",
    /no rule speaks of this host\n.*Where nobody can answer, it is refused\.\n.*--allow_host example\.com for one run, \/allow host example\.com/,
  ],
  [["host", "169.254.169.254"], "deny", /clouds hand out keys/],
  [["read", "~/.ssh/id_rsa"], "deny", /keys, passwords or the like are kept there\n.*--allow_read ~\/\.ssh\/id_rsa/],
  [["read", "notes.txt"], "allow", /no rule speaks of this path/],
  [["write", "~/Desktop/a.csv"], "deny", /outside of the workspace[\s\S]*- allow: \{ write: "~\/Desktop\/a\.csv" \}/],
  [["write", "a.csv"], "allow", /it is in the workspace/],
  [["write", ".git/hooks/pre-commit"], "deny", /would run as you: hooks and start files stay as they are/],
  [["write", ".home/rules.yaml"], "deny", /code never writes where Open Interpreter keeps/],
  [["language", "python"], "allow", /no rule speaks of this language/],
  [["command", "git push"], "ask", /rules\.yaml:4/],
])("check %j: %s", async (words, verdict, because) => {
  using it = place(mine);
  const { code, stdout } = await it.run(["rules", "check", ...words]);
  expect([code, stdout.split(" ")[0]]).toEqual([0, verdict]);
  expect(stdout).toMatch(because);
});

test.each<[path: string, verdict: string, because: RegExp]>([
  ["~/.zshrc", "deny", /would run as you: hooks and start files stay as they are/],
  ["~/.local/bin/ls", "deny", /would run as you/],
  ["~/.config/fish/config.fish", "allow", /there is a rule/],
  ["~/a.csv", "allow", /there is a rule: allow write ~\n/],
  ["/srv/not-yet/a.csv", "allow", /; but there is no \/srv\/not-yet yet, and code cannot make it: make it first/],
])("check write %s where a folder around it is allowed: %s", async (path, verdict, because) => {
  using it = place('- allow: { write: ["~", /srv/not-yet, ~/.config/fish] }\n');
  const { stdout } = await it.run(["rules", "check", "write", path]);
  expect(stdout.split(" ")[0]).toBe(verdict);
  expect(stdout).toMatch(because);
});

test("a command is checked with the hosts and the files that it names", async () => {
  using it = place(mine);
  const { stdout } = await it.run([
    "rules",
    "check",
    "curl https://bad.example.org/x > ~/x.txt && sudo git push",
    "--json",
  ]);
  expect(JSON.parse(stdout).map(({ verdict, kind, what }: Record<string, string>) => [verdict, kind, what])).toEqual([
    ["allow", "command", "curl https://bad.example.org/x"],
    ["deny", "host", "bad.example.org:443"],
    ["deny", "write", "~/x.txt"],
    ["ask", "command", "sudo git push"],
  ]);
  expect((await it.run(["rules", "check", "rm $X"])).stdout).toContain("Parts of this are only known when it runs");
});

test("the level decides: strict has no network, off holds nothing back and says so", async () => {
  using it = place(mine);
  const strict = await it.run(["rules", "check", "host", "docs.example.org", "--sandbox", "strict"]);
  expect(strict.stdout).toMatch(
    /^deny {3}host docs\.example\.org\n +because with --sandbox strict there is no network\n$/,
  );
  const off = await it.run(["rules", "check", "host", "bad.example.org", "--sandbox", "off"]);
  expect(off.stdout).toMatch(
    /^allow {2}host bad\.example\.org\n +because the sandbox is off; .*rules\.yaml:3 says deny, and nobody sees to it/,
  );
});

test("a mistake in the file is told with its line, and nothing else is said", async () => {
  using it = place(`${mine}- alow: { host: x.org }\n`);
  const { code, stdout, stderr } = await it.run(["rules"]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toBe(
    `${it.file}:5: alow is nothing that a rule has.\nDid you mean allow? No code runs until it is mended.\n`,
  );
  expect((await it.run(["rules", "path"])).code).toBe(2);
});

test("every mistake in the file is told", async () => {
  using it = place(`- alow: { host: x.org }\n- allow: { host: y.org }\n- deny: { hots: z.org }\n`);
  expect((await it.run(["rules"])).stderr).toBe(
    `${it.file}:1: alow is nothing that a rule has. Did you mean allow?\n${it.file}:3: hots is nothing that deny has. Did you mean host?\nNo code runs until they are mended.\n`,
  );
});

test("a slip is no sentence for a model, and a check of nothing says what it takes", async () => {
  using it = place();
  expect((await it.run(["rules", "chek"])).stderr).toContain('interpreter rules does not take "chek".');
  const slip = await it.run(["rules", "chek", "host", "example.org"]);
  expect([slip.code, slip.stderr]).toEqual([2, expect.stringContaining("Did you mean check?")]);
  expect((await it.run(["rules", "check"])).stderr).toContain("Check what?");
  expect((await it.run(["rules", "path"])).stdout).toBe(`${it.file}\n`);
});

test("a project may make the sandbox strict, and nothing else about it", async () => {
  using it = place();
  mkdirSync(join(it.folder, ".interpreter"));
  const { judgeProject } = await import("../../src/settings/project-rules.ts");
  const judge = (sandbox: "off" | "strict" | "workspace") =>
    judgeProject({ path: "p", choices: { sandbox }, lines: { sandbox: 1 } });
  expect(judge("strict").choices).toEqual({ sandbox: "strict" });
  for (const level of ["off", "workspace"] as const)
    expect(judge(level)).toMatchObject({
      choices: {},
      refused: ["p:1: sandbox is not for a project to set: it may only be made strict."],
    });
});

test("in the chat: /allow and /deny for the conversation or always, /rules shows and explains them", async () => {
  using it = place();
  await using screen = new Terminal(it, ["--model", "x", "--api_base", "http://127.0.0.1:9"], { columns: 120 });
  await screen.prompt();
  screen.enter("/allow host Docs.example.org");
  await screen.see("Until this conversation is left, code may reach docs.example.org on any port.");
  screen.enter("/deny always command git push *");
  await screen.see("From now on, in every conversation, code may not run commands that begin with git push.");
  expect(readFileSync(it.file, "utf8")).toContain('- deny: { command: "git push *" }');
  screen.enter("/rules check host docs.example.org");
  await screen.see("said in this conversation");
  screen.enter("/rules");
  await screen.see(/allow {2}host {6}docs\.example\.org +said in this conversation/);
  screen.enter("/allow hots x.org");
  await screen.see("Did you mean host?");
  screen.enter("/allow host https://example.org/x");
  await screen.see("Did you mean example.org?");
  screen.enter("/allow");
  await screen.see("What is to be allowed?");
});

test("without a sandbox only what is kept always makes a difference, and that is said", async () => {
  using it = place();
  await using screen = new Terminal(it, ["--model", "x", "--api_base", "http://127.0.0.1:9", "--sandbox", "off"], {
    columns: 120,
  });
  await screen.prompt();
  screen.enter("/allow host example.org");
  await screen.see("There is no sandbox here, so no rule holds code back.");
  expect(existsSync(it.file)).toBe(false);
  screen.enter("/allow host example.org always");
  await screen.see("nothing changes in this conversation");
  expect(readFileSync(it.file, "utf8")).toContain('- allow: { host: "example.org" }');
});
