import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Decision } from "../../src/agent/index.ts";
import type { Chunk } from "../../src/messages/index.ts";
import { brief, startInterpreter } from "../support/interpreter.ts";
import { call, reply, run, say } from "../support/scripted-model.ts";

describe("the loop", () => {
  test("the model writes code, the code runs, the model sees the result and says when it is done", async () => {
    await using it = await startInterpreter([reply(say("I will add."), run("python", "print(1 + 1)")), "It is 2."]);
    const { end } = await it.tell("add one and one");
    expect(end).toBe("done");
    expect(it.interpreter.messages.map(brief)).toEqual([
      "user message: add one and one",
      "assistant message: I will add.",
      "assistant code python: print(1 + 1)",
      "computer console: 2",
      "assistant message: It is 2.",
    ]);
    const sent = it.model.requests[1]!.body.messages;
    expect(sent.at(-1)).toMatchObject({ role: "tool", content: expect.stringContaining("2") });
  });

  test("sessions live on through the conversation, and languages mix", async () => {
    await using it = await startInterpreter([
      run("python", "open('n.txt', 'w').write('41')\nx = 5"),
      run("shell", "export DOUBLE=$(($(cat n.txt) + 1))"),
      run("shell", "echo $DOUBLE"),
      run("python", "x"),
      "Done.",
    ]);
    await it.tell("go");
    const outputs = it.interpreter.messages
      .filter(({ type }) => type === "console")
      .map(({ content }) => content.trim());
    expect(outputs).toEqual(["", "", "42", "5"]);
  });

  test("several calls in one reply run in order, each followed by its own output", async () => {
    await using it = await startInterpreter([
      reply(run("python", "print('one')"), run("python", "print('two')")),
      "Both.",
    ]);
    await it.tell("go");
    expect(it.interpreter.messages.slice(1).map(brief)).toEqual([
      "assistant code python: print('one')",
      "computer console: one",
      "assistant code python: print('two')",
      "computer console: two",
      "assistant message: Both.",
    ]);
    const sent = it.model.requests[1]!.body.messages;
    const calls = sent.flatMap((message: { tool_calls?: { id: string }[] }) => message.tool_calls ?? []);
    const results = sent.filter((message: { role: string }) => message.role === "tool");
    expect(results.map((result: { tool_call_id: string }) => result.tool_call_id)).toEqual(
      calls.map((each: { id: string }) => each.id),
    );
  });

  test("an error goes back to the model, which corrects itself", async () => {
    await using it = await startInterpreter([run("python", "1/0"), run("python", "print('fixed')"), "Fixed."]);
    const { end } = await it.tell("go");
    expect(end).toBe("done");
    expect(it.model.requests[1]!.text).toContain("ZeroDivisionError");
  });

  test("code is streamed as it is written and output as it is produced", async () => {
    await using it = await startInterpreter([reply(run("python", "print('a')\nprint('b')"), { chunk: 3 }), "ok"]);
    const { chunks } = await it.tell("go");
    expect(chunks.filter(({ type, content }) => type === "code" && content).length).toBeGreaterThan(3);
    const lines = chunks.filter(({ format }) => format === "active_line").map(({ content }) => content);
    expect(lines[0]).toBe(1);
    expect(lines.at(-1)).toBeNull();
  });

  test("the same with fenced markdown, for models without tools", async () => {
    await using it = await startInterpreter(["Adding.\n```python\nprint(1 + 1)\n```\nThat is all.", "It is 2."], {
      llmSupportsFunctions: false,
    });
    await it.tell("add");
    expect(it.interpreter.messages.slice(1).map(brief)).toEqual([
      "assistant message: Adding.",
      "assistant code python: print(1 + 1)",
      "computer console: 2",
      "assistant message: That is all.",
      "assistant message: It is 2.",
    ]);
    expect(it.model.requests[0]!.body.tools).toBeUndefined();
    expect(it.model.requests[1]!.text).toContain("print(1 + 1)");
  });

  test("usage is counted", async () => {
    await using it = await startInterpreter([reply("hello", { usage: { input: 100, output: 5, cached: 60 } })]);
    const { chunks } = await it.tell("hi");
    expect(chunks.find(({ type }) => type === "usage")?.content).toMatchObject({
      inputTokens: 100,
      outputTokens: 5,
      cachedInputTokens: 60,
    });
  });
});

