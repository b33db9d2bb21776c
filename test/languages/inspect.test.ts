// Looking into live sessions: the names in them, how a name could go on, what they use, starting over.

import { describe, expect, test } from "vitest";
import { SessionBusyError, Sessions, type Variable } from "../../src/languages/index.ts";
import { javascript } from "../../src/languages/javascript/index.ts";
import { python } from "../../src/languages/python/index.ts";
import { bash, dash, zsh } from "../../src/languages/shell/index.ts";
import { localMachine } from "../../src/machine/index.ts";
import { startSession, testPython } from "../support/session.ts";

const brief = ({ name, type, size, preview }: Variable) =>
  [name, type, size, preview].map((each) => each ?? "-").join(" | ");

async function endsOf(
  session: { complete?(code: string, cursor: number): Promise<{ matches: string[]; start: number; end: number }> },
  code: string,
) {
  const { matches, start, end } = await session.complete!(code, code.length);
  return { matches, replaced: code.slice(start, end) };
}

describe("Python", () => {
  test("names, types, sizes and the beginning of values", async () => {
    await using session = await startSession(python);
    await session.run(
      `import os\nn, f, s, nothing = 3, 2.5, "x" * 500, None\nl = list(range(100))\nd = {"a": [1, {2: 3}], "b": object()}\ndef area(w, h): return w * h\nclass Point: pass\np = Point()\nhuge = 7 ** 90000\n_hidden = 1`,
    );
    expect((await session.session.inspect!()).map(brief)).toEqual([
      "n | int | - | 3",
      "f | float | - | 2.5",
      `s | str | 500 | '${"x".repeat(100)}'…`,
      "nothing | NoneType | - | None",
      "l | list | 100 | [0, 1, 2, 3, 4, …]",
      "d | dict | 2 | {'a': [1, …], 'b': <object>}",
      "area | function | - | area(w, h)",
      "Point | type | - | class Point",
      "p | Point | - | -",
      "huge | int | - | an integer of 252662 bits",
    ]);
  });

  test("frames and arrays by their shape", async () => {
    await using session = await startSession(python);
    await session.run(
      "import numpy as np, pandas as pd\na = np.zeros((3, 4))\nframe = pd.DataFrame({'x': [1, 2], 'y': ['a', 'b']})\ncolumn = frame.x\none = np.float64(2)",
    );
    expect((await session.session.inspect!()).map(brief)).toEqual([
      "a | numpy.ndarray | 3 × 4 | float64",
      "frame | pandas.DataFrame | 2 × 2 | x, y",
      "column | pandas.Series | 2 | int64",
      "one | numpy.float64 | - | 2.0 float64",
    ]);
  });

  test("values that fail or lie when they are looked at do no harm, and none of their code runs", async () => {
    await using session = await startSession(python);
    await session.run(`import time
class Slow:
    def __repr__(self): time.sleep(1000)
    __len__ = __iter__ = __getattr__ = __repr__
    shape = property(__repr__)
class Sneaky(dict):
    def __len__(self): raise SystemExit
    def items(self): raise KeyboardInterrupt
slow, sneaky, inside = Slow(), Sneaky(a=1), [Slow()]`);
    expect((await session.session.inspect!()).map(brief).slice(-3)).toEqual([
      "slow | Slow | - | -",
      "sneaky | Sneaky | 1 | -",
      "inside | list | 1 | [<Slow>]",
    ]);
  });

  test("completion of names and of what is in a value", async () => {
    await using session = await startSession(python);
    await session.run(
      "import os\nmeasure_one, measure_two = 1, [1]\nclass Point:\n    def __init__(self): self.across = 1\np = Point()",
    );
    expect(await endsOf(session.session, "y = 1\nprint(meas")).toEqual({
      matches: ["measure_one", "measure_two"],
      replaced: "meas",
    });
    expect((await endsOf(session.session, "'🐍'; os.path.isd")).matches).toContain("isdir");
    expect((await endsOf(session.session, "p.acr")).matches).toEqual(["across"]);
    expect((await endsOf(session.session, "measure_two.ap")).matches).toEqual(["append"]);
    expect((await endsOf(session.session, "nothing_like_that")).matches).toEqual([]);
  });

  test("while a block runs it can still be looked into", async () => {
    await using session = await startSession(python);
    let names: Promise<Variable[]> | undefined;
    await session.run("x = 1\nprint('ready', flush=True)\ninput()", (event) => {
      if (event.type === "output") names = session.session.inspect!();
    });
    expect((await names!).map(({ name }) => name)).toEqual(["x"]);
  });
});

describe("JavaScript", () => {
  test("names, types, sizes and the beginning of values", async () => {
    await using session = await startSession(javascript);
    await session.run(
      `const n = 3; let s = "abc"; const list = Array.from({ length: 100 }, (_, i) => i)\nconst map = new Map([["a", 1]]); class Point { get x() { throw 1 } }; const p = new Point(); function area(w, h) {}\nconst trap = new Proxy({}, { get() { throw 1 }, ownKeys() { throw 1 }, getPrototypeOf() { throw 1 } }); const made = { get bad() { throw 1 }, ok: 1 }`,
    );
    const found = (await session.session.inspect!()).map(brief);
    expect(found.sort()).toEqual(
      [
        "n | number | - | 3",
        "s | string | 3 | 'abc'",
        "list | Array | 100 | [ 0, 1, 2, 3, 4, ... 95 more items ]",
        "map | Map | 1 | Map(1) { 'a' => 1 }",
        "Point | class | - | -",
        "p | Point | - | Point {}",
        "area | function | - | -",
        "trap | Proxy | - | Proxy [ {}, { get: [Function: get], ownKeys: [Function: ownKeys], getPrototypeOf: [Function: getPrototypeOf] } ]",
        "made | Object | - | { bad: [Getter], ok: 1 }",
      ].sort(),
    );
  });

  test("completion of names and of what is in a value", async () => {
    await using session = await startSession(javascript);
    await session.run("const measureOne = { width: 1, inner: { height: 2 } }");
    expect(await endsOf(session.session, "let y = meas")).toEqual({ matches: ["measureOne"], replaced: "meas" });
    expect((await endsOf(session.session, "measureOne.inner?.hei")).matches).toEqual(["height"]);
    expect((await endsOf(session.session, "[1].map; Math.ma")).matches).toEqual(["max"]);
    expect((await endsOf(session.session, "measureOne.nothing.x")).matches).toEqual([]);
  });
});

