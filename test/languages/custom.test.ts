// Languages the person describes: the examples of docs/custom-languages.md run as they are written there.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { applescript } from "../../src/languages/applescript/index.ts";
import { customLanguage } from "../../src/languages/custom/index.ts";
import { findProgram } from "../../src/languages/find-program.ts";
import { allLanguages, type Language, Sessions } from "../../src/languages/index.ts";
import { powershell } from "../../src/languages/powershell/index.ts";
import { powershellCommand } from "../../src/languages/powershell/powershell-command.ts";
import { localMachine } from "../../src/machine/index.ts";
import { type InputProblem, loadSettings, readCommandLine } from "../../src/settings/index.ts";
import { startSession } from "../support/session.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/custom-languages.md"), "utf8");
const example = (kind: string, part: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${kind}\\n([\\s\\S]*?)\`\`\``, "g"))]
    .map((match) => match[1]!)
    .find((text) => text.includes(part))!;

/** The settings of a home with these files in it. */
async function settingsOf(files: Record<string, string>, args: string[] = []) {
  const home = mkdtempSync(join(tmpdir(), "custom-test-"));
  mkdirSync(join(home, "profiles"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text);
  try {
    return (await loadSettings(readCommandLine(args), home, { ...process.env, INTERPRETER_HOME: home })).settings;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function described(yaml: string, name: string): Promise<Language> {
  const { customLanguages } = await settingsOf({ "settings.yaml": yaml });
  return allLanguages(process.env, customLanguages).find((language) => language.name === name)!;
}

describe("the examples of the page", () => {
  test("a command for each block: awk", async () => {
    await using session = await startSession(await described(example("yaml", "name: awk"), "awk"));
    const ran = await session.run('BEGIN { print "it costs $5 `now`"; print "careful" > "/dev/stderr" }');
    expect([ran.stdout, ran.stderr]).toEqual(["it costs $5 `now`\n", "careful\n"]);
    expect(ran.end).toEqual({ type: "end", status: "ok", exitCode: 0 });
    expect((await session.run("BEGIN { exit 3 }")).end).toEqual({ type: "end", status: "error", exitCode: 3 });
    const stopped = await session.run('BEGIN { print "on"; fflush(); while (1) x++ }', (event) => {
      if (event.type === "output") session.session.interrupt();
    });
    expect(stopped.end.status).toBe("interrupted");
  });

  test.skipIf(!findProgram(["bc"], process.env))("a program that reads lines: bc", async () => {
    await using session = await startSession(await described(example("yaml", "name: bc"), "bc"));
    await session.run("x = 41");
    expect((await session.run("x + 1")).stdout).toBe("42\n");
    const failed = await session.run("1 / 0");
    expect(failed.stderr + failed.stdout).toMatch(/zero/i);
    expect((await session.run("x")).stdout).toBe("41\n");
  });

  test("a driver of one's own, in one's own language", async () => {
    const folder = mkdtempSync(join(tmpdir(), "custom-driver-"));
    const driver = join(folder, "shout-driver.mjs");
    writeFileSync(driver, example("js", "shout"));
    const yaml = example("yaml", "name: shout").replace("/home/me/shout-driver.mjs", driver);
    await using session = await startSession(await described(yaml, "shout"));
    expect((await session.run("hello\nworld")).stdout).toBe("HELLO\nWORLD\n");
    const failed = await session.run("fail");
    expect([failed.end.status, failed.error?.message]).toEqual(["error", "nothing to shout"]);
    expect((await session.run("again")).stdout).toBe("AGAIN\n");
    rmSync(folder, { recursive: true, force: true });
  });

  test("a language written as code, named in the settings", async () => {
    const folder = mkdtempSync(join(tmpdir(), "custom-module-"));
    const file = join(folder, "reverse.mjs");
    writeFileSync(file, example("js", "reverse"));
    const yaml = example("yaml", "name: reverse").replace("/home/me/reverse.mjs", file);
    const language = await described(yaml, "reverse");
    expect(await language.available({ machine: localMachine, cwd: folder, env: process.env })).toBe(true);
    await using session = await startSession(language);
    expect((await session.run("abc")).stdout).toBe("cba\n");
    rmSync(folder, { recursive: true, force: true });
  });
});

test("a language of the person's own takes the place of ours, and is offered", async () => {
  const { customLanguages } = await settingsOf({
    "settings.yaml": "languages:\n  - { name: perl, run: file, command: [cat, '{file}'] }\n",
  });
  const sessions = new Sessions(allLanguages(process.env, customLanguages), {
    machine: localMachine,
    cwd: tmpdir(),
    env: process.env,
  });
  expect(sessions.languages.filter(({ name }) => name === "perl")).toHaveLength(1);
  expect((await sessions.usable()).map(({ name }) => name)).toContain("perl");
  let shown = "";
  for await (const event of sessions.run(sessions.find("perl")!, "as it is"))
    if (event.type === "output") shown += event.text;
  expect(shown).toBe("as it is");
  await sessions.close();
});

test("a profile adds languages to those of the settings file", async () => {
  const { customLanguages } = await settingsOf(
    {
      "settings.yaml": "languages:\n  - { name: one, run: file, command: 'cat {file}' }\n",
      "profiles/more.yaml": "languages:\n  - { name: two, run: file, command: 'cat {file}' }\n",
    },
    ["-p", "more"],
  );
  expect(customLanguages?.map(({ name, command }) => [name, command])).toEqual([
    ["one", ["cat", "{file}"]],
    ["two", ["cat", "{file}"]],
  ]);
});

test.each<[string, RegExp, RegExp]>([
  ["languages: awk\n", /settings\.yaml:1: languages takes a list/, /For example/],
  [
    "model: x\nlanguages:\n  - name: a\n    comand: x\n",
    /settings\.yaml:4: comand is not a setting of a language/,
    /command\?/,
  ],
  ["languages:\n  - command: x\n    run: file\n", /settings\.yaml:2: a language needs a name/, /For example/],
  ["languages:\n  - name: a\n    run: file\n", /:2: the language a needs a command/, /For example/],
  [
    "languages:\n  - name: a\n    command: x\n    run: filed\n",
    /needs run: one of file, repl, driver, not "filed"/,
    /Did you mean file\?/,
  ],
  ["languages:\n  - name: a\n    command: x\n    run: file\n", /does not say where its block goes/, /\{file\}/],
  ["languages:\n  - name: a\n    command: x\n    run: repl\n", /how the end of a block is known/, /\{end\}/],
  ["languages:\n  - name: a\n    command: {a: 1}\n", /:3: command takes a list of texts, not \{"a":1\}/, /^$/],
  ["languages:\n  - name: a\n    offered: often\n", /:3: offered is either true or false, not "often"/, /^$/],
  ["languages:\n  - name: A b\n    command: x {file}\n    run: file\n", /needs a name in lower case/, /^$/],
  [
    "languages:\n  - { name: a, command: 'x {file}', run: file }\n  - { name: a, command: 'y {file}', run: file }\n",
    /names a twice/,
    /^$/,
  ],
  ["language: x\n", /:1: language is not a setting/, /languages\?/],
])("a wrong description %j is an error that says where and what", async (yaml, message, hint) => {
  const problem = (await settingsOf({ "settings.yaml": yaml }).catch((error) => error)) as InputProblem;
  expect(problem.message).toMatch(message);
  expect(problem.hint).toMatch(hint);
});

describe("a program that is not there", () => {
  test.each<[Language, RegExp]>([
    [powershell, /PowerShell is not installed here/],
    [
      customLanguage({ name: "nope", run: "file", command: ["no-such-program", "{file}"], install: "Get it at home." }),
      /no program no-such-program. Get it at home/,
    ],
    ...(process.platform === "darwin" ? [] : [[applescript, /macOS only/] as [Language, RegExp]]),
  ])("is said to be missing, and nothing else takes its place", async (language, words) => {
    const options = { machine: localMachine, cwd: tmpdir(), env: { PATH: "/nowhere" } };
    expect(await language.available(options)).toMatch(words);
    await expect(language.start(options)).rejects.toThrow(words);
    const sessions = new Sessions([language], options);
    expect(await sessions.usable()).toEqual([]);
    const events = await Array.fromAsync(sessions.run(language, "echo this must not run in bash"));
    expect(events.map(({ type }) => type)).toEqual(["error", "end"]);
  });

  test("says how to get it on this platform, for every language", async () => {
    const options = { machine: localMachine, cwd: tmpdir(), env: { PATH: "/nowhere" } };
    for (const name of ["r", "ruby", "java", "julia", "perl", "php", "lua", "html"]) {
      const language = allLanguages(options.env).find((each) => each.name === name)!;
      expect(await language.available(options), name).toMatch(/is not installed here\. To get it: /);
    }
    const offered = await new Sessions(allLanguages(options.env), options).usable();
    expect(offered.map(({ name }) => name)).not.toContain("ruby");
  });
});

test("an AppleScript reaches osascript as it was written, whatever characters it has", async () => {
  const tricky = 'display dialog "costs $5 `ls` \\" \'q\' $(id) !x"\n-- ünï\n';
  const echo = customLanguage({
    name: "applescript",
    extension: "applescript",
    run: "file",
    command: ["cat", "{file}"],
  });
  await using session = await startSession(echo);
  expect((await session.run(tricky)).stdout).toBe(tricky);
});

test("a PowerShell block travels as base64 in one line, and its status comes back", async () => {
  const { block, end, command } = powershellCommand("pwsh");
  expect(`${block}${end}`).not.toContain("\n");
  expect(block).toContain("FromBase64String('{base64}')");
  expect(command).toContain("-NoProfile");
  // The same way through a shell that is here: nothing in the block is read by anybody on the way.
  const like = customLanguage({
    name: "like",
    run: "repl",
    command: ["sh"],
    block: "echo {base64} | base64 -d; status=$?",
    end: "echo {end}:$status",
  });
  await using session = await startSession(like);
  const tricky = "$x = \"a `b` $(c)\"\n'@'\n$& $1 {end} {code}";
  const ran = await session.run(tricky);
  expect([ran.stdout, ran.end]).toEqual([tricky, { type: "end", status: "ok", exitCode: 0 }]);
});

describe("a program that reads lines", () => {
  const shell = customLanguage({ name: "lines", run: "repl", command: ["sh"], end: "echo {end}:$?" });

  test("has its output and its errors, its status, and its end explained", async () => {
    await using session = await startSession(shell);
    const ran = await session.run("x=5; printf 'no newline'; echo careful >&2; (exit 3)");
    expect([ran.stdout, ran.stderr, ran.end]).toEqual([
      "no newline",
      "careful\n",
      { type: "end", status: "error", exitCode: 3 },
    ]);
    expect((await session.run("echo $x")).stdout).toBe("5\n");
    const exited = await session.run("exit 4");
    expect(exited.end).toMatchObject({ status: "exited", exitCode: 4, explanation: "exited with status 4" });
    expect(session.session.alive).toBe(false);
  });

  test("that will not stop is ended with its session", async () => {
    await using session = await startSession(shell);
    const ran = await session.run("trap '' INT; echo on; while :; do sleep 0.1; done", (event) => {
      if (event.type === "output") session.session.interrupt();
    });
    expect(ran.end).toMatchObject({
      status: "exited",
      explanation: "it did not stop when interrupted, so it was ended",
    });
  });

  test("that fails at once says why", async () => {
    const broken = customLanguage({
      name: "broken",
      run: "repl",
      command: ["sh", "-c", "echo no licence >&2; exit 9"],
      end: "{end}",
    });
    await expect(startSession(broken)).rejects.toThrow(/status 9.*no licence/s);
  });
});
