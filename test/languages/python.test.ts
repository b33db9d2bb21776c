import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { python } from "../../src/languages/python/index.ts";
import { isRunning, startSession, until } from "../support/session.ts";

describe("state", () => {
  test("variables, imports and the working folder stay from block to block", async () => {
    await using session = await startSession(python);
    await session.run("import os, math\nos.mkdir('inside'); os.chdir('inside')\nx = 41");
    const { displayed } = await session.run("x + 1, math.floor(2.5), os.path.basename(os.getcwd())");
    expect(displayed).toEqual(["(42, 2, 'inside')"]);
  });

  test("a class defined in a block can be pickled and its source inspected", async () => {
    await using session = await startSession(python);
    await session.run("class Point:\n    x = 1\n    def move(self):\n        return 2");
    const { displayed } = await session.run(
      "import pickle, inspect\npickle.loads(pickle.dumps(Point())).x, inspect.getsource(Point.move)",
    );
    expect(displayed[0]).toContain("(1, '    def move(self)");
  });

  test("names of the driver are not among the user's", async () => {
    await using session = await startSession(python);
    const { displayed } = await session.run("sorted(n for n in dir() if not n.startswith('__'))");
    expect(displayed).toEqual(["['display']"]);
  });
});

describe("output", () => {
  test("stdout and stderr come apart, and children and C code are heard", async () => {
    await using session = await startSession(python);
    const { stdout, stderr } = await session.run(
      "import sys, os, subprocess\nprint('out')\nprint('err', file=sys.stderr)\nos.system('echo child')\nsubprocess.run(['sh', '-c', 'echo grandchild >&2'])\nos.write(1, b'raw\\n');",
    );
    expect(stdout).toBe("out\nchild\nraw\n");
    expect(stderr).toBe("err\ngrandchild\n");
  });

  test("output arrives while the block still runs", async () => {
    await using session = await startSession(python);
    const seen: string[] = [];
    await session.run("print('before', end='')\nname = input()\nprint(name)", (event) => seen.push(event.type));
    expect(seen.indexOf("output")).toBeLessThan(seen.indexOf("input"));
  });

  test("prints, displays and pictures keep their order", async () => {
    await using session = await startSession(python);
    const { events } = await session.run(
      "import matplotlib.pyplot as plt\nprint('a')\nplt.plot([1, 2]); plt.show()\nprint('b')\ndisplay('c')\nprint('d')",
    );
    const order = events.flatMap((event) => {
      if (event.type === "output") return event.text.trim().split("\n");
      return event.type === "display"
        ? [event.bundle["image/png"] ? "picture" : String(event.bundle["text/plain"])]
        : [];
    });
    expect(order).toEqual(["a", "picture", "b", "'c'", "d"]);
  });

  test("text that looks like one of our marks is only text", async () => {
    await using session = await startSession(python);
    const { stdout, end } = await session.run("print('\\x1e0123456789abcdef01234567:1\\x1e', '\\x1e')");
    expect(stdout).toBe("\x1e0123456789abcdef01234567:1\x1e \x1e\n");
    expect(end.status).toBe("ok");
  });

  test("bytes that are no text, lone surrogates and unfinished characters do no harm", async () => {
    await using session = await startSession(python);
    const { stdout } = await session.run(
      "import os\nos.write(1, b'\\xff\\xfe ok \\xe2\\x82')\nos.write(1, b'\\xac\\n')\nprint('\\udc80')",
    );
    expect(stdout).toContain(" ok €\n");
    expect((await session.run("1")).displayed).toEqual(["1"]);
  });

  test("a block may close or redirect stdout; the next block still works", async () => {
    await using session = await startSession(python);
    await session.run("import os, sys\nos.close(1)");
    const { displayed, end } = await session.run("2");
    expect([displayed, end.status]).toEqual([["2"], "ok"]);
  });

  test("what a background thread prints between two blocks is shown with the next", async () => {
    await using session = await startSession(python);
    await session.run(
      "import threading, time\ngo = threading.Event()\ndone = threading.Event()\ndef late():\n    go.wait(); time.sleep(0.05); print('late'); done.set()\nthreading.Thread(target=late).start()\ngo.set()",
    );
    const { stdout } = await session.run("done.wait(10)\nprint('next')");
    expect(stdout).toBe("late\nnext\n");
  });
});

