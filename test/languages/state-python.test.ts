// Python sessions that are saved and brought back in another process: what comes back, what does not, and that nobody notices.

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { planAgain } from "../../src/interpreter/state/plan.ts";
import type { Restored, SavedState } from "../../src/languages/index.ts";
import { python } from "../../src/languages/python/index.ts";
import { startSession, type TestSession, until } from "../support/session.ts";

const room = { value: 20_000_000, total: 50_000_000 };

class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "state-test-"));
  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

const names = ({ names: all }: SavedState, kept: boolean) =>
  all.filter(({ gone }) => (gone === undefined) === kept).map(({ name }) => name);

const why = (state: SavedState, name: string) => state.names.find((each) => each.name === name)?.gone;

async function printed(session: TestSession, code: string): Promise<string> {
  const { stdout, error, displayed } = await session.run(code);
  return error ? `${error.name}: ${error.message}` : `${stdout}${displayed.join("")}`.trim();
}

/** Runs blocks, saves, and goes on in a new process. */
async function resumed<T>(
  blocks: readonly string[],
  then: (session: TestSession, state: SavedState, restored: Restored) => Promise<T>,
  { later = [] as string[], change = (state: SavedState, _folder: string) => state } = {},
): Promise<T> {
  using folder = new Folder();
  let state: SavedState;
  {
    await using first = await startSession(python);
    for (const block of blocks) {
      const { error } = await first.run(block);
      expect(error?.traceback).toBeUndefined();
    }
    state = await first.session.save!(folder.path, room);
  }
  await using second = await startSession(python);
  const given = { folder: folder.path, state: change(JSON.parse(JSON.stringify(state)), folder.path), later };
  return await then(second, state, await second.session.restore!(given));
}

test("numbers, texts, collections and frames come back, with the modules under their names", async () => {
  const blocks = [
    "import pandas as pd, numpy as np\nimport xml.etree.ElementTree\nfrom math import *",
    "n, text, items = 42, 'ünï', [1, {'a': (2, 3)}, {4, 5}]\ndf = pd.DataFrame({'x': range(1000), 'y': 1.5})\narr = np.arange(5)",
  ];
  await resumed(blocks, async (session, state, { back, gone }) => {
    expect(gone).toEqual([]);
    expect(back).toEqual(expect.arrayContaining(["pd", "np", "xml", "n", "text", "items", "df", "arr", "sqrt", "pi"]));
    expect(await printed(session, "print(n, text, items, df.x.sum(), arr.tolist(), sqrt(4), pi)")).toBe(
      "42 ünï [1, {'a': (2, 3)}, {4, 5}] 499500 [0, 1, 2, 3, 4] 2.0 3.141592653589793",
    );
    expect(await printed(session, "print(pd.__name__, xml.etree.ElementTree.fromstring('<a/>').tag)")).toBe("pandas a");
    const described = state.names.find(({ name }) => name === "df");
    expect(described).toMatchObject({ type: "pandas.DataFrame", size: "1000 × 2" });
    expect(described?.made).toBe("df = pd.DataFrame({'x': range(1000), 'y': 1.5})");
    expect(state.names).toContainEqual({ name: "pd", type: "module", size: "pandas" });
  });
});

test("functions, lambdas, closures and recursion come back as they were, with their source", async () => {
  const blocks = [
    "def add(a, b=[1], *, c=2):\n    'adds'\n    return a + b[0] + c + offset\noffset = 10\nsquare = lambda x: x * x",
    "def counter():\n    n = 0\n    def up():\n        nonlocal n\n        n += 1\n        return n\n    return up, lambda: n\nup, value = counter()\nup()",
    "def outer():\n    def fact(n): return 1 if n < 2 else n * fact(n - 1)\n    return fact\nfact = outer()",
    "import functools\ndef loud(f):\n    @functools.wraps(f)\n    def wrapper(*a): return str(f(*a)) + '!'\n    return wrapper\n@loud\ndef hello(): return 'hi'",
    "_private = lambda: 'kept'",
  ];
  await resumed(blocks, async (session, _, { gone }) => {
    expect(gone).toEqual([]);
    expect(await printed(session, "print(add(1), square(3), fact(5), hello(), add.__doc__, _private())")).toBe(
      "14 9 120 hi! adds kept",
    );
    expect(await printed(session, "up(); print(up(), value())")).toBe("3 3");
    expect(await printed(session, "offset = 0\nprint(add(1))")).toBe("4");
    expect(await printed(session, "import inspect; print(inspect.getsource(square))")).toContain("lambda x: x * x");
    const { error } = await session.run("add('a')");
    expect(error?.traceback).toContain("earlier block 1");
    expect(error?.traceback).toContain("return a + b[0] + c + offset");
  });
});

