// A project's settings and AGENTS.md, with the real program: unused until the folder is trusted.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { Place } from "../support/program.ts";
import { type ScriptedModel, scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

function inProject(files: Record<string, string>): Place {
  const place = new Place();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place.folder, name)), { recursive: true });
    writeFileSync(join(place.folder, name), text);
  }
  return place;
}

const settings = ".interpreter/settings.yaml";
const instructions = { [settings]: "custom_instructions: Speak Latin.\nauto_run: true\n" };
const use = (model: ScriptedModel) => ["--model", "openai-chat/scripted", "--api_base", model.openai];
const systemOf = (model: ScriptedModel, index = -1): string => model.requests.at(index)!.body.messages[0].content;

describe("a project's settings", () => {
  test("are unused without a person, with one line; trusted they are used, and removed they are not", async () => {
    await using model = await scriptedModel(["ok", "ok", "ok"]);
    using place = inProject(instructions);
    const first = await place.run([...use(model), "hi"]);
    expect(first.stdout).toBe("\nok\n");
    expect(first.stderr).toMatch(/^\S+settings\.yaml is not used: this folder is not trusted\..*interpreter trust\n$/);
    expect(systemOf(model)).not.toContain("Latin");

    const trusted = await place.run(["trust"]);
    expect(trusted.code).toBe(0);
    expect(trusted.stdout).toMatch(/custom_instructions {2}Speak Latin\.\n/);
    expect(trusted.stdout).toMatch(
      /settings\.yaml:2: auto_run is not for a project to set: it takes away the question/,
    );
    const second = await place.run([...use(model), "hi"]);
    expect(systemOf(model)).toContain("Speak Latin.");
    expect(second.stderr).toMatch(/^\S+settings\.yaml:2: auto_run is not for a project to set: .*\n$/);
    expect((await place.run(["config"])).stdout).toContain(
      `custom_instructions\tSpeak Latin.\t${place.folder}/${settings}:1\n`,
    );

    expect((await place.run(["trust", "--remove"])).stdout).toBe(`Not trusted any more: ${place.folder}\n`);
    await place.run([...use(model), "hi"]);
    expect(systemOf(model)).not.toContain("Latin");
    expect(await place.run(["trust", "--remove"])).toMatchObject({ code: 2, stderr: /not trusted/ });
  });

  test("at a terminal: shown, asked for once, and used after a yes", async () => {
    await using model = await scriptedModel(["ok", "ok"]);
    using place = inProject({
      [settings]:
        "custom_instructions: Speak \x1b[31mLatin.\nlanguages: [{ name: x, run: file, command: './x.sh {file}' }]\n".replace(
          "\x1b",
          "",
        ),
    });
    {
      await using screen = new Terminal(place, use(model));
      await screen.see("Trust this folder? y/n:");
      expect(screen.text()).toContain(`${place.folder} has settings of its own`);
      expect(screen.text()).toMatch(/custom_instructions {2}Speak .*Latin\./);
      expect(screen.text()).toMatch(/languages {12}x, which runs: \.\/x\.sh \{file\}/);
      screen.enter("perhaps");
      await screen.see(/perhaps\ny takes its settings, n does not; Enter alone decides nothing\.\nTrust this folder\?/);
      screen.enter("y");
      await screen.prompt();
      screen.enter("hi");
      await screen.see("ok");
      expect(systemOf(model)).toContain("Latin.");
    }
    await using again = new Terminal(place, use(model));
    await again.prompt();
    expect(again.text()).not.toContain("Trust this folder?");
  });

  test("after a no, or after Enter, the chat starts without them", async () => {
    await using model = await scriptedModel(["ok"]);
    using place = inProject(instructions);
    for (const [answer, asked] of [
      ["", true],
      ["n", true],
      [undefined, false],
    ] as const) {
      await using screen = new Terminal(place, use(model));
      if (answer !== undefined) {
        await screen.see("Trust this folder? y/n:");
        screen.enter(answer);
      }
      await screen.prompt();
      expect(screen.text().includes("Trust this folder?")).toBe(asked);
      expect(screen.text()).toContain("Code waits for your yes.");
    }
  });

  test("where there is nothing to trust, that is said", async () => {
    using place = new Place();
    expect(await place.run(["trust"])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/nothing here to trust/),
    });
  });
});

describe("AGENTS.md", () => {
  test("comes after our own text, and the first screen says that it is read", async () => {
    await using model = await scriptedModel(["ok", "ok"]);
    using place = inProject({ "AGENTS.md": "Measure twice.\n" });
    await place.run([...use(model), "hi"]);
    expect(systemOf(model)).toMatch(
      /^You work on [\s\S]*\n\nInstructions of this project, from \S+AGENTS\.md:\n\nMeasure twice\.$/,
    );
    await using screen = new Terminal(place, use(model));
    await screen.see("with AGENTS.md of this folder");
    await place.run([...use(model), "--no-project-instructions", "hi"]);
    expect(systemOf(model)).not.toContain("Measure");
  });

  test("with -y there is a notice, until the folder is trusted", async () => {
    await using model = await scriptedModel(["ok", "ok"]);
    using place = inProject({ "AGENTS.md": "Measure twice.\n" });
    expect((await place.run(["-y", ...use(model), "hi"])).stderr).toMatch(/^AGENTS\.md of this folder tells the model/);
    expect((await place.run(["trust"])).code).toBe(0);
    expect((await place.run(["-y", ...use(model), "hi"])).stderr).toBe("");
  });

  test("without one the first request stays small", async () => {
    await using model = await scriptedModel(["ok"]);
    using place = new Place();
    await place.run([...use(model), "hi"]);
    expect(JSON.stringify(model.requests[0]!.body).length).toBeLessThanOrEqual(4_000);
  });
});
