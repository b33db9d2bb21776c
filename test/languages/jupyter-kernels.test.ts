import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Interpreter } from "../../src/interpreter/index.ts";
import type { Language } from "../../src/languages/index.ts";
import { findKernelLanguage } from "../../src/languages/jupyter/index.ts";
import type { KernelSession } from "../../src/languages/jupyter/kernel-session.ts";
import { findKernelspecs } from "../../src/languages/jupyter/kernelspecs.ts";
import { startInterpreter } from "../support/interpreter.ts";
import { installKernels } from "../support/jupyter.ts";
import { run } from "../support/scripted-model.ts";
import { isRunning, startSession, testPython, until } from "../support/session.ts";

const { env, remove } = installKernels();
afterAll(remove);

const where = { cwd: tmpdir(), env, python: testPython };
const own = (name: string) => ["python", "python3", "bash"].includes(name);

function kernel(name: string): Language {
  return findKernelLanguage(name, where, own)!;
}

const python = kernel("jupyter:python3");
const bash = kernel("jupyter:bash");
const startKernel = (language: Language, answers: string[] = []) => startSession(language, answers, env);

/** The connection file a kernel was started with. */
function connectionFile(pid: number): string {
  const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  return words[words.indexOf("-f") + 1]!;
}

describe("finding kernels", () => {
  test("looks where Jupyter looks, and passes over what is no kernelspec", () => {
    const names = findKernelspecs(where).map((spec) => spec.name);
    expect(names).toEqual(expect.arrayContaining(["bash", "sums", "python3"]));
    expect(names).not.toContain("nonsense");
  });

  test("a kernel has the name of its language, unless that is taken: then jupyter:NAME", () => {
    expect(kernel("sums").name).toBe("sums");
    expect(kernel("jupyter:sums").name).toBe("sums");
    expect(kernel("python3").name).toBe("jupyter:python3");
    expect(kernel("bash").name).toBe("jupyter:bash");
    expect(findKernelLanguage("klingon", where, own)).toBeUndefined();
  });

  test("one whose program is missing says so, and one that fails says why", async () => {
    await expect(startKernel(kernel("absent"))).rejects.toThrow(/program no-such-program-anywhere is not found/);
    await expect(startKernel(kernel("broken"))).rejects.toThrow(/Broken could not be started.*no_such_module/s);
  });
});

describe("in a conversation", () => {
  test("a kernel runs under its name beside our own languages, which it does not replace", async () => {
    await using interpreter = new Interpreter({ python: testPython, env });
    const [output] = await interpreter.computer.run("jupyter:python3", "get_ipython().__class__.__name__");
    expect(output!.content).toContain("ZMQInteractiveShell");
    expect(interpreter.sessions.find("python")!.name).toBe("python");
    expect(interpreter.sessions.find("bash")!.name).toBe("shell");
    expect((await interpreter.sessions.usable()).map(({ name }) => name)).not.toContain("sums");
    await expect(interpreter.computer.run("klingon", "1")).rejects.toThrow(/no language "klingon"/);
  });

  test("one that the person asked for is offered to the model; one that is not there is an error", async () => {
    await using it = await startInterpreter([run("sums", "40 + 2"), "Done."], { env, kernels: "sums" });
    await it.tell("add");
    expect(it.interpreter.messages.map(({ content }) => content.trim())).toContain("42");
    expect(JSON.stringify(it.model.requests[0]!.body)).toContain("sums");
    expect(() => new Interpreter({ env, kernels: "klingon" })).toThrow(/no Jupyter kernel called "klingon"/);
  });
});

