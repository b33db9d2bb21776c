// What blocks need, make and change, read out of their text: names, aliases, functions, random numbers, files.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { javascriptFacts } from "../../src/conversations/clean/javascript.ts";
import { type PythonFacts, pythonFacts, versionsOf } from "../../src/conversations/clean/python.ts";
import { shellFacts } from "../../src/conversations/clean/shell.ts";
import { localMachine } from "../../src/machine/index.ts";
import { testPython } from "../support/session.ts";

const folder = mkdtempSync(join(tmpdir(), "facts-test-"));
writeFileSync(join(folder, "in.csv"), "a\n1\n");
afterAll(() => rmSync(folder, { recursive: true }));
const place = { machine: localMachine, folder, env: process.env, python: testPython };

const facts = async (...codes: string[]): Promise<PythonFacts[]> =>
  (
    await pythonFacts(
      place,
      codes.map((code) => ({ code })),
    )
  ).map((each) => each!);
const last = async (...codes: string[]): Promise<PythonFacts> => (await facts(...codes)).at(-1)!;
const names = (resources: readonly string[]): string[] =>
  resources.filter((each) => each.startsWith("python:")).map((each) => each.slice(7));

describe("Python: names", () => {
  test("a comprehension, a loop and a function have names of their own", async () => {
    const { reads, binds } = await last(
      "total = sum(x for x in data if x)\ndef f(x, *, y=default):\n    z = x + outer\n    return z\nfor i in data:\n    print(i)",
    );
    expect(names(reads).sort()).toEqual(["data", "default"]);
    expect(names(binds).sort()).toEqual(["f", "total"]);
  });

  test("who calls a function needs what it looks up, also through others and through an alias", async () => {
    const { reads } = await last("def f():\n    return g() + K", "def g():\n    return L", "h = f\nK = L = 1", "h()");
    expect(names(reads).sort()).toEqual(["K", "L", "f", "g", "h"]);
  });

  test.each([
    ["items", "items.append(1)"],
    ["table", "table['x'] = 1"],
    ["table", "table.loc[0, 'x'] = 1"],
    ["thing", "thing.attribute = 1"],
    ["table", "table.dropna(inplace=True)"],
    ["count", "count += 1"],
    ["model", "model.fit(X, y)"],
    ["store", "del store['x']"],
    ["items", "import random\nrandom.shuffle(items)"],
    ["heap", "from heapq import heappush\nheappush(heap, 1)"],
    ["thing", "setattr(thing, 'x', 1)"],
    ["items", "for each in items:\n    each.append(1)"],
  ])("%s is changed by %s", async (name, code) => {
    expect(names((await last(code)).changes)).toContain(name);
  });

  test.each([
    "table.head()",
    "table['x']",
    "clean = table.dropna()",
    "print(table)",
    "table.to_csv('out.csv')",
    "sorted(items)",
    "plt.plot(items)",
  ])("%s changes nothing that was there", async (code) => {
    const { changes } = await last("import matplotlib.pyplot as plt", code);
    expect(names(changes)).toEqual([]);
  });

  test("what is changed under one name is changed under the other", async () => {
    expect(
      names((await last("import matplotlib.pyplot as plt\nfig, ax = plt.subplots()", "ax.plot([1])")).changes),
    ).toContain("fig");
    expect(names((await last("a = []\nb = a", "b.append(1)")).changes)).toContain("a");
    expect(names((await last("a = []\nb = a", "b = []", "b.append(1)")).changes)).not.toContain("a");
    expect(names((await last("df = load()\nother = df.copy()", "other['x'] = 1")).changes)).not.toContain("df");
  });

  test("a branch may bind a name, and may not", async () => {
    const { binds, changes } = await last(
      "if test:\n    x = 1\ntry:\n    import numpy as np\nexcept ImportError:\n    np = None",
    );
    expect(names(binds)).toEqual([]);
    expect(names(changes).sort()).toEqual(["np", "x"]);
  });

  test("only what ran before the line that failed counts", async () => {
    const [block] = await pythonFacts(place, [{ code: "import os\na = 1\nb = a / 0\nc = 2", upTo: 3 }]);
    expect(names(block!.binds)).toEqual(["a"]);
    expect(block!.body).toBe("a = 1");
    expect(block!.imports.map(({ code }) => code)).toEqual(["import os"]);
  });

  test("random numbers are one sequence, which a seed begins anew", async () => {
    const [seed, draw, own] = await facts(
      "import numpy as np\nnp.random.seed(1)",
      "x = np.random.rand()",
      "rng = np.random.default_rng(1)\ny = rng.normal()",
    );
    expect(seed!.binds).toContain("random:numpy");
    expect(draw!.reads).toContain("random:numpy");
    expect(draw!.changes).toContain("random:numpy");
    expect(own!.changes).not.toContain("random:numpy");
  });
});