test("classes come back with their instances, whatever made them", async () => {
  const blocks = [
    "class Base:\n    count = 0\n    def __init__(self, x): self.x = x\n    def name(self): return 'base'\nclass Point(Base):\n    __slots__ = ('y',)\n    def __init__(self, x, y):\n        super().__init__(x); self.y = y\n    @property\n    def sum(self): return self.x + self.y\n    @staticmethod\n    def origin(): return Point(0, 0)\n    @classmethod\n    def who(cls): return cls.__name__\np = Point(1, 2)\nBase.count = 7",
    "from dataclasses import dataclass, field\nfrom enum import Enum\nfrom typing import NamedTuple, Generic, TypeVar\nfrom collections import namedtuple\nfrom abc import ABC, abstractmethod\nT = TypeVar('T')",
    "@dataclass\nclass D:\n    a: int\n    b: list = field(default_factory=list)\nd = D(1)\nclass Colour(Enum):\n    RED = 1\nred = Colour.RED\nclass N(NamedTuple):\n    x: int = 3\nn = N()\nM = namedtuple('M', 'a b')\nm = M(1, 2)\nclass G(Generic[T]):\n    pass\ng = G()\nclass A(ABC):\n    @abstractmethod\n    def f(self): ...\nclass B(A):\n    def f(self): return 'f'\nb = B()",
    "def local():\n    class Hidden:\n        pass\n    return Hidden(), Hidden()\nh1, h2 = local()",
  ];
  await resumed(blocks, async (session, _, { gone }) => {
    expect(gone).toEqual([]);
    expect(
      await printed(
        session,
        "print(p.sum, type(p) is Point, isinstance(p, Base), Point.origin().sum, Point.who(), Base.count, p.name())",
      ),
    ).toBe("3 True True 0 Point 7 base");
    expect(await printed(session, "print(d, D(2), d == D(1), red is Colour.RED, Colour(1), n, N(4), m, M(3, 4))")).toBe(
      "D(a=1, b=[]) D(a=2, b=[]) True True Colour.RED N(x=3) N(x=4) M(a=1, b=2) M(a=3, b=4)",
    );
    expect(await printed(session, "print(b.f(), type(g) is G, type(h1) is type(h2), type(m) is M, type(n) is N)")).toBe(
      "f True True True True",
    );
    expect(await printed(session, "A()")).toContain("abstract");
  });
});

test("what two names share they still share, and values that hold each other come back together", async () => {
  const blocks = [
    "a = [1]; b = a; c = {'a': a}",
    "class Node:\n    all = []\n    def __init__(self): self.other = None; Node.all.append(self)\nx, y = Node(), Node()\nx.other, y.other = y, x",
    "ring = []; ring.append(ring)",
  ];
  await resumed(blocks, async (session, _, { gone }) => {
    expect(gone).toEqual([]);
    const same = "x.other is y, y.other is x, Node.all[0] is x, type(y) is Node, ring[0] is ring";
    expect(await printed(session, `a.append(2); print(b, c['a'] is a, ${same})`)).toBe(
      "[1, 2] True True True True True True",
    );
  });
});

test("what cannot be saved is named, with its type and how it was made, and the rest comes back", async () => {
  const blocks = [
    "import sqlite3, socket, threading",
    "conn = sqlite3.connect(':memory:')\nf = open('f', 'w')\ns = socket.socket()\ngen = (i for i in range(3))\nnext(gen)\nlock = threading.Lock()\nholder = {'conn': conn}\nok = 1",
    "async def go(): pass\ntask = go()",
  ];
  await resumed(blocks, async (session, state) => {
    expect(names(state, false).sort()).toEqual(["conn", "f", "gen", "holder", "lock", "s", "task"]);
    expect(state.names.find(({ name }) => name === "conn")).toEqual({
      name: "conn",
      type: "sqlite3.Connection",
      gone: "cannot be saved",
      made: "conn = sqlite3.connect(':memory:')",
    });
    expect(await printed(session, "print(ok)")).toBe("1");
    expect(await printed(session, "conn")).toBe("NameError: name 'conn' is not defined");
  });
});

