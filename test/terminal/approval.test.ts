// The question before a block runs.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Place } from "../support/program.ts";
import { run, scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

const use = (url: string) => ["--model", "openai-chat/scripted", "--api_base", url];

test("says what the block seems to do, explains it when asked, and remembers a kind in words", async () => {
  await using model = await scriptedModel([
    run("python", "print(6 * 7)"),
    "It multiplies two numbers.",
    run("python", "print('again')"),
    run("python", "import os\nos.remove('gone.txt')"),
    "Left it.",
  ]);
  using place = new Place();
  await using screen = new Terminal(place, use(model.openai));
  await screen.prompt();
  screen.enter("go");
  await screen.see("Run this? (only computes)");
  screen.enter("?");
  await screen.see("y runs it, n does not, e edits it, a runs all of this kind, ? explains it.");
  await screen.see("It multiplies two numbers.");
  expect(model.requests[1]!.body.tools).toBeUndefined();
  await screen.see(/numbers\.\nRun this\?/);
  screen.enter("hm");
  await screen.see(/numbers\.\nRun this\?[\s\S]*y runs it, n does not, e edits it/);
  screen.enter("a");
  await screen.see("From now on, code that only computes runs without asking.");
  // The next block computes too, and is not asked about; the one after it deletes, and is.
  await screen.see("│ again");
  await screen.see("Run this? (deletes files)");
  screen.enter("n");
  await screen.see("Not run.");
  expect(model.requests[2]!.text).not.toContain("multiplies two numbers");
});

test("an editor that is left without a change runs nothing: the question comes again", async () => {
  await using model = await scriptedModel([run("python", "open('made', 'w')"), "Left it."]);
  using place = new Place();
  place.env.EDITOR = "true";
  await using screen = new Terminal(place, use(model.openai));
  await screen.prompt();
  screen.enter("go");
  await screen.see("Run this?");
  screen.enter("e");
  await screen.see(/Run this\?[\s\S]*Run this\?/);
  screen.enter("n");
  await screen.see("Not run.");
  expect(existsSync(join(place.folder, "made"))).toBe(false);
});

test("what was allowed is said", async () => {
  await using model = await scriptedModel([run("python", "print(1)"), "ok"]);
  using place = new Place();
  await using screen = new Terminal(place, use(model.openai));
  await screen.prompt();
  screen.enter("go");
  await screen.see("Run this?");
  screen.enter("a");
  await screen.see("ok");
  screen.enter("%auto_run");
  await screen.see("Code that does nothing but this runs without asking: computes.");
  screen.enter("%auto_run off");
  await screen.see("Each block waits for your yes.");
});

test("words said to a turn that is stopped before it hears them are put back on the line", async () => {
  await using model = await scriptedModel([run("python", "import time; time.sleep(1000)"), "ok"]);
  using place = new Place();
  await using screen = new Terminal(place, ["-y", ...use(model.openai)]);
  await screen.prompt();
  screen.enter("go");
  await screen.see("time.sleep(1000)");
  screen.enter("count the rows too");
  await screen.see("(noted, for the next step: count the rows too)");
  screen.type("\x03");
  await screen.see(/Stopped\.\n\n(?:.*\n)?> count the rows too$/);
});

test("a model that cannot be opened changes nothing, and the first one keeps its address", async () => {
  await using model = await scriptedModel(["One.", "Two."]);
  using place = new Place();
  await using screen = new Terminal(place, use(model.openai));
  await screen.prompt();
  screen.enter("%model anthropic/claude-sonnet-4-5");
  await screen.see("Anthropic needs an API key");
  screen.enter("");
  await screen.prompt();
  screen.enter("hi");
  await screen.see("One.");
  screen.enter("%model ollama/nothing-there");
  await screen.see("Model: ollama/nothing-there");
  screen.enter("%model openai-chat/scripted");
  await screen.see("Model: openai-chat/scripted");
  screen.enter("hi again");
  await screen.see("Two.");
});