describe("running", () => {
  test("state stays, streams come apart, the last value is shown, in order", async () => {
    await using session = await startKernel(python);
    await session.run("x = 41");
    const { stdout, stderr, displayed, end } = await session.run(
      "import sys, os\nprint('out'); print('err', file=sys.stderr)\nos.system('echo child')\nx + 1",
    );
    expect([stdout, stderr, displayed, end.status]).toEqual(["out\nchild\n", "err\n", ["42"], "ok"]);
    expect(session.session.description).toMatch(/Python 3.*3\.\d+/);
  });

  test("a kernel of another make, met at ports, gets its variables filled in", async () => {
    await using session = await startKernel(bash);
    await session.run("x=3");
    expect((await session.run("echo $x $GREETING")).stdout).toBe("3 hello tester\n");
    expect((await session.run("false")).end.status).toBe("error");
  });

  test("pictures and tables are shown; a display that is updated is shown in its last form", async () => {
    await using session = await startKernel(python);
    const { bundles } = await session.run(
      "import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show()\nimport pandas as pd\npd.DataFrame({'a': [1]})",
    );
    expect(Buffer.from(String(bundles[0]!["image/png"]), "base64").toString("latin1", 1, 4)).toBe("PNG");
    expect(bundles[1]!["text/html"]).toContain("<table");
    const { displayed } = await session.run("h = display('a', display_id=True)\nfor i in range(50): h.update(i)\nNone");
    expect([displayed[0], displayed.at(-1)]).toEqual(["'a'", "49"]);
    expect(displayed.length).toBeLessThan(50);
    expect((await session.run("len?")).displayed[0]).toContain("Return the number of items");
  });

  test("an error has its name and a traceback without colours", async () => {
    await using session = await startKernel(python);
    const { error, end } = await session.run("def f():\n    return 1 / 0\nf()");
    expect(error).toMatchObject({ name: "ZeroDivisionError", message: "division by zero" });
    expect(error!.traceback).toContain("return 1 / 0");
    expect(error!.traceback).not.toContain("\x1b");
    expect(end.status).toBe("error");
    expect((await session.run("if")).error?.name).toBe("SyntaxError");
  });

  test("questions are answered, hidden ones are marked, and without anybody they fail", async () => {
    await using session = await startKernel(python, ["Ada", "secret"]);
    const { stdout, events } = await session.run("import getpass\nprint(input('name? '), getpass.getpass('pass? '))");
    expect(stdout).toBe("Ada secret\n");
    expect(events.filter(({ type }) => type === "input")).toMatchObject([
      { prompt: "name? ", hidden: false },
      { prompt: "pass? ", hidden: true },
    ]);
    expect((await session.run("input()")).error?.name).toBe("EOFError");
  });

  test("100 000 lines arrive whole and in order", async () => {
    await using session = await startKernel(python);
    const { stdout } = await session.run("for i in range(100_000): print(i)");
    expect(stdout).toBe(Array.from({ length: 100_000 }, (_, index) => `${index}\n`).join(""));
  });

  test("a value of 10 MB arrives whole", async () => {
    await using session = await startKernel(python);
    const { bundles } = await session.run("from IPython.display import HTML\nHTML('x' * 10_000_000)");
    expect(String(bundles[0]!["text/html"])).toHaveLength(10_000_000);
  });

  test("what a thread prints between two blocks is shown with the next", async () => {
    await using session = await startKernel(python);
    await session.run(
      "import threading\ngo = threading.Event(); done = threading.Event()\ndef late():\n    go.wait(); print('late'); done.set()\nthreading.Thread(target=late).start()",
    );
    const { stdout } = await session.run("go.set(); done.wait(10)\nprint('next')");
    expect(stdout.split("\n").sort()).toEqual(["", "late", "next"]);
  });

  test("a block ends although the kernel's last word about it is lost", async () => {
    await using session = await startKernel(python);
    const { end } = await session.run(
      "kernel = get_ipython().kernel\ntell = kernel._publish_status\nlost = []\ndef forgetful(status, *rest, **named):\n    if status == 'idle' and not lost:\n        lost.append(status)\n    else:\n        tell(status, *rest, **named)\nkernel._publish_status = forgetful",
    );
    expect(end.status).toBe("ok");
    expect((await session.run("lost")).displayed).toEqual(["['idle']"]);
  });
});

describe("asking beside the blocks", () => {
  test("completion and explanation, counted in JavaScript's way", async () => {
    await using session = await startKernel(python);
    const { complete, explain } = session.session as KernelSession;
    await session.run("plumage = 1");
    const code = "'😀'; pluma";
    const completion = await complete.call(session.session, code, code.length);
    expect(completion).toEqual({ matches: ["plumage"], start: code.length - 5, end: code.length });
    const found = await explain.call(session.session, "len", 3);
    expect(found!["text/plain"]).toContain("Return the number of items");
    expect(await explain.call(session.session, "nosuchname", 10)).toBeUndefined();
  });

  test("while a block runs the answer is that it is busy", async () => {
    await using session = await startKernel(python, ["go on"]);
    let refused: Promise<unknown> | undefined;
    await session.run("input()", (event) => {
      if (event.type === "input") refused = (session.session as KernelSession).complete("p", 1).catch((error) => error);
    });
    // The question was answered before we asked, or not: both are an answer, none is a hang.
    expect(await refused).toMatchObject({ name: "SessionBusyError" });
  });
});

