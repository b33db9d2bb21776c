import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  helpText,
  InputProblem,
  loadSettings,
  options,
  originText,
  places,
  readCommandLine,
  sizeText,
} from "../../src/settings/index.ts";
import { settingsPage } from "../../src/settings/page.ts";

function home(files: Record<string, string> = {}): NodeJS.ProcessEnv {
  const folder = mkdtempSync(join(tmpdir(), "settings-test-"));
  mkdirSync(join(folder, "profiles"));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return { INTERPRETER_HOME: folder };
}

const load = async (args: string[], env: NodeJS.ProcessEnv) =>
  (await loadSettings(readCommandLine(args), "/", env)).settings;

test("flags are understood with underscores and with hyphens, long and short", () => {
  for (const flag of ["--auto_run", "--auto-run", "-y"])
    expect(readCommandLine([flag]).choices).toEqual({ autoRun: true });
  for (const args of [["--api_base", "http://x"], ["--api-base=http://x"], ["-ab", "http://x"]]) {
    expect(readCommandLine(args).choices).toEqual({ apiBase: "http://x" });
  }
});

test("flags may stand after the words; -- ends them", () => {
  expect(readCommandLine(["plot", "this", "-y"])).toEqual({ choices: { autoRun: true }, words: ["plot", "this"] });
  expect(readCommandLine(["what", "does", "--", "-y", "do"]).words).toEqual(["what", "does", "-y", "do"]);
});

test("a choice with three states can be said, denied or left open", () => {
  expect(readCommandLine(["--llm_supports_functions"]).choices.llmSupportsFunctions).toBe(true);
  expect(readCommandLine(["--no-llm_supports_functions"]).choices.llmSupportsFunctions).toBe(false);
  expect(readCommandLine([]).choices.llmSupportsFunctions).toBeUndefined();
});

test("temperature zero is a choice, not the absence of one", () => {
  expect(readCommandLine(["-t", "0"]).choices.temperature).toBe(0);
});

test.each<[string[], RegExp, RegExp]>([
  [["--modle", "x"], /no flag --modle/, /--model\?/],
  [["-q"], /no flag -q/, /--help/],
  [["--model"], /needs a value/, /Model to use/],
  [["--temperature", "warm"], /takes a number/, /^$/],
  [["--max_steps", "0"], /at least 1/, /^$/],
  [["--auto_run=maybe"], /true or false/, /^$/],
])("bad flags %j get one plain sentence and a hint", (args, message, hint) => {
  const problem = (() => {
    try {
      return readCommandLine(args);
    } catch (error) {
      return error;
    }
  })() as InputProblem;
  expect(problem).toBeInstanceOf(InputProblem);
  expect(problem.message).toMatch(message);
  expect(problem.hint).toMatch(hint);
});

test("flags win over the environment, the environment over the profile, the profile over the settings file", async () => {
  const env = {
    ...home({
      "settings.yaml": "model: file/a\nmax_steps: 5\ntemperature: 0.1\npython: /file\n",
      "profiles/fast.yaml": "model: profile/b\nmax_steps: 6\ntemperature: 0.2\n",
    }),
    INTERPRETER_MODEL: "env/c",
    INTERPRETER_MAX_STEPS: "7",
  };
  const settings = await load(["-p", "fast", "--model", "flag/d"], env);
  expect(settings).toMatchObject({ model: "flag/d", maxSteps: 7, temperature: 0.2, python: "/file" });
});

test("each value knows where it comes from", async () => {
  const env: NodeJS.ProcessEnv = {
    ...home({
      "settings.yaml": "# mine\nmodel: file/a\npython: /file\n",
      "profiles/mine.yaml": "\ntemperature: 0.2\n",
    }),
    INTERPRETER_MAX_OUTPUT: "700",
  };
  const config = env.INTERPRETER_HOME!;
  const { origins } = await loadSettings(readCommandLine(["-p", "mine", "--time-limit", "3"]), "/", env);
  expect(origins).toEqual({
    maxOutput: { from: "environment", name: "INTERPRETER_MAX_OUTPUT" },
    maxSteps: { from: "default" },
    projectInstructions: { from: "default" },
    undoSpace: { from: "default" },
    model: { from: "settings", path: join(config, "settings.yaml"), line: 2 },
    python: { from: "settings", path: join(config, "settings.yaml"), line: 3 },
    temperature: { from: "profile", name: "mine", path: join(config, "profiles/mine.yaml"), line: 2 },
    timeLimit: { from: "flag", name: "--time_limit" },
    profile: { from: "flag", name: "--profile" },
  });
  expect(Object.values(origins).map(originText)).toEqual([
    "INTERPRETER_MAX_OUTPUT",
    "default",
    "default",
    "default",
    `${config}/settings.yaml:2`,
    `${config}/settings.yaml:3`,
    `profile mine (${config}/profiles/mine.yaml:2)`,
    "--profile",
    "--time_limit",
  ]);
});

