// Flags that do something of their own: what they print, write and say.

import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Place } from "../support/program.ts";
import { run, scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

const use = (url: string) => ["--model", "openai-chat/scripted", "--api_base", url];
const lastSaid = ({ body }: { body: { messages: { content: unknown }[] } }): unknown => body.messages.at(-1)!.content;

test("--stdin says the first line of what is piped in, and prints plainly", async () => {
  await using model = await scriptedModel(["**Four.**"]);
  using place = new Place();
  const { code, stdout } = await place.run(["-s", ...use(model.openai)], { input: "two and two?\nnot this\n" });
  expect(code).toBe(0);
  expect(stdout).toContain("Four.");
  expect(lastSaid(model.requests[0] as never)).toBe("two and two?");
});

test("--input is said before the words", async () => {
  await using model = await scriptedModel(["Yes."]);
  using place = new Place();
  await place.run(["--input", "is it", ...use(model.openai), "raining?"]);
  expect(lastSaid(model.requests[0] as never)).toBe("is it raining?");
});

test("--verbose tells sizes, times and models on standard error, and neither words nor keys", async () => {
  await using model = await scriptedModel([run("shell", "echo the-output"), "The-answer."]);
  using place = new Place();
  const { stdout, stderr } = await place.run([
    "-v",
    "-y",
    "--api_key",
    "the-key",
    ...use(model.openai),
    "the-question",
  ]);
  expect(stderr).toMatch(/^request 1 to openai-chat\/scripted: 1 message, \d+ characters, tool dialect\n/);
  expect(stderr).toMatch(/\nstep: ok, \d+ ms/);
  expect(stderr).toMatch(/\nrequest 2: ended after \d+ ms \(stop\)\n$/);
  expect(stderr).not.toMatch(/the-/);
  expect(stdout).not.toContain("request 1");
});

test("with --json, --verbose leaves standard output to the chunks", async () => {
  await using model = await scriptedModel(["Done."]);
  using place = new Place();
  const { stdout, stderr } = await place.run(["--debug", "--json", ...use(model.openai), "go"]);
  for (const line of stdout.trim().split("\n")) expect(() => JSON.parse(line)).not.toThrow();
  expect(stderr).toContain("request 1 to");
});

test("what does nothing here says so once, on standard error, and the task is done", async () => {
  await using model = await scriptedModel(["Done."]);
  using place = new Place();
  const { code, stdout, stderr } = await place.run(["--disable_telemetry", "--multi_line", ...use(model.openai), "go"]);
  expect([code, stdout.trim()]).toEqual([0, "Done."]);
  expect(stderr.split("\n")).toEqual([
    expect.stringMatching(/^There is no telemetry/),
    expect.stringMatching(/always have several lines/),
    "",
  ]);
});

test("--provider names the provider of a model that names none", async () => {
  await using model = await scriptedModel(["Done."]);
  using place = new Place();
  const { stdout } = await place.run([
    ...["--provider", "openai-chat", "--model", "scripted", "--api_base", model.openai, "--json", "go"],
  ]);
  expect(stdout).toContain('"model":"openai-chat/scripted"');
});

test("--save writes the settings of the command line, without the key, and --profile uses them", async () => {
  await using model = await scriptedModel(["Done."]);
  using place = new Place();
  const saved = await place.run([
    ...use(model.openai),
    "--api_key",
    "the-key",
    "--max_steps",
    "7",
    "--plain",
    "--save",
    "mine",
  ]);
  const path = join(place.folder, ".home/profiles/mine.yaml");
  expect([saved.code, saved.stdout]).toEqual([0, `Kept in ${path}\n`]);
  const text = readFileSync(path, "utf8");
  expect(text).toContain("max_steps: 7");
  expect(text).toContain("plain: true");
  expect(text).not.toContain("the-key");
  expect((await place.run(["--profile", "mine", "go"])).stdout).toContain("Done.");
  const again = await place.run(["--max_steps", "8", "--save", "mine"]);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("is there already")]);
  expect((await place.run(["--save", "empty"])).stderr).toContain("There is nothing to save");
});

test("--reset_profile puts a file aside and keeps it", async () => {
  using place = new Place();
  const home = join(place.folder, ".home");
  mkdirSync(join(home, "profiles"), { recursive: true });
  writeFileSync(join(home, "settings.yaml"), "model: a/b\n");
  writeFileSync(join(home, "profiles/fast.yaml"), "model: c/d\n");
  expect((await place.run(["--reset_profile"])).stdout).toContain("settings.yaml.old");
  expect((await place.run(["--reset_profile", "fast"])).stdout).toContain("fast.yaml.old");
  expect((await place.run(["--reset_profile", "fast"])).stdout).toContain("holds already");
  expect(existsSync(join(home, "settings.yaml"))).toBe(false);
  expect(readFileSync(join(home, "settings.yaml.old"), "utf8")).toBe("model: a/b\n");
  expect(readFileSync(join(home, "profiles/fast.yaml.old"), "utf8")).toBe("model: c/d\n");
});

test("--profiles lists them and names the folder, --local_models names its folder, --server says that there is none", async () => {
  using place = new Place();
  const profiles = await place.run(["--profiles"]);
  expect(profiles.stdout).toMatch(/^fast +/m);
  expect(profiles.stdout).toContain(join(place.folder, ".home/profiles"));
  expect((await place.run(["--local_models"])).stdout).toContain(join(place.folder, ".home"));
  const server = await place.run(["--server"]);
  expect([server.code, server.stdout]).toEqual([2, ""]);
  expect(server.stderr).toContain("There is no server yet.");
});

test("--speak_messages hands what the model says to `say`, without its code; where there is none, that is said", async () => {
  await using model = await scriptedModel(["-- **Hello** there.\n\n```sh\nls\n```", "Hello."]);
  using place = new Place();
  const without = await place.run(["-sp", ...use(model.openai), "go"]);
  expect(without.stdout).toContain("There is no program `say` here: nothing is spoken.");
  const say = join(place.folder, "say");
  writeFileSync(say, `#!/bin/sh\ncat >> "${place.folder}/spoken"\n`);
  chmodSync(say, 0o755);
  place.env.PATH = `${place.folder}:${place.env.PATH}`;
  await place.run(["--speak-messages", ...use(model.openai), "go"]);
  expect(readFileSync(join(place.folder, "spoken"), "utf8")).toBe("Hello.");
});

test("--interactive stays in the chat after the words; --no-interactive asks nobody", async () => {
  await using model = await scriptedModel(["First.", "Second.", run("shell", "touch made")]);
  using place = new Place();
  await using screen = new Terminal(place, ["--interactive", ...use(model.openai), "say", "one"]);
  await screen.see(/> say one\n[\s\S]*First\.\n[\s\S]*\n>$/);
  screen.enter("say another");
  await screen.see("Second.");
  await using silent = new Terminal(place, ["--no-interactive", ...use(model.openai), "make it"]);
  expect(await silent.ended()).toBe(3);
  expect(existsSync(join(place.folder, "made"))).toBe(false);
});
