// `computer` inside sessions: calls that leave a real process over the driver's channel and come back.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { javascript } from "../../src/languages/javascript/index.ts";
import type { Language } from "../../src/languages/language.ts";
import { python } from "../../src/languages/python/index.ts";
import { type TestComputer, testComputer } from "../support/computer.ts";
import { startSession, type TestSession, until } from "../support/session.ts";

interface Bridged extends TestSession {
  computer: TestComputer;
}

async function bridged(language: Language): Promise<Bridged> {
  const computer = testComputer();
  return Object.assign(await startSession(language, [], process.env, { onCall: computer.onCall }), { computer });
}

describe("in Python", () => {
  test("values go there and come back as they were", async () => {
    await using session = await bridged(python);
    const { displayed, error } = await session.run(
      "import pathlib\n[computer.test.echo(each) for each in (1, 2.5, 'héllo 🐍', None, True, [1, [2]], {'a': {'b': None}}, pathlib.Path('x'))]",
    );
    expect(error).toBeUndefined();
    const shown = displayed[0]!.replaceAll(/\s+/g, " ");
    expect(shown).toBe("[1, 2.5, 'héllo 🐍', None, True, [1, [2]], {'a': {'b': None}}, 'x']");
  });

  test("text that comes back is text, and is shown as it reads", async () => {
    await using session = await bridged(python);
    const { displayed, stdout } = await session.run(
      "t = computer.test.echo('a\\nb')\nprint(isinstance(t, str), t == 'a\\nb', t.upper().__class__ is str)\nt",
    );
    expect(stdout).toBe("True True True\n");
    expect(displayed).toEqual(["a\nb"]);
  });

  test("arguments go by name, too, and wrong ones are explained", async () => {
    await using session = await bridged(python);
    const { displayed } = await session.run(
      "def why(f):\n    try: return f()\n    except TypeError as e: return str(e)\nprint(computer.test.echo(value=3))\n'|'.join([why(lambda: computer.test.echo()), why(lambda: computer.test.echo(1, 2)), why(lambda: computer.test.echo(x=1)), why(lambda: computer.test.large('9')), why(lambda: computer.test.echo(object()))])",
    );
    expect(displayed[0]!.slice(1, -1).split("|")).toEqual([
      "computer.test.echo needs value.",
      "computer.test.echo takes value; 2 were passed.",
      "computer.test.echo has no parameter x; it takes value.",
      "computer.test.large wants a number for size, not text.",
      "computer takes text, numbers, lists and dictionaries, not object",
    ]);
  });

  test("a failure is an exception at the line that called, by Python's own name where there is one", async () => {
    await using session = await bridged(python);
    const missing = await session.run("x = 1\ncomputer.files.read('missing.txt')");
    expect(missing.error).toMatchObject({
      name: "FileNotFoundError",
      message: `missing.txt (in ${session.folder}) does not exist.`,
    });
    expect(missing.error!.traceback).toContain("line 2, in <module>");
    expect(missing.error!.traceback).not.toMatch(/python-|driver/);
    const strange = await session.run("computer.test.fail('SystemExit', 'strange')");
    expect(strange.error).toMatchObject({ name: "ComputerError", message: "strange" });
    expect((await session.run("x")).displayed).toEqual(["1"]);
  });

  test("a name that is not there says where to look", async () => {
    await using session = await bridged(python);
    const { error } = await session.run("computer.files.explode");
    expect(error).toMatchObject({ name: "AttributeError", message: expect.stringContaining("computer.help()") });
    expect((await session.run("computer.nothing")).error?.name).toBe("AttributeError");
  });

  test("help, dir and signatures tell what there is", async () => {
    await using session = await bridged(python);
    const { displayed, stdout } = await session.run(
      "import inspect\nprint(dir(computer.files), inspect.signature(computer.files.read))\ncomputer.help('files')",
    );
    expect(stdout).toBe("['edit', 'find', 'list', 'read', 'search', 'write'] (path, start=None, end=None)\n");
    expect(displayed[0]).toContain('computer.files.search(pattern, path=".", glob=null');
    expect((await session.run("computer.help()")).displayed[0]).toContain("computer.sessions  lists the live sessions");
  });

  test("a stream is a generator, and a long one does not run ahead", async () => {
    await using session = await bridged(python);
    expect((await session.run("sum(computer.test.count(1000))")).displayed).toEqual(["500500"]);
    expect(session.computer.stopped).toEqual(["count"]);
    const { displayed } = await session.run("next(computer.test.count(10**12))");
    expect(displayed).toEqual(["1"]);
    await until(() => session.computer.stopped.length === 2);
  });

  test("a stream that fails raises after its last item", async () => {
    await using session = await bridged(python);
    const { stdout, error } = await session.run("for each in computer.test.breaks(): print(each)");
    expect(stdout).toBe("1\n");
    expect(error).toMatchObject({ name: "ValueError", message: "the stream broke" });
  });

  test("threads call at the same time, also between blocks", async () => {
    await using session = await bridged(python);
    const { displayed } = await session.run(
      "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(20) as pool:\n    made = list(pool.map(computer.test.echo, range(500)))\nmade == list(range(500))",
    );
    expect(displayed).toEqual(["True"]);
    await session.run(
      "import threading, queue\ngo, done = threading.Event(), queue.Queue()\ndef later():\n    go.wait()\n    done.put(computer.test.echo('late'))\nthreading.Thread(target=later, daemon=True).start()\nthreading.Timer(0.05, go.set).start()",
    );
    expect((await session.run("done.get()")).displayed).toEqual(["late"]);
  });

  test("async code awaits calls and streams", async () => {
    await using session = await bridged(python);
    const { stdout, error } = await session.run(`import asyncio
print(await asyncio.to_thread(computer.test.echo, 1))
print(await asyncio.gather(*[computer.aio.test.echo(i) for i in range(5)]))
print([i async for i in await computer.aio.test.count(3)])
try: await asyncio.wait_for(computer.aio.test.hang("async"), 0.05)
except asyncio.TimeoutError: print("timeout")`);
    expect(error).toBeUndefined();
    expect(stdout).toBe("1\n[0, 1, 2, 3, 4]\n[1, 2, 3]\ntimeout\n");
    await until(() => session.computer.stopped.includes("async"));
  });

  test.each([
    ["a call", "computer.test.hang('stopped')"],
    ["an awaited call", "await computer.aio.test.hang('stopped')"],
  ])("an interrupt ends %s, and the host stops working on it", async (_, code) => {
    await using session = await bridged(python);
    const running = session.run(`x = 7\n${code}`);
    await until(() => session.computer.hanging === 1);
    session.session.interrupt();
    const { end, error } = await running;
    expect(end.status).toBe("interrupted");
    expect(error?.name).toBe("KeyboardInterrupt");
    await until(() => session.computer.stopped.includes("stopped"));
    expect((await session.run("computer.test.echo(x)")).displayed).toEqual(["7"]);
  });

  test("a session that ends takes its calls with it", async () => {
    await using session = await bridged(python);
    const running = session.run(
      "import os, threading\nthreading.Timer(0.2, os._exit, [3]).start()\ncomputer.test.hang('gone')",
    );
    expect((await running).end.status).toBe("exited");
    await until(() => session.computer.stopped.includes("gone"));
  });

  test("a forked child is told that it has no computer", async () => {
    await using session = await bridged(python);
    const { displayed } = await session.run(
      "import multiprocessing as mp\ndef child(_):\n    try: return computer.test.echo(1)\n    except Exception as e: return str(e)\nwith mp.get_context('fork').Pool(1) as pool: made = pool.map(child, [1])\nmade",
    );
    expect(displayed[0]).toContain("A child process cannot use computer");
  });

  test("it can be imported, whole and in parts", async () => {
    await using session = await bridged(python);
    const { stdout, error } = await session.run(
      "import computer\nimport computer.files\nfrom computer import files, help, ComputerError\nprint(files is computer.files, computer.test.echo(1), callable(help))",
    );
    expect(error).toBeUndefined();
    expect(stdout).toBe("True 1 True\n");
  });

  test("a module of the person's own with that name is theirs", async () => {
    await using session = await bridged(python);
    writeFileSync(join(session.folder, "computer.py"), "mine = 5\n");
    const before = await session.run("computer.test.echo(1)");
    expect(before.displayed).toEqual(["1"]);
    expect((await session.run("import computer\ncomputer.mine")).displayed).toEqual(["5"]);
    expect((await session.run("import computer.files")).error?.name).toBe("ModuleNotFoundError");
  });

  test("nothing of it is loaded before it is used", async () => {
    await using session = await bridged(python);
    const names =
      "import sys\nsorted(n for n in sys.modules if 'computer' in n or n in ('interpreter_inspect', 'inspect'))";
    expect((await session.run(names)).displayed).toEqual(["[]"]);
    await session.run("computer.help()");
    expect((await session.run(names)).displayed[0]).toContain("interpreter_computer");
  });

  test("a name a block gives to something else is the block's", async () => {
    await using session = await bridged(python);
    expect((await session.run("computer = 5\ncomputer")).displayed).toEqual(["5"]);
    expect((await session.run("del computer\ncomputer.test.echo(6)")).displayed).toEqual(["6"]);
  });
});

