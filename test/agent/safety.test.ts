// Safe mode's look at whole blocks: ordinary work, harm in disguise, what a person is told, and what the look itself may not do.

import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { examine, type Finding, mustAsk } from "../../src/agent/safety/index.ts";
import { safetyEnvironment } from "../support/safety.ts";
import { disguisedBlocks, ordinaryBlocks } from "../support/safety-blocks.ts";

const look = (language: string, code: string, more: Partial<typeof safetyEnvironment> = {}): Promise<Finding[]> =>
  examine({ language, code }, { ...safetyEnvironment, ...more });

const short = (blocks: typeof ordinaryBlocks) =>
  blocks.map(([language, code]) => [language, JSON.stringify(code).slice(0, 90), code] as const);

/** A folder that is gone when the test is over. */
function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), "safety-test-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

test.each(short(ordinaryBlocks))("has nothing to say about ordinary %s: %s", async (language, _, code) => {
  expect(await look(language, code)).toEqual([]);
});

test.each(short(disguisedBlocks))("sees the danger in %s: %s", async (language, _, code) => {
  expect((await look(language, code)).map(({ severity }) => severity)).toContain("danger");
});

test("says what it is in one sentence, with the line and its text, the worst first", async () => {
  const code = "import os\n\nimport requests\nrequests.get('https://api.example/v1')\nos.system('sudo rm -rf ~')\n";
  expect(await look("python", code)).toEqual([
    {
      rule: "as-root",
      kind: "privilege",
      severity: "danger",
      line: 5,
      text: "Runs something with all rights over this machine (sudo).",
      excerpt: "os.system('sudo rm -rf ~')",
    },
    {
      rule: "delete-everything",
      kind: "deletes",
      severity: "danger",
      line: 5,
      text: "Deletes ~, with everything in it.",
      excerpt: "os.system('sudo rm -rf ~')",
    },
    {
      rule: "request",
      kind: "network",
      severity: "note",
      line: 4,
      text: "Connects to api.example.",
      excerpt: "requests.get('https://api.example/v1')",
    },
  ]);
});

test("names the host, or says that it is not known before the code runs", async () => {
  expect((await look("shell", "curl http://data.example:8080/x"))[0]?.text).toBe("Connects to data.example.");
  expect((await look("javascript", "await fetch(address)"))[0]?.text).toBe(
    "Connects to an address that is not known before it runs.",
  );
});

test("gives the lines of a program inside a program as those of the block", async () => {
  const inside = "echo start\npython3 <<'EOF'\nimport shutil\n\nshutil.rmtree('/')\nEOF\n";
  expect(await look("shell", inside)).toMatchObject([{ rule: "delete-everything", line: 5 }]);
  const lines = 'import os\nos.system("""\necho one\nrm -rf ~\n""")\n';
  expect(await look("python", lines)).toMatchObject([{ rule: "delete-everything", line: 4 }]);
  const decoded = "x = 1\nimport base64\nexec(base64.b64decode('aW1wb3J0IHNodXRpbApzaHV0aWwucm10cmVlKCIvIik='))\n";
  const found = await look("python", decoded);
  expect(found.map(({ rule, line }) => [rule, line])).toContainEqual(["delete-everything", 3]);
});

test("keeps lines in TypeScript, in cells and in lines for the shell", async () => {
  const typed =
    "interface Row { n: number }\nenum Kind { A }\nconst go = (row: Row): void => {\n  fs.rmSync('/', { recursive: true });\n};";
  expect(await look("typescript", typed)).toMatchObject([{ rule: "delete-everything", line: 4 }]);
  expect(await look("python", "x = 1\n!rm -rf ~\n")).toMatchObject([{ rule: "delete-everything", line: 2 }]);
  expect(await look("python", "%%bash\necho\nrm -rf ~\n")).toMatchObject([{ rule: "delete-everything", line: 3 }]);
});

test("knows languages by their other names, and has nothing to say about those it cannot read", async () => {
  expect(await look("py", "import shutil\nshutil.rmtree('/')")).toHaveLength(1);
  expect(await look("TS", "require('fs').rmSync('/', { recursive: true })")).toHaveLength(1);
  expect(await look("zsh", "rm -rf /")).toHaveLength(1);
  for (const language of ["ruby", "r", "cobol", "", "constructor"])
    expect(await look(language, "rm -rf /")).toEqual([]);
});

test("a path is judged from the working folder, the home folder and what `cd` has led to", async () => {
  const rules = async (code: string, cwd = "/home/ada/desk") =>
    (await look("shell", code, { cwd })).map(({ rule }) => rule);
  expect(await rules("rm -rf ~/desk/build")).toEqual(["delete-recursive"]);
  expect(await rules("rm -rf /home/ada/desk")).toEqual(["delete-everything"]);
  expect(await rules("rm -rf build", "/srv/app")).toEqual(["delete-recursive"]);
  expect(await rules("rm -rf ~/desk/build", "/srv/app")).toEqual(["delete-outside"]);
  expect(await rules("(cd / && ls); rm -rf build")).toEqual(["delete-recursive"]);
  expect(await rules("cd /srv && rm -rf app")).toEqual(["delete-outside"]);
  expect(await rules("echo x > /opt/app/a.txt", "/opt/app")).toEqual([]);
  expect(await rules("echo x > /opt/other.txt; echo x > /etc/hosts", "/")).toEqual([
    "overwrite-system",
    "overwrite-system",
  ]);
  expect(await rules("echo x > ~/.gitconfig; echo x > notes.txt", "/home/ada")).toEqual(["overwrite-dotfile"]);
  const root = { cwd: "/root/desk", env: { ...safetyEnvironment.env, HOME: "/root" } };
  expect(await look("shell", "echo x > ~/notes.txt; rm /root/desk/a.txt", root)).toEqual([]);
});

