// Profiles with the real program: those that come along, and those that are code.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Place } from "../support/program.ts";
import { run, type ScriptedModel, scriptedModel } from "../support/scripted-model.ts";

function withProfiles(files: Record<string, string>, env: NodeJS.ProcessEnv = {}): Place {
  const place = new Place(env);
  mkdirSync(join(place.folder, ".home/profiles"), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place.folder, ".home/profiles", name), text);
  return place;
}

const use = (model: ScriptedModel) => ["--model", "openai-chat/scripted", "--api_base", model.openai];
const systemOf = (model: ScriptedModel): string => model.requests[0]!.body.messages[0].content;
const page = readFileSync(join(import.meta.dirname, "../../docs/profiles.md"), "utf8");

describe("profiles that come along", () => {
  test("--fast uses a quick model of the provider whose key is known, and few words", async () => {
    await using model = await scriptedModel(["ok", "ok"]);
    using place = new Place({ ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: model.anthropic });
    await place.run(["-f", "hi"]);
    await place.run(["--fast", "--model", "anthropic/claude-x", "hi"]);
    expect(model.requests.map(({ body }) => body.model)).toEqual(["claude-haiku-4-5", "claude-x"]);
    expect(JSON.stringify(model.requests[0]!.body.system)).toContain("no plans and no explanations");
  });

  test("--fast keeps to the provider of the settings", async () => {
    await using model = await scriptedModel(["ok"]);
    using place = new Place({ OPENAI_API_KEY: "other", ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: model.anthropic });
    await place.run(["config", "set", "model", "anthropic/claude-sonnet-5"]);
    await place.run(["--fast", "hi"]);
    expect(model.requests[0]!.body.model).toBe("claude-haiku-4-5");
  });

  test("--os says what cannot be done yet, and tells the model too", async () => {
    await using model = await scriptedModel(["ok"]);
    using place = new Place();
    const { stderr, stdout } = await place.run(["-os", ...use(model), "hi"]);
    expect(stderr).toBe("The screen cannot be seen or controlled yet: --os works the system through code alone.\n");
    expect(stdout).toBe("\nok\n");
    expect(systemOf(model)).toContain("You do not see the screen");
  });

  test("--profile local --model NAME works where nobody can be asked", async () => {
    await using model = await scriptedModel(["ok"]);
    using place = new Place();
    expect((await place.run(["-p", "local", ...use(model), "hi"])).stdout).toBe("\nok\n");
    expect(systemOf(model)).toContain("one small step at a time");
  });
});

