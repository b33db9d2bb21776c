import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Interpreter } from "../../src/interpreter/index.ts";
import { jupyterServerLanguages } from "../../src/languages/jupyter/index.ts";
import type { KernelSession } from "../../src/languages/jupyter/kernel-session.ts";
import { startInterpreter } from "../support/interpreter.ts";
import { installKernels, type JupyterServer, startJupyter, type Wire, wireTo } from "../support/jupyter.ts";
import { run } from "../support/scripted-model.ts";
import { isRunning, startSession, until } from "../support/session.ts";

const { env, remove } = installKernels();
afterAll(remove);

describe.each(["server", "gateway"] as const)("a Jupyter %s as the machine", (kind) => {
  let server: JupyterServer;
  let wire: Wire;
  let address: string;

  beforeAll(async () => {
    server = await startJupyter(kind, env);
    wire = await wireTo(server.port);
    address = `http://127.0.0.1:${wire.port}/?token=${server.token}`;
  });

  afterAll(async () => {
    await wire?.close();
    await server?.stop();
  });

  async function startPython(answers: string[] = []) {
    const languages = await jupyterServerLanguages(address);
    return startSession(languages.find(({ name }) => name === "python")!, answers, env);
  }

  test("its kernels are the languages, by the names models know", async () => {
    const languages = await jupyterServerLanguages(address);
    expect(languages[0]).toMatchObject({ name: "python", extension: "py" });
    expect(languages[0]!.aliases).toContain("py");
    expect(languages.map(({ name }) => name)).toEqual(expect.arrayContaining(["python", "bash", "sums"]));
  });

  test("state, streams, values, pictures, errors, questions and completion", async () => {
    await using session = await startPython(["Ada"]);
    await session.run("import sys\nx = 41");
    const first = await session.run("print('out'); print('err', file=sys.stderr); x + 1");
    expect([first.stdout, first.stderr, first.displayed]).toEqual(["out\n", "err\n", ["42"]]);
    const { bundles } = await session.run("import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show()");
    expect(String(bundles[0]!["image/png"])).toMatch(/^iVBORw0/);
    expect((await session.run("1 / 0")).error).toMatchObject({ name: "ZeroDivisionError" });
    expect((await session.run("print(input('name? '))")).stdout).toBe("Ada\n");
    expect((await session.run("input()")).error?.name).toBe("EOFError");
    const { matches } = await (session.session as KernelSession).complete("sys.exi", 7);
    expect(matches.join()).toContain("exit");
  });

  test("an interrupt ends the block and keeps the state", async () => {
    await using session = await startPython();
    await session.run("x = 1");
    const { end } = await session.run("print('begun', flush=True)\nwhile True: pass", (event) => {
      if (event.type === "output") session.session.interrupt();
    });
    expect(end.status).toBe("interrupted");
    expect((await session.run("x")).displayed).toEqual(["1"]);
  });

  test("a cut connection is made again and no output is lost, also while the wire is down for a time", async () => {
    await using session = await startPython();
    let cuts = 0;
    const { stdout, end } = await session.run(
      "import time\nfor i in range(30): print(i, flush=True); time.sleep(0.1)\nprint('end')",
      (event) => {
        if (event.type !== "output" || cuts > 1) return;
        if (cuts++ === 0) wire.cut();
        else {
          wire.cut({ down: true });
          setTimeout(() => wire.mend(), 1_000);
        }
      },
    );
    expect(cuts).toBe(2);
    expect(stdout).toBe(`${Array.from({ length: 30 }, (_, index) => `${index}\n`).join("")}end\n`);
    expect(end.status).toBe("ok");
    expect((await session.run("i")).displayed).toEqual(["29"]);
  });

  test("a block sent into a connection that is already broken is not left waiting, and the session goes on", async () => {
    await using session = await startPython();
    await session.run("x = 1");
    wire.cut();
    const { error, displayed } = await session.run("x = x + 1; x");
    // Whether the break was noticed in time is chance; a block that is neither run nor spoken of would be a fault.
    if (error) expect(error.message).toContain("most likely it did not run");
    else expect(displayed).toEqual(["2"]);
    expect((await session.run("x")).displayed).toEqual([error ? "1" : "2"]);
  });

  test("the death of a kernel is noticed and explained", async () => {
    await using session = await startPython();
    const { end } = await session.run("import os\nprint('begun', flush=True)\nos.kill(os.getpid(), 9)");
    expect(end).toMatchObject({ status: "exited", explanation: expect.stringContaining("died on the Jupyter server") });
    expect(session.session.alive).toBe(false);
  });

  test("a kernel that somebody else deleted is explained, too", async () => {
    await using session = await startPython();
    // A server interrupts a kernel before it ends it: this block does not end by that alone.
    const deaf =
      "import time\nprint('begun', flush=True)\nwhile True:\n    try: time.sleep(600)\n    except KeyboardInterrupt: pass";
    const { end } = await session.run(deaf, async (event) => {
      if (event.type !== "output") return;
      for (const id of await server.kernels()) await server.remove(id);
    });
    expect(end.status).toBe("exited");
  });

  test("with the session its kernel is gone from the server", async () => {
    const session = await startPython();
    const pid = Number((await session.run("import os\nos.getpid()")).displayed[0]);
    expect(await server.kernels()).toHaveLength(1);
    await session[Symbol.asyncDispose]();
    expect(await server.kernels()).toEqual([]);
    await until(() => !isRunning(pid));
  });

  test("a wrong token, no token, nobody there and no address are said in plain words, without the token", async () => {
    const problem = (text: string) => jupyterServerLanguages(text).then(String, (error: Error) => error.message);
    const place = `127.0.0.1:${wire.port}`;
    expect(await problem(`http://${place}/?token=wrong-one`)).toBe(
      `The Jupyter server at ${place} does not accept the token.`,
    );
    expect(await problem(`http://${place}/`)).toBe(`The Jupyter server at ${place} wants a token.`);
    wire.cut({ down: true });
    const unreachable = await problem(address);
    wire.mend();
    expect(unreachable).toMatch(/could not be reached/);
    expect(unreachable).not.toContain(server.token);
    expect(await problem("my server?token=secret")).toBe("The machine is not a web address.");
  });

  test("a whole turn runs there; the model is told where, and the token is told to nobody", async () => {
    await using it = await startInterpreter([run("python", "print(6 * 7)"), "Done."], { machine: `${address}&x=1` });
    const { chunks } = await it.tell("multiply");
    expect(it.interpreter.messages.map(({ content }) => content.trim())).toContain("42");
    expect(await server.kernels()).toHaveLength(1);
    const said = JSON.stringify([chunks, it.model.requests.map(({ body }) => body), it.interpreter.messages]);
    expect(said).toContain(`127.0.0.1:${wire.port}`);
    expect(said).not.toContain(server.token);
  });

  test("a machine that was not reached is asked again", async () => {
    await using interpreter = new Interpreter({ machine: address, env });
    wire.cut({ down: true });
    await expect(interpreter.computer.run("python", "1")).rejects.toThrow(/could not be reached/);
    wire.mend();
    expect((await interpreter.computer.run("python", "1 + 1"))[0]!.content.trim()).toBe("2");
    await expect(interpreter.computer.run("javascript", "1")).rejects.toThrow(/no language "javascript".*python/);
  });
});