test("only reads the block: nothing of it runs, and files of the working folder are not loaded", async () => {
  using folder = temporaryFolder();
  const mark = join(folder.path, "mark");
  writeFileSync(join(folder.path, "ast.py"), `open(${JSON.stringify(mark)}, "w")`);
  writeFileSync(join(folder.path, "json.py"), `open(${JSON.stringify(mark)}, "w")`);
  const python = `open(${JSON.stringify(mark)}, "w")\nimport ast`;
  const env = { ...safetyEnvironment.env, PYTHONPATH: folder.path, PYTHONSTARTUP: join(folder.path, "ast.py") };
  expect(await look("python", python, { cwd: folder.path, env })).toEqual([]);
  await look("shell", `touch ${mark}; $(touch ${mark})`, { cwd: folder.path });
  await look("javascript", `require("fs").writeFileSync(${JSON.stringify(mark)}, "")`, { cwd: folder.path });
  expect(existsSync(mark)).toBe(false);
});

test("says so when there is no Python to read Python with", async () => {
  expect(await look("python", "x = 1", { python: "/nowhere/python3" })).toEqual([
    {
      rule: "not-looked-at",
      kind: "obfuscation",
      severity: "danger",
      line: 1,
      text: "Nobody could look at all of it before it runs: there is no Python to read it with.",
      excerpt: "x = 1",
    },
  ]);
});

test.skipIf(process.platform === "win32")("does not wait for a Python that does not answer", async () => {
  using folder = temporaryFolder();
  const slow = join(folder.path, "python3");
  writeFileSync(slow, "#!/bin/sh\nsleep 60\n");
  chmodSync(slow, 0o755);
  const found = await look("python", "x = 1", { python: slow, milliseconds: 50 });
  expect(found).toMatchObject([
    { rule: "not-looked-at", text: "Nobody could look at all of it before it runs: Python did not answer." },
  ]);
  const stopped = await look("python", "x = 1", { python: slow, signal: AbortSignal.abort() });
  expect(stopped).toMatchObject([{ rule: "not-looked-at" }]);
});

test("only danger makes a block wait that would run unasked, and only with auto", async () => {
  const danger = await look("shell", "rm -rf ~");
  const warning = await look("shell", "rm -rf build");
  expect(mustAsk(danger, "auto")).toBe(true);
  expect(mustAsk(warning, "auto")).toBe(false);
  expect(mustAsk([], "auto")).toBe(false);
  expect(mustAsk(danger, "ask")).toBe(false);
});

test("gets through blocks that are long, deep or endless", async () => {
  const deep = `${"(".repeat(3_000)}rm -rf /${")".repeat(3_000)}`;
  const hostile: [string, string][] = [
    ["shell", deep],
    ["shell", `echo ${"$(".repeat(2_000)}`],
    ["shell", `f() { f; g; }; g() { g; f; }; f; rm -rf /`],
    ["shell", `${"a=$a$a;".repeat(200)} echo $a`],
    ["javascript", `x = ${"[".repeat(2_000)}${"]".repeat(2_000)}`],
    ["javascript", `function f(g) { f(f); g(f); g(g); } f(f)`],
    ["javascript", `let s = "ab"; ${"s += s;".repeat(60)} eval(s)`],
    ["python", `x = ${"[".repeat(150)}${"]".repeat(150)}`],
    ["python", `x = ${"1 + ".repeat(5_000)}1`],
    ["python", `s = "ab"\n${"s += s\n".repeat(60)}exec(s)`],
    ["python", `def f(n):\n    f(n)\n    f(n)\nf(1)`],
    ["sql", `${"(".repeat(10_000)} DROP TABLE x`],
  ];
  for (const [language, code] of hostile) expect(Array.isArray(await look(language, code))).toBe(true);
  expect((await look("shell", "f() { f; g; }; g() { g; f; }; f; rm -rf /")).map(({ rule }) => rule)).toContain(
    "delete-everything",
  );
});

test("whatever the text, it answers with findings about lines that are there", async () => {
  const words = fc.constantFrom(
    ..."rm -rf / ~ $( ) ` ' \" | & ; \n << EOF eval exec ( [ { } ] curl https://x.example base64 -d sh if then fi for do done \\ $x = # import os . open('a') async await => `${ //".split(
      " ",
    ),
  );
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.array(words, { maxLength: 25 }).map((all) => all.join(" ")),
  );
  const property = fc.asyncProperty(fc.constantFrom("shell", "javascript", "sql"), text, async (language, code) => {
    for (const { line, text: sentence, excerpt } of await look(language, code)) {
      expect(line).toBeGreaterThanOrEqual(1);
      expect(line).toBeLessThanOrEqual(code.split("\n").length);
      expect(sentence).toMatch(/^[A-Z].*\.$/s);
      expect(excerpt.length).toBeLessThanOrEqual(120);
    }
  });
  await fc.assert(property, { numRuns: 400 });
});
