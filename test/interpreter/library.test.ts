import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { foldChunks, Interpreter, type Model } from "../../src/index.ts";
import { brief, startInterpreter } from "../support/interpreter.ts";
import { reply, run } from "../support/scripted-model.ts";
import { isRunning, testPython, until } from "../support/session.ts";

test("chat returns the messages the turn added", async () => {
  await using it = await startInterpreter([run("python", "print('hi')"), "Said hi."]);
  const messages = await it.interpreter.chat("say hi");
  expect(messages.map(brief)).toEqual([
    "assistant code python: print('hi')",
    "computer console: hi",
    "assistant message: Said hi.",
  ]);
});

test("chat as a stream gives the same, chunk by chunk", async () => {
  await using it = await startInterpreter([run("python", "print('hi')"), "Said hi."]);
  const chunks = await Array.fromAsync(it.interpreter.chat("say hi", { stream: true }));
  expect(foldChunks(chunks).map(brief)).toEqual([
    "assistant code python: print('hi')",
    "computer console: hi",
    "assistant message: Said hi.",
  ]);
});

test("a list of messages replaces the conversation; a message that is none is refused and changes nothing", async () => {
  await using it = await startInterpreter(["ok"]);
  await it.interpreter.chat([
    { role: "user", type: "message", content: "the word is plum" },
    { role: "assistant", type: "message", content: "noted" },
    { role: "user", type: "message", content: "which word?" },
  ]);
  expect(it.model.requests[0]!.body.messages).toHaveLength(4);
  const before = [...it.interpreter.messages];
  await expect(it.interpreter.chat([{ role: "robot" } as never])).rejects.toThrow(/Message 1 is not valid/);
  expect(it.interpreter.messages).toEqual(before);
});

test("computer.run runs code without a model, in a session that stays", async () => {
  await using interpreter = new Interpreter({ python: testPython });
  await interpreter.computer.run("python", "x = 20");
  const messages = await interpreter.computer.run("python", "x + 1");
  expect(messages.map(brief)).toEqual(["computer console: 21"]);
  expect(interpreter.messages).toEqual([]);
  await expect(interpreter.computer.run("klingon", "1")).rejects.toThrow(/no language "klingon"/);
});

test("several interpreters are independent of each other", async () => {
  await using one = await startInterpreter([run("python", "x = 'one'"), "ok"]);
  await using two = await startInterpreter([run("python", "'x' in dir()"), "ok"]);
  await Promise.all([one.tell("go"), two.tell("go")]);
  expect(two.interpreter.messages.map(({ content }) => content)).toContain("False\n");
  expect(one.interpreter.messages).not.toEqual(two.interpreter.messages);
});

test("a model of one's own is any object that streams", async () => {
  const model: Model = {
    id: "mine",
    dialect: "tool",
    async *stream({ messages }) {
      yield { type: "text-delta", text: `You said ${messages.at(-1)!.content}.` };
      yield { type: "finish", reason: "stop" };
    },
  };
  await using interpreter = new Interpreter({ model });
  expect((await interpreter.chat("boo")).map(brief)).toEqual(["assistant message: You said boo."]);
});

test("a turn that fails is an error for those who wait for its messages", async () => {
  await using it = await startInterpreter([reply({ status: 401, body: { error: { message: "no" } } })]);
  await expect(it.interpreter.chat("hi")).rejects.toMatchObject({
    name: "TurnFailed",
    code: "authentication",
    hint: expect.stringMatching(/./),
  });
});

test("an option that does not exist is refused", () => {
  expect(() => new Interpreter({ modle: "x" } as never)).toThrow(/no option "modle". Did you mean model\?/);
});

test("two turns at once are refused", async () => {
  await using it = await startInterpreter(["ok"]);
  const first = it.interpreter.chat("one");
  await expect(it.interpreter.chat("two")).rejects.toThrow(/already running/);
  await first;
});

test("reset forgets the conversation and ends the sessions", async () => {
  await using it = await startInterpreter([run("python", "x = 1"), "ok", run("python", "'x' in dir()"), "ok"]);
  await it.tell("go");
  await it.interpreter.reset();
  expect(it.interpreter.messages).toEqual([]);
  await it.tell("go");
  expect(it.interpreter.messages.map(({ content }) => content)).toContain("False\n");
});

test("code a person runs is in the conversation, and the model is told", async () => {
  await using it = await startInterpreter(["I saw it."]);
  await Array.fromAsync(it.interpreter.runForUser("python", "secret = 'plum'\nprint(secret)"));
  await it.tell("what did I run?");
  expect(it.model.requests[0]!.text).toContain("plum");
});

describe("nothing is left behind", () => {
  test("by close()", async () => {
    const it = await startInterpreter([]);
    const pids: number[] = [];
    for (const [language, code] of [
      ["python", "import os, subprocess\n[os.getpid(), subprocess.Popen(['sleep', '1000']).pid]"],
      ["javascript", "[process.pid]"],
    ] as const) {
      const [message] = await it.interpreter.computer.run(language, code);
      pids.push(...(JSON.parse(message!.content) as number[]));
    }
    const [shell] = await it.interpreter.computer.run("shell", "sleep 1000 & echo $$ $!");
    pids.push(...shell!.content.trim().split(" ").map(Number));
    expect(pids).toHaveLength(5);
    expect(pids.every(isRunning)).toBe(true);
    await it[Symbol.asyncDispose]();
    await until(() => !pids.some(isRunning));
  });

  test("by a program that is killed", async () => {
    const folder = mkdtempSync(join(tmpdir(), "killed-test-"));
    const library = join(import.meta.dirname, "../../dist/index.js");
    const script = join(folder, "program.mjs");
    writeFileSync(
      script,
      `import { Interpreter } from ${JSON.stringify(library)};
       const interpreter = new Interpreter({ python: ${JSON.stringify(testPython)} });
       const pids = [];
       for (const [language, code] of [["python", "import os; os.getpid()"], ["javascript", "process.pid"], ["shell", "echo $$"]]) {
         pids.push(Number((await interpreter.computer.run(language, code))[0].content));
       }
       interpreter.computer.run("python", "while True: pass");
       interpreter.computer.run("javascript", "while (true);");
       interpreter.computer.run("shell", "sleep 1000");
       setTimeout(() => console.log(JSON.stringify(pids)), 300);`,
    );
    const program = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
    const pids = await new Promise<number[]>((resolve) =>
      program.stdout.once("data", (text) => resolve(JSON.parse(String(text)))),
    );
    expect(pids.every(isRunning)).toBe(true);
    program.kill("SIGKILL");
    await until(() => !pids.some(isRunning));
    rmSync(folder, { recursive: true, force: true });
  });

  test("in the temporary folder", async () => {
    const own = mkdtempSync(join(tmpdir(), "own-temp-"));
    const library = join(import.meta.dirname, "../../dist/index.js");
    execFileSync(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        `import { Interpreter } from ${JSON.stringify(library)};
        await using interpreter = new Interpreter({ python: ${JSON.stringify(testPython)} });
        await interpreter.computer.run("shell", "seq 100000");
        await interpreter.computer.run("python", "print('x' * 100000)");
        await interpreter.computer.run("javascript", "1");`,
      ],
      { env: { ...process.env, TMPDIR: own } },
    );
    expect(readdirSync(own)).toEqual([]);
    rmSync(own, { recursive: true });
  });
});
