// Profiles: those that come along, the person's own as YAML and as code, and the original's.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type InputProblem, loadSettings, readCommandLine } from "../../src/settings/index.ts";
import { left, renamed } from "../../src/settings/original-names.ts";

const root = mkdtempSync(join(tmpdir(), "profiles-test-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let homes = 0;

/** A home with these profiles in it, and a working folder beside it. */
function place(files: Record<string, string> = {}) {
  const home = join(root, `home-${++homes}`);
  const cwd = join(root, `work-${homes}`);
  mkdirSync(join(home, "profiles"), { recursive: true });
  mkdirSync(cwd);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text);
  const env = { HOME: root, INTERPRETER_HOME: home };
  return {
    home,
    cwd,
    load: (args: string[], more: NodeJS.ProcessEnv = {}) =>
      loadSettings(readCommandLine(args), cwd, { ...env, ...more }),
    async problem(...args: string[]): Promise<string> {
      const { message, hint } = (await loadSettings(readCommandLine(args), cwd, env).catch(
        (error) => error,
      )) as InputProblem;
      return `${message} ${hint}`;
    },
  };
}

describe("profiles that come along", () => {
  test.each(["default", "fast", "local", "vision", "os", "data"])("%s is there", async (name) => {
    const { notices, instructions } = await place().load(["--profile", name]);
    expect(instructions).toHaveLength(name === "default" ? 0 : 1);
    expect(notices).toEqual(name === "os" ? [expect.stringContaining("cannot be seen or controlled yet")] : []);
  });

  test("each flag is the profile of its name, and several add up", async () => {
    const here = place();
    expect((await here.load(["--vision"])).settings.llmSupportsVision).toBe(true);
    expect((await here.load(["-vi", "-f"])).instructions).toHaveLength(2);
    const local = await here.load(["-l"]);
    expect(local.settings).toMatchObject({ local: true, maxOutput: 2_000 });
    expect(local.origins.maxOutput).toEqual({ from: "profile", name: "local" });
    expect((await here.load(["--os", "-p", "os"])).instructions).toHaveLength(1);
  });

  test("what they tell the model is beside the person's own instructions", async () => {
    const here = place({ "settings.yaml": "custom_instructions: I live in Ulm.\n" });
    const { settings, instructions } = await here.load(["-p", "data"]);
    expect(settings.customInstructions).toBe("I live in Ulm.");
    expect(instructions[0]).toMatch(/Look at the data before you use it/);
  });

  test("who names a model with the profile local is not asked for one; with --local always", async () => {
    const here = place({ "settings.yaml": "model: a/b\n" });
    expect((await here.load(["-p", "local"])).settings.local).toBe(true);
    expect((await here.load(["-p", "local", "--model", "ollama/x"])).settings.local).toBe(false);
    expect((await here.load(["-p", "local"], { INTERPRETER_MODEL: "ollama/x" })).settings.local).toBe(false);
    expect((await here.load(["--local", "--model", "ollama/x"])).settings.local).toBe(true);
  });

  test("one of the person's own with the same name takes its place", async () => {
    const here = place({ "profiles/fast.yaml": "max_steps: 3\n" });
    const { settings, instructions } = await here.load(["--fast"]);
    expect([settings.maxSteps, instructions]).toEqual([3, []]);
  });
});

describe("a profile of the person's own", () => {
  test("can be named in settings.yaml and in the environment; flags name another", async () => {
    const here = place({
      "settings.yaml": "profile: one\nmax_steps: 1\n",
      "profiles/one.yaml": "max_steps: 2\n",
      "profiles/two.yml": "max_steps: 3\n",
      "profiles/three.json": '{"max_steps": 4}\n',
    });
    expect((await here.load([])).settings.maxSteps).toBe(2);
    expect((await here.load([], { INTERPRETER_PROFILE: "two" })).settings.maxSteps).toBe(3);
    expect((await here.load(["-p", "three"], { INTERPRETER_PROFILE: "two" })).settings.maxSteps).toBe(4);
  });

  test("can be a file; its own folder goes before the working folder", async () => {
    const here = place({ "profiles/a.yaml": "max_steps: 2\n" });
    writeFileSync(join(here.cwd, "a.yaml"), "max_steps: 3\n");
    writeFileSync(join(here.cwd, "b.yaml"), "max_steps: 4\n");
    expect((await here.load(["-p", "a.yaml"])).settings.maxSteps).toBe(2);
    expect((await here.load(["-p", "./a.yaml"])).settings.maxSteps).toBe(3);
    expect((await here.load(["-p", "b.yaml"])).settings.maxSteps).toBe(4);
    expect((await here.load(["-p", join(here.cwd, "b.yaml")])).settings.maxSteps).toBe(4);
  });

  test("a path in settings.yaml or a variable never means the working folder", async () => {
    const here = place();
    writeFileSync(join(here.cwd, "evil.mjs"), "export default { autoRun: true };");
    await expect(here.load([], { INTERPRETER_PROFILE: "./evil.mjs" })).rejects.toThrow(/no profile/);
    expect((await here.load(["--profile", "./evil.mjs"])).settings.autoRun).toBe(true);
    // Code is taken from the working folder only when it is plainly meant.
    expect(await here.problem("--profile", "evil.mjs")).toMatch(/no profile "evil\.mjs"/);
    expect(await here.problem("--profile", "evil")).toMatch(/no profile "evil"/);
  });

  test.each([
    ["datas", /There is no profile "datas"\. Did you mean data\?/],
    ["nothing-like-it", /There is no profile .* A profile is a YAML file of settings in .*profiles/],
    ["https://example.com/x.yaml", /not fetched from the network/],
    ["other", /other\.yaml:2: a profile cannot name another one/],
    ["snake", /snake\.py is a profile in Python, and those do not run here.*docs\/profiles\.md/],
    ["snake.py", /snake\.py is a profile in Python/],
    ["wrong", /wrong\.yaml:1: modle is not a setting\. Did you mean model\?/],
  ])("%s is told in plain words", async (name, message) => {
    const here = place({
      "profiles/other.yaml": "max_steps: 1\nprofile: fast\n",
      "profiles/snake.py": "interpreter.auto_run = True\n",
      "profiles/wrong.yaml": "modle: x\n",
    });
    expect(await here.problem("-p", name)).toMatch(message);
  });
});

describe("a profile of the original", () => {
  test("is read, and one notice says what was renamed and what was left out", async () => {
    const here = place({
      "profiles/old.yaml": `### OPEN INTERPRETER CONFIGURATION FILE
llm:
  model: gpt-4o
  temperature: 0
  supports_functions: false
  supports_vision: null
  execution_instructions: false
  api_key: ""
  max_budget: 0.5
computer:
  import_computer_api: True
  languages: [python]
custom_instructions: ""
auto_run: true
loop: false
shrink_images: true
skills_path:
start_script: "print(1)"
version: 0.2.5
`,
    });
    const { settings, notices, origins } = await here.load(["-p", "old"]);
    expect(settings).toMatchObject({
      model: "gpt-4o",
      temperature: 0,
      llmSupportsFunctions: false,
      executionInstructions: "none",
      maxBudget: 0.5,
      autoRun: true,
      loop: false,
    });
    expect(settings).not.toHaveProperty("apiKey");
    expect(settings).not.toHaveProperty("customInstructions");
    expect(origins.maxBudget).toMatchObject({ from: "profile", name: "old", line: 9 });
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatch(/old\.yaml is a profile of the original/);
    expect(notices[0]).toMatch(/llm\.model is model, llm\.temperature is temperature/);
    expect(notices[0]).toMatch(/computer\.import_computer_api \(`computer` is there, always\); computer\.languages \(/);
    expect(notices[0]).toMatch(/start_script \(/);
    expect(notices[0]).not.toMatch(/skills_path|version/);
  });

  test("never fails for a name that the original knows", async () => {
    for (const name of [...Object.keys(renamed), ...Object.keys(left)]) {
      const [first, second] = name.split(".");
      const yaml = second ? `${first}:\n  ${second}: null\n` : `version: 0.2.5\n${first}: null\n`;
      const here = place({ "profiles/old.yaml": yaml });
      await expect(here.load(["-p", "old"]), name).resolves.toBeDefined();
    }
  });

  test.each([
    ["llm:\n  modle: x\n", /old\.yaml:2: llm\.modle .* Did you mean llm\.model\?/],
    ["llm:\n  temperature: warm\n", /old\.yaml:2: llm\.temperature takes a number, not "warm"/],
    ["version: 0.2.5\nauto_rum: true\n", /old\.yaml:2: auto_rum .* Did you mean auto_run\?/],
  ])("%j is an error that says where", async (yaml, message) => {
    expect(await place({ "profiles/old.yaml": yaml }).problem("-p", "old")).toMatch(message);
  });

  test("the one of docs/profiles.md is one", async () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/profiles.md"), "utf8");
    const yaml = /## Profiles of the original[\s\S]*?```yaml\n([\s\S]*?)```/.exec(page)![1]!;
    const { settings, notices } = await place({ "profiles/default.yaml": yaml }).load(["-p", "default"]);
    expect(settings).toMatchObject({ model: "gpt-4o", temperature: 0, contextWindow: 110_000, autoRun: false });
    expect(notices).toHaveLength(1);
  });
});

describe("a profile that is code", () => {
  test.each(["ts", "mts", "js", "mjs"])("gives settings and what only code can give: .%s", async (extension) => {
    const here = place({
      "settings.yaml": "max_steps: 5\nmodel: a/b\n",
      [`profiles/mine.${extension}`]: `export default async ({ cwd, env, settings }) => ({
  maxSteps: settings.maxSteps + 1,
  customInstructions: cwd + env.INTERPRETER_HOME,
  temperature: undefined,
  functions: { double: (x) => 2 * x },
});`,
    });
    const { settings, given, origins } = await here.load(["-p", "mine"]);
    expect(settings.maxSteps).toBe(6);
    expect(settings.customInstructions).toBe(here.cwd + here.home);
    expect(settings).not.toHaveProperty("temperature");
    expect(Object.keys(given)).toEqual(["functions"]);
    expect(origins.maxSteps).toEqual({
      from: "profile",
      name: "mine",
      path: join(here.home, `profiles/mine.${extension}`),
    });
  });

  test("a model of its own is used, unless a model is named later", async () => {
    const here = place({
      "settings.yaml": "model: a/b\n",
      "profiles/mine.ts": `const model: { id: string } = { id: "mine/one", dialect: "tool", async *stream() {} } as any;
export default { model };`,
    });
    const mine = await here.load(["-p", "mine"]);
    expect([mine.settings.model, mine.given.model]).toMatchObject(["mine/one", { id: "mine/one" }]);
    const other = await here.load(["-p", "mine", "--model", "c/d"]);
    expect([other.settings.model, other.given.model]).toEqual(["c/d", undefined]);
  });

  test("languages are descriptions or code", async () => {
    const here = place({
      "settings.yaml": "languages: [{ name: awk, run: file, command: [awk, -f, '{file}'] }]\n",
      "profiles/mine.mjs": `export default { languages: [
  { name: "bc", run: "repl", command: "bc -q", end: 'print "{end}\\n"' },
  { name: "own", aliases: [], extension: "own", available: async () => true, start: async () => {} },
] };`,
    });
    const { settings, given } = await here.load(["-p", "mine"]);
    expect(settings.customLanguages?.map(({ name }) => name)).toEqual(["awk", "bc"]);
    expect(settings.customLanguages?.[1]?.command).toEqual(["bc", "-q"]);
    expect(given.languages).toMatchObject([{ name: "own" }]);
  });

  test.each([
    ["export default { maxStep: 1 }", /mine\.mjs: maxStep is not a setting\. Did you mean maxSteps\?/],
    ["export default { maxSteps: 'many' }", /mine\.mjs: maxSteps takes a number, not "many"/],
    ["export default { profile: 'fast' }", /mine\.mjs: profile is not a setting/],
    ["export default { model: { id: 'x' } }", /mine\.mjs: model takes a model's name, or an object with id, dialect/],
    ["export default { functions: [] }", /functions takes an object/],
    ["export default { approve: true }", /approve takes a function/],
    ["export default { languages: [{ name: 'x' }] }", /languages: the language x needs a command, or a module/],
    ["export const x = 1", /does not export a profile by default/],
    ["export default () => { throw new Error('no luck') }", /mine\.mjs could not be loaded: no luck/],
    ["export default {", /mine\.mjs could not be loaded: /],
  ])("%j is told in plain words", async (code, message) => {
    expect(await place({ "profiles/mine.mjs": code }).problem("-p", "mine")).toMatch(message);
  });
});
