// The question before a block runs.

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
  await screen.see("It multiplies two numbers.");
  expect(model.requests[1]!.body.tools).toBeUndefined();
  await screen.see(/numbers\.\nRun this\?/);
  screen.enter("hm");
  await screen.see("y runs it, n does not, e edits it, a runs all of this kind, ? explains it.");
  screen.enter("a");
  await screen.see("From now on, code that only computes runs without asking.");
  // The next block computes too, and is not asked about; the one after it deletes, and is.
  await screen.see("│ again");
  await screen.see("Run this? (deletes files)");
  screen.enter("n");
  await screen.see("Not run.");
  expect(model.requests[2]!.text).not.toContain("multiplies two numbers");
});