test("a value that is one of several gets the one that is likely meant", async () => {
  const problem = await load([], home({ "settings.yaml": "\nimages: kity\n" })).catch((error: InputProblem) => error);
  expect((problem as InputProblem).message).toMatch(/settings\.yaml:2: images is one of auto, kitty/);
  expect((problem as InputProblem).hint).toBe("Did you mean kitty?");
});

test.each<[string, RegExp]>([
  ["modle: x\n", /settings\.yaml:1: modle is not a setting/],
  ["model: x\nmax_steps: many\n", /settings\.yaml:2: max_steps takes a number, not "many"/],
  ["auto_run: 1\n", /auto_run is either true or false/],
  ["model: [a\n", /not valid YAML/],
  ["- model\n", /names and values/],
  ["help: true\n", /not a setting/],
])("an invalid settings file %j is an error that says where", async (content, message) => {
  await expect(load([], home({ "settings.yaml": content }))).rejects.toThrow(message);
});

test("a missing profile is said, with the place it was looked for", async () => {
  const problem = await load(["-p", "nothing"], home()).catch((error: InputProblem) => error);
  expect((problem as InputProblem).message).toMatch(/no profile "nothing"/);
  expect((problem as InputProblem).hint).toMatch(/profiles/);
});

test("every flag has its line in the help", () => {
  const help = helpText();
  for (const option of options)
    expect(help).toContain(`--${"negatable" in option && option.negatable ? "[no-]" : ""}${option.flag}`);
});

test("files live where each platform keeps them", () => {
  expect(places({ HOME: "/h" }, "linux")).toEqual({
    config: "/h/.config/open-interpreter",
    profiles: ["/h/.config/open-interpreter/profiles"],
    conversations: "/h/.local/share/open-interpreter/conversations",
    data: "/h/.local/share/open-interpreter",
  });
  expect(places({ HOME: "/h", XDG_CONFIG_HOME: "/c", XDG_DATA_HOME: "/d" }, "linux")).toEqual({
    config: "/c/open-interpreter",
    profiles: ["/c/open-interpreter/profiles"],
    conversations: "/d/open-interpreter/conversations",
    data: "/d/open-interpreter",
  });
  expect(places({ HOME: "/h" }, "darwin").config).toBe("/h/Library/Application Support/open-interpreter");
  // The original keeps its profiles in a place of its own there.
  expect(places({ HOME: "/h", LOCALAPPDATA: "/local", APPDATA: "/roaming" }, "win32").profiles).toEqual([
    "/roaming/open-interpreter/profiles",
    "/local/open-interpreter/open-interpreter/profiles",
  ]);
});

test("a list is a list in a file, one text, a flag given several times, or lines in the environment", async () => {
  const list = ["Done.", "Nothing to do: stop"];
  expect(
    (await load(["--loop_breakers", list[0]!, "--loop-breakers=Nothing to do: stop"], home())).loopBreakers,
  ).toEqual(list);
  const file = home({ "settings.yaml": 'loop_breakers:\n  - "Done."\n  - "Nothing to do: stop"\n' });
  expect((await load([], file)).loopBreakers).toEqual(list);
  expect((await load([], home({ "settings.yaml": "loop_breakers: Done.\n" }))).loopBreakers).toEqual(["Done."]);
  const env = { ...home(), INTERPRETER_LOOP_BREAKERS: "Done.\nNothing to do: stop\n" };
  expect((await load([], env)).loopBreakers).toEqual(list);
  expect((await load(["--loop_breakers", "Over."], file)).loopBreakers).toEqual(["Over."]);
});