describe("display", () => {
  test.each([
    ["the last expression is shown", "x = 1\nx", ["1"]],
    ["None is not", "None", []],
    ["an assignment is not", "x = 1", []],
    ["a semicolon keeps it from being shown", "5;", []],
    ["a semicolon in a string does not", "'a;'", ["'a;'"]],
    ["_ is the last value shown", "6 * 7\n", ["42"]],
  ])("%s", async (_, code, shown) => {
    await using session = await startSession(python);
    expect((await session.run(code)).displayed).toEqual(shown);
  });

  test("a data frame is shown as text and as HTML", async () => {
    await using session = await startSession(python);
    const { bundles } = await session.run("import pandas as pd\npd.DataFrame({'a': [1, 2]})");
    expect(bundles[0]!["text/plain"]).toContain("a\n0  1");
    expect(bundles[0]!["text/html"]).toContain("<table");
  });

  test("a figure is a PNG without a display, also without show(), and only once", async () => {
    await using session = await startSession(python);
    const { bundles, stderr } = await session.run("import matplotlib.pyplot as plt\nplt.plot([1, 2])\nNone");
    expect(stderr).toBe("");
    const pictures = bundles.map((bundle) =>
      Buffer.from(String(bundle["image/png"]), "base64").toString("latin1", 1, 4),
    );
    expect(pictures).toEqual(["PNG"]);
    expect((await session.run("1")).bundles).toHaveLength(1);
  });

  test("a figure is shown also when somebody only looked whether matplotlib is there", async () => {
    await using session = await startSession(python);
    await session.run("import importlib.util\nimportlib.util.find_spec('matplotlib')");
    const { bundles } = await session.run("import matplotlib.pyplot as plt\nplt.plot([1, 2])\nNone");
    expect(bundles.map((bundle) => Object.keys(bundle))).toEqual([["image/png", "text/plain"]]);
  });

  test("a child Python draws as it always does", async () => {
    await using session = await startSession(python);
    const { stdout, end } = await session.run(
      "import matplotlib, subprocess, sys\nprint(subprocess.run([sys.executable, '-c', 'import matplotlib.pyplot as p; p.plot([1]); print(p.get_backend())'], capture_output=True, text=True).stdout)",
    );
    expect(end.status).toBe("ok");
    expect(stdout.trim().toLowerCase()).toBe("agg");
  });

  test("a value whose repr fails is an error of the block, not of the session", async () => {
    await using session = await startSession(python);
    const { error } = await session.run("class Bad:\n    def __repr__(self): raise ValueError('no repr')\nBad()");
    expect(error?.name).toBe("ValueError");
    expect((await session.run("1")).displayed).toEqual(["1"]);
  });
});

describe("errors", () => {
  test("a traceback shows the user's lines and none of ours", async () => {
    await using session = await startSession(python);
    const { error, end } = await session.run("def f():\n    return 1 / 0\n\nf()");
    expect(end.status).toBe("error");
    expect(error?.name).toBe("ZeroDivisionError");
    expect(error?.traceback).toContain('File "<block 1>", line 2, in f\n    return 1 / 0');
    expect(error?.traceback).not.toContain("driver");
  });

  test("its marks stand under the place", async () => {
    await using session = await startSession(python);
    const { error } = await session.run("x = [1, 2]\nx[7] + 1");
    const [line, marks] = error!.traceback.split("\n").slice(2, 4) as [string, string];
    if (marks.includes("^")) expect(marks.search(/\S/)).toBe(line.search(/\S/));
  });

  test("is told also when the block has used up every descriptor", async () => {
    await using session = await startSession(python);
    const { error, end } = await session.run(
      "import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))\nfiles = []\nwhile True: files.append(open('/dev/null'))",
    );
    expect(end.status).toBe("error");
    expect(error).toMatchObject({ name: "OSError", message: expect.stringContaining("Too many open files") });
    expect((await session.run("len(files) > 10")).displayed).toEqual(["True"]);
  });

  test("so does a chained one", async () => {
    await using session = await startSession(python);
    const { error } = await session.run(
      "try:\n    {}['a']\nexcept KeyError as e:\n    raise RuntimeError('outer') from e",
    );
    expect(error?.traceback).toContain("KeyError: 'a'");
    expect(error?.traceback).toContain("RuntimeError: outer");
    expect(error?.traceback).not.toContain("driver");
  });

  test("a syntax error points at the place", async () => {
    await using session = await startSession(python);
    const { error } = await session.run("x = 1\ny = = 2");
    expect(error?.name).toBe("SyntaxError");
    expect(error?.traceback).toContain("line 2");
    expect(error?.traceback).toContain("^");
  });

  test("from __future__, docstrings, lambdas and conditional expressions run as they are", async () => {
    await using session = await startSession(python);
    const { stdout, end } = await session.run(
      '"""a docstring"""\nfrom __future__ import annotations\n\nf = lambda a: "yes" if a else "no"\nprint(f(1), """x\n\n%y\n!z""")',
    );
    expect(end.status).toBe("ok");
    expect(stdout).toBe("yes x\n\n%y\n!z\n");
  });
});

