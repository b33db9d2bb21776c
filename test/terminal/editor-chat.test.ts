import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Place } from "../support/program.ts";
import { reply, run, scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

const use = (url: string) => ["--model", "openai-chat/scripted", "--api_base", url];
const nobody = ["--model", "x", "--api_base", "http://127.0.0.1:9/v1"];
const up = "\x1b[A";

describe("writing in the chat", () => {
  test("what was said in one conversation is found in the next; answers are not", async () => {
    await using model = await scriptedModel([run("python", "1"), "ok", "again"]);
    using place = new Place();
    {
      await using screen = new Terminal(place, use(model.openai));
      await screen.prompt();
      screen.enter("count the ships");
      await screen.see("Run this?");
      screen.enter("no, wait");
      await screen.see(/ok\n\n.*\d+ tokens · price unknown.*\n>$/);
      screen.enter("%quit");
      expect(await screen.ended()).toBe(0);
    }
    await using screen = new Terminal(place, use(model.openai));
    await screen.prompt();
    screen.type(up);
    await screen.see(/> %quit$/);
    screen.type(up);
    await screen.see(/> count the ships$/);
    screen.type("\x15\x12ship");
    await screen.see(/> count the ships\nsearch: ship$/);
    screen.type("\r\r");
    await screen.see("again");
    expect(model.requests[2]!.body.messages.at(-1).content).toBe("count the ships");
  });

  test("what is half written when a question comes is there again after it", async () => {
    await using model = await scriptedModel([reply(run("python", "print('x' * 3)"), { chunk: 2, drip: 20 }), "ok"]);
    using place = new Place();
    await using screen = new Terminal(place, use(model.openai));
    await screen.prompt();
    screen.enter("go");
    await screen.see("print");
    screen.type("and then");
    await screen.see("Run this?");
    screen.enter("y");
    await screen.see("│ xxx");
    await screen.see(/ok\n\n.*\d+ tokens · price unknown.*\n> and then$/);
  });

  test("what is typed while code runs is seen, and a command comes after it", async () => {
    await using model = await scriptedModel([
      run(
        "python",
        "import time\nprint('working', flush=True)\nwhile not __import__('os').path.exists('go'): time.sleep(0.05)",
      ),
      "done",
    ]);
    using place = new Place();
    await using screen = new Terminal(place, ["-y", ...use(model.openai)], { columns: 40 });
    await screen.prompt();
    screen.enter("go");
    await screen.see("│ working");
    screen.type("!echo later \x1b[200~on\x1b[201~");
    await screen.see(/│ working\n> !echo later on$/);
    screen.enter();
    writeFileSync(join(place.folder, "go"), "");
    await screen.see(/done\n\n.*\d+ tokens · price unknown.*\n> !echo later on\n/);
    await screen.see("│ later on");
  });

  test("Tab offers commands, files after a slash, files to mention, and names of the session", async () => {
    using place = new Place();
    mkdirSync(join(place.folder, "reports/old"), { recursive: true });
    writeFileSync(join(place.folder, "reports/sales.csv"), "");
    await using screen = new Terminal(place, nobody, { columns: 60 });
    await screen.prompt();
    screen.type("%re\t");
    await screen.see(/> %res?e?\n❯ %restart +end a session with its.*\n {2}%reset/);
    screen.type("\x1b[B\r");
    await screen.see(/> %reset$/);
    screen.type("\x15/toke\t");
    await screen.see(/> \/tokens$/);
    screen.type("\x15sum @sal\t");
    await screen.see(/> sum @reports\/sales\.csv$/);
    screen.type("and reports/\t");
    await screen.see(/❯ reports\/old\/\n {2}reports\/sales\.csv$/);
    screen.type("sal");
    await screen.see(/reports\/sal\n❯ reports\/sales\.csv$/);
    screen.type("\t");
    await screen.see(/> sum @reports\/sales\.csv and reports\/sales\.csv$/);
    screen.type("\x15!ls rep\t");
    await screen.see(/> !ls reports\/$/);
    screen.enter("\x15%python letter_one = 1; letter_two = 2");
    await screen.see(/letter_two = 2\n\n>$/);
    screen.type("%python letter\t");
    await screen.see(/> %python letter_\n❯ letter_one\n {2}letter_two$/);
  });

  test("a block of code is written over several lines and runs after an empty one", async () => {
    using place = new Place();
    await using screen = new Terminal(place, nobody);
    await screen.prompt();
    screen.enter("%python");
    await screen.see(/python>$/);
    screen.type("for x in [1, 2]:\r\tprint(x * 21)\r\r");
    await screen.see(/python> for x in \[1, 2\]:\n {12}print\(x \* 21\)\n\s*│ 21\n│ 42\n\npython>$/);
  });

  test("without colour there is none, and writing works as ever", async () => {
    using place = new Place({ NO_COLOR: "1" });
    await using screen = new Terminal(place, nobody);
    await screen.prompt();
    screen.type("%sessi\t");
    await screen.see(/> %sessions$/);
    expect(screen.raw).not.toMatch(/\x1b\[[0-9;]*m/);
  });

  test("--plain reads lines and sends no escape sequence", async () => {
    await using model = await scriptedModel([run("python", "print(6 * 7)"), "ok"]);
    using place = new Place();
    await using screen = new Terminal(place, ["--plain", ...use(model.openai)]);
    await screen.prompt();
    screen.enter('"""go');
    await screen.see("…");
    screen.enter('on"""');
    await screen.see("Run this?");
    screen.enter("y");
    await screen.see("42");
    await screen.see("ok");
    await screen.prompt();
    screen.type("\x03");
    await screen.see("Press Ctrl-C again, or Ctrl-D, to leave.");
    screen.type("\x03");
    expect(await screen.ended()).toBe(0);
    expect(model.requests[0]!.body.messages.at(-1).content).toBe("go\non");
    expect(screen.raw).not.toContain("\x1b");
  });
});