test("a value that sleeps, raises, exits or never ends when it is saved is left out, and the session does not feel it", async () => {
  using folder = new Folder();
  await using session = await startSession(python);
  await session.run(`
import os, sys, time
class Bad:
    def __init__(self, do): self.do = do
    def __reduce__(self): print("noise"); return self.do() or (int, ())
sleeps, raises, exits = Bad(lambda: time.sleep(60)), Bad(lambda: 1 / 0), Bad(lambda: sys.exit(3))
def deaf():
    while True:
        try: time.sleep(60)
        except BaseException: pass
gone, never = Bad(lambda: os._exit(3)), Bad(deaf)
deep = []
for _ in range(100_000): deep = [deep]
fine = 5`);
  const save = async (): Promise<SavedState> => {
    for (;;) {
      try {
        return await session.session.save!(folder.path, room);
      } catch (error) {
        expect((error as { again?: boolean }).again).toBe(true);
      }
    }
  };
  const saving = save();
  // While it is saved, blocks run.
  expect(await printed(session, "print(fine)")).toBe("5");
  const state = await saving;
  expect(names(state, true)).toEqual(expect.arrayContaining(["fine", "Bad", "deaf"]));
  expect(names(state, false).sort()).toEqual(["deep", "exits", "gone", "never", "raises", "sleeps"]);
  expect(why(state, "sleeps")).toBe("saving it took too long");
  expect(why(state, "raises")).toBe("saving it failed: ZeroDivisionError");
  expect(why(state, "deep")).toBe("it is nested too deeply to be saved");
  expect(why(state, "never")).toBe("saving it took too long");
  expect(await printed(session, "print(fine, sorted(n for n in dir() if 'interpreter' in n))")).toBe("5 []");
});

test("large values are said to be too big, with their size; the largest make room for the others", async () => {
  using folder = new Folder();
  await using session = await startSession(python);
  await session.run(
    "import numpy as np, pandas as pd\nhuge = np.zeros(200_000_000, np.uint8)\nframe = pd.DataFrame({'x': np.zeros(4_000_000)})\ntext = 'x' * 21_000_000\nsmall = 1",
  );
  const state = await session.session.save!(folder.path, room);
  expect(why(state, "huge")).toBe("too big: 200 MB");
  expect(why(state, "frame")).toBe("too big: 32 MB");
  expect(why(state, "text")).toBe("too big: 21 MB");
  expect(names(state, true)).toContain("small");
  await session.run("parts = {}\nfor i in range(4): globals()[f'part{i}'] = np.full(15_000_000 + i, i, np.uint8)");
  const fuller = await session.session.save!(folder.path, room);
  expect(names(fuller, true)).toEqual(expect.arrayContaining(["part0", "part1", "part2", "small"]));
  expect(why(fuller, "part3")).toBe("too big: 15 MB, and the room for saved values is used up");
  expect(fuller.bytes).toBeLessThan(room.total);
});

test("what changed in place is saved again, what did not is not written again, and deleted names are gone", async () => {
  using folder = new Folder();
  await using session = await startSession(python);
  await session.run(
    "import pandas as pd\ndf = pd.DataFrame({'x': range(5000)})\nother = list(range(5000))\ndef clear(): df.loc[:, 'x'] = 0\nold = 'y' * 5000",
  );
  const first = await session.session.save!(folder.path, room);
  const files = readdirSync(folder.path);
  expect(Object.keys(first.files).sort()).toEqual(files.sort());
  for (const file of files) expect(statSync(join(folder.path, file)).mode & 0o077).toBe(0);
  await session.run("clear()\ndel old");
  const second = await session.session.save!(folder.path, room);
  expect(names(second, true)).not.toContain("old");
  expect(Object.keys(second.files).filter((file) => files.includes(file))).toHaveLength(1);
  await using later = await startSession(python);
  await later.session.restore!({ folder: folder.path, state: second, later: [] });
  expect(await printed(later, "print(df.x.sum(), sum(other), 'old' in dir())")).toBe("0 12497500 False");
});

