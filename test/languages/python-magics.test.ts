import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { python } from "../../src/languages/python/index.ts";
import { localMachine } from "../../src/machine/index.ts";
import { startSession, testPython } from "../support/session.ts";

describe("commands", () => {
  test("!command is heard while it runs, with values of the session in it", async () => {
    await using session = await startSession(python);
    const { stdout, stderr, end } = await session.run(
      "x = 3\nprint('before')\n!echo {x + 1} $x; echo wrong >&2\nprint('after')",
    );
    expect([stdout, stderr, end.status]).toEqual(["before\n4 3\nafter\n", "wrong\n", "ok"]);
  });

  test("what a shell and Python both know is the shell's, where Python has no such value", async () => {
    await using session = await startSession(python);
    const { stdout } = await session.run(
      "!echo a b | awk '{print $2}'\n!HERE=yes; echo ${HERE} $HERE\nx = 1\n!echo {{x}} $$x",
    );
    expect(stdout).toBe("b\nyes yes\n{x}\n");
  });

  test("x = !command is the list of its lines", async () => {
    await using session = await startSession(python);
    const { displayed } = await session.run("lines = !printf 'a\\nb\\n'; exit 3\nlines, lines.n, _exit_code");
    expect(displayed).toEqual(["(['a', 'b'], 'a\\nb', 3)"]);
  });

  test("in a function, the function's own names count", async () => {
    await using session = await startSession(python);
    const { stdout } = await session.run("def f(name):\n    if name:\n        !echo hello {name}\nf('Ada')");
    expect(stdout).toBe("hello Ada\n");
  });

  test("the folder of the session is not changed by cd in a command, but by %cd", async () => {
    await using session = await startSession(python);
    const { stdout, displayed } = await session.run(
      "!mkdir inside; cd inside\n%pwd\n!pwd\n%cd inside\n%cd -q -\nimport os\nos.listdir()",
    );
    expect(stdout.split("\n")).toEqual([session.folder, join(session.folder, "inside"), ""]);
    expect(displayed).toEqual(["['inside']"]);
  });

  test("%%bash runs the block, and its failure is an error", async () => {
    await using session = await startSession(python);
    const { stdout } = await session.run('%%bash\nfor i in 1 2; do echo $i; done\n# it\'s "quoted" {fine}');
    expect(stdout).toBe("1\n2\n");
    const { error } = await session.run("%%bash\necho said\nexit 4");
    expect(error).toMatchObject({ name: "CalledProcessError", message: expect.stringContaining("status 4") });
    expect((await session.run("%%bash --out said --no-raise-error\necho kept; exit 1")).end.status).toBe("ok");
    expect((await session.run("said")).displayed).toEqual(["'kept\\n'"]);
  });

  test("%%script runs any program, and says when it is not there", async () => {
    await using session = await startSession(python);
    expect((await session.run("%%script sh -s word\necho $1")).stdout).toBe("word\n");
    expect((await session.run("%%script no-such-program\n")).error?.message).toContain("is not installed here");
  });

  test("an interrupt reaches the command and keeps the state", async () => {
    await using session = await startSession(python);
    await session.run("x = 7");
    const { end } = await session.run("!echo go; sleep 100", (event) => {
      if (event.type === "output" && event.text.includes("go")) session.session.interrupt();
    });
    expect(end.status).toBe("interrupted");
    expect((await session.run("x")).displayed).toEqual(["7"]);
  });
});

describe("timing", () => {
  test("%timeit measures, %time runs once and gives the value", async () => {
    await using session = await startSession(python);
    const { stdout, displayed } = await session.run(
      "n = 100\n%timeit -n 10 -r 3 sum(range(n))\nresult = %timeit -n 2 -r 2 -q -o n\n%time n + 1",
    );
    expect(stdout).toMatch(
      /^[\d.]+ [nµm]?s ± [\d.]+ [nµm]?s per loop \(mean ± std\. dev\. of 3 runs, 10 loops each\)\n/,
    );
    expect(stdout).toMatch(/Wall time: [\d.]+ [nµm]?s\n$/);
    expect(displayed).toEqual(["101"]);
    expect((await session.run("result.loops, result.repeat")).displayed).toEqual(["(2, 2)"]);
  });

  test("%%time times the block, awaits included, and shows its last value", async () => {
    await using session = await startSession(python);
    const { stdout, displayed } = await session.run(
      "%%time\nimport asyncio\nawait asyncio.sleep(0)\nmade = 6\nmade * 7",
    );
    expect(stdout).toContain("Wall time: ");
    expect(displayed).toEqual(["42"]);
    expect((await session.run("made")).displayed).toEqual(["6"]);
  });

  test("%%timeit takes its first line as preparation", async () => {
    await using session = await startSession(python);
    expect((await session.run("%%timeit -n 2 -r 2 k = 5\nk + 1")).stdout).toContain("2 runs, 2 loops each");
  });
});