describe("approval", () => {
  const deciding = (...decisions: Decision[]) => {
    const asked: string[] = [];
    return {
      asked,
      approve: async ({ code }: { code: string }): Promise<Decision> => {
        asked.push(code);
        return decisions.shift() ?? { type: "refuse" };
      },
    };
  };

  test("each block waits for the person", async () => {
    const { asked, approve } = deciding({ type: "run" }, { type: "run" });
    await using it = await startInterpreter([run("python", "1"), run("python", "2"), "ok"], {
      autoRun: false,
      approve,
    });
    const { chunks } = await it.tell("go");
    expect(asked).toEqual(["1", "2"]);
    const confirmation = chunks.find(({ type }) => type === "confirmation");
    expect(confirmation).toMatchObject({
      role: "computer",
      format: "execution",
      content: { type: "code", format: "python", content: "1" },
    });
  });

  test("a refusal ends the turn, runs nothing, and the model is told", async () => {
    const { approve } = deciding({ type: "refuse" });
    await using it = await startInterpreter([run("python", "open('made', 'w')"), "I see."], {
      autoRun: false,
      approve,
    });
    expect((await it.tell("go")).end).toBe("refused");
    expect(() => readFileSync(`${it.folder}/made`)).toThrow();
    await it.tell("why?");
    expect(it.model.requests[1]!.text).toContain("declined");
  });

  test("a refusal with words goes on with those words", async () => {
    const { approve } = deciding({ type: "refuse", words: "use two instead" });
    await using it = await startInterpreter([run("python", "1"), "Two it is."], { autoRun: false, approve });
    expect((await it.tell("go")).end).toBe("done");
    expect(it.model.requests[1]!.body.messages.at(-1)).toMatchObject({ role: "user", content: "use two instead" });
  });

  test("an edited block is what runs, and the model is told what ran", async () => {
    const { approve } = deciding({ type: "edit", code: "print('mine')" });
    await using it = await startInterpreter([run("python", "print('its')"), "ok"], { autoRun: false, approve });
    await it.tell("go");
    const outputs = it.interpreter.messages.filter(({ type }) => type === "console").map(({ content }) => content);
    expect(outputs.at(-1)).toBe("mine\n");
    expect(outputs.join("")).not.toContain("its\n");
    expect(it.model.requests[1]!.text).toContain("print('mine')");
  });

  test("always asks no more in this conversation", async () => {
    const { asked, approve } = deciding({ type: "always" });
    await using it = await startInterpreter([run("python", "1"), run("python", "2"), "ok"], {
      autoRun: false,
      approve,
    });
    await it.tell("go");
    expect(asked).toEqual(["1"]);
  });

  test("without anybody to ask nothing runs", async () => {
    await using it = await startInterpreter([run("python", "open('made', 'w')")], { autoRun: false });
    const { end, notices } = await it.tell("go");
    expect(end).toBe("nobody");
    expect(notices[0]).toMatchObject({ type: "error", code: "approval", hint: expect.stringContaining("-y") });
    expect(() => readFileSync(`${it.folder}/made`)).toThrow();
  });

  test("after a refusal the other blocks of the same reply do not run", async () => {
    const { asked, approve } = deciding({ type: "refuse" });
    await using it = await startInterpreter([reply(run("python", "1"), run("python", "2"))], {
      autoRun: false,
      approve,
    });
    await it.tell("go");
    expect(asked).toEqual(["1"]);
    expect(it.interpreter.messages.at(-1)).toMatchObject({ type: "console", status: "not-run" });
  });
});