test("values that no block has named wait when there is no time for them, and are said to be perhaps older", async () => {
  using folder = new Folder();
  await using session = await startSession(python);
  await session.run(
    "import time\nclass Slow:\n    def __init__(self, n): self.n = n\n    def __reduce__(self): time.sleep(0.25); return (Slow, (self.n,))\na, b, c = Slow(1), Slow(2), Slow(3)",
  );
  const stale = (state: SavedState) => state.names.filter((each) => each.stale).map(({ name }) => name);
  expect(stale(await session.session.save!(folder.path, room))).toEqual([]);
  await session.run("other = 1");
  const second = await session.session.save!(folder.path, room);
  // Which of them wait depends on how long each took; that some do, does not.
  const waits = stale(second).at(-1)!;
  expect(["a", "b", "c"]).toContain(waits);
  expect(names(second, true)).toEqual(expect.arrayContaining(["a", "b", "c", "other"]));
  await session.run(`${waits}.n = 4`);
  const third = await session.session.save!(folder.path, room);
  expect(stale(third)).not.toContain(waits);
  await using later = await startSession(python);
  await later.session.restore!({ folder: folder.path, state: third, later: [] });
  expect(await printed(later, "print(a.n, b.n, c.n)")).toBe({ a: "4 2 3", b: "1 4 3", c: "1 2 4" }[waits]);
});

test("folder, environment and import path come back; secrets are not written anywhere", async () => {
  const blocks = [
    "import os, sys\nos.makedirs('/tmp/state-test-place', exist_ok=True)\nos.chdir('/tmp/state-test-place')\nos.environ['COLOUR'] = 'red'\nos.environ['MY_TOKEN'] = 'hush-1'\nos.environ.pop('LANG', None)\nsys.path.append('/somewhere')",
    "password = 'hush-2'\napi_key = 'hush-3'\nopen('helper_of_mine.py', 'w').write('x = 5')\nimport helper_of_mine",
  ];
  await resumed(blocks, async (session, state, { gone }) => {
    expect(gone).toEqual([]);
    expect(
      await printed(
        session,
        "print(os.getcwd(), os.environ['COLOUR'], 'LANG' in os.environ, sys.path[-1], helper_of_mine.x)",
      ),
    ).toBe("/tmp/state-test-place red False /somewhere 5");
    expect(names(state, false).sort()).toEqual(["MY_TOKEN", "api_key", "password"]);
    expect(JSON.stringify(state)).not.toContain("hush");
  });
  rmSync("/tmp/state-test-place", { recursive: true, force: true });
});

test("what later blocks changed or deleted is back as it was before them, and is named", async () => {
  await resumed(
    ["a, b, c = 1, [2], 3"],
    async (_session, _state, { back, older }) => {
      expect(back).toEqual(["a", "b", "c"]);
      expect(older).toEqual(["a", "b"]);
    },
    { later: ["del a\nb.append(1)"] },
  );
});

test("another Python does not load it, and says who saved it", async () => {
  const other = (state: SavedState) => ({ ...state, by: "cpython 3.4 in /opt/old" });
  const restored = resumed(["a = 1"], async () => undefined, { change: other });
  await expect(restored).rejects.toThrow(/^They were saved by cpython 3\.4 in \/opt\/old, and this is cpython 3/);
});

test("a file that is missing, cut or changed costs its value and nothing else", async () => {
  const blocks = ["a, b, c, ok = list(range(2000)), 'b' * 2000, 'c' * 2000, 1"];
  const harm = (state: SavedState, folder: string) => {
    const file = (name: string) => {
      const { units } = state.details as { units: { names: string[]; file?: string }[] };
      return join(folder, units.find((unit) => unit.names[0] === name)!.file!);
    };
    rmSync(file("a"));
    truncateSync(file("b"), 100);
    writeFileSync(file("c"), Buffer.from(readFileSync(file("c"))).fill(0x58, 100, 110));
    return state;
  };
  await resumed(
    blocks,
    async (session, _, { back, gone }) => {
      expect(back).toEqual(["ok"]);
      expect(gone).toEqual([
        { name: "a", gone: "its file is missing" },
        { name: "b", gone: "its file is damaged" },
        { name: "c", gone: "its file is damaged" },
      ]);
      expect(await printed(session, "print(ok)")).toBe("1");
    },
    { change: harm },
  );
});

test("a value that fails when it is read is named with the reason, and so is what holds it", async () => {
  const blocks = [
    "class Fails:\n    def __setstate__(self, state): raise RuntimeError('not again')\nbad = Fails(); bad.x = 1\nholder = [bad]\nok = 1",
  ];
  await resumed(blocks, async (_session, _state, { back, gone }) => {
    expect(back).toEqual(["Fails", "ok"]);
    expect(gone).toEqual([
      { name: "bad", gone: "it could not be read: RuntimeError: not again" },
      { name: "holder", gone: "it holds bad" },
    ]);
  });
});