describe.each([
  ["bash", bash],
  ["zsh", zsh],
  ["sh", dash],
])("%s", (name, language) => {
  test("folder, variables and functions, and nothing is changed by looking", async (context) => {
    if ((await language.available({ machine: localMachine, cwd: "/", env: process.env })) !== true) context.skip();
    await using session = await startSession(language);
    await session.run("mkdir inner; cd inner; city='New York'; hello() { echo hi; }; HOME=/elsewhere; (exit 3)");
    const found = await session.session.inspect!();
    expect(found[0]).toEqual({ name: "PWD", type: "folder", preview: expect.stringMatching(/inner$/) });
    const rest = found.slice(1).map(brief);
    expect(rest).toContain("city | text | - | New York");
    expect(rest).toContain("HOME | text | - | /elsewhere");
    if (name !== "sh") expect(rest).toContain("hello | function | - | -");
    expect(rest.filter((each) => !/^(city|HOME|hello|LINENO)\b/.test(each))).toEqual([]);
    expect((await session.run('echo "$? $city"')).stdout).toBe("3 New York\n");
  });

  test("completion of paths", async (context) => {
    if ((await language.available({ machine: localMachine, cwd: "/", env: process.env })) !== true) context.skip();
    await using session = await startSession(language);
    await session.run("mkdir deep; touch deep/measure.txt deep/other; zebra_one=1");
    expect(await endsOf(session.session, "cat deep/mea")).toEqual({
      matches: ["deep/measure.txt"],
      replaced: "deep/mea",
    });
    expect((await endsOf(session.session, "ls de")).matches).toEqual(["deep"]);
    if (name !== "bash") return;
    expect((await endsOf(session.session, "true && prin")).matches).toContain("printf");
    expect((await endsOf(session.session, 'echo "$zebra_o')).matches).toEqual(["zebra_one"]);
  });

  test("a shell that runs a block says that it is busy", async (context) => {
    if ((await language.available({ machine: localMachine, cwd: "/", env: process.env })) !== true) context.skip();
    await using session = await startSession(language);
    let refusal: Promise<unknown> | undefined;
    await session.run("echo ready; sleep 0.2", (event) => {
      if (event.type === "output") refusal = session.session.inspect!().catch((error: unknown) => error);
    });
    expect(await refusal).toBeInstanceOf(SessionBusyError);
    expect((await session.run("echo fine")).stdout).toBe("fine\n");
  });
});

describe("all of them", () => {
  function start() {
    const sessions = new Sessions([python, javascript, bash], {
      machine: localMachine,
      cwd: process.cwd(),
      env: process.env,
      python: testPython,
    });
    const run = async (name: string, code: string) => {
      let text = "";
      for await (const event of sessions.run(sessions.find(name)!, code)) {
        if (event.type === "output") text += event.text;
        if (event.type === "display") text += event.bundle["text/plain"];
      }
      return text;
    };
    return { sessions, run, [Symbol.asyncDispose]: () => sessions.close() };
  }

  test("say what they are, what they use and what is in them", async () => {
    await using all = start();
    const pid = Number(await all.run("python", "import os\nx = 1\nos.getpid()"));
    await all.run("javascript", "const y = 2");
    const [first, second] = await all.sessions.describe({ variables: true });
    expect(first).toEqual({
      language: "python",
      version: expect.stringMatching(/^Python 3\./),
      pid,
      memory: expect.any(Number),
      uptime: expect.any(Number),
      busy: false,
      variables: [{ name: "x", type: "int", preview: "1" }],
    });
    expect(first!.memory).toBeGreaterThan(1_000_000);
    expect(second!.variables).toEqual([{ name: "y", type: "number", preview: "2" }]);
  });

  test("a restart ends the old one, starts a new one, and the next block is told", async () => {
    await using all = start();
    const old = Number(await all.run("python", "import os\nx = 1\nos.getpid()"));
    const fresh = await all.sessions.restart(python);
    expect(fresh.pid).not.toBe(old);
    const text = await all.run("python", "print('x' in globals())");
    expect(text).toBe("[New python session: the last one is gone with its variables (it was restarted).]\nFalse\n");
  });

  test("a restart while a block runs ends the block, not the new session", async () => {
    await using all = start();
    let restarted: Promise<unknown> | undefined;
    let last = "";
    for await (const event of all.sessions.run(python, "import time\nprint('on', flush=True)\ntime.sleep(100)")) {
      if (event.type === "output") restarted ??= all.sessions.restart(python);
      if (event.type === "end") last = event.status;
    }
    expect(last).toBe("exited");
    await restarted;
    await all.run("python", "z = 1");
    expect(await all.run("python", "z")).toBe("1");
  });
});
