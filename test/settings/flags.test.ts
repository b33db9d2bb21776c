// Every flag of the original is taken, in both spellings, and does what it says or says what holds instead.

import { expect, test } from "vitest";
import {
  defaults,
  findSubcommand,
  helpText,
  noticesFor,
  type Option,
  options,
  readCommandLine,
} from "../../src/settings/index.ts";

/** As the original's two versions have them; a value where they take one. */
const original: readonly (readonly string[])[] = [
  ["--profile", "x"],
  ["-p", "x"],
  ["--custom_instructions", "x"],
  ["-ci", "x"],
  ["--system_message", "x"],
  ["-sm", "x"],
  ["--auto_run"],
  ["-y"],
  ["--no_highlight_active_line"],
  ["-nhl"],
  ["--verbose"],
  ["-v"],
  ["--model", "x"],
  ["-m", "x"],
  ["--temperature", "0"],
  ["-t", "0"],
  ["--llm_supports_vision"],
  ["--no-llm_supports_vision"],
  ["-lsv"],
  ["--llm_supports_functions"],
  ["--no-llm_supports_functions"],
  ["-lsf"],
  ["--context_window", "8000"],
  ["-cw", "8000"],
  ["--max_tokens", "9"],
  ["-x", "9"],
  ["--max_budget", "1"],
  ["-b", "1"],
  ["--api_base", "http://x"],
  ["-ab", "http://x"],
  ["--api_key", "x"],
  ["-ak", "x"],
  ["--api_version", "x"],
  ["-av", "x"],
  ["--max_output", "900"],
  ["-xo", "900"],
  ["--loop"],
  ["--disable_telemetry"],
  ["-dt"],
  ["--offline"],
  ["-o"],
  ["--speak_messages"],
  ["-sp"],
  ["--safe_mode", "off"],
  ["--safe_mode", "ask"],
  ["-safe", "auto"],
  ["--debug"],
  ["-debug"],
  ["--fast"],
  ["-f"],
  ["--multi_line"],
  ["-ml"],
  ["--local"],
  ["-l"],
  ["--codestral"],
  ["--assistant"],
  ["--llama3"],
  ["--groq"],
  ["--vision"],
  ["-vi"],
  ["--os"],
  ["-os"],
  ["--reset_profile"],
  ["--reset_profile", "x"],
  ["--profiles"],
  ["--local_models"],
  ["--conversations"],
  ["--server"],
  ["--version"],
  ["--contribute_conversation"],
  ["--plain"],
  ["-pl"],
  ["--stdin"],
  ["-s"],
  ["--help"],
  ["-h"],
  ["--debug_mode"],
  ["--voice"],
  ["--save", "x"],
  ["--serve"],
  ["--provider", "x"],
  ["-k", "x"],
  ["--tools", "interpreter,editor"],
  ["--allowed-commands", "ls"],
  ["--allowed-paths", "/x"],
  ["--no-tool-calling"],
  ["--interactive"],
  ["--no-interactive"],
  ["--instructions", "x"],
  ["--input", "x"],
  ["--max-turns", "3"],
  ["-d"],
];

test.each(original.map((args) => [args]))("%j is taken, with underscores and with hyphens", (args) => {
  const { choices, words } = readCommandLine(args);
  expect(words).toEqual([]);
  expect(Object.keys(choices).length).toBeGreaterThan(0);
  const [flag = "", ...value] = args;
  for (const other of [flag.replace(/(?<=\w)_/g, "-"), flag.replace(/(?<=\w)-/g, "_")])
    expect(readCommandLine([other, ...value]).choices).toEqual(choices);
});

const noticed = (...args: string[]): string[] => noticesFor({ ...defaults, ...readCommandLine(args).choices });

test.each([
  ["--disable_telemetry", /no telemetry/],
  ["--contribute_conversation", /stay on this machine/],
  ["--multi_line", /always have several lines/],
  ["--assistant", /no assistant profile/],
  ["--voice", /no voice yet/],
  ["--tools=gui", /one tool/],
  ["--allowed_commands=ls", /waits for your yes/],
])("%s says what holds instead", (flag, notice) => {
  expect(noticed(flag)).toEqual([expect.stringMatching(notice)]);
});

test("what is the same here with and without it says nothing where it was not given, or given as it is", () => {
  expect(noticed()).toEqual([]);
  expect(noticed("--safe_mode", "off", "--verbose", "--no-interactive")).toEqual([]);
});

test("flags that stand for others mean them; what is said besides wins", () => {
  expect(readCommandLine(["--groq"]).choices.model).toMatch(/^groq\//);
  expect(readCommandLine(["--llama3"]).choices.model).toBe("ollama/llama3");
  expect(readCommandLine(["--model", "x", "--codestral"]).choices.model).toBe("x");
  expect(readCommandLine(["--no-tool-calling"]).choices.llmSupportsFunctions).toBe(false);
  expect(readCommandLine(["--debug"]).choices.verbose).toBe(true);
  expect(readCommandLine(["--max-turns", "3"]).choices.maxSteps).toBe(3);
  expect(readCommandLine(["--instructions", "Be brief."]).choices.customInstructions).toBe("Be brief.");
});

test("a value that may be left out is left out before another flag and at the end", () => {
  expect(readCommandLine(["--reset_profile"]).choices.resetProfile).toBe("settings");
  expect(readCommandLine(["--reset_profile", "--plain"]).choices).toEqual({ resetProfile: "settings", plain: true });
  expect(readCommandLine(["--reset_profile", "fast"]).choices.resetProfile).toBe("fast");
});

test("no two options share a spelling", () => {
  const spellings = (options as readonly Option[]).flatMap(({ flag, short, aliases = [] }) => [
    `--${flag}`,
    ...(short ? [`-${short}`] : []),
    ...aliases,
  ]);
  expect(spellings.filter((each, index) => spellings.indexOf(each) !== index)).toEqual([]);
});

test("the help has what the original has in one place, and its own flags with a line each", () => {
  const help = helpText();
  const own = (options as readonly Option[]).filter(({ legacy }) => !legacy);
  for (const { help: line } of own) expect(help).toContain(line);
  for (const line of help.split("\n")) expect(line).toBe(line.trimEnd());
});

test.each<[string[], string | undefined]>([
  [["tour"], "tour"],
  [["tour", "of", "the", "city"], undefined],
  [["keys", "set", "anthropic"], "keys"],
  [["keys", "of", "this", "piano"], undefined],
  [["models"], "models"],
  [["models", "in", "fashion"], undefined],
  [["man"], "man"],
  [["man", "I", "feel"], undefined],
  [["help"], "help"],
  [["help", "me"], undefined],
  [["conversations"], "conversations"],
  [["conversations", "about", "rust"], undefined],
  [["install", "embedded/tiny"], "install"],
  [["install", "numpy"], undefined],
  [["wtf", "is", "this"], "wtf"],
  [["completions", "tcsh"], "completions"],
  [["plot", "this"], undefined],
  [[], undefined],
])("the words %j are the command %s", (words, command) => {
  expect(findSubcommand(words)).toBe(command);
});
