// Python sessions that are taken back to what they held before a block, whatever the block did to them.

import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Hold } from "../../src/languages/index.ts";
import { python } from "../../src/languages/python/index.ts";
import { memoryOf } from "../../src/machine/index.ts";
import { isRunning, startSession, type TestSession, testPython, until } from "../support/session.ts";

const linux = process.platform === "linux";

async function printed(session: TestSession, code: string): Promise<string> {
  const { stdout, error, displayed } = await session.run(code);
  return error ? `${error.name}: ${error.message}` : `${stdout}${displayed.join("")}`.trim();
}

async function held({ session }: TestSession): Promise<Hold> {
  const hold = await session.hold!();
  expect(hold).toBeDefined();
  return hold!;
}

/** Runs blocks, then one that is taken back. What is said about it. */
async function takenBack(session: TestSession, before: readonly string[], block: string): Promise<string[]> {
  for (const code of before) expect((await session.run(code)).error?.traceback).toBeUndefined();
  const hold = await held(session);
  await session.run(block);
  return hold.bringBack();
}

/** Processes whose session is that of the given one, with their parents and states. */
function processesOf(leader: number): { pid: number; parent: number; state: string }[] {
  return readdirSync("/proc").flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, "latin1");
      const [state = "", parent, , leads] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return Number(leads) === leader ? [{ pid: Number(entry), parent: Number(parent), state }] : [];
    } catch {
      return [];
    }
  });
}

describe("what comes back", () => {
  test("variables, what they hold, modules, folder, environment, import path and the state of random", async () => {
    await using session = await startSession(python);
    const before = [
      "import os, sys, random\nx, items = 1, [1, 2]\nclass C: n = 1\nrandom.seed(7)\nos.environ['A'] = 'before'\nstart = os.getcwd()",
    ];
    const block =
      "x = 2; items.append(3); y = 5; C.n = 9; del start; import json.tool; os.environ['A'] = 'after'; os.environ['B'] = '1'; sys.path.append('nowhere'); os.mkdir('d'); os.chdir('d'); drawn = random.random(); import builtins; builtins.len = None";
    expect(await takenBack(session, before, block)).toEqual([]);
    expect(await printed(session, "print(x, items, 'y' in globals(), C.n, start == os.getcwd(), len(items))")).toBe(
      "1 [1, 2] False 1 True 2",
    );
    const rest = "os.environ['A'], 'B' in os.environ, 'nowhere' in sys.path, 'json.tool' in sys.modules";
    expect(await printed(session, `print(${rest})`)).toBe("before False False False");
    expect(await printed(session, "drawn = random.random(); random.seed(7); print(drawn == random.random())")).toBe(
      "True",
    );
  });

  test("a file that was open is where it was, and what was not written yet is written once", async () => {
    await using session = await startSession(python);
    writeFileSync(join(session.folder, "in.txt"), "one\ntwo\nthree\n");
    const before = [
      "read = open('in.txt'); first = read.readline()",
      "log = open('out.txt', 'w'); log.write('kept ');",
      "import os; fd = os.open('in.txt', os.O_RDONLY); os.read(fd, 4);",
    ];
    await takenBack(session, before, "read.read(); os.read(fd, 100); log.write('dropped'); log.flush()");
    expect(await printed(session, "print(os.read(fd, 3), read.readline().strip())")).toBe("b'two' two");
    await session.run("log.write('again'); log.close()");
    expect(readFileSync(join(session.folder, "out.txt"), "utf8").slice(0, 10)).toBe("kept again");
  });

  test("what IPython keeps, and a figure that is open", async () => {
    await using session = await startSession(python);
    const before = ["get_ipython(); 41", "import matplotlib.pyplot as plt\nfig, ax = plt.subplots(); plt.close(fig)"];
    await takenBack(session, before, "%alias_magic t time\nax.set_title('dropped'); fig2 = plt.figure()\nx = 2");
    const { displayed, error } = await session.run("repr(ax.get_title()), 'fig2' in globals()");
    expect(error?.traceback).toBeUndefined();
    expect(displayed).toEqual(["(\"''\", False)"]);
    expect((await session.run("plt.plot([1, 2]);")).bundles.some((bundle) => "image/png" in bundle)).toBe(true);
    expect((await session.run("%t 1")).error?.message).toContain("t");
  });

  test("a block that failed, one that was interrupted and one that asked is taken back as well", async () => {
    await using session = await startSession(python, ["me"]);
    await takenBack(session, ["x = 1"], "x = 2\nraise ValueError('no')");
    expect(await printed(session, "x")).toBe("1");

    const hold = await held(session);
    const waiting = session.run("x = 3\nopen('there', 'w').close()\nimport time; time.sleep(100)");
    await until(() => existsSync(join(session.folder, "there")));
    session.session.interrupt();
    expect((await waiting).end.status).toBe("interrupted");
    await hold.bringBack();
    expect(await printed(session, "x")).toBe("1");
    expect(await takenBack(session, [], "x = input('who? ')")).toEqual([]);
    expect(await printed(session, "x")).toBe("1");
  });

  test("the state of a block that is kept stays, and nothing is left of the copy", async () => {
    await using session = await startSession(python);
    const hold = await held(session);
    await session.run("x = 2");
    await hold.drop();
    expect(await printed(session, "x")).toBe("2");
    await expect(hold.bringBack()).rejects.toThrow("There is nothing that the session could go back to.");
    expect(await printed(session, "x")).toBe("2");
  });

  test("what is displayed, asked and printed keeps its order after it", async () => {
    await using session = await startSession(python, ["a", "b"]);
    await takenBack(session, ["x = 1"], "x = input(); display(x); print(x)");
    const { events } = await session.run("print(1)\ndisplay(2)\nprint(input())\n4");
    const shown = events.flatMap((event) => {
      if (event.type === "output") return [event.text.trim()];
      if (event.type === "display") return [`display ${event.bundle["text/plain"]}`];
      return event.type === "input" ? ["input"] : [];
    });
    expect(shown).toEqual(["1", "display 2", "input", "b", "display 4"]);
  });
});

