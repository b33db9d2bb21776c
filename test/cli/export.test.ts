// `interpreter export` and `interpreter FILE.ipynb`, as a person starts them.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Place } from "../support/program.ts";
import { run, type Script, scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

const use = (url: string) => ["--model", "openai-chat/scripted", "--api_base", url];

/** Says something to a scripted model, whose blocks run; the conversation is in the place's home. */
async function talk(place: Place, script: Script, words: string): Promise<void> {
  await using model = await scriptedModel(script);
  const { code, stderr } = await place.run([...use(model.openai), "-y", words]);
  expect(code, stderr).toBe(0);
}

const squares: Script = [
  run("python", "print(nothing)"),
  run("python", "squares = [n * n for n in range(5)]"),
  run("python", "with open('squares.txt', 'w') as file:\n    file.write(repr(squares))\nprint('sum', sum(squares))"),
  "The sum is 30.",
];

describe("interpreter export", () => {
  test("the last conversation of the folder: markdown by default, and what the name of the file says", async () => {
    using place = new Place();
    await talk(place, squares, "add up the squares");
    expect(await place.run(["export"])).toEqual({
      code: 0,
      stdout: `Written: ${join(place.folder, "add-up-the-squares.md")}\n`,
      stderr: "",
    });
    expect(readFileSync(join(place.folder, "add-up-the-squares.md"), "utf8")).toMatch(
      /^# add up the squares\n\n> add up the squares\n\n```python\nprint\(nothing\)\n```\n\n\*It failed\.\*/,
    );
    for (const name of ["a.html", "a.ipynb", "a.py"]) {
      expect((await place.run(["export", "--output", name])).code).toBe(0);
    }
    expect(readFileSync(join(place.folder, "a.html"), "utf8")).toContain('<span class="f">print</span>');
    expect(JSON.parse(readFileSync(join(place.folder, "a.ipynb"), "utf8")).nbformat).toBe(4);
    expect(readFileSync(join(place.folder, "a.py"), "utf8")).toContain("# failed:\n# print(nothing)");
    const again = await place.run(["export", "--output", "a.py"]);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain("a.py is there already");
  });

  test("--clean -y: what the results need, run again, said in the file and in the end of the program", async () => {
    using place = new Place();
    await talk(place, squares, "add up the squares");
    const { code, stdout } = await place.run(["export", "--clean", "-y", "--format", "script", "--output", "clean.py"]);
    expect(stdout).toBe(
      [
        `Written: ${join(place.folder, "clean.py")}`,
        "2 of 3 blocks are kept: what the results need.",
        "Re-run in a fresh session: 2 of 2 results are the same.",
        "The script itself was run, too: it came to its end with the same results.",
        "",
      ].join("\n"),
    );
    expect(code).toBe(0);
    const text = readFileSync(join(place.folder, "clean.py"), "utf8");
    expect(text).not.toContain("nothing");
    expect(text.split("\n").slice(0, 6).join("\n")).toContain("2 of 2 results are the same.");
    expect(existsSync(join(place.folder, "requirements.txt"))).toBe(false);
  });

  test("--clean of something that is never the same ends with 1, and without anybody to ask with 3", async () => {
    using place = new Place();
    await talk(place, [run("python", "import uuid\nprint(uuid.uuid4())"), "Here."], "a new id");
    const differs = await place.run(["export", "--clean", "-y", "--output", "differs.md"]);
    expect(differs.code).toBe(1);
    expect(differs.stdout).toContain("0 of 1 result is the same.");
    const nobody = await place.run(["export", "--clean", "--output", "nobody.md"]);
    expect(nobody.code).toBe(3);
    expect(nobody.stdout).toContain("It was not re-run: nobody was there to approve that, and -y was not given.");
    expect(existsSync(join(place.folder, "nobody.md"))).toBe(true);
  });

  test("--clean asks where somebody is there; Ctrl-C stops what runs, and nothing is written", async () => {
    using place = new Place();
    await talk(
      place,
      [run("python", "import os, time\ntime.sleep(60 if os.path.exists('slow') else 0)\nprint('done')"), "ok"],
      "wait",
    );
    writeFileSync(join(place.folder, "slow"), "");
    await using screen = new Terminal(place, ["export", "--clean", "--output", "a.md"]);
    await screen.see(/Run the 2 blocks of the clean export in a new folder[\s\S]*y\/n:/);
    screen.enter("y");
    await screen.see("Running block 2 of 2");
    screen.type("\x03");
    await screen.see("Stopped. Nothing was written.");
    expect(await screen.ended()).toBe(130);
    expect(existsSync(join(place.folder, "a.md"))).toBe(false);
  });

  test("a folder without conversations, a name that nothing has, a kind that does not exist", async () => {
    using place = new Place();
    const none = await place.run(["export"]);
    expect([none.code, none.stderr]).toEqual([
      2,
      expect.stringContaining("There is no conversation in this folder to export."),
    ]);
    expect((await place.run(["export", "zzz"])).stderr).toContain('There is no conversation "zzz"');
    expect((await place.run(["export", "--format", "pdf"])).code).toBe(2);
  });

  test("--fresh_env: in a new environment that has nothing of this one", { timeout: 120_000 }, async () => {
    using place = new Place();
    const looks =
      "import importlib.util, sys\nprint('here', importlib.util.find_spec('pandas') is not None)\nprint(sys.version_info[0])";
    await talk(place, [run("python", looks), "Done."], "is pandas there?");
    const { code, stdout } = await place.run(["export", "--clean", "-y", "--fresh_env", "--output", "a.py"]);
    expect(stdout).toContain("Re-run in a fresh session of a fresh environment: 0 of 1 result is the same.");
    expect(stdout).toContain("“here False” where “here True” was.");
    expect(code).toBe(1);
  });

  test("a notebook can be exported, too", async () => {
    using place = new Place();
    const cell = {
      cell_type: "code",
      metadata: {},
      source: "print('hi')",
      execution_count: 1,
      outputs: [{ output_type: "stream", name: "stdout", text: "hi\n" }],
    };
    writeFileSync(
      join(place.folder, "n.ipynb"),
      JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 }),
    );
    const { stdout, code } = await place.run(["export", "n.ipynb", "--clean", "-y", "--output", "n.py"]);
    expect(stdout).toContain("1 of 1 result is the same.");
    expect(code).toBe(0);
  });
});