describe("files and names", () => {
  test("%%writefile, %run and %who", async () => {
    await using session = await startSession(python);
    expect((await session.run("%%writefile made.py\nimport sys\nfound = sys.argv[1:]\nprint(__name__)")).stdout).toBe(
      "Writing made.py\n",
    );
    expect(readFileSync(join(session.folder, "made.py"), "utf8")).toBe(
      "import sys\nfound = sys.argv[1:]\nprint(__name__)\n",
    );
    const { stdout, displayed } = await session.run("%run made.py a 'b c'\n%who\nfound");
    expect(stdout).toBe("__main__\nfound\n");
    expect(displayed).toEqual(["['a', 'b c']"]);
    expect((await session.run("__name__, '__file__' in globals()")).displayed).toEqual(["('__main__', False)"]);
  });

  test("an error in a file that was run names the file's line, and exit does not end the session", async () => {
    await using session = await startSession(python);
    writeFileSync(join(session.folder, "bad.py"), "x = 1\nx / 0\n");
    const { error } = await session.run("%run bad.py");
    expect(error?.traceback).toContain('bad.py", line 2, in <module>\n    x / 0');
    expect(error?.traceback).not.toContain("python-");
    writeFileSync(join(session.folder, "leaves.py"), "import sys\nsys.exit(3)\n");
    expect((await session.run("%run leaves.py")).stderr).toContain("status 3");
    expect((await session.run("1")).displayed).toEqual(["1"]);
  });

  test("%env and %%capture", async () => {
    await using session = await startSession(python);
    expect((await session.run("%env WORD=hello\n!echo $WORD")).stdout).toBe("env: WORD=hello\nhello\n");
    const quiet = await session.run(
      "%%capture kept\nimport sys\nprint('out')\n!echo child\nprint('err', file=sys.stderr)\ndisplay(5)",
    );
    expect([quiet.stdout, quiet.stderr, quiet.displayed]).toEqual(["", "", []]);
    expect((await session.run("kept.stdout, kept.stderr, len(kept.outputs)")).displayed).toEqual([
      "('out\\nchild\\n', 'err\\n', 1)",
    ]);
  });

  test("name? and name?? explain a name", async () => {
    await using session = await startSession(python);
    await session.run("def add(a, b=2):\n    'Adds two.'\n    return a + b");
    expect((await session.run("add?")).stdout).toMatch(/Signature: add\(a, b=2\)\nDocstring:\nAdds two\./);
    expect((await session.run("?add")).stdout).toContain("Adds two.");
    expect((await session.run("add??")).stdout).toContain("    return a + b");
    expect((await session.run("nothing?")).stdout).toBe("Object `nothing` not found.\n");
    expect((await session.run("str.*find*?")).stdout).toBe("str.find\nstr.rfind\n");
  });

  test.each([
    ["html", "text/html"],
    ["markdown", "text/markdown"],
    ["latex", "text/latex"],
    ["javascript", "application/javascript"],
  ])("%%%%%s shows the block", async (name, mime) => {
    await using session = await startSession(python);
    expect((await session.run(`%%${name}\n<b>it's</b>`)).bundles[0]![mime]).toBe("<b>it's</b>");
  });
});

describe("tracebacks", () => {
  test("show the person's own lines and numbers around magics", async () => {
    await using session = await startSession(python);
    const { error } = await session.run("def f():\n    %timeit -n 1 -r 1 1\n    return 1 / 0\n\n!true\nf()");
    expect(error?.traceback).toContain('File "<block 1>", line 6, in <module>\n    f()');
    expect(error?.traceback).toContain('File "<block 1>", line 3, in f\n    return 1 / 0');
    expect(error?.traceback).not.toContain("python-");
  });

  test("also inside a cell magic, and on the line of a magic that failed", async () => {
    await using session = await startSession(python);
    expect((await session.run("%%time\nx = 1\nx / 0")).error?.traceback).toContain(
      'File "<block 1>", line 3, in <module>\n    x / 0',
    );
    expect((await session.run("y = 2\n%cd no-such-folder")).error?.traceback).toContain(
      'File "<block 2>", line 2, in <module>\n    %cd no-such-folder\n',
    );
  });

  test("a mistake in the block's own Python is shown as it was written", async () => {
    await using session = await startSession(python);
    const { error } = await session.run("!true\ny = = 2");
    expect(error).toMatchObject({ name: "SyntaxError", traceback: expect.stringContaining("line 2\n    y = = 2") });
    const again = await session.run("%%time\nx = (\n");
    expect(again.error?.name).toBe("SyntaxError");
  });
});