describe("what ends the process", () => {
  test.each([
    ["exit", "x = 2; print('bye'); import sys; sys.exit(3)", "bye", /^exited with status 3; it goes on with/],
    ["an exit at once", "x = 2; import os; os._exit(4)", "", /; it goes on with what it held before this block$/],
    [
      "a crash",
      "x = 2\nprint('so far', flush=True)\nimport ctypes; ctypes.string_at(0)",
      "so far",
      /; it goes on with/,
    ],
    ["a kill", "x = 2; import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "", /; it goes on with/],
    ["a kill of all of it", "x = 2; import os, signal; os.killpg(0, signal.SIGKILL)", "", /; it goes on with/],
  ])("%s in a block: the session goes on as it was before it, again and again", async (_, code, said, words) => {
    await using session = await startSession(python);
    await session.run("x = 1");
    for (let time = 0; time < 3; time++) {
      const hold = await held(session);
      const { end, stdout } = await session.run(code);
      expect(stdout.trim()).toBe(said);
      expect(end).toMatchObject({ status: "exited", explanation: expect.stringMatching(words) });
      expect(session.session.alive).toBe(true);
      expect(await printed(session, "x += 0; x")).toBe("1");
      if (time === 1) await hold.drop();
      else expect(await hold.bringBack()).toEqual([]);
      expect(await printed(session, "x")).toBe("1");
    }
  });

  test("a block that does not listen to an interrupt is ended, and its variables are not lost", async () => {
    await using session = await startSession(python);
    await session.run("x = 1");
    await held(session);
    const waiting = session.run(
      "import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nx = 2\nopen('deaf', 'w').close()\nwhile True: time.sleep(1)",
    );
    await until(() => existsSync(join(session.folder, "deaf")));
    session.session.interrupt();
    expect((await waiting).end.explanation).toBe(
      "it did not stop when interrupted, so it was ended; it goes on with what it held before this block",
    );
    expect(await printed(session, "x")).toBe("1");
  });

  test("without a copy, the session ends as ever, also one that was taken back before", async () => {
    await using session = await startSession(python);
    await takenBack(session, ["x = 1"], "x = 2");
    const { end } = await session.run("import sys; sys.exit(3)");
    expect(end).toEqual({ type: "end", status: "exited", exitCode: 3, explanation: "exited with status 3" });
    expect(session.session.alive).toBe(false);

    await using other = await startSession(python);
    await takenBack(other, ["x = 1"], "x = 2");
    const { end: crashed } = await other.run("import ctypes; ctypes.string_at(0)");
    expect(crashed).toMatchObject({ status: "exited", exitCode: null });
    expect(other.session.alive).toBe(false);
  });

  test.runIf(linux)("a copy that cannot go on does not stay, and the session has ended", async () => {
    await using session = await startSession(python);
    const leader = session.session.pid!;
    await session.run("import threading; threading.Event = None");
    const hold = await held(session);
    await session.run("x = 2");
    await expect(hold.bringBack()).rejects.toThrow("The session has ended.");
    expect(session.session.alive).toBe(false);
    await until(() => processesOf(leader).every(({ state }) => state === "Z"));
  });

  test("a background task that lets nobody else run is no reason to stay", async () => {
    await using session = await startSession(python);
    const block =
      "import asyncio\nasync def hogs():\n    open('hogging', 'w').close()\n    while True: pass\nx = 2\ntask = asyncio.create_task(hogs())";
    await session.run("x = 1");
    const hold = await held(session);
    await session.run(block);
    await until(() => existsSync(join(session.folder, "hogging")));
    await hold.bringBack();
    expect(await printed(session, "x")).toBe("1");
  });
});

describe("what does not come back is said", () => {
  test("threads end; those of ours are not meant", async () => {
    await using session = await startSession(python);
    const thread =
      "import threading, time\nthreading.Thread(target=time.sleep, args=(100,), name='worker', daemon=True).start()";
    expect(await takenBack(session, [thread], "x = 2")).toEqual(["Threads that were running have ended: worker."]);
    expect(await takenBack(session, [], "x = 2")).toEqual([]);
  });

  test("background tasks go on where they were", async () => {
    await using session = await startSession(python);
    const before = [
      "import asyncio\nseen = []\nqueue = asyncio.Queue()\nasync def work():\n    while True: seen.append(await queue.get())\ntask = asyncio.create_task(work())",
      "queue.put_nowait(1); await asyncio.sleep(0.01)",
    ];
    expect(await takenBack(session, before, "queue.put_nowait(2); await asyncio.sleep(0.01); print(seen)")).toEqual([]);
    expect(await printed(session, "queue.put_nowait(3); await asyncio.sleep(0.01); print(seen)")).toBe("[1, 3]");
    expect(await printed(session, "print(await asyncio.to_thread(lambda: 'in a thread'))")).toBe("in a thread");
  });

  test("a server of an earlier block goes on serving", async () => {
    await using session = await startSession(python);
    const { displayed } = await session.run(
      "import asyncio\ncount = 0\nasync def hello(reader, writer):\n    global count\n    count += 1\n    writer.write(b'hello %d' % count)\n    await writer.drain(); writer.close()\nserver = await asyncio.start_server(hello, '127.0.0.1', 0)\nserver.sockets[0].getsockname()[1]",
    );
    await takenBack(session, [], "count = 10");
    const answer =
      "import socket\ndef ask():\n    s = socket.create_connection(('127.0.0.1', PORT)); return s.recv(100)\nprint(await asyncio.to_thread(ask))";
    expect(await printed(session, answer.replace("PORT", displayed[0]!))).toBe("b'hello 1'");
  });

  test("processes and connections that were there before", async () => {
    const server = createServer((socket) => socket.on("error", () => {})).listen(0, "127.0.0.1");
    await until(() => server.listening);
    const { port } = server.address() as { port: number };
    await using session = await startSession(python);
    const before = [
      "import subprocess\nchild = subprocess.Popen(['sleep', '100'])",
      `import socket\ns = socket.create_connection(('127.0.0.1', ${port}))`,
    ];
    const notes = await takenBack(session, before, "x = 1");
    const pid = Number(await printed(session, "print(child.pid)"));
    expect(notes).toEqual([
      `Processes that it had started run on, but it can no longer wait for them: ${pid}.`,
      "Network connections that were open may be broken: the block had the same ones.",
    ]);
    expect(isRunning(pid)).toBe(true);
    server.close();
    await session.session.close();
    await until(() => !isRunning(pid));
  });

  test("a library whose threads do not survive a copy: there is none, and nothing hangs", async () => {
    await using session = await startSession(python);
    await session.run("import polars as pl\ndf = pl.DataFrame({'a': [1, 2]})\ndf.group_by('a').agg(pl.len());");
    expect(await session.session.hold!()).toBeUndefined();
    expect(await printed(session, "print(df.height)")).toBe("2");
  });

  test("numpy, pandas and OpenMP work as before in the copy, with the threads they had", async () => {
    await using session = await startSession(python, [], { ...process.env, OMP_NUM_THREADS: "2" });
    const before = [
      "import numpy as np, pandas as pd\nfrom sklearn.cluster import KMeans\nX = np.random.RandomState(1).rand(3000, 8)\ndef work(): return KMeans(4, n_init=1, random_state=1).fit(X).labels_.sum()\nfirst = work(); product = X.T @ X",
    ];
    expect(await takenBack(session, before, "X *= 2; work();")).toEqual([]);
    const { displayed } = await session.run(
      "bool(work() == first), bool((X.T @ X == product).all()), len(pd.DataFrame(X))",
    );
    expect(displayed).toEqual(["(True, True, 3000)"]);
  });
});

describe("nobody notices", () => {
  test("a block does not hear of the copy: no child, no warning, no output", async () => {
    await using session = await startSession(python);
    await held(session);
    const { stdout, stderr, error } = await session.run(
      "import os, warnings\nwarnings.simplefilter('error')\ntry: os.wait()\nexcept ChildProcessError: print('no child')",
    );
    expect({ stdout, stderr, error }).toEqual({ stdout: "no child\n", stderr: "", error: undefined });
  });

  test("a block that closes what it does not know wakes nobody while the process is there", async () => {
    await using session = await startSession(python);
    await session.run("import os\nx = 1");
    await held(session);
    await session.run(
      "x = 2\nfor fd in range(7, 30):\n    try: os.close(fd)\n    except OSError: pass\n    os.open(os.devnull, os.O_RDWR)",
    );
    for (let time = 0; time < 20; time++) expect(await printed(session, "x")).toBe("2");
  });

  test.runIf(linux)("there is at most one copy, however often the session is held, kept and taken back", async () => {
    await using session = await startSession(python);
    const leader = session.session.pid!;
    await session.run("n = 0");
    for (let time = 1; time <= 30; time++) {
      const hold = await held(session);
      await session.run("n += 1");
      if (time % 3 === 0) await hold.bringBack();
      else if (time % 3 === 1) await hold.drop(); // otherwise the next one takes its place
      const alive = processesOf(leader).filter(({ state }) => state !== "Z");
      expect(alive.length).toBeLessThanOrEqual(2);
      expect(processesOf(leader).filter(({ parent }) => parent === session.session.pid)).toEqual([]);
    }
    expect(await printed(session, "n")).toBe("20");
    await session.session.close();
    await until(() => processesOf(leader).every(({ state }) => state === "Z"));
  });

  test("processes of multiprocessing in a block end nothing and hold nothing up", async () => {
    await using session = await startSession(python);
    const block =
      "import multiprocessing, time\npool = multiprocessing.get_context('fork').Pool(2)\nprint(pool.map(abs, [-1, -2]))\nx = 2";
    expect(await takenBack(session, ["x = 1"], block)).toEqual([]);
    const crash =
      "import multiprocessing, ctypes, time\np = multiprocessing.get_context('fork').Process(target=time.sleep, args=(100,))\np.start()\nx = 3\nctypes.string_at(0)";
    await held(session);
    expect((await session.run(crash)).end.explanation).toContain("it goes on with what it held");
    expect(await printed(session, "x")).toBe("1");
    expect(await printed(session, block)).toBe("[1, 2]");
  });

  test("it works while something prints as fast as it can", async () => {
    await using session = await startSession(python);
    const printer =
      "import threading, sys\ndef shout():\n    while True: print('y' * 200)\nthreading.Thread(target=shout, daemon=True, name='shout').start()\nx = 1";
    await session.run(printer);
    for (let time = 0; time < 3; time++) {
      const hold = await held(session);
      await session.run(
        "x = 2\nif threading.active_count() < 4: threading.Thread(target=shout, daemon=True, name='shout').start()",
      );
      await hold.bringBack();
      const { displayed } = await session.run("x");
      expect(displayed).toEqual(["1"]);
    }
  });

  test("interrupts, lines, memory, questions about it and saving go on in the copy", async () => {
    await using session = await startSession(python);
    const { session: it } = session;
    const first = it.pid!;
    await takenBack(session, ["x = 1"], "x = 2");
    expect(it.pid).not.toBe(first);
    expect(await memoryOf(it.pid!)).toBeGreaterThan(1_000_000);
    expect(await printed(session, "import os; print(os.getpid())")).toBe(String(it.pid));
    expect((await it.inspect!()).map(({ name }) => name)).toContain("x");
    expect((await it.complete!("impo", 4)).matches).toContain("import");
    const waiting = session.run("y = 1\nopen('there', 'w').close()\nimport time\ntime.sleep(100)");
    await until(() => existsSync(join(session.folder, "there")));
    const { promise, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, 150);
    await promise;
    it.interrupt();
    const { end, lines } = await waiting;
    expect(end.status).toBe("interrupted");
    expect(lines.at(-1)).toBe(4);
    const state = await it.save!(session.folder, { value: 1_000_000, total: 1_000_000 });
    expect(state.names.map(({ name }) => name)).toEqual(expect.arrayContaining(["x", "y"]));
  });

  test("the host is asked, and answers, in the copy", async () => {
    const asked: string[] = [];
    const onCall = ({ name }: { name: string }) => {
      asked.push(name);
      return name === "modules"
        ? [{ name: "files", help: "", functions: [{ name: "read", help: "", parameters: [] }] }]
        : "answer";
    };
    await using session = await startSession(python, [], process.env, { onCall });
    await takenBack(session, ["first = computer.files.read()"], "computer.files.read(); computer.files.read()");
    expect(await printed(session, "print(computer.files.read())")).toBe("answer");
    expect(asked.filter((name) => name === "read")).toHaveLength(4);
  });

  test.runIf(linux)("when the host is killed, the session and its copy are gone", async () => {
    const script = `
      import { python } from ${JSON.stringify(join(import.meta.dirname, "../../src/languages/python/index.ts"))};
      import { localMachine } from ${JSON.stringify(join(import.meta.dirname, "../../src/machine/index.ts"))};
      const session = await python.start({ machine: localMachine, cwd: "/", env: process.env, python: ${JSON.stringify(testPython)} });
      await session.hold();
      for await (const event of session.run("while True: pass", "<block 1>")) if (event.type === "line") console.log(session.pid);
    `;
    const host = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const leader = await new Promise<number>((resolve) => {
      host.stdout.once("data", (text: Buffer) => resolve(Number(String(text).trim())));
    });
    expect(processesOf(leader).length).toBe(2);
    host.kill("SIGKILL");
    await until(() => processesOf(leader).every(({ state }) => state === "Z"));
  });
});

describe("every Python we run in", () => {
  const root = join(process.env.PYENV_ROOT ?? join(process.env.HOME ?? "", ".pyenv"), "versions");
  const versions = existsSync(root) ? readdirSync(root).filter((name) => /^3\.(8|9|1\d)\./.test(name)) : [];
  test.skipIf(versions.length === 0).each(versions.length > 0 ? versions : ["none found"])("%s", async (version) => {
    await using session = await startSession(python, [], process.env, { python: join(root, version, "bin/python3") });
    const { stderr } = await session.run(
      "import random, threading, time, asyncio\nrandom.seed(1); x = 1\nawait asyncio.sleep(0)",
    );
    expect(stderr).toBe("");
    expect(await takenBack(session, [], "x = 2; random.random()")).toEqual([]);
    expect(await printed(session, "print(x, random.random())")).toBe("1 0.13436424411240122");
    await held(session);
    await session.run("x = 3; import os; os._exit(1)");
    const { stdout, stderr: complaints } = await session.run("await asyncio.sleep(0.001); print(x)");
    expect({ stdout, complaints }).toEqual({ stdout: "1\n", complaints: "" });
  });
});