describe("Python: files", () => {
  test.each([
    ["open('out.txt', 'w').write('x')", [], ["out.txt"]],
    ["import pandas as pd\npd.read_csv('in.csv').to_csv('out.csv')", ["in.csv"], ["out.csv"]],
    ["from pathlib import Path\n(Path('a') / 'b.txt').write_text('x')", [], ["a/b.txt"]],
    ["name = 'in.csv'\ndata = load(name)", ["in.csv"], []],
    ["import os\npath = os.path.join('x', f'{\"y\"}.txt')\nopen(path, mode='w')", [], ["x/y.txt"]],
    ["import shutil\nshutil.copy('in.csv', 'copy.csv')", ["in.csv"], ["copy.csv"]],
    ["import glob\nfor name in glob.glob('*.csv'):\n    open(name)", ["in.csv"], []],
    ["fig.savefig(fname='p.png')", [], ["p.png"]],
    ["import json\njson.dump({}, open('a.json', 'w'))", [], ["a.json"]],
    ["import os\nos.listdir('.')", ["in.csv"], []],
  ])("%s", async (code, read, made) => {
    const { filesRead, filesMade } = await last(code);
    expect([filesRead, filesMade]).toEqual([read, made]);
  });

  test("a name that is only known later is a reason to keep the block", async () => {
    expect((await last("for n in range(3):\n    open(f'{n}.txt', 'w')")).doubt).toEqual([
      "it writes files whose names are only known when it runs",
    ]);
    expect((await last("import subprocess\nsubprocess.run(['make'])")).doubt).toEqual([
      "it runs commands whose effect cannot be told",
    ]);
  });

  test("a path in the folder is written as seen from it", async () => {
    const { body, filesMade } = await last(`open(${JSON.stringify(join(folder, "sub/é.txt"))}, 'w')  # ${folder}`);
    expect(filesMade).toEqual(["sub/é.txt"]);
    expect(body).toBe(`open('sub/é.txt', 'w')  # ${folder}`);
  });
});

test("Python: for a script the last value is shown, magics are said in Python, and waiting is wrapped", async () => {
  expect((await last("x = [1]\nx[0]")).script).toBe("x = [1]\nshow_value(x[0])");
  expect((await last("x = 1;")).script).toBe("x = 1;");
  expect((await last("%matplotlib inline\n!echo hi\nnames = !ls")).script).toBe(
    "pass  # %matplotlib inline\n__import__('subprocess').run('echo hi', shell=True)\nnames = __import__('subprocess').run('ls', shell=True, capture_output=True, text=True).stdout.splitlines()",
  );
  expect((await last("text = '''\na'''\nawait f()")).script).toBe(
    "async def main():\n    global text\n    text = '''\na'''\n    show_value(await f())\n\n\n__import__('asyncio').run(main())",
  );
});

test("versions: exactly what is imported, by the name it is installed under", async () => {
  const { requirements, missing, local } = await versionsOf(
    place,
    ["PIL.Image", "numpy", "os.path", "nowhere", "in_here"],
    ["x"],
  );
  expect(requirements.map((line) => line.replace(/==[\d.]+$/, ""))).toEqual(["numpy", "pillow"]);
  expect(missing).toEqual(["in_here", "nowhere"]);
  expect(local).toEqual([]);
});

test("JavaScript: declared, needed, changed; and as a program of its own", async () => {
  const block = await javascriptFacts(
    "const fs = require('fs');\nlet n = count + 1;\nlist.push(n);\nfs.writeFileSync('out.txt', String(n));\nn * 2",
    folder,
  );
  expect(block.binds).toEqual(["javascript:fs", "javascript:n", "file:out.txt"]);
  expect(block.reads).toEqual(expect.arrayContaining(["javascript:count", "javascript:list"]));
  expect(block.changes).toEqual(["javascript:list"]);
  expect(block.program).toContain("var n = count + 1;");
  expect(block.program).toMatch(/\{ const shown = \(n \* 2\); if \(shown !== undefined\) console\.dir\(shown\); \}$/);
});

describe("shell", () => {
  test.each([
    ["ls -la; cat in.csv | head -1", [], [], ["in.csv"]],
    ["sort in.csv > sorted.csv 2> /dev/null", [], ["sorted.csv"], ["in.csv"]],
    ["echo \"a > b\" 'c > d'", [], [], []],
    ["cp in.csv copy.csv && rm copy.csv", [], ["copy.csv"], ["in.csv"]],
    ["cat > made.txt <<EOF\nrm -rf x > y\nEOF", [], ["made.txt"], []],
    ["make all", ["what `make` does cannot be told"], [], []],
    ["find . -name x -delete", ["what `find` does cannot be told"], [], []],
    ["git status --short", [], [], []],
  ])("%s", (code, doubt, made, read) => {
    const found = shellFacts(code, folder);
    expect([found.doubt, found.filesMade, found.filesRead]).toEqual([doubt, made, read]);
  });

  test("packages that are installed, and state that later blocks may use", () => {
    expect(shellFacts("pip install pandas", folder)).toMatchObject({ installs: true, doubt: [], changes: [] });
    expect(shellFacts("cd work && export A=1", folder).changes).toEqual(["shell:state"]);
  });
});