describe("await", () => {
  test("works at the top level, and the loop is the same in the next block", async () => {
    await using session = await startSession(python);
    await session.run("import asyncio\nqueue = asyncio.Queue()\nawait queue.put(5)");
    expect((await session.run("await queue.get()")).displayed).toEqual(["5"]);
  });
});

describe("the running line", () => {
  test("is reported while a block runs", async () => {
    await using session = await startSession(python);
    const { lines } = await session.run("import time\na = 1\ntime.sleep(0.2)\nb = 2\ntime.sleep(0.2)");
    expect(lines).toEqual([3, 5]);
  });
});

describe("interrupt", () => {
  test.each([
    ["a sleep", "import time\nready()\ntime.sleep(100)"],
    ["a busy loop", "ready()\nwhile True: pass"],
    ["a child process", "import subprocess\nready()\nsubprocess.run(['sleep', '100'])"],
    ["os.system in a loop", "import os\nready()\nwhile True:\n    if os.system('sleep 100'): raise KeyboardInterrupt"],
    ["an await", "import asyncio\nready()\nawait asyncio.sleep(100)"],
    ["a lock", "import threading\nready()\nthreading.Event().wait()"],
  ])("stops %s and keeps the state", async (_, code) => {
    await using session = await startSession(python);
    await session.run("x = 7\ndef ready(): print('ready', flush=True)");
    const { end, error } = await session.run(code, (event) => {
      if (event.type === "output" && event.text.includes("ready")) session.session.interrupt();
    });
    expect(end.status).toBe("interrupted");
    expect(error?.name).toBe("KeyboardInterrupt");
    expect((await session.run("x")).displayed).toEqual(["7"]);
  });

  test("does nothing to an idle session", async () => {
    await using session = await startSession(python);
    await session.run("x = 1");
    session.session.interrupt();
    process.kill(-(session.session as { pid?: number }).pid!, "SIGINT");
    expect((await session.run("x")).displayed).toEqual(["1"]);
  });

  test("a block that will not listen is ended, and that is said", async () => {
    await using session = await startSession(python);
    const { end } = await session.run(
      "import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nprint('ready', flush=True)\ntime.sleep(1000)",
      (event) => {
        if (event.type === "output") session.session.interrupt();
      },
    );
    expect(end).toMatchObject({
      status: "exited",
      explanation: expect.stringContaining("did not stop when interrupted"),
    });
    expect(session.session.alive).toBe(false);
  });

  test("leaving the stream early stops the block", async () => {
    await using session = await startSession(python);
    for await (const event of session.session.run(
      "import time\nprint('a', flush=True)\ntime.sleep(100)",
      "<block 1>",
    )) {
      if (event.type === "output") break;
    }
    expect((await session.run("1")).displayed).toEqual(["1"]);
  });
});

describe("the end of a session", () => {
  test.each([
    ["sys.exit", "import sys; sys.exit(3)", 3, /status 3/],
    ["exit with a message", "raise SystemExit('bye')", 1, /status 1/],
    ["os._exit", "import os; os._exit(4)", 4, /status 4/],
    ["kill -9", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)", null, /SIGKILL/],
    ["a crash", "import ctypes; ctypes.string_at(0)", null, /SIGSEGV/],
  ])("by %s is noticed and explained, and what was printed before is shown", async (_, code, exitCode, explanation) => {
    await using session = await startSession(python);
    const { end, stdout } = await session.run(`print('last words', flush=True)\n${code}`);
    expect(stdout).toBe("last words\n");
    expect(end).toMatchObject({ status: "exited", exitCode, explanation: expect.stringMatching(explanation) });
    expect(session.session.alive).toBe(false);
    expect((await session.run("1")).end.status).toBe("exited");
  });

  test("closing ends what the block started, too", async () => {
    const session = await startSession(python);
    const { displayed } = await session.run(
      "import subprocess, os\nchild = subprocess.Popen(['sleep', '1000'])\n[os.getpid(), child.pid]",
    );
    const pids = JSON.parse(displayed[0]!) as number[];
    await session[Symbol.asyncDispose]();
    await until(() => !pids.some(isRunning));
  });

  test("closing while a block runs does not hang", async () => {
    const session = await startSession(python);
    const running = session.run("import time\nprint('go', flush=True)\ntime.sleep(1000)", (event) => {
      if (event.type === "output") void session.session.close();
    });
    expect((await running).end.status).toBe("exited");
    await session[Symbol.asyncDispose]();
  });
});

