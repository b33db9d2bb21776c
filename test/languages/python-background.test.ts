// What goes on beside the blocks: tasks of the event loop, threads, processes; and a person at the debugger.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { python } from "../../src/languages/python/index.ts";
import { startSession, until } from "../support/session.ts";

describe("background tasks", () => {
  test("go on between blocks", async () => {
    await using session = await startSession(python);
    const made = join(session.folder, "made");
    await session.run(
      "import asyncio\nasync def later():\n    for _ in range(3): await asyncio.sleep(0.01)\n    open('made', 'w').close()\n    print('done')\ntask = asyncio.create_task(later())",
    );
    await until(() => existsSync(made));
    expect((await session.run("await task\nprint('next')")).stdout).toBe("done\nnext\n");
  });

  test("a server answers while no block runs", async () => {
    await using session = await startSession(python);
    const { displayed } = await session.run(
      "import asyncio\nasync def hello(reader, writer):\n    await reader.readline()\n    writer.write(b'HTTP/1.0 200 OK\\r\\n\\r\\nhello')\n    await writer.drain(); writer.close()\nserver = await asyncio.start_server(hello, '127.0.0.1', 0)\nserver.sockets[0].getsockname()[1]",
    );
    expect(await (await fetch(`http://127.0.0.1:${displayed[0]}/`)).text()).toBe("hello");
  });

  test("an error in one is shown with the next block", async () => {
    await using session = await startSession(python);
    await session.run(
      "import asyncio\nasync def fails():\n    open('tried', 'w').close()\n    raise ValueError('in the background')\ntask = asyncio.create_task(fails())",
    );
    await until(() => existsSync(join(session.folder, "tried")));
    const { stderr } = await session.run("del task\nimport gc; gc.collect();");
    expect(stderr).toContain("ValueError: in the background");
  });

  test("one that never lets go can be interrupted, and the session lives on", async () => {
    await using session = await startSession(python);
    await session.run(
      "import asyncio, time\nx = 5\nasync def hogs():\n    open('hogging', 'w').close()\n    time.sleep(100)\ntask = asyncio.create_task(hogs())",
    );
    await until(() => existsSync(join(session.folder, "hogging")));
    const waiting = session.run("x");
    session.session.interrupt();
    expect((await waiting).end.status).toBe("interrupted");
    expect((await session.run("x")).displayed).toEqual(["5"]);
  });

  test("asyncio.run() and loop.run_until_complete() work in a block", async () => {
    await using session = await startSession(python);
    await session.run("import asyncio\nasync def five(): return 5");
    expect((await session.run("asyncio.run(five())")).displayed).toEqual(["5"]);
    expect((await session.run("asyncio.get_event_loop().run_until_complete(five())")).displayed).toEqual(["5"]);
    expect((await session.run("await asyncio.gather(five(), five())")).displayed).toEqual(["[5, 5]"]);
  });

  test("an idle session with a loop is not disturbed by an interrupt", async () => {
    await using session = await startSession(python);
    await session.run("import asyncio\nawait asyncio.sleep(0)\nx = 1");
    process.kill(-(session.session as { pid?: number }).pid!, "SIGINT");
    expect((await session.run("x")).displayed).toEqual(["1"]);
  });
});

describe("processes", () => {
  const definitions =
    "import math, multiprocessing as mp\nfrom os.path import basename\nfactor = 3\nclass Box:\n    def __init__(self, value): self.value = value\ndef work(n):\n    return Box(n * factor + math.floor(0.5))\ndef name(path):\n    return basename(path)";

  test.each(["spawn", "forkserver", "fork"])("started by %s find what blocks have defined", async (method) => {
    await using session = await startSession(python);
    await session.run(definitions);
    const { displayed, error } = await session.run(
      `with mp.get_context('${method}').Pool(1) as pool:\n    found = pool.map(work, [1, 2]), pool.map(name, ['a/b'])\n[box.value for box in found[0]], found[1]`,
    );
    expect(error).toBeUndefined();
    expect(displayed).toEqual(["([3, 6], ['b'])"]);
  });

  test("an error in one shows the block's own line", async () => {
    await using session = await startSession(python);
    const { error } = await session.run(
      "import multiprocessing as mp\ndef bad(n):\n    return 1 / n\nwith mp.get_context('spawn').Pool(1) as pool:\n    pool.map(bad, [0])",
    );
    expect(error?.traceback).toContain('File "<block 1>", line 3, in bad\n    return 1 / n');
  });
});

describe("the debugger", () => {
  test("breakpoint() asks the person, shows values, and steps no further than the block", async () => {
    await using session = await startSession(python, ["p value * 2", "n", "n", "n", "n", "n"]);
    const { stdout, events, end } = await session.run("value = 21\nbreakpoint()\nother = 1\nlast = 2");
    expect(end.status).toBe("ok");
    expect(stdout).toContain("42\n");
    expect(events.filter((event) => event.type === "input").map((event) => event.prompt)).toContain("(Pdb) ");
    expect(stdout).not.toContain("python-driver");
    expect((await session.run("last")).displayed).toEqual(["2"]);
  });

  test("is refused clearly where nobody can answer", async () => {
    await using session = await startSession(python);
    const { error } = await session.run("def f():\n    value = 21\n    breakpoint()\n    return value\nf()");
    expect(error).toMatchObject({ name: "EOFError", message: expect.stringContaining("nobody is here to answer") });
    expect(error?.traceback).not.toContain("pdb.py");
    expect((await session.run("1")).displayed).toEqual(["1"]);
  });

  test("%debug looks around where the last error was", async () => {
    await using session = await startSession(python, ["p inner", "q"]);
    await session.run("def f():\n    inner = 'here'\n    return 1 / 0\nf()");
    expect((await session.run("%debug")).stdout).toContain("'here'\n");
  });
});

describe("what is printed", () => {
  test("a progress bar reaches the host with its carriage returns, also one made for notebooks", async () => {
    await using session = await startSession(python);
    for (const source of ["tqdm", "tqdm.auto", "tqdm.notebook"]) {
      const { stderr, end } = await session.run(
        `from ${source} import tqdm\nfor i in tqdm(range(3), mininterval=0): pass`,
      );
      expect(end.status).toBe("ok");
      expect(stderr).toMatch(/\r +0%\|.*\r100%\|/s);
    }
  });

  test("a warning names the block's line", async () => {
    await using session = await startSession(python);
    const { stderr } = await session.run("import warnings\ndef f():\n    warnings.warn('careful')\nf()");
    expect(stderr).toBe("<block 1>:3: UserWarning: careful\n  warnings.warn('careful')\n");
  });

  test("the end of a block says how much memory Python holds", async () => {
    await using session = await startSession(python);
    const before = (await session.run("1")).end.memory ?? 0;
    const after = (await session.run("kept = bytearray(50_000_000)")).end.memory ?? 0;
    expect(before).toBeGreaterThan(1_000_000);
    expect(after - before).toBeGreaterThan(40_000_000);
  });
});