test.each([
  ["loop_breakers: []", /settings\.yaml:1: loop_breakers takes at least one text/],
  ["loop_breakers: [a, 2]", /settings\.yaml:1: loop_breakers takes a text or a list of texts: number 2 is 2/],
  ["\nloop_breakers: {a: b}", /settings\.yaml:2: loop_breakers takes a text or a list of texts, not \{"a":"b"\}/],
  ["loop_breakers: true", /takes a text or a list of texts, not true/],
  ["model: [a]", /settings\.yaml:1: model takes text, not \["a"\]/],
  ["user_message_template: Answer.", /settings\.yaml:1: user_message_template has no \{content\} in it/],
  ["code_output_template: Output", /code_output_template has no \{content\} in it/],
])("%j says where and why it is wrong", async (yaml, message) => {
  await expect(load([], home({ "settings.yaml": yaml }))).rejects.toThrow(message);
});

test("auto_run and approve are one choice said in two ways; what is said later wins", async () => {
  const both = async (args: string[], yaml = "", env: NodeJS.ProcessEnv = {}) => {
    const { approveWhat, autoRun } = await load(args, { ...home({ "settings.yaml": yaml }), ...env });
    return [approveWhat, autoRun];
  };
  expect(await both([])).toEqual([undefined, undefined]);
  expect(await both(["-y"])).toEqual(["never", true]);
  expect(await both(["--approve", "never"])).toEqual(["never", true]);
  expect(await both(["--approve", "effects"])).toEqual(["effects", undefined]);
  expect(await both(["--approve", "code"], "auto_run: true\n")).toEqual(["code", false]);
  expect(await both(["-y"], "approve: effects\n")).toEqual(["never", true]);
  expect(await both(["--auto_run=false"], "approve: never\n")).toEqual(["code", false]);
  expect(await both(["--auto_run=false"], "approve: effects\n")).toEqual(["effects", false]);
  expect(await both([], "auto_run: true\n", { INTERPRETER_APPROVE: "effects" })).toEqual(["effects", false]);
  expect(await both(["-y", "--approve", "never"])).toEqual(["never", true]);
});

test("approve and auto_run that disagree in one place are an error that says which", async () => {
  await expect(load(["-y", "--approve", "effects"], home())).rejects.toThrow(
    "--approve effects and -y say different things.",
  );
  const file = home({ "settings.yaml": "approve: code\nauto_run: true\n" });
  await expect(load([], file)).rejects.toThrow(/^approve: code and auto_run: true \(\S+settings\.yaml\) say different/);
});

test("where a value that follows from another comes from is where that other one is said", async () => {
  const { origins } = await loadSettings(readCommandLine(["-y"]), "/", home());
  expect(origins.approveWhat).toEqual({ from: "flag", name: "--auto_run" });
});

test.each([
  ["5GB", 5e9],
  ["1.5 gb", 1.5e9],
  ["500M", 5e8],
  ["2GiB", 2 * 2 ** 30],
  ["10 kB", 10_000],
  ["12345", 12_345],
  ["7B", 7],
  ["0", 0],
])("a size %s is %d bytes", async (written, size) => {
  expect(readCommandLine(["--undo_space", written]).choices.undoSpace).toBe(size);
  expect((await load([], home({ "settings.yaml": `undo_space: ${written}\n` }))).undoSpace).toBe(size);
});

test.each(["-1", "much", "5XB", "1.2.3GB", "GB"])("%s is no size", (written) => {
  expect(() => readCommandLine([`--undo_space=${written}`])).toThrow(/--undo_space takes a size such as 500MB or 5GB/);
});

test("what undo may take is 5 GB unless said otherwise, and the help of docs and manual says it so", async () => {
  expect((await load([], home())).undoSpace).toBe(5e9);
  expect(settingsPage()).toMatch(/`--undo_space SIZE`.* Default: 5GB\. \|/);
  expect([5e9, 1.5e9, 1_000, 1_024, 0].map(sizeText)).toEqual(["5GB", "1500MB", "1kB", "1024", "0"]);
});

test("a template that would lose the message is refused on the command line too; no instructions are a choice", () => {
  expect(() => readCommandLine(["--user_message_template", "Go."])).toThrow(
    /--user_message_template has no \{content\}/,
  );
  expect(readCommandLine(["--execution_instructions", ""]).choices.executionInstructions).toBe("");
});

test("the profile for weak models in docs/models.md is one", async () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/models.md"), "utf8");
  const yaml = /## Weak models[\s\S]*?```yaml\n([\s\S]*?)```/.exec(page)![1]!;
  const settings = await load(["--profile", "small"], home({ "profiles/small.yaml": yaml }));
  expect(settings).toMatchObject({ llmSupportsFunctions: false, executionInstructions: "none" });
  expect(settings.userMessageTemplate).toBe("{content}\n\nAnswer with one Python block.");
});
