// The question about a host while a block runs in the sandbox. Nothing leaves the machine: every answer here is a no.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Place } from "../support/program.ts";
import { run, scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

const fetching = `import urllib.request, urllib.error
try:
    urllib.request.urlopen("http://docs.example.org/x")
except urllib.error.HTTPError as error:
    print("refused:", error.code, error.read().decode())`;

test("a host that no rule speaks of is asked about while the block runs, and a no is heard by code", async () => {
  await using model = await scriptedModel([run("python", fetching), "It was refused."]);
  using place = new Place();
  const args = ["-y", "--model", "openai-chat/scripted", "--api_base", model.openai, "--sandbox", "workspace"];
  await using screen = new Terminal(place, args, { columns: 120 });
  await screen.prompt();
  screen.enter("go");
  await screen.see("wants to reach docs.example.org:80. Let it? o c a n ?:");
  expect(screen.text()).toMatch(/\nCode wants to reach/);
  screen.enter("n");
  await screen.see("It is not let through. To allow it later: /allow host docs.example.org:80");
  await screen.see("refused: 403");
  await screen.see("It was refused.");
  await screen.prompt();
  screen.enter("/deny always host docs.example.org");
  await screen.see("code may not reach docs.example.org on any port.");
  expect(readFileSync(join(place.folder, ".home", "rules.yaml"), "utf8")).toContain(
    '- deny: { host: "docs.example.org" }',
  );
});

const impatient = `import urllib.request
try:
    urllib.request.urlopen("http://docs.example.org/x", timeout=2)
except Exception as error:
    print("ERR", type(error).__name__)
    error = None
import time
time.sleep(1)`;

test("a question that the program no longer waits for ends on a line of its own, and a late answer goes nowhere", async () => {
  await using model = await scriptedModel([run("python", impatient), "It gave up."]);
  using place = new Place();
  const args = ["-y", "--model", "openai-chat/scripted", "--api_base", model.openai, "--sandbox", "workspace"];
  await using screen = new Terminal(place, args, { columns: 120 });
  await screen.prompt();
  screen.enter("go");
  await screen.see("Let it? o c a n ?:");
  await screen.see("It gave up.");
  expect(screen.text()).toMatch(/Let it\? o c a n \?: *\n *No longer asked: the program gave up\.\n/);
  expect(screen.text()).toMatch(/│ ERR \w+/);
  await screen.prompt();
  const asked = model.requests.length;
  screen.enter("o");
  await screen.see("That is no longer asked.");
  await screen.prompt();
  expect(model.requests).toHaveLength(asked);
});

test("Ctrl-C takes the question away with the block", async () => {
  await using model = await scriptedModel([run("python", fetching), "Never said."]);
  using place = new Place();
  const args = ["-y", "--model", "openai-chat/scripted", "--api_base", model.openai, "--sandbox", "workspace"];
  await using screen = new Terminal(place, args, { columns: 120 });
  await screen.prompt();
  screen.enter("go");
  await screen.see("Let it? o c a n ?:");
  screen.type("\x03");
  await screen.see("Stopped.");
  await screen.prompt();
});

test("where nobody can answer, it is refused with how to allow it", async () => {
  await using model = await scriptedModel([run("python", fetching), "It was refused."]);
  using place = new Place();
  const args = ["-y", "--model", "openai-chat/scripted", "--api_base", model.openai, "--sandbox", "workspace", "go"];
  const { stdout } = await place.run(args);
  expect(stdout).toContain(
    "refused: 403 The sandbox does not let code reach docs.example.org: nobody is here to allow it.",
  );
});

test("without a sandbox the line above the prompt says so; %pip runs in the Python session", async () => {
  await using model = await scriptedModel(["Hello."]);
  using place = new Place();
  const args = ["--model", "openai-chat/scripted", "--api_base", model.openai, "--sandbox", "off"];
  await using screen = new Terminal(place, args, { columns: 140 });
  await screen.prompt();
  screen.enter("hello");
  await screen.see(/Hello\.\n[\s\S]* · no sandbox · /);
  await screen.prompt();
  screen.enter("%pip --version");
  await screen.see(/│ (pip|uv-pip|uv) \d+\./);
});