describe("stopping", () => {
  test.each([
    ["by a signal", "jupyter:python3"],
    ["by a message, where the kernel wants one", "sums"],
  ])("an interrupt %s ends the block and keeps the state", async (_, name) => {
    await using session = await startKernel(kernel(name));
    await session.run("x = 1");
    const { end, error } = await session.run("print('begun', flush=True)\nwhile True: pass", (event) => {
      if (event.type === "output") session.session.interrupt();
    });
    expect([end.status, error?.name]).toEqual(["interrupted", "KeyboardInterrupt"]);
    expect((await session.run("x")).displayed).toEqual(["1"]);
  });

  test("an interrupt before the kernel has begun is not lost", async () => {
    await using session = await startKernel(python);
    const running = session.run("import time\ntime.sleep(600)");
    session.session.interrupt();
    expect((await running).end.status).toBe("interrupted");
    expect((await session.run("1")).displayed).toEqual(["1"]);
  });

  test("a block that does not listen is ended with its kernel, and that is said", async () => {
    await using session = await startKernel(python);
    const { end } = await session.run(
      "import time\nprint('begun', flush=True)\nwhile True:\n    try: time.sleep(100)\n    except KeyboardInterrupt: pass",
      (event) => {
        if (event.type === "output") session.session.interrupt();
      },
    );
    expect(end).toMatchObject({ status: "exited", explanation: "it did not stop when interrupted, so it was ended" });
    expect(session.session.alive).toBe(false);
  });

  test("a reader that leaves stops the block", async () => {
    await using session = await startKernel(python);
    for await (const event of session.session.run("while True: print('x')", "")) if (event.type === "output") break;
    expect((await session.run("1")).displayed).toEqual(["1"]);
  });
});

describe("the end of a kernel", () => {
  test("killed while a block runs: it is explained, nothing hangs, and the next block says the same", async () => {
    await using session = await startKernel(python);
    const { end } = await session.run("import time\nprint('begun', flush=True)\ntime.sleep(600)", (event) => {
      if (event.type === "output") process.kill(session.session.pid!, "SIGKILL");
    });
    expect(end).toMatchObject({ status: "exited", explanation: expect.stringContaining("SIGKILL") });
    expect((await session.run("1")).end.status).toBe("exited");
  });

  test("a crash and exit() are told apart", async () => {
    await using crashed = await startKernel(python);
    expect((await crashed.run("import ctypes\nctypes.string_at(0)")).end.explanation).toContain("SIGSEGV");
    await using left = await startKernel(python);
    expect((await left.run("exit()")).end).toMatchObject({ status: "exited", exitCode: 0 });
  });

  test("the connection file is private, and with the session the kernel, its children and its files are gone", async () => {
    const session = await startKernel(python);
    const file = connectionFile(session.session.pid!);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    const { displayed } = await session.run("import subprocess\nsubprocess.Popen(['sleep', '600']).pid");
    const pids = [session.session.pid!, Number(displayed[0])];
    await session[Symbol.asyncDispose]();
    await until(() => !pids.some(isRunning));
    expect(existsSync(dirname(file))).toBe(false);
  });

  test.each(["jupyter:python3", "jupyter:bash"])("%s does not outlive a host that is killed", async (name) => {
    const folder = mkdtempSync(join(tmpdir(), "host-test-"));
    const source = join(import.meta.dirname, "../../src");
    const program = `
      const { findKernelLanguage } = await import(${JSON.stringify(join(source, "languages/jupyter/index.ts"))});
      const { localMachine } = await import(${JSON.stringify(join(source, "machine/index.ts"))});
      const options = { machine: localMachine, cwd: process.cwd(), env: process.env, python: ${JSON.stringify(testPython)} };
      const session = await findKernelLanguage(${JSON.stringify(name)}, options, () => true).start(options);
      console.log(session.pid);
      setInterval(() => {}, 1000);
    `;
    const host = spawn(process.execPath, ["--input-type=module", "-e", program], {
      cwd: folder,
      env: { ...env, TMPDIR: folder },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [said] = (await Promise.race([
      new Promise((resolve) => host.stdout.once("data", (data) => resolve([data]))),
      new Promise((_, reject) => host.once("exit", () => reject(new Error("the host ended")))),
    ])) as [Buffer];
    const pid = Number(String(said));
    expect(isRunning(pid)).toBe(true);
    expect(readdirSync(folder)).not.toEqual([]);
    host.kill("SIGKILL");
    await until(() => !isRunning(pid));
    rmSync(folder, { recursive: true, force: true });
  });
});