test("a session that was brought back is saved and brought back again", async () => {
  using folder = new Folder();
  let state: SavedState | undefined;
  for (let round = 1; round <= 4; round++) {
    await using session = await startSession(python);
    if (state) await session.session.restore!({ folder: folder.path, state, later: [] });
    else
      await session.run(
        "log = []\nbig = list(range(3000))\nimport enum\nclass E(enum.Enum):\n    A = 1\nfirst = lambda: 1 / 0",
      );
    await session.run(`log.append(${round})\ndef f${round}(): return log[${round - 1}], E.A.value`);
    state = await session.session.save!(folder.path, room);
  }
  await using last = await startSession(python);
  await last.session.restore!({ folder: folder.path, state: state!, later: [] });
  expect(await printed(last, "print(log, f1(), f4(), len(big))")).toBe("[1, 2, 3, 4] (1, 1) (4, 1) 3000");
  expect((await last.run("first()")).error?.traceback).toContain("first = lambda: 1 / 0");
});

test("where no copy of the process can be made, values are saved in place, and one that hangs is cut off", async () => {
  using folder = new Folder();
  await using session = await startSession(python);
  await session.run(
    "import os, time\ndel os.fork\nclass S:\n    def __reduce__(self): time.sleep(60)\ns, ok = S(), [1]",
  );
  const state = await session.session.save!(folder.path, room);
  expect(why(state, "s")).toBe("saving it took too long");
  expect(names(state, true)).toContain("ok");
  expect(await printed(session, "print(ok)")).toBe("[1]");
});

test("a block does not hear of the copy that saves: no child, no output, no warning", async () => {
  using folder = new Folder();
  await using session = await startSession(python);
  await session.run(
    "import os, subprocess, threading, time\nthreading.Thread(target=time.sleep, args=(5,), daemon=True).start()\nx = list(range(100_000))",
  );
  const saving = session.session.save!(folder.path, room);
  const { stdout, stderr, error } = await session.run(
    "try: print(os.wait())\nexcept ChildProcessError: print('no children')\nprint(subprocess.run(['echo', 'mine'], capture_output=True, text=True).stdout)",
  );
  expect(error?.traceback).toBeUndefined();
  expect([stdout, stderr]).toEqual(["no children\nmine\n\n", ""]);
  await saving;
});

test("a block that runs keeps the session from being saved, and says so", async () => {
  using folder = new Folder();
  await using session = await startSession(python);
  let running = false;
  const block = session.run("print('on', flush=True)\nimport time; time.sleep(1)", (event) => {
    running ||= event.type === "output";
  });
  await until(() => running);
  await expect(session.session.save!(folder.path, room)).rejects.toThrow("Python is running a block.");
  await block;
});

test("figures come back and are not shown anew", async () => {
  const blocks = [
    "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.plot([1, 2, 3])\nax.set_title('kept')",
  ];
  await resumed(blocks, async (session, _, { gone }) => {
    expect(gone).toEqual([]);
    const { bundles, stdout } = await session.run("print(ax.get_title(), ax.figure is fig)");
    expect([bundles, stdout]).toEqual([[], "kept True\n"]);
  });
});

test("the fewest blocks that make something again are found, in their order", async () => {
  await using session = await startSession(python);
  const blocks = [
    "import sqlite3\nimport pandas as pd",
    "path = 'a.db'",
    "unrelated = 1",
    "conn = sqlite3.connect(path)",
    "conn.execute('create table t (x)')\nrows = []",
    "df = pd.read_sql('select * from t', conn)\ndf.head()",
    "rows.append(len(df))",
    "%matplotlib inline\ncur = conn.cursor()",
  ];
  const facts = await session.session.blockFacts!(blocks);
  const plan = (wanted: string[] | undefined, there: string[], later = 0) => planAgain({ facts, wanted, there, later });
  expect(plan(["conn"], ["path", "sqlite3", "pd", "df", "rows"])).toEqual([3, 4]);
  expect(plan(["conn"], [])).toEqual([0, 1, 3, 4]);
  expect(plan(["cur"], ["path", "sqlite3"])).toEqual([3, 4, 7]);
  expect(plan(["rows"], ["df"])).toEqual([0, 1, 3, 4, 6]);
  expect(plan([], ["rows", "df", "conn"], 2)).toEqual([6, 7]);
  expect(plan(undefined, [])).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});