describe("in JavaScript", () => {
  test("values go there and come back as they were", async () => {
    await using session = await bridged(javascript);
    const { displayed, error } = await session.run(
      "const made = []\nfor (const each of [1, 'héllo 🐍', null, [1, [2]], { a: { b: true } }]) made.push(await computer.test.echo(each))\nJSON.stringify(made)",
    );
    expect(error).toBeUndefined();
    expect(displayed).toEqual([`'[1,"héllo 🐍",null,[1,[2]],{"a":{"b":true}}]'`]);
  });

  test("named arguments are an object at the end", async () => {
    await using session = await bridged(javascript);
    await session.run('require("fs").writeFileSync("a.txt", "1\\n2\\n3\\n")');
    expect((await session.run('await computer.files.read("a.txt", { start: 2, end: 2 })')).displayed).toEqual([
      "'2\\n'",
    ]);
    const { error } = await session.run('await computer.files.read("a.txt", { begin: 2 })');
    expect(error).toMatchObject({ name: "TypeError", message: expect.stringContaining("wants a number for start") });
  });

  test("a failure is an error with the place that called", async () => {
    await using session = await bridged(javascript);
    const { error } = await session.run('const x = 1\nawait computer.files.read("missing.txt")');
    expect(error).toMatchObject({ name: "FileNotFoundError", message: expect.stringContaining("does not exist") });
    expect(error!.traceback).toContain("<block 1>:2");
    expect(error!.traceback).not.toContain("javascript-computer");
    expect((await session.run("await computer.nothing.there()")).error?.message).toContain(
      "There is no computer.nothing.there",
    );
  });

  test("a stream is an async iterator, and leaving it stops the host", async () => {
    await using session = await bridged(javascript);
    const { displayed } = await session.run(
      "let sum = 0\nfor await (const each of await computer.test.count(1000)) sum += each\nsum",
    );
    expect(displayed).toEqual(["500500"]);
    await session.run("for await (const each of await computer.test.count(1e12)) if (each === 100) break");
    await until(() => session.computer.stopped.length === 2);
    const failing = await session.run("for await (const each of await computer.test.breaks()) console.log(each)");
    expect(failing.stdout).toBe("1\n");
    expect(failing.error).toMatchObject({ name: "ValueError", message: "the stream broke" });
  });

  test("many calls go at once, also between blocks", async () => {
    await using session = await bridged(javascript);
    const { displayed } = await session.run(
      "(await Promise.all(Array.from({ length: 500 }, (_, i) => computer.test.echo(i)))).every((each, i) => each === i)",
    );
    expect(displayed).toEqual(["true"]);
    await session.run("const later = new Promise((done) => setTimeout(() => done(computer.test.echo('late')), 50)); 0");
    expect((await session.run("await later")).displayed).toEqual(["'late'"]);
  });

  test("an interrupt ends a call, and the host stops working on it", async () => {
    await using session = await bridged(javascript);
    const running = session.run("const x = 7\nawait computer.test.hang('stopped')");
    await until(() => session.computer.hanging === 1);
    session.session.interrupt();
    expect((await running).end.status).toBe("interrupted");
    await until(() => session.computer.stopped.includes("stopped"));
    expect((await session.run("await computer.test.echo(x)")).displayed).toEqual(["7"]);
  });

  test("nothing of it is loaded before it is used, and the name can be taken", async () => {
    await using session = await bridged(javascript);
    const loaded = "Object.keys(require.cache).some((name) => name.includes('javascript-computer'))";
    expect((await session.run(loaded)).displayed).toEqual(["false"]);
    expect((await session.run("computer.files")).displayed).toEqual(["[computer.files]"]);
    expect((await session.run(loaded)).displayed).toEqual(["true"]);
    expect((await session.run("const computer = 5; computer")).displayed).toEqual(["5"]);
  });
});