describe("IPython", () => {
  test("is not loaded for plain code or for magics of ours", async () => {
    await using session = await startSession(python);
    const { displayed } = await session.run(
      "import pandas as pd, sys\nstr(pd.DataFrame({'a': [1]}))\n%pwd\n%timeit -n 1 -r 1 1\n'IPython' in sys.modules",
    );
    expect(displayed).toEqual(["False"]);
  });

  test("knows the magics that we do not", async () => {
    await using session = await startSession(python);
    const { stdout, end } = await session.run("def work(): return 5\n%prun work()");
    expect(end.status).toBe("ok");
    expect(stdout).toContain("function calls in");
    expect((await session.run("_ = 3\ndel _\n6\n")).displayed).toEqual(["6"]);
    expect((await session.run("_")).displayed).toEqual(["6"]);
  });

  test("get_ipython() runs magics over the session's own names", async () => {
    await using session = await startSession(python);
    const { displayed } = await session.run(
      "x = 4\nshell = get_ipython()\nshell.run_line_magic('pwd', ''), shell.user_ns['x'], shell.user_ns is globals()",
    );
    expect(displayed).toEqual([`('${session.folder}', 4, True)`]);
  });

  test("its display functions show through us", async () => {
    await using session = await startSession(python);
    const { bundles, events, stdout } = await session.run(
      "from IPython.display import display, HTML, Markdown, update_display\ndisplay(HTML('<b>a</b>'))\nhandle = display(1, display_id=True)\nhandle.update(2)\nMarkdown('*b*')",
    );
    expect(stdout).toBe("");
    expect(bundles.map((bundle) => Object.keys(bundle).sort())).toEqual([
      ["text/html", "text/plain"],
      ["text/plain"],
      ["text/plain"],
      ["text/markdown", "text/plain"],
    ]);
    const [first, second] = events.filter((event) => event.type === "display").slice(1);
    expect(first).toMatchObject({ id: expect.any(String) });
    expect(second).toMatchObject({ id: (first as { id: string }).id, update: true });
  });

  test("what its display shows is within bounds, too", async () => {
    await using session = await startSession(python);
    const { displayed } = await session.run(
      "from IPython.display import display\nimport pandas as pd\ndisplay(pd.DataFrame({'n': range(100)}), list(range(10**6)))",
    );
    expect(displayed[0]).toContain("dtypes: n int64");
    expect(displayed[1]).toContain("… 999,880 more …");
  });

  test("a magic that a block registers goes before ours", async () => {
    await using session = await startSession(python);
    await session.run(
      "from IPython.core.magic import register_line_magic, register_cell_magic\n@register_line_magic\ndef greet(line): return 'hello ' + line\n@register_cell_magic\ndef upper(line, cell): print(cell.upper())",
    );
    expect((await session.run("%greet you")).displayed).toEqual(["'hello you'"]);
    expect((await session.run("%%upper\nloud")).stdout).toBe("LOUD\n");
  });

  test("%autoreload takes a changed module", async () => {
    await using session = await startSession(python);
    await session.run("%load_ext autoreload\n%autoreload 2\n%%writefile changing.py\nvalue = 1");
    await session.run("import changing, os\nos.utime('changing.py', (1, 1))");
    await session.run("open('changing.py', 'w').write('value = 22\\n');");
    expect((await session.run("changing.value")).displayed).toEqual(["22"]);
  });

  test("an unknown magic is an error without a traceback", async () => {
    await using session = await startSession(python);
    const { error } = await session.run("%nosuchmagic");
    expect(error).toMatchObject({ name: "UsageError", traceback: expect.not.stringContaining("Traceback") });
  });
});