describe("it cannot loop for ever", () => {
  test("a limit on steps stops the turn and says so", async () => {
    await using it = await startInterpreter((_, index) => run("python", String(index)), { maxSteps: 3 });
    const { end, notices } = await it.tell("go");
    expect(end).toBe("limit");
    expect(notices.at(-1)).toMatchObject({ code: "step-limit", content: expect.stringContaining("3 steps") });
    expect(it.interpreter.messages.filter(({ status }) => status === "ok")).toHaveLength(3);
  });

  test("the same block failing the same way is noticed, then stopped", async () => {
    await using it = await startInterpreter(() => run("python", "import time\nraise ValueError(object())"));
    const { end, notices } = await it.tell("go");
    expect(end).toBe("limit");
    expect(notices.at(-1)).toMatchObject({ code: "loop" });
    expect(it.model.requests).toHaveLength(3);
    expect(it.model.requests[2]!.text).toContain("ended exactly as it did before");
  });

  test("an unsupported language is said to the model, and not for ever", async () => {
    await using it = await startInterpreter(() => run("cobol", "DISPLAY 'HI'."));
    expect((await it.tell("go")).end).toBe("limit");
    expect(it.model.requests[1]!.text).toContain("`cobol` is not a language that runs here");
    expect(it.model.requests.length).toBeLessThan(4);
  });

  test("an empty reply is asked again once, then is an error", async () => {
    await using it = await startInterpreter(() => reply());
    const { end, notices } = await it.tell("go");
    expect(end).toBe("failed");
    expect(notices.at(-1)).toMatchObject({ code: "empty-reply" });
    expect(it.model.requests).toHaveLength(2);
  });

  test("an empty block is said to the model", async () => {
    await using it = await startInterpreter([run("python", "  \n"), "Sorry."]);
    expect((await it.tell("go")).end).toBe("done");
    expect(it.model.requests[1]!.text).toContain("the block was empty");
  });
});

describe("steering", () => {
  test("words said while it works reach the next step", async () => {
    await using it = await startInterpreter([run("python", "print('first')"), "Heard you."]);
    const { end } = await it.tell("go", (chunk) => {
      if (chunk.type === "console" && chunk.format === "output") it.interpreter.say("make it blue");
    });
    expect(end).toBe("done");
    expect(it.model.requests[1]!.body.messages.at(-1)).toMatchObject({ role: "user", content: "make it blue" });
  });

  test("words said during the last reply are answered too", async () => {
    await using it = await startInterpreter(["All done.", "Blue it is."]);
    const { end } = await it.tell("go", (chunk: Chunk) => {
      if (chunk.type === "message" && chunk.role === "assistant" && chunk.content === "All done.")
        it.interpreter.say("make it blue");
    });
    expect(end).toBe("done");
    expect(it.model.requests).toHaveLength(2);
  });
});

describe("interrupting", () => {
  test("stops the running block, keeps its state, ends the turn", async () => {
    await using it = await startInterpreter([
      run("python", "x = 9\nprint('go', flush=True)\nimport time; time.sleep(1000)"),
      run("python", "x"),
      "ok",
    ]);
    const { end } = await it.tell("go", (chunk) => {
      if (chunk.format === "output" && String(chunk.content).includes("go")) it.interpreter.interrupt();
    });
    expect(end).toBe("interrupted");
    expect(it.interpreter.messages.at(-1)).toMatchObject({ type: "console", status: "interrupted" });
    await it.tell("again");
    expect(it.interpreter.messages.find(({ content }) => content.trim() === "9")).toBeDefined();
  });

  test("stops the model in mid sentence and keeps what it said", async () => {
    await using it = await startInterpreter([reply("a long sentence that never ends", { stallAfter: 1 }), "ok"]);
    const { end } = await it.tell("go", (chunk) => {
      if (chunk.type === "message" && chunk.content) it.interpreter.interrupt();
    });
    expect(end).toBe("interrupted");
    expect(it.interpreter.messages.at(-1)).toMatchObject({
      role: "assistant",
      incomplete: true,
      content: expect.stringMatching(/^a long/),
    });
    expect(await it.model.requests[0]!.disconnected).toBe(true);
    expect((await it.tell("go on")).end).toBe("done");
  });

  test("stops a stalled reply before its first word", async () => {
    await using it = await startInterpreter([reply("x", { stallAfter: 0 })]);
    const turn = it.tell("go");
    while (it.model.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    it.interpreter.interrupt();
    expect((await turn).end).toBe("interrupted");
  });

  test("a question is given up", async () => {
    await using it = await startInterpreter([run("python", "1")], {
      autoRun: false,
      approve: (_, signal) => {
        queueMicrotask(() => it.interpreter.interrupt());
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve({ type: "refuse" })));
      },
    });
    expect((await it.tell("go")).end).toBe("interrupted");
  });

  test("leaving the stream stops the code", async () => {
    await using it = await startInterpreter([
      run("python", "import time\nfor i in range(1000):\n    print(i, flush=True)\n    time.sleep(0.05)"),
      "ok",
    ]);
    for await (const chunk of it.interpreter.chat("go", { stream: true })) {
      if (chunk.format === "output") break;
    }
    expect(it.interpreter.messages.at(-1)).toMatchObject({ type: "console", incomplete: true });
    await it.tell("next");
  });
});