describe("input", () => {
  test("input() and sys.stdin ask the person", async () => {
    await using session = await startSession(python, ["Ada", "second", "third"]);
    const { stdout } = await session.run(
      "import sys\nprint(input('name? '), sys.stdin.readline(), end='')\nimport getpass\nprint(getpass.getpass())",
    );
    expect(stdout).toBe("Ada second\nthird\n");
  });

  test("is refused at once, with a clear message, where nobody can answer", async () => {
    await using session = await startSession(python);
    const { error } = await session.run("input('name? ')");
    expect(error).toMatchObject({ name: "EOFError", message: expect.stringContaining("nobody is here to answer") });
    expect(error?.traceback).not.toContain("driver");
  });

  test("getpass asks without showing", async () => {
    await using session = await startSession(python, ["secret"]);
    const { events } = await session.run("import getpass\nlen(getpass.getpass('Password: '))");
    expect(events.find((event) => event.type === "input")).toMatchObject({ prompt: "Password: ", hidden: true });
  });
});

describe("a lot of output", () => {
  test("a gigabyte passes through without growing memory", async () => {
    await using session = await startSession(python);
    let size = 0;
    let peak = 0;
    for await (const event of session.session.run(
      "import os\npiece = b'x' * 99 + b'\\n'\npiece *= 10000\nfor _ in range(1000): os.write(1, piece)",
      "<block 1>",
    )) {
      if (event.type !== "output") continue;
      size += event.text.length;
      peak = Math.max(peak, process.memoryUsage().external + process.memoryUsage().arrayBuffers);
    }
    expect(size).toBe(1_000_000_000);
    expect(peak).toBeLessThan(200_000_000);
  });

  test("a slow reader holds the block back instead of filling memory", async () => {
    await using session = await startSession(python);
    let size = 0;
    for await (const event of session.session.run("for i in range(200000): print('0123456789' * 8)", "<block 1>")) {
      if (event.type !== "output") continue;
      expect(event.text.length).toBeLessThan(4_000_000);
      size += event.text.length;
      if (size < 3_000_000) await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(size).toBe(200_000 * 81);
  });

  test("a line of ten megabytes and a hundred thousand short ones arrive whole", async () => {
    await using session = await startSession(python);
    const { stdout } = await session.run("print('y' * 10_000_000)\nfor i in range(100_000): print(i)");
    expect(stdout.length).toBe(10_000_001 + 588_890);
  });
});

describe("processes of Python's own", () => {
  test("multiprocessing works, and a forked child says nothing twice", async () => {
    await using session = await startSession(python);
    const { stdout, displayed } = await session.run(
      "import multiprocessing as mp, os\nprint('once')\nwith mp.get_context('fork').Pool(2) as pool:\n    result = pool.map(abs, [-1, -2])\nresult",
    );
    expect(stdout).toBe("once\n");
    expect(displayed).toEqual(["[1, 2]"]);
  });

  test("a script run as a child sees its own arguments and standard input", async () => {
    await using session = await startSession(python);
    const { stdout } = await session.run(
      "import subprocess, sys\nprint(subprocess.run([sys.executable, '-c', 'import sys; print(repr(sys.stdin.read()))'], capture_output=True, text=True).stdout)",
    );
    expect(stdout).toBe("''\n\n");
  });
});

describe("forged events", () => {
  test("junk on the driver's descriptor cannot hurt the host", async () => {
    await using session = await startSession(python);
    const { end } = await session.run(
      'import os\nos.write(4, b\'garbage\\n{"op":"end","id":999,"status":"ok"}\\n[]\\nnull\\n{"op":"display"}\\n\')\nx = 3',
    );
    expect(end.status).toBe("ok");
    expect((await session.run("x")).displayed).toEqual(["3"]);
  });
});

test("files are read and written in the working folder", async () => {
  await using session = await startSession(python);
  await session.run("open('made.txt', 'w').write('héllo')");
  expect(readFileSync(join(session.folder, "made.txt"), "utf8")).toBe("héllo");
});