describe("an environment of its own", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "environment-test-"));
    execFileSync(testPython, ["-m", "venv", join(folder, "venv")]);
    // The smallest package there can be.
    execFileSync(testPython, [
      "-c",
      "import sys, zipfile\nwith zipfile.ZipFile(sys.argv[1] + '/tiny_thing-1.0-py3-none-any.whl', 'w') as z:\n    z.writestr('tiny_thing.py', 'size = 1')\n    for name, text in (('METADATA', 'Metadata-Version: 2.1\\nName: tiny-thing\\nVersion: 1.0\\n'), ('WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n'), ('RECORD', '')):\n        z.writestr('tiny_thing-1.0.dist-info/' + name, text)",
      folder,
    ]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const start = async (environment: string, more: NodeJS.ProcessEnv = {}) => {
    const env = { ...process.env, PIP_NO_INDEX: "1", PIP_FIND_LINKS: folder, ...more };
    const session = await python.start({ machine: localMachine, cwd: folder, env, python: join(folder, environment) });
    const run = async (code: string) => {
      let text = "";
      for await (const event of session.run(code, "<block 1>")) {
        if (event.type === "output") text += event.text;
        if (event.type === "error") text += event.traceback;
        if (event.type === "display") text += event.bundle["text/plain"];
      }
      return text;
    };
    return { run, [Symbol.asyncDispose]: () => session.close() };
  };

  test("a failed import says how to install it, and %pip installs it there, importable at once", async () => {
    await using session = await start("venv");
    expect(await session.run("import tiny_thing")).toMatch(
      /ModuleNotFoundError: No module named 'tiny_thing'\ntiny_thing is not installed here\. To install it: %pip install tiny-thing \(in a shell: .*venv\/bin\/python3? -m pip install tiny-thing\)\n$/,
    );
    expect(await session.run("%pip install tiny-thing")).toContain("Successfully installed tiny-thing-1.0");
    expect(await session.run("import tiny_thing\ntiny_thing.size")).toBe("1");
    expect(await session.run("!pip uninstall -y tiny-thing")).toContain("Successfully uninstalled");
    expect(await session.run("pip install tiny-thing")).toContain("Successfully installed");
  });

  test("what is installed into a folder that was not there before can be imported at once as well", async () => {
    execFileSync(testPython, ["-m", "venv", "--system-site-packages", join(folder, "shared")]);
    await using session = await start("shared", { PYTHONUSERBASE: join(folder, "own") });
    expect(await session.run("%pip install --user tiny-thing")).toContain("Successfully installed tiny-thing-1.0");
    expect(await session.run("import tiny_thing\ntiny_thing.__file__")).toContain(join(folder, "own"));
  });

  test("magics do without IPython, and get_ipython() still runs them", async () => {
    await using session = await start("venv");
    expect(await session.run("%timeit -n 1 -r 1 1")).toContain("per loop");
    expect(await session.run("get_ipython().run_line_magic('pwd', '')")).toBe(`'${folder}'`);
    expect(await session.run("get_ipython().system('echo heard')")).toBe("heard\n");
    expect(await session.run("%lprun f")).toBe(
      "UsageError: %lprun is not known here. IPython knows more magics: %pip install ipython\n",
    );
    expect(await session.run("%load_ext autoreload")).toContain("not installed here");
  });

  test.each([
    ["cv2", "opencv-python"],
    ["sklearn.linear_model", "scikit-learn"],
    ["PIL", "pillow"],
    ["yaml", "pyyaml"],
    ["bs4", "beautifulsoup4"],
  ])("import %s asks for %s", async (name, wanted) => {
    await using session = await start("venv");
    expect(await session.run(`import ${name}`)).toContain(`%pip install ${wanted} `);
  });

  test.each([
    ["a part that is missing of a package that is there", "import json.nothing"],
    ["a file of one's own", "import utils"],
  ])("nothing is offered for %s", async (_, code) => {
    await using session = await start("venv");
    expect(await session.run(code)).not.toContain("To install it");
  });

  test("uv and conda are offered where they keep the environment", async () => {
    const uv = join(folder, "uv-venv");
    execFileSync(testPython, ["-m", "venv", "--without-pip", uv]);
    writeFileSync(join(uv, "pyvenv.cfg"), `${readFileSync(join(uv, "pyvenv.cfg"), "utf8")}uv = 0.9.0\n`);
    await using session = await start("uv-venv");
    expect(await session.run("import cv2")).toMatch(/uv pip install --python \S+ opencv-python\)/);
    const conda = join(folder, "conda-env");
    execFileSync(testPython, ["-m", "venv", "--without-pip", conda]);
    mkdirSync(join(conda, "conda-meta"));
    await using other = await start("conda-env");
    expect(await other.run("import cv2")).toMatch(
      /%conda install opencv-python \(in a shell: conda install -y -p \S+ opencv-python\)/,
    );
  });
});
