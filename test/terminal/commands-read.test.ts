import { describe, expect, test } from "vitest";
import { helpFor } from "../../src/terminal/commands/help.ts";
import { readTyped } from "../../src/terminal/commands/read.ts";
import { beginnings, commandNames, commands } from "../../src/terminal/commands/table.ts";

const languages: Record<string, string> = { python: "python", py: "python", js: "javascript", shell: "shell", r: "r" };
const read = (text: string, current?: string) => {
  const typed = readTyped(text, (name) => languages[name], current);
  return typed.type === "command" ? { command: typed.command.name, argument: typed.argument } : typed;
};

describe("what a line means", () => {
  test.each(commandNames.flatMap((name) => [[`%${name}`], [`/${name}`], [`  /${name}  `]]))(
    "%s is a command",
    (text) => {
      const name = text.trim().slice(1);
      const { command } = read(text) as { command: string };
      const meant = commands.find((each) => each.name === name || each.aliases?.includes(name))!;
      expect(command).toBe(meant.name);
    },
  );

  test("every command of the original and of this program is there", () => {
    const original = "verbose debug auto_run reset undo save_message load_message tokens info jupyter markdown help";
    const own =
      "model profile undo retry edit compact tokens sessions vars view open export resume fork search rename copy theme help";
    for (const name of `${original} ${own}`.split(" ")) expect(commandNames).toContain(name);
    expect(new Set(commandNames).size).toBe(commandNames.length);
  });

  test.each([
    ["/model openai/gpt-5", { command: "model", argument: "openai/gpt-5" }],
    ["%auto-run on", { command: "auto_run", argument: "on" }],
    ["/export md  my file.md ", { command: "export", argument: "md  my file.md" }],
    ["exit", { command: "quit", argument: "" }],
    ["!ls -l", { type: "run", language: "shell", code: "ls -l" }],
    ["%%ls -l", { type: "run", language: "shell", code: "ls -l", aside: true }],
    ["%% ls", { type: "run", language: "shell", code: "ls", aside: true }],
    ["%py 1 + 1", { type: "run", language: "python", code: "1 + 1" }],
    ["/r", { type: "enter", language: "r" }],
    ["%python", { type: "enter", language: "python" }],
    ["%pip install pandas", { type: "run", language: "python", code: "%pip install pandas" }],
    ["%conda install pandas", { type: "run", language: "python", code: "%conda install pandas" }],
    ["%uv pip install pandas", { type: "run", language: "python", code: "%uv pip install pandas" }],
    ["/pip install", { type: "unknown", name: "/pip" }],
    ["what is /model", { type: "say", text: "what is /model" }],
  ])("%s", (text, meant) => {
    expect(read(text)).toEqual(meant);
  });

  test.each([
    "/etc/hosts has a strange line",
    "/etc is what?",
    "/tmp",
    "/usr/local/bin",
    "/ is full",
    "50 % of it",
    "% of what?",
    "/Users/me/x",
  ])("%s is something to say", (text) => {
    expect(read(text)).toEqual({ type: "say", text });
  });

  test.each([
    ["/modle x", "/model"],
    ["%udno", "%undo"],
    ["/exprot", "/export"],
    ["%tokns", "%tokens"],
    ["/frobnicate all", undefined],
  ])("%s is no command, and the nearest is %s", (text, near) => {
    expect(read(text)).toEqual({ type: "unknown", name: text.split(" ")[0], ...(near && { near }) });
  });

  test("in a session what is no command belongs to the session", () => {
    for (const text of ["%timeit x", "%%time\nx", "/ab+/.test('x')", "/bin/ls", "exit"])
      expect(read(text, "python")).toEqual({ type: "run", language: "python", code: text });
    expect(read("%chat", "python")).toEqual({ command: "chat", argument: "" });
    expect(read("!ls", "python")).toEqual({ type: "run", language: "shell", code: "ls" });
  });
});

describe("the help", () => {
  test("has a line for every command and beginning", () => {
    const help = helpFor("");
    for (const { name, help: line } of commands) {
      expect(help).toMatch(new RegExp(`^  %${name}( |$)`, "m"));
      expect(help).toContain(line);
    }
    for (const [written] of beginnings) expect(help).toContain(`  ${written}`);
    for (const line of help.split("\n")) expect(line.length).toBeLessThan(121);
  });

  test.each(["undo", "/undo", "%undo"])("of %s is about that one", (name) => {
    expect(helpFor(name)).toBe(
      "  /undo [list|STEP]\n  Take back the last turn, with what its code did to files; /undo list, /undo 12: single steps.\n",
    );
  });

  test("of one that is none says which is meant", () => {
    expect(helpFor("exprot")).toBe("There is no command exprot. Did you mean /export?\n");
    expect(helpFor("debug")).toContain("/verbose [on|off]");
  });
});