describe("a reply that breaks off", () => {
  test("in the middle of a block: the half block is never run, and the model is asked for the whole", async () => {
    await using it = await startInterpreter([
      reply(run("python", "open('made', 'w').write('x')\nprint('done')"), { cutAfter: 3 }),
      run("python", "print('whole')"),
      "ok",
    ]);
    const { end, notices } = await it.tell("go");
    expect(end).toBe("done");
    expect(notices[0]).toMatchObject({ type: "notice", code: "cut-off" });
    expect(() => readFileSync(`${it.folder}/made`)).toThrow();
    expect(it.model.requests[1]!.text).toContain("cut off before this block was complete");
  });

  test("in the middle of a sentence: nothing shown is repeated", async () => {
    await using it = await startInterpreter([
      reply("one two three four five six seven", { chunk: 4, cutAfter: 4 }),
      " and the rest.",
    ]);
    const { chunks } = await it.tell("go");
    const text = chunks
      .filter(({ type, role, content }) => type === "message" && role === "assistant" && content)
      .map(({ content }) => content)
      .join("");
    expect(text).toMatch(/^one two.* and the rest\.$/);
    expect(text.match(/one/g)).toHaveLength(1);
  });

  test("again and again: it ends with a clear error", async () => {
    await using it = await startInterpreter(() => reply("half a sentence that breaks", { cutAfter: 1 }));
    const { end, notices } = await it.tell("go");
    expect(end).toBe("failed");
    expect(notices.at(-1)).toMatchObject({ type: "error", code: "cut-off", hint: expect.any(String) });
    expect(it.model.requests).toHaveLength(3);
  });

  test("a provider's error is a clear event and the conversation goes on afterwards", async () => {
    await using it = await startInterpreter([
      reply({ status: 401, body: { error: { message: "bad key" } } }),
      "Hello.",
    ]);
    const { end, notices } = await it.tell("hi");
    expect(end).toBe("failed");
    expect(notices[0]).toMatchObject({ type: "error", code: "authentication" });
    expect((await it.tell("hi again")).end).toBe("done");
  });
});