describe("interpreter FILE.ipynb", () => {
  async function exported(place: Place): Promise<void> {
    await talk(place, squares, "add up the squares");
    expect((await place.run(["export", "--output", "squares.ipynb"])).code).toBe(0);
  }

  test("its blocks are offered to be run, after which the session is live; the model knows the notebook", async () => {
    using place = new Place();
    await exported(place);
    await using model = await scriptedModel([run("python", "print('last', squares[-1])"), "It is 16."]);
    await using screen = new Terminal(place, [...use(model.openai), "-y", "squares.ipynb"], { columns: 120 });
    await screen.see("squares.ipynb is open, with 3 blocks of code. None was run here");
    await screen.see("Run again what made it? y n:");
    screen.enter("y");
    await screen.prompt();
    screen.enter("which is the last?");
    await screen.see("It is 16.");
    expect(screen.text()).toContain("last 16");
    const sent = JSON.stringify(model.requests[0]!.body);
    expect(sent).toContain("None of its code was run here");
    expect(sent).toContain("squares = [n * n for n in range(5)]");
    expect(sent).toContain("sum 30");
  });

  test("nothing runs unasked: a no leaves the session empty", async () => {
    using place = new Place();
    await exported(place);
    await using model = await scriptedModel(["Fine."]);
    await using screen = new Terminal(place, [...use(model.openai), "squares.ipynb"], { columns: 120 });
    await screen.see("Run again what made it? y n:");
    screen.enter("n");
    await screen.prompt();
    screen.enter("%python 'squares' in globals()");
    await screen.see("False");
  });

  test("said to at once: one task about a notebook", async () => {
    using place = new Place();
    await exported(place);
    await using model = await scriptedModel(["It adds up squares."]);
    const { code, stdout, stderr } = await place.run([
      ...use(model.openai),
      "squares.ipynb",
      "--input",
      "what does it do?",
    ]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("It adds up squares.")]);
    expect(stderr).toContain("None was run here");
    expect(model.requests[0]!.body.messages.at(-1)).toMatchObject({
      role: "user",
      content: expect.stringContaining("what does it do?"),
    });
  });

  test("what is no notebook is said, and no conversation is begun", async () => {
    using place = new Place();
    writeFileSync(join(place.folder, "bad.ipynb"), "{ half");
    const bad = await place.run(["bad.ipynb", "--input", "x"]);
    expect(bad.code).toBe(2);
    expect(bad.stderr).toMatch(/bad\.ipynb is not a notebook that can be read/);
    const missing = await place.run(["missing.ipynb", "--input", "x"]);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain("There is no file");
    const home = join(place.folder, ".home", "conversations");
    expect(existsSync(home) ? readdirSync(home) : []).toEqual([]);
  });
});

test("/export clean in the chat", async () => {
  await using model = await scriptedModel([run("python", "x = 20"), run("python", "print(x + 1)"), "It is 21."]);
  using place = new Place();
  await using screen = new Terminal(place, [...use(model.openai), "-y"], { columns: 120 });
  await screen.prompt();
  screen.enter("what is one more than twenty?");
  await screen.see("It is 21.");
  await screen.prompt();
  screen.enter("/export clean script more.py");
  await screen.see("1 of 1 result is the same.");
  expect(readFileSync(join(place.folder, "more.py"), "utf8")).toContain("x = 20\n\nprint(x + 1)");
});
