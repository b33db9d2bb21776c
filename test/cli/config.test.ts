// `interpreter config`: what holds and why, and changing it.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Place } from "../support/program.ts";
import { scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

/** A place whose settings have this text. */
function withSettings(text: string, env: NodeJS.ProcessEnv = {}): Place {
  const place = new Place(env);
  mkdirSync(join(place.folder, ".home/profiles"), { recursive: true });
  writeFileSync(settingsOf(place), text);
  return place;
}

const settingsOf = (place: Place): string => join(place.folder, ".home/settings.yaml");

describe("what holds", () => {
  test("is listed with its origin: default, file and line, profile, variable, flag", async () => {
    using place = withSettings("# mine\nmodel: a/b\nmax_steps: 7\n", { INTERPRETER_TEMPERATURE: "0.5" });
    writeFileSync(join(place.folder, ".home/profiles/mine.yaml"), "\ntime_limit: 9\n");
    const { code, stdout } = await place.run(["config", "-p", "mine", "--max-output", "900"]);
    expect(code).toBe(0);
    expect(stdout.split("\n")).toEqual(
      expect.arrayContaining([
        `model\ta/b\t${settingsOf(place)}:2`,
        `max_steps\t7\t${settingsOf(place)}:3`,
        `time_limit\t9\tprofile mine (${place.folder}/.home/profiles/mine.yaml:2)`,
        "temperature\t0.5\tINTERPRETER_TEMPERATURE",
        "max_output\t900\t--max_output",
        "project_instructions\ttrue\tdefault",
      ]),
    );
  });

  test("is JSON for programs", async () => {
    using place = withSettings("model: a/b\nlanguages: [{ name: awk, run: file, command: 'awk -f {file}' }]\n");
    const rows = JSON.parse((await place.run(["config", "--json"])).stdout);
    expect(rows).toContainEqual({ name: "model", value: "a/b", from: "settings", path: settingsOf(place), line: 1 });
    expect(rows).toContainEqual({ name: "max_steps", value: 100, from: "default" });
    expect(rows).toContainEqual({
      name: "languages",
      value: ["awk"],
      from: "settings",
      path: settingsOf(place),
      line: 2,
    });
  });

  test("is a table for people, with what is not set and where the file is", async () => {
    using place = withSettings("model: a/b\n");
    await using screen = new Terminal(place, ["config"], { columns: 120 });
    await screen.see(/^model {2,}a\/b {2,}\S+settings\.yaml:1\n/);
    await screen.see(/Not set: api_base, /);
    expect(await screen.ended()).toBe(0);
    expect(screen.text()).toContain(`Yours are in ${settingsOf(place)}`);
  });

  test("never shows a secret", async () => {
    using place = withSettings(
      "api_key: sk-planted-4711\nmachine: https://me:planted-4712@host/?token=planted-4713&x=1\n",
      { INTERPRETER_API_BASE: "http://user:planted-4714@host/v1" },
    );
    for (const args of [["config"], ["config", "--json"], ["config", "get", "api_key"], ["config", "get", "machine"]]) {
      const { code, stdout, stderr } = await place.run(args);
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).not.toContain("planted");
      expect(stdout).toMatch(/\(not shown\)|https:\/\/…@host\/\?token=…&x=1/);
    }
  });

  test("get prints one value, and fails where there is none", async () => {
    using place = withSettings("loop_breakers: [Done., Over.]\n");
    expect(await place.run(["config", "get", "loop-breakers"])).toMatchObject({ code: 0, stdout: "Done.\nOver.\n" });
    expect(await place.run(["config", "get", "maxSteps"])).toMatchObject({ code: 0, stdout: "100\n" });
    expect(await place.run(["config", "get", "model"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: "model is not set.\n",
    });
    expect(await place.run(["config", "get", "modle"])).toMatchObject({
      code: 2,
      stderr: "modle is not a setting.\nDid you mean model?\n",
    });
  });

  test("path and schema are printed", async () => {
    using place = new Place();
    expect((await place.run(["config", "path"])).stdout).toBe(`${settingsOf(place)}\n`);
    const published = readFileSync(join(import.meta.dirname, "../../docs/settings.schema.json"), "utf8");
    expect((await place.run(["config", "schema"])).stdout).toBe(published);
  });

  test("a sentence that begins with the word is said", async () => {
    await using model = await scriptedModel(["ok"]);
    using place = new Place();
    await place.run(["--model", "x", "--api_base", model.openai, "config", "my", "nginx"]);
    expect(model.requests[0]!.body.messages.at(-1).content).toBe("config my nginx");
  });
});

describe("changing it", () => {
  test("set writes settings.yaml, keeps comments, and the next start uses it", async () => {
    await using model = await scriptedModel(["ok"]);
    using place = withSettings("# mine\nmax_steps: 7 # few\n");
    expect(await place.run(["config", "set", "max_steps", "20"])).toMatchObject({
      code: 0,
      stdout: `max_steps is 20 now, in ${settingsOf(place)}\n`,
    });
    await place.run(["config", "set", "model", "openai-chat/scripted"]);
    await place.run(["config", "set", "api-base", model.openai]);
    await place.run(["config", "set", "custom_instructions", "Answer", "in", "German."]);
    expect(readFileSync(settingsOf(place), "utf8")).toBe(
      `# mine\nmax_steps: 20 # few\nmodel: openai-chat/scripted\napi_base: ${model.openai}\ncustom_instructions: "Answer in German."\n`,
    );
    expect((await place.run(["hello"])).stdout).toBe("\nok\n");
    expect(model.requests[0]!.body.messages[0].content).toContain("Answer in German.");
  });

  test.each([
    [["max_steps", "many"], 'max_steps takes a number, not "many".\n'],
    [["max_steps", "0"], "max_steps must be at least 1.\n"],
    [["auto_run", "maybe"], 'auto_run is either true or false, not "maybe".\n'],
    [["images", "kity"], /images is one of auto, .*\nDid you mean kitty\?\n/],
    [["modle", "x"], "modle is not a setting.\nDid you mean model?\n"],
    [["model"], "To what? model takes PROVIDER/NAME.\n"],
    [[], "Which setting? `config set` needs the name of one.\nFor example: interpreter config set max_steps 20\n"],
    [["api_key", "sk-x"], /Keys are not written into settings\.yaml\.\nKeep one: interpreter keys set PROVIDER\n/],
    [["json", "true"], /json is not a setting\./],
  ])("config set %j is refused, and nothing changes", async (words, message) => {
    using place = new Place();
    const { code, stderr } = await place.run(["config", "set", ...words]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(existsSync(settingsOf(place))).toBe(false);
  });

  test("says when something stronger holds all the same", async () => {
    using place = new Place({ INTERPRETER_MAX_STEPS: "3" });
    const { stdout } = await place.run(["config", "set", "max_steps", "20"]);
    expect(stdout).toContain("Here it is 3 all the same: INTERPRETER_MAX_STEPS\n");
  });

  test("unset takes a line out, even one that is wrong", async () => {
    using place = withSettings("# mine\nmodel: a/b\nmodle: x\nmax_steps: 7\n");
    expect((await place.run(["config"])).code).toBe(2);
    expect((await place.run(["config", "unset", "modle"])).code).toBe(0);
    expect((await place.run(["config", "unset", "model"])).code).toBe(0);
    expect(readFileSync(settingsOf(place), "utf8")).toBe("# mine\nmax_steps: 7\n");
    expect(await place.run(["config", "unset", "model"])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^model is not in /),
    });
  });

  test("a file that is no YAML is not written over", async () => {
    using place = withSettings("model: [a\n");
    const { code, stderr } = await place.run(["config", "set", "max_steps", "20"]);
    expect([code, readFileSync(settingsOf(place), "utf8")]).toEqual([2, "model: [a\n"]);
    expect(stderr).toMatch(/is not valid YAML/);
  });
});