describe("output", () => {
  test("what the model sees of long output is bounded, and the whole is in a file it is told", async () => {
    await using it = await startInterpreter([run("python", "for i in range(100000): print('line', i)"), "ok"], {
      maxOutput: 1000,
    });
    const { chunks } = await it.tell("go");
    const shown = chunks
      .filter(({ format }) => format === "output")
      .map(({ content }) => content)
      .join("");
    const message = it.interpreter.messages.find(({ type }) => type === "console")!;
    expect(message.content.length).toBeLessThan(1300);
    expect(message.content).toMatch(/^line 0\n[\s\S]*line 99999\n$/);
    expect(it.model.requests[1]!.text).toContain(message.outputFile);
    expect(readFileSync(message.outputFile!, "utf8")).toBe(shown);
  });

  test("a session that ends is explained, and the next block is told that its state is gone", async () => {
    await using it = await startInterpreter([
      run("python", "x = 1\nimport os; os._exit(7)"),
      run("python", "'x' in dir()"),
      "ok",
    ]);
    await it.tell("go");
    const outputs = it.interpreter.messages.filter(({ type }) => type === "console");
    expect(outputs[0]).toMatchObject({ status: "exited", exitCode: 7, content: expect.stringContaining("status 7") });
    expect(outputs[1]!.content).toMatch(/New python session: .*gone[\s\S]*False/);
  });

  test("a time limit interrupts a block and says so", async () => {
    await using it = await startInterpreter([run("python", "import time; time.sleep(1000)"), "ok"], { timeLimit: 0.3 });
    await it.tell("go");
    expect(it.interpreter.messages.find(({ type }) => type === "console")).toMatchObject({
      status: "timeout",
      content: expect.stringContaining("time limit of 0.3 s"),
    });
  });

  test("a picture is a message of its own, and a table carries its HTML", async () => {
    await using it = await startInterpreter([
      run("python", "import matplotlib.pyplot as plt\nprint('before')\nplt.plot([1])\nplt.show()\nprint('after')"),
      run("python", "import pandas as pd\npd.DataFrame({'a': [1]})"),
      "ok",
    ]);
    await it.tell("go");
    const kinds = it.interpreter.messages
      .filter(({ role }) => role === "computer")
      .map(({ type, format }) => `${type} ${format}`);
    expect(kinds).toEqual(["console output", "image base64.png", "console output", "console output"]);
    expect(it.interpreter.messages.at(-2)!.bundle!["text/html"]).toContain("<table");
  });

  test("input() asks the person through the interpreter", async () => {
    await using it = await startInterpreter([run("python", "print('hello', input('name? '))"), "ok"], {
      ask: async (prompt) => (prompt === "name? " ? "Ada" : null),
    });
    await it.tell("go");
    expect(it.interpreter.messages.find(({ type }) => type === "console")!.content).toBe("name? Ada\nhello Ada\n");
  });
});

describe("malformed replies that the original repairs", () => {
  test.each([
    ["a leading backtick line", call("execute", JSON.stringify({ language: "python", code: "`\nprint(22)" }))],
    [
      "a functions.execute wrapper",
      call(
        "execute",
        JSON.stringify({ language: "python", code: 'functions.execute({"language": "python", "code": "print(22)"})' }),
      ),
    ],
    [
      "trailing executeexecute",
      call("execute", JSON.stringify({ language: "python", code: "print(22)\nexecuteexecute" })),
    ],
    [
      "JSON as code",
      call("execute", JSON.stringify({ language: "python", code: '{"language": "python", "code": "print(22)"}' })),
    ],
    [
      "unquoted keys as code",
      call("execute", JSON.stringify({ language: "python", code: '{language: "python", code: "print(22)"}' })),
    ],
    ["a tool called python", call("python", "print(22)")],
    ["a tool called functions", call("functions", "print(22)")],
  ])("%s still runs", async (_, piece) => {
    await using it = await startInterpreter([reply(piece), "ok"]);
    expect((await it.tell("go")).end).toBe("done");
    expect(it.interpreter.messages.find(({ type }) => type === "console")?.content).toBe("22\n");
  });

  test("text sent as code in the language text is only said", async () => {
    await using it = await startInterpreter([
      call("execute", JSON.stringify({ language: "text", code: "just words" })),
      "ok",
    ]);
    const { chunks } = await it.tell("go");
    expect(chunks.some(({ type }) => type === "console")).toBe(false);
    expect(it.interpreter.messages[1]).toMatchObject({ role: "assistant", type: "message", content: "just words" });
  });
});

test("the first request is small: system message and tool within 4 000 bytes", async () => {
  await using it = await startInterpreter(["hi"]);
  await it.tell("hello");
  expect(it.model.requests[0]!.text.length).toBeLessThan(4_000);
});

test("the beginning of every request is the same bytes, so that providers can cache it", async () => {
  await using it = await startInterpreter([run("python", "1"), run("python", "2"), "ok"]);
  await it.tell("go");
  const sent = it.model.requests.map(({ body }) => JSON.stringify(body.messages).slice(0, -1));
  expect(sent[1]!.startsWith(sent[0]!)).toBe(true);
  expect(sent[2]!.startsWith(sent[1]!)).toBe(true);
});
