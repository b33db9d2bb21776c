import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bin, Place } from "../support/program.ts";
import { reply, run, say, scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

const use = (url: string) => ["--model", "openai-chat/scripted", "--api_base", url];

describe("the chat", () => {
  test("shows the words, the code as it is written, the question, the output and the answer", async () => {
    await using model = await scriptedModel([
      reply(say("I will add."), run("python", "x = 1\nprint(x + 1)")),
      "It is 2.",
    ]);
    using place = new Place();
    await using screen = new Terminal(place, use(model.openai));
    await screen.prompt();
    screen.enter("add one and one");
    await screen.see("Run this?");
    expect(screen.text()).toContain("I will add.\n\npython\n  x = 1\n  print(x + 1)\nRun this?");
    screen.enter("y");
    await screen.see(/│ 2\n\nIt is 2\.\n\n.*\d+ tokens · price unknown.*\n>/);
    screen.enter("%quit");
    expect(await screen.ended()).toBe(0);
  });

  test("yes is yes, and no tells the model", async () => {
    await using model = await scriptedModel([
      run("python", "print('ran')"),
      "Good.",
      run("python", "open('made', 'w')"),
      "I see.",
    ]);
    using place = new Place();
    await using screen = new Terminal(place, use(model.openai));
    await screen.prompt();
    screen.enter("first");
    await screen.see("Run this?");
    screen.enter("Yes.");
    await screen.see("│ ran");
    await screen.see(/Good\.\n\n.*\d+ tokens · price unknown.*\n>/);
    screen.enter("second");
    await screen.see("open('made', 'w')\nRun this?");
    screen.enter("no, use a list");
    await screen.see("I see.");
    expect(existsSync(join(place.folder, "made"))).toBe(false);
    expect(model.requests[3]!.body.messages.at(-1)).toEqual({ role: "user", content: "use a list" });
  });

  test("an answer that means nothing asks again", async () => {
    await using model = await scriptedModel([run("python", "1"), "ok"]);
    using place = new Place();
    await using screen = new Terminal(place, use(model.openai));
    await screen.prompt();
    screen.enter("go");
    await screen.see("Run this?");
    screen.enter("hm");
    await screen.see(/Run this\?[\s\S]*Run this\?/);
    screen.enter("%auto_run");
    await screen.see(/Run this\?[\s\S]*Run this\?[\s\S]*Run this\?/);
    screen.enter("n");
    await screen.see(/Not run\.\n\n.*\d+ tokens · price unknown.*\n>$/);
  });

  test("e edits the block in the person's editor, and what was edited runs", async () => {
    await using model = await scriptedModel([run("python", "print('before')"), "ok"]);
    using place = new Place();
    const editor = join(place.folder, "editor.sh");
    writeFileSync(editor, '#!/bin/sh\nsed -i.bak s/before/after/ "$1"\n');
    chmodSync(editor, 0o755);
    place.env.EDITOR = editor;
    await using screen = new Terminal(place, use(model.openai));
    await screen.prompt();
    screen.enter("go");
    await screen.see("Run this?");
    screen.enter("e");
    await screen.see("│ after");
    await screen.see(/ok\n\n.*\d+ tokens · price unknown.*\n>/);
    screen.enter("!echo still here");
    await screen.see("│ still here");
  });

  test("a asks no more", async () => {
    await using model = await scriptedModel([run("python", "print('one')"), run("python", "print('two')"), "ok"]);
    using place = new Place();
    await using screen = new Terminal(place, use(model.openai));
    await screen.prompt();
    screen.enter("go");
    await screen.see("Run this?");
    screen.enter("a");
    await screen.see("│ two");
    expect(screen.text().match(/Run this\?/g)).toHaveLength(1);
  });

  test("Ctrl-C stops what runs and returns to the prompt; the state is kept; twice at the prompt quits", async () => {
    await using model = await scriptedModel([
      run("python", "x = 7\nprint('started', flush=True)\nimport time; time.sleep(1000)"),
    ]);
    using place = new Place();
    await using screen = new Terminal(place, ["-y", ...use(model.openai)]);
    await screen.prompt();
    screen.enter("go");
    await screen.see("│ started");
    screen.type("\x03");
    await screen.see(/Stopped\.\n\n.*\d+ tokens · price unknown.*\n>/);
    screen.enter("%python x");
    await screen.see("│ 7");
    screen.type("\x03");
    await screen.see("Press Ctrl-C again, or Ctrl-D, to leave.");
    screen.type("\x03");
    expect(await screen.ended()).toBe(0);
  });

  test("a printed table that is wider than the screen stays a table; other long lines are broken", async () => {
    using place = new Place({ PAGER: "cat" });
    await using screen = new Terminal(place, ["--model", "x", "--api_base", "http://127.0.0.1:9/v1"], { columns: 60 });
    await screen.prompt();
    screen.enter('%python print("\\n".join("   ".join(f"cell-{row}-{n}" for n in range(12)) for row in range(3)))');
    await screen.see(
      /│ cell-0-0 {3}cell-0-1 .*…\n│ cell-1-0 {3}.*…\n│ cell-2-0 {3}.*…\n {2}… 3 lines are wider than the screen\. Ctrl-O shows it\.\n/,
    );
    screen.type("\x0f");
    await screen.see(/cell-2-11/);
    await screen.prompt();
    screen.enter('%python print("word " * 20)');
    await screen.see(/│ word word .*\n│ (?:ord |rd |d )?word/);
  });

  test("Ctrl-C clears a line that has something on it, and does not leave", async () => {
    using place = new Place();
    await using screen = new Terminal(place, ["--model", "x", "--api_base", "http://127.0.0.1:9/v1"]);
    await screen.prompt();
    for (let times = 0; times < 3; times++) {
      screen.type("some words");
      await screen.see(/> some words$/);
      screen.type("\x03");
      await screen.prompt();
    }
    screen.enter("!echo still here");
    await screen.see("│ still here");
  });

  test("Ctrl-C twice leaves a block that does not listen, and says so", async () => {
    await using model = await scriptedModel([
      run(
        "python",
        "import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nprint('deaf', flush=True)\ntime.sleep(1000)",
      ),
    ]);
    using place = new Place();
    await using screen = new Terminal(place, ["-y", ...use(model.openai)]);
    await screen.prompt();
    screen.enter("go");
    await screen.see("│ deaf");
    screen.type("\x03");
    screen.type("\x03");
    expect(await screen.ended()).toBe(130);
    expect(screen.text()).toContain("Left while something was still running.");
  });

  test("what is typed while code is being written does not stand in the code", async () => {
    await using model = await scriptedModel([
      reply(run("python", "print('one')\nprint('two')\nprint('three')"), { chunk: 2, drip: 25 }),
      "ok",
    ]);
    using place = new Place();
    await using screen = new Terminal(place, use(model.openai));
    await screen.prompt();
    screen.enter("go");
    await screen.see("print('on");
    screen.enter("y");
    await screen.see("Run this?");
    expect(screen.text()).toContain("  print('one')\n  print('two')\n  print('three')\nRun this?");
    screen.enter("n");
    await screen.see("Not run.");
  });

  test("a long line wraps and can be corrected at 40 columns", async () => {
    await using model = await scriptedModel(["ok"]);
    using place = new Place();
    await using screen = new Terminal(place, use(model.openai), { columns: 40 });
    await screen.prompt();
    screen.type("this is a plain line that is long enough to wrap twice on forty columns, yess");
    screen.type("\x7f");
    await screen.see(/yes$/);
    expect(screen.text().match(/> this is a plain/g)).toHaveLength(1);
    screen.enter();
    await screen.see("ok");
    expect(model.requests[0]!.body.messages.at(-1).content).toMatch(/columns, yes$/);
  });

  test("--continue shows what it goes on with, and says that the variables are gone", async () => {
    await using model = await scriptedModel(["The word is plum.", "I said plum."]);
    using place = new Place();
    await place.run([...use(model.openai), "which word?"]);
    await using screen = new Terminal(place, ["--continue", ...use(model.openai)]);
    await screen.see("Going on after 2 messages");
    expect(screen.text()).toContain("> which word?\nThe word is plum.");
    await screen.prompt();
    screen.enter("again?");
    await screen.see("I said plum.");
    expect(model.requests[1]!.text).toContain("The sessions are new");
  });

  test("Ctrl-C stops the model in mid sentence", async () => {
    await using model = await scriptedModel([reply("a very long story that never ends", { chunk: 6, stallAfter: 2 })]);
    using place = new Place();
    await using screen = new Terminal(place, use(model.openai));
    await screen.prompt();
    screen.enter("go");
    await screen.see("a very long");
    screen.type("\x03");
    await screen.see("Stopped.");
  });

  test("what is typed while it works steers the next step", async () => {
    await using model = await scriptedModel([
      run("python", "print('working', flush=True)\nimport time; time.sleep(0.7)"),
      "I heard you.",
    ]);
    using place = new Place();
    await using screen = new Terminal(place, ["-y", ...use(model.openai)]);
    await screen.prompt();
    screen.enter("go");
    await screen.see("│ working");
    screen.enter("make it blue");
    await screen.see("I heard you.");
    expect(model.requests[1]!.body.messages.at(-1)).toEqual({ role: "user", content: "make it blue" });
  });

  test("input() asks at the prompt, and a password is not shown", async () => {
    await using model = await scriptedModel([
      run(
        "python",
        "import getpass\nname = input('name? ')\nword = getpass.getpass('word? ')\nprint(len(name), len(word))",
      ),
      "ok",
    ]);
    using place = new Place();
    await using screen = new Terminal(place, ["-y", ...use(model.openai)]);
    await screen.prompt();
    screen.enter("go");
    await screen.see(/\nname\?$/);
    screen.enter("Ada");
    await screen.see(/\nword\?$/);
    screen.enter("hunter2");
    await screen.see("│ 3 7");
    expect(screen.text()).not.toContain("hunter2");
  });

  test("lines pasted together are one message, and so is a block in triple quotes", async () => {
    await using model = await scriptedModel(["one", "two", "three"]);
    using place = new Place();
    await using screen = new Terminal(place, use(model.openai));
    await screen.prompt();
    screen.type("\x1b[200~first line\rsecond line\x1b[201~");
    await screen.see("> first line\n  second line");
    expect(model.requests).toHaveLength(0);
    screen.enter();
    await screen.see("one");
    screen.enter('"""a');
    screen.enter('b"""');
    await screen.see('> """a\n  b"""\n');
    await screen.see("two");
    screen.enter('"""all in one line"""');
    await screen.see("three");
    const said = model.requests.map(({ body }) => body.messages.at(-1).content);
    expect(said).toEqual(["first line\nsecond line", "a\nb", "all in one line"]);
  });

  test("escape sequences in output and in the model's words do not reach the terminal", async () => {
    await using model = await scriptedModel([
      reply(say("hello \x1b[2Jworld"), run("python", "print('\\x1b]0;owned\\x07a\\x1b[31mb\\x1b[2J')")),
      "ok",
    ]);
    using place = new Place();
    await using screen = new Terminal(place, ["-y", ...use(model.openai)]);
    await screen.prompt();
    screen.enter("go");
    await screen.see(/ok\n\n.*\d+ tokens · price unknown.*\n>/);
    expect(screen.text()).toContain("hello world");
    expect(screen.text()).toContain("│ ab");
    expect(screen.raw).not.toMatch(/\x1b\]0|\x1b\[2J/);
  });

  test("while nothing happens for longer than a second, it shows that it is at work, and takes that back", async () => {
    await using model = await scriptedModel([run("python", "import time; time.sleep(2.2)\nprint('woke')"), "ok"]);
    using place = new Place();
    await using screen = new Terminal(place, ["-y", ...use(model.openai)]);
    await screen.prompt();
    screen.enter("go");
    await screen.see(/\n… [12] s · line 1: import time; time\.sleep\(2\.2\)$/);
    await screen.see(/ok\n\n.*\d+ tokens · price unknown.*\n>$/);
    expect(screen.text()).not.toContain("… 1 s");
    expect(screen.text()).toContain("  print('woke')\n│ woke\n");
  });

  test("Tab completes names of the live session, and commands", async () => {
    using place = new Place();
    await using screen = new Terminal(place, ["--model", "x", "--api_base", "http://127.0.0.1:9/v1"]);
    await screen.prompt();
    screen.enter("%python remarkable_name = [3, 4]");
    await screen.see(/\[3, 4\]\n\n>$/);
    screen.type("%python remark\t");
    await screen.see(/> %python remarkable_name$/);
    screen.type(".cou\t");
    await screen.see(/> %python remarkable_name\.count/);
    screen.type("\x15%sess\t");
    await screen.see(/> %sessions$/);
  });

  test("works at 40 columns", async () => {
    await using model = await scriptedModel([
      reply(
        say("A sentence that is longer than forty columns are wide."),
        run("python", "print('a line of output that is also longer than forty')"),
      ),
      "ok",
    ]);
    using place = new Place();
    await using screen = new Terminal(place, ["-y", ...use(model.openai)], { columns: 40 });
    await screen.prompt();
    screen.enter("go");
    await screen.see(/ok\n\n.*\d+ tokens · price unknown.*\n>/);
    expect(screen.text()).toContain("python\n  print(");
  });

  test("a picture is drawn in the terminal and saved", async () => {
    await using model = await scriptedModel([
      run("python", "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()"),
      "ok",
    ]);
    using place = new Place();
    await using screen = new Terminal(place, ["-y", ...use(model.openai)]);
    await screen.prompt();
    screen.enter("go");
    await screen.see(/picture, \d+ × \d+: /);
    expect(screen.text()).toContain("▀▀▀");
  });
});

describe("without a key and without a server", () => {
  test("the start screen says so, what to do, and the sessions work", async () => {
    using place = new Place();
    await using screen = new Terminal(place, []);
    await screen.see("No model is set up");
    await screen.see("OPENAI_API_KEY");
    await screen.see("interpreter tour");
    screen.enter("!echo $((6 * 7))");
    await screen.see("│ 42");
    screen.enter("%python 2 ** 70");
    await screen.see("│ 1180591620717411303424");
    screen.enter("%js [1, 2].map((x) => x * 2)");
    await screen.see("│ [ 2, 4 ]");
    screen.enter("%sql SELECT 40 + 2 AS answer");
    screen.enter("%python");
    await screen.see(/│ +answer\n(?:│ INTEGER\n)?│ +42\n\n> %python\n/);
    await screen.see("python>");
    screen.enter("y = 5");
    await screen.see(/python> y = 5\n\npython>$/);
    screen.enter("y + 1");
    await screen.see("│ 6");
    screen.enter("%chat");
    await screen.prompt();
    screen.enter("hello");
    await screen.see(/✗ No model is set up/);
    screen.type("\x04");
    expect(await screen.ended()).toBe(0);
  });
});

describe("one shot in a terminal", () => {
  test("asks also when something was piped in", async () => {
    await using model = await scriptedModel([run("python", "print('ran')"), "Done."]);
    using place = new Place();
    const command = `printf 'a,b\\n1,2\\n' | "${process.execPath}" "${bin}" --model x --api_base ${model.openai} sum it`;
    await using screen = new Terminal(place, ["-c", command], { program: "/bin/sh" });
    await screen.see("Run this?");
    screen.enter("y");
    await screen.see("│ ran");
    expect(await screen.ended()).toBe(0);
    expect(model.requests[0]!.body.messages.at(-1).content).toContain("a,b\n1,2");
  });

  test("asks before it runs", async () => {
    await using model = await scriptedModel([run("python", "print('ran')"), "Done."]);
    using place = new Place();
    await using screen = new Terminal(place, [...use(model.openai), "do it"]);
    await screen.see("Run this?");
    screen.enter("y");
    await screen.see("│ ran");
    await screen.see("Done.");
    expect(await screen.ended()).toBe(0);
  });
});