test("--profiles lists the profiles, those of the person's own first", async () => {
  using place = withProfiles({ "shop.ts": "export default {};", "fast.yaml": "", "old.py": "" });
  const { code, stdout } = await place.run(["--profiles"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^fast +\S+fast\.yaml\nshop +\S+shop\.ts\ndefault +\S.*\nlocal +\S.*\nvision +\S.*\nos +\S.*\ndata +\S.*\n/,
  );
});

test("a profile of the original is used, with its notice on stderr", async () => {
  await using model = await scriptedModel(["ok"]);
  using place = withProfiles({
    "old.yaml": `llm: { model: scripted, api_base: "${model.openai}" }\ncomputer: { import_computer_api: true }\nversion: 0.2.5\n`,
  });
  const { code, stdout, stderr } = await place.run(["-p", "old", "hi"]);
  expect([code, stdout]).toEqual([0, "\nok\n"]);
  expect(stderr).toMatch(/profile of the original Open Interpreter\.\n {2}Read as: llm\.model is model/);
});

describe("a profile that is code", () => {
  test("the one of docs/profiles.md: functions from Python and JavaScript, and its approve with -y", async () => {
    const code = /```ts\n([\s\S]*?)```/.exec(page)![1]!;
    const python = `print(computer.functions.price("tea"), computer.functions.price(article="coffee", pieces=2))
print(computer.functions.add(40, 2), computer.functions.add(a=1))
try: computer.functions.price(3)
except TypeError as error: print(error)
print(computer.help("functions"))`;
    const javascript = `console.log(await computer.functions.price("tea", { pieces: 3 }), await computer.functions.add(1));`;
    await using model = await scriptedModel([
      run("python", python),
      run("javascript", javascript),
      run("shell", "rm -rf /tmp/nothing-is-there"),
      "Done.",
    ]);
    using place = withProfiles({ "shop.ts": code }, { USER: "ada" });
    const { code: exit, stdout, stderr } = await place.run(["-p", "shop", "-y", ...use(model), "go"]);
    expect([exit, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("│ 3 10\n");
    expect(stdout).toContain("│ 42 2\n");
    expect(stdout).toContain("computer.functions.price wants text for article, not a number.");
    expect(stdout).toMatch(
      /computer\.functions\.price\(article, pieces=null\)\n│? *The price of an article in euros\./,
    );
    expect(stdout).toContain("│ 9 2\n");
    expect(systemOf(model)).toContain(
      "- computer.functions.price(article, pieces?): The price of an article in euros.",
    );
    expect(systemOf(model)).toContain("- computer.functions.add(a, b?)");
    expect(systemOf(model)).toContain("The user's name is ada.");
    const last = JSON.stringify(model.requests.at(-1)!.body.messages);
    expect(last).toContain("Nothing is removed that way here.");
    expect(model.requests).toHaveLength(4);
  });

  test("what a function throws, or returns late, piece by piece or not at all, reaches the code", async () => {
    using place = withProfiles({
      "mine.mjs": `export default { functions: {
  fail: () => { throw new Error("no luck"); },
  late: async (name = "you") => "hello " + name,
  nothing: () => {},
  async *count(to) { for (let i = 1; i <= to; i++) yield i; },
} };`,
    });
    const python = `try: computer.functions.fail()
except computer.ComputerError as error: print("failed:", error)
print(computer.functions.late(), computer.functions.nothing(), list(computer.functions.count(3)))`;
    await using model = await scriptedModel([run("python", python), "Done."]);
    const { stdout } = await place.run(["-p", "mine", "-y", ...use(model), "go"]);
    expect(stdout).toContain("failed: fail failed: no luck");
    expect(stdout).toContain("hello you None [1, 2, 3]");
  });

  test("a Node that cannot read TypeScript is told so, and JavaScript still works", async () => {
    await using model = await scriptedModel(["ok"]);
    using place = withProfiles(
      { "typed.ts": "export default { maxSteps: 3 as number };", "plain.mjs": "export default { maxSteps: 3 };" },
      { NODE_OPTIONS: "--no-experimental-strip-types" },
    );
    const typed = await place.run(["-p", "typed", ...use(model), "hi"]);
    expect([typed.code, typed.stdout]).toEqual([2, ""]);
    expect(typed.stderr).toMatch(/typed\.ts is TypeScript, and Node \S+ cannot read that\.\nUse Node 22\.18 or newer/);
    expect((await place.run(["-p", "plain", ...use(model), "hi"])).stdout).toBe("\nok\n");
  });

  test("brings a model and a language of its own", async () => {
    using place = withProfiles({
      "own.mjs": `const model = {
  id: "mine/one",
  dialect: "tool",
  async *stream({ languages, messages }) {
    if (messages.at(-1).role === "user") {
      yield { type: "code-start", id: "1", language: "reverse" };
      yield { type: "code-delta", id: "1", text: "olleh" };
      yield { type: "code-end", id: "1", complete: true };
    } else yield { type: "text-delta", text: languages.includes("reverse") ? "Done." : "Where is it?" };
    yield { type: "finish", reason: "stop" };
  },
};
const reverse = {
  name: "reverse", aliases: [], extension: "txt", available: async () => true,
  start: async () => ({
    language: "reverse", description: "Reverse", alive: true, interrupt() {}, async close() {},
    async *run(code) {
      yield { type: "output", stream: "stdout", text: [...code].reverse().join("") + "\\n" };
      yield { type: "end", status: "ok" };
    },
  }),
};
export default { model, languages: [reverse], autoRun: true };`,
    });
    const { code, stdout, stderr } = await place.run(["-p", "own", "go"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("│ hello\n");
    expect(stdout).toContain("Done.");
  });

  test("an approve that fails runs nothing; a wrong function is told at the start", async () => {
    await using model = await scriptedModel([run("shell", "echo ran"), "Done."]);
    using place = withProfiles({
      "broken.mjs": "export default { approve: () => { throw new Error('no luck'); } };",
      "wrong.mjs": "export default { functions: { 'not a name': () => 1 } };",
    });
    const { code, stdout, stderr } = await place.run(["-p", "broken", "-y", ...use(model), "go"]);
    expect([code, stdout.includes("│ ran")]).toEqual([2, false]);
    expect(stderr).toContain("The approve function of the profile failed, and the block was not run: no luck");
    const wrong = await place.run(["-p", "wrong", ...use(model), "go"]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/functions of the profile cannot be used/)]);
  });
});