describe("what is forged or too large", () => {
  const forge = (lines: string) => `import os, json\nfor line in [${lines}]: os.write(4, b"\\n" + line + b"\\n")\n`;

  test("calls that are none are refused or dropped", async () => {
    await using session = await bridged(python);
    const call = (fields: string) => `json.dumps({"op": "call", **${fields}}).encode()`;
    const { error } = await session.run(
      forge(
        [
          call('{"id": "1"}'),
          call('{"id": 1e300}'),
          call('{"id": -5, "module": 3, "name": [], "args": {}, "kwargs": 1}'),
          call('{"id": 900, "module": "__proto__", "name": "constructor", "args": [], "kwargs": {}}'),
          call('{"id": 901, "module": "files", "name": "__proto__", "args": [], "kwargs": {}}'),
          call('{"id": 902, "module": "files", "name": "read", "args": ["/etc/hostname\\x00"], "kwargs": {}}'),
          call('{"id": 903, "module": "files", "name": "read", "args": [], "kwargs": {"__proto__": 1}}'),
          call('{"id": 904, "module": "x" * 100000, "name": "y" * 100000, "args": [], "kwargs": {}}'),
          call('{"id": 905, "module": "files", "name": "list", "args": [], "kwargs": {}, "cwd": 7}'),
          'b"[" * 200000',
          `b'{"op": "call", "id": 906, "module": "test", "name": "echo", "kwargs": {}, "args": [' + b"[" * 100000 + b"]" * 100000 + b"]}"`,
          `b'{"op":"result","id":1,"value":1}'`,
          `b'{"op":"cancel","id":77777}'`,
          `b'{"op":"more","id":77777,"count":-1}'`,
          `b'{"op":"reply","id":1,"value":{}}'`,
        ].join(", "),
      ),
    );
    expect(error).toBeUndefined();
    expect((await session.run("computer.test.echo('still here')")).displayed).toEqual(["still here"]);
  });

  test("thousands of open calls are bounded, and go when they are taken back", async () => {
    await using session = await bridged(python);
    const { error } = await session.run(
      "import os, json\nfor i in range(5000): os.write(4, json.dumps({'op': 'call', 'id': 10000 + i, 'module': 'test', 'name': 'hang', 'args': [str(i)], 'kwargs': {}}).encode() + b'\\n')\ncomputer.test.echo(1)",
    );
    expect(error).toMatchObject({ name: "ComputerError", message: expect.stringContaining("1000 calls") });
    expect(session.computer.hanging).toBe(64);
    const { displayed } = await session.run(
      'for i in range(5000): os.write(4, b\'{"op":"cancel","id":%d}\\n\' % (10000 + i))\ncomputer.test.echo(2)',
    );
    expect(displayed).toEqual(["2"]);
  });

  test("a flood of calls with long answers is answered as fast as it is read", async () => {
    await using session = await bridged(python);
    const { displayed, error } = await session.run(`import os, json, time
for i in range(2000): os.write(4, json.dumps({"op": "call", "id": 10000 + i, "module": "test", "name": "large", "args": [100000], "kwargs": {}}).encode() + b"\\n")
while True:
    try:
        last = computer.test.echo("still here")
        break
    except Exception as refused:
        time.sleep(0.05)
last`);
    expect(error).toBeUndefined();
    expect(displayed).toEqual(["still here"]);
  });

  test("arguments and answers beyond all reason are refused with a sentence", async () => {
    await using session = await bridged(python);
    const passed = await session.run("computer.test.echo('x' * (40 << 20))");
    expect(passed.error).toMatchObject({ name: "ValueError", message: expect.stringContaining("too large") });
    const answered = await session.run("computer.test.large(40 << 20)");
    expect(answered.error).toMatchObject({ name: "ComputerError", message: expect.stringContaining("too large") });
    const number = await session.run("computer.test.echo(float('nan'))");
    expect(number.error?.name).toBe("ValueError");
    const fits = await session.run("len(computer.test.echo('y' * (20 << 20)))");
    expect(fits.displayed).toEqual([String(20 << 20)]);
    await session.run(
      forge(
        `b'{"op": "call", "id": 900, "module": "test", "name": "echo", "kwargs": {}, "args": ["' + b"z" * (40 << 20) + b'"]}'`,
      ),
    );
    expect((await session.run("computer.test.echo('still here')")).displayed).toEqual(["still here"]);
  });

  test("JavaScript that forges is no better off", async () => {
    await using session = await bridged(javascript);
    const { error } = await session.run(`const { writeSync } = require("fs")
for (const line of ['{"op":"call"}', '{"op":"call","id":5,"module":"test","name":"echo","args":"x","kwargs":[]}', '{"op":"more","id":{}}', "[]", "nonsense"]) writeSync(4, "\\n" + line + "\\n")
await computer.test.echo(1)`);
    expect(error).toBeUndefined();
    const large = await session.run("await computer.test.echo('x'.repeat(40 << 20))");
    expect(large.error).toMatchObject({ name: "RangeError", message: expect.stringContaining("too large") });
    expect((await session.run("(await computer.test.large(20 << 20)).length")).displayed).toEqual([String(20 << 20)]);
  });

  test("a session without a computer says so", async () => {
    await using session = await startSession(python);
    expect((await session.run("computer.files.read('x')")).error?.message).toBe(
      "This session has no computer to call.",
    );
  });
});
