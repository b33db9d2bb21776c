// Tokens and money as a person sees them: after a turn, with %tokens, when a budget is used up; and %compact.

import { expect, test } from "vitest";
import { Place } from "../support/program.ts";
import { reply, run, scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

const usage = { input: 200_000, cached: 150_000, output: 1_000 };
/** A model whose prices are known, wherever it is asked. */
const claude = (url: string) => ["--model", "anthropic/claude-sonnet-4-5", "--api_base", url, "--api_key", "k-test"];

test("a line after each turn, and %tokens with the whole account", async () => {
  await using model = await scriptedModel([reply("Hello.", { usage })]);
  using place = new Place();
  await using screen = new Terminal(place, claude(model.anthropic));
  await screen.prompt();
  screen.enter("hi");
  await screen.see(/Hello\.\n\n.*201k tokens · 75 % cached · \$0\.21.*\n>/);
  screen.enter("%tokens");
  await screen.see(/next request +about/);
  expect(screen.text()).toMatch(
    /requests +1\n +read +200k tokens, 75 % of them cached\n +written +1k tokens\n +cost +\$0\.21/,
  );
  expect(screen.text()).toMatch(/this month +\$0\.21, all conversations/);
});

test("a budget that is used up pauses and asks", async () => {
  await using model = await scriptedModel([reply(run("python", "print(1)"), { usage }), "Done."]);
  using place = new Place();
  await using screen = new Terminal(place, [...claude(model.anthropic), "-y", "--max_budget", "0.1"]);
  await screen.prompt();
  screen.enter("go");
  await screen.see(/Budget: this conversation has cost \$0\.21 of \$0\.10\. Go on/);
  expect(model.requests).toHaveLength(1);
  screen.enter("maybe");
  await screen.see("y, n, or an amount above $0.21:");
  screen.enter("$5");
  await screen.see(/Done\.\n/);
});

test("without a person the budget ends the program with its exit code", async () => {
  await using model = await scriptedModel([reply(run("python", "print(1)"), { usage }), "Done."]);
  using place = new Place();
  const { code, stdout } = await place.run(["-y", ...claude(model.anthropic), "--max_budget", "0.1", "go"]);
  expect(code).toBe(5);
  expect(stdout).toContain("This conversation has cost $0.21, and the budget is $0.10.");
  expect(model.requests).toHaveLength(1);
});

test("%compact puts a summary in the place of what was said", async () => {
  await using model = await scriptedModel(["One.", "SUMMARY: they greeted.", "Two."]);
  using place = new Place();
  await using screen = new Terminal(place, ["--model", "openai-chat/scripted", "--api_base", model.openai]);
  await screen.prompt();
  screen.enter("hello");
  await screen.see("One.");
  screen.enter("%compact");
  await screen.see("Writing a summary of 2 earlier messages");
  await screen.see(/price unknown.*\n>$/);
  screen.enter("again");
  await screen.see("Two.");
  expect(model.requests[2]!.text).toContain("SUMMARY: they greeted.");
  expect(model.requests[2]!.text).not.toContain("One.");
});
