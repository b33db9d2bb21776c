// Blocks that take too much are ended with all that they started, and it is said why; the session after them works.

import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { Interpreter, type InterpreterOptions } from "../../src/interpreter/index.ts";
import { everyProcess } from "../../src/machine/session-members.ts";
import { lastingFolder } from "../support/lasting-folder.ts";
import { python as anyPython, whyNoLayer } from "../support/protected-folder.ts";

const why = whyNoLayer();
const limited = test.skipIf(why);
const megabyte = 1_000_000;
let closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

interface Limited {
  folder: string;
  run(language: string, code: string): Promise<string>;
}

function open(options: InterpreterOptions): Limited {
  const folder = lastingFolder("limits-");
  mkdirSync(join(folder, "work"));
  const env = { ...process.env, HOME: folder, INTERPRETER_HOME: join(folder, ".home") };
  const interpreter = new Interpreter({
    cwd: join(folder, "work"),
    sandbox: "workspace",
    conversation: true,
    autoRun: true,
    env,
    python: anyPython,
    ...options,
  });
  closing.push(async () => {
    await interpreter.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder: join(folder, "work"),
    async run(language, code) {
      const messages = await interpreter.computer.run(language, code);
      return messages.map(({ content }) => String(content)).join("\n");
    },
  };
}

limited(`a memory bomb (${why || "in a sandbox"})`, async () => {
  const { run } = open({ maxMemory: 300 * megabyte });
  expect(await run("python", "a = []\nwhile True: a.append(bytearray(5_000_000))")).toContain(
    "had more than 300 MB in memory (max_memory), so it was ended with all that it had started",
  );
  expect(await run("python", "print(6 * 7)")).toContain("42");
});

limited("a memory bomb in many processes, each below the limit", async () => {
  const { run } = open({ maxMemory: 400 * megabyte });
  const code = `
import os, time
for n in range(8):
    if os.fork() == 0:
        os.setsid()
        kept = bytearray(os.urandom(1) * 80_000_000); time.sleep(60); os._exit(0)
time.sleep(60)`;
  expect(await run("python", code)).toContain("had more than 400 MB in memory");
});

limited("memory that copies of a process share counts once", async () => {
  const { run } = open({ maxMemory: 600 * megabyte });
  const code = `
import os, time
kept = bytearray(b'x' * 200_000_000)
for n in range(6):
    if os.fork() == 0: time.sleep(2.5); os._exit(0)
time.sleep(2.5); print('all of them')`;
  expect(await run("python", code)).toContain("all of them");
});

limited("a fork bomb whose processes all leave the group", async () => {
  const { run } = open({});
  const mark = `bomb-${process.pid}`;
  const code = `
import os, time
for n in range(1_400):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0: time.sleep(60)
        os._exit(0)
    os.waitpid(-1, 0)
time.sleep(60) # ${mark}`;
  const before = everyProcess().length;
  expect(await run("python", code)).toContain(
    "started more than 1000 processes, so it was ended with all that it had started",
  );
  await expect.poll(() => everyProcess().length - before).toBeLessThan(500);
  expect(await run("python", "print(6 * 7)")).toContain("42");
});

limited("a loop that never ends", async () => {
  const { run } = open({ maxCpu: 1 });
  expect(await run("shell", "echo begun; while :; do :; done")).toMatch(
    /begun[\s\S]*took more than 1 s of processor time \(max_cpu\), so it was ended/,
  );
  expect(await run("shell", "echo $((6 * 7))")).toContain("42");
});

limited.each([
  ["that it waits for", "( for ((i = 0; i < 50000; i++)); do :; done )"],
  ["that nobody waits for", "( ( for ((i = 0; i < 50000; i++)); do :; done ) & ); sleep 0.2"],
])("time is taken by many short processes %s", async (_name, burning) => {
  const { run } = open({ maxCpu: 1 });
  expect(await run("shell", `while :; do ${burning}; done`)).toContain("took more than 1 s of processor time");
});

limited("waiting takes no processor time", async () => {
  const { run } = open({ maxCpu: 1 });
  expect(await run("shell", "sleep 2; echo rested")).toContain("rested");
});

limited("a disk that is filled", async () => {
  const { run, folder } = open({ maxDisk: 100 * megabyte });
  expect(await run("shell", "while :; do head -c 10000000 /dev/urandom >> big; done")).toContain(
    "filled the disk by more than 100 MB (max_disk), so it was ended",
  );
  expect(await run("shell", "rm -f big; echo $((6 * 7))")).toContain("42");
  expect(existsSync(join(folder, "big"))).toBe(false);
});

limited("as many open files as there can be", async () => {
  const { run } = open({});
  const code =
    "import os\nkept = []\ntry:\n    while True: kept.append(os.open('/dev/null', 0))\nexcept OSError as e: print(e.strerror)";
  expect(await run("python", code)).toContain("Too many open files");
  expect(await run("python", "[os.close(f) for f in kept]; print(6 * 7)")).toContain("42");
});
