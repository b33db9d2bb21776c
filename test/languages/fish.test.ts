// fish sessions against the real fish of this machine, at a real terminal.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Language, Sessions } from "../../src/languages/index.ts";
import { findFish } from "../../src/languages/shell/find-shell.ts";
import { fish, fishAsShell } from "../../src/languages/shell/fish-language.ts";
import { shellLanguages } from "../../src/languages/shell/index.ts";
import { localMachine, type TerminalDevice, terminalsInstalled } from "../../src/machine/index.ts";
import { startSession, type TestSession, until } from "../support/session.ts";

const program = findFish(process.env);
const test = it.skipIf(!program || !terminalsInstalled());

/** Without those that have ended and that nobody has asked about. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

/** Runs a block and interrupts it as soon as it says `ready`. */
const interrupted = ({ session, run }: TestSession, code: string) =>
  run(`set seen 1; echo ready\n${code}`, (event) => {
    if (event.type === "output" && event.text.includes("ready")) session.interrupt();
  });

describe("fish", () => {
  test("says what it is", async () => {
    await using started = await startSession(fish);
    expect(started.session.description).toMatch(/^fish \d+\.\d+/);
    expect(await fish.available({ machine: localMachine, cwd: "/", env: process.env })).toBe(true);
  });

  test("keeps stdout and stderr apart, also those of programs it starts", async () => {
    await using started = await startSession(fish);
    const ran = await started.run("echo out; echo err >&2; sh -c 'echo child; echo child-err >&2'");
    expect(ran.stdout).toBe("out\nchild\n");
    expect(ran.stderr).toBe("err\nchild-err\n");
    expect(ran.end).toEqual({ type: "end", status: "ok", exitCode: 0 });
    expect(ran.lines).toEqual([]);
  });

  test("shows output while the block still runs, and nothing of its terminal", async () => {
    await using started = await startSession(fish);
    const ran = await started.run("printf first; while not test -e go; sleep 0.02; end; echo second", (event) => {
      if (event.type === "output") writeFileSync(join(started.folder, "go"), "");
    });
    expect(ran.stdout).toBe("firstsecond\n");
    expect(ran.events.every((event) => event.type !== "output" || event.stream === "stdout")).toBe(true);
  });

  test("keeps folder, variables, functions, abbreviations and the last status between blocks", async () => {
    await using started = await startSession(fish);
    await started.run('cd /; set x "a b"; set -gx y 2; function f; echo f $argv; end; abbr -a g git');
    const ran = await started.run("echo $PWD $x $y; f 1; abbr; sh -c 'echo \"<$x$y>\"'; sh -c 'exit 7'");
    expect(ran.stdout).toBe("/ a b 2\nf 1\nabbr -a -- g git\n<2>\n");
    expect(ran.end).toEqual({ type: "end", status: "error", exitCode: 7 });
    expect((await started.run("echo $status")).stdout).toBe("7\n");
  });

  test.each([
    ["a block over lines", "for i in 1 2\n  switch $i\n    case 2\n      echo two\n  end\nend", "two\n"],
    ["a string over lines", "echo 'a\nb'", "a\nb\n"],
    ["quotes of all kinds", `echo 'it\\'s' "\\$x" \\\\ (echo sub)`, "it's $x \\ sub\n"],
    ["only a comment", "# nothing", ""],
    ["nothing", "", ""],
  ])("runs %s as it is written", async (_, code, expected) => {
    await using started = await startSession(fish);
    const ran = await started.run(code);
    expect(ran.stdout).toBe(expected);
    expect(ran.stderr).toBe("");
    expect(ran.end).toEqual({ type: "end", status: "ok", exitCode: 0 });
  });

  test("survives a syntax error and says what fish says", async () => {
    await using started = await startSession(fish);
    await started.run("set x 1");
    const ran = await started.run("if true; (");
    expect(ran.end).toMatchObject({ status: "error" });
    expect(ran.stderr).toContain("Missing end");
    expect((await started.run("echo $x")).stdout).toBe("1\n");
  });

  test("carries bytes that are no text, very long lines, and many lines", async () => {
    await using started = await startSession(fish);
    expect((await started.run("printf 'a\\xffb\\0c'")).stdout).toBe("a\ufffdb\0c");
    const long = await started.run("head -c 10000000 /dev/zero | tr '\\0' x");
    expect(long.stdout.length).toBe(10_000_000);
    const many = await started.run("seq 100000");
    expect(many.stdout.split("\n").length).toBe(100_001);
  });

  test("keeps its own things out of the programs it starts", async () => {
    await using started = await startSession(fish);
    expect((await started.run("env | grep -i _oi_; echo end")).stdout).toBe("end\n");
  });

  test("reads no start-up file and writes nothing into the person's home", async () => {
    const home = mkdtempSync(join(tmpdir(), "fish-home-"));
    const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: undefined, XDG_DATA_HOME: undefined };
    await using started = await startSession(fish, [], env);
    await started.run("set -U everywhere 1; echo secret");
    await started.session.close();
    const left = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    rmSync(home, { recursive: true });
    expect(left.map((entry) => entry.name)).toEqual([]);
  });

  test("fails at once where code asks and nobody can answer", async () => {
    await using started = await startSession(fish);
    expect((await started.run("read x; echo $status")).stdout).toBe("1\n");
    const asked = await started.run(
      'sh -c \'printf "Password: " >/dev/tty; read -r a </dev/tty; echo "got <$a>, $?"\'',
    );
    expect(asked.stdout).toBe("got <>, 1\n");
    expect(asked.events).toContainEqual({ type: "output", stream: "terminal", text: "Password:\n" });
    expect((await started.run("seq 2 | while read n; echo got $n; end")).stdout).toBe("got 1\ngot 2\n");
  });

  test("lends its terminal to the person for a program that asks there", async () => {
    let lent: TerminalDevice | undefined;
    const lendTerminal = (device: TerminalDevice) => {
      lent = device;
      device.onData((text) => {
        if (text.includes("Password")) device.write("secret\r");
      });
      return () => {
        lent = undefined;
      };
    };
    await using started = await startSession(fish, [], process.env, { lendTerminal });
    await started.run('function sudo; sh -c \'printf "Password: " >/dev/tty; read -r a </dev/tty; echo "<$a>"\'; end');
    const ran = await started.run("sudo true");
    expect(ran.stdout).toBe("<secret>\n");
    expect(lent).toBeUndefined();
  });

  test("gives the whole terminal to a program that draws on it, and the record keeps what was said", async () => {
    let seen = "";
    const lendTerminal = (device: TerminalDevice) => {
      device.onData((text) => {
        seen += text;
      });
      return () => {};
    };
    await using started = await startSession(fish, [], process.env, { lendTerminal });
    await started.run("function vim; sh -c 'test -t 0 && test -t 1 && test -t 2 && echo drawn'; end");
    const ran = await started.run("vim file");
    expect(ran.stdout).toBe("");
    expect(seen).toBe("drawn\r\n");
    expect(ran.events).toContainEqual({ type: "output", stream: "terminal", text: "drawn\n" });
    expect((await started.run("echo pipes")).stdout).toBe("pipes\n");
  });

  describe("interrupt", () => {
    test.each([
      "sleep 100; echo after",
      "while true; end; echo after",
      "function g; while true; sleep 0.05; end; echo after; end; g; echo after",
      "sleep 100 | cat; echo after",
      "set v (sleep 100); echo after",
      "sleep 100; or echo after",
      "wait; echo after",
    ])("stops the whole block and keeps the state: %s", async (code) => {
      await using started = await startSession(fish);
      const job = Number((await started.run("set x 'a b'; sleep 60 & echo $last_pid")).stdout);
      const ran = await interrupted(started, code);
      expect(ran.end).toEqual({ type: "end", status: "interrupted", exitCode: 130 });
      expect(ran.stdout).toBe("ready\n");
      expect(ran.stderr).toBe("");
      const next = await started.run("echo $status $seen $x");
      expect(next.stdout).toBe("130 1 a b\n");
      expect(isRunning(job)).toBe(true);
    });

    test("is heard before the block has begun", async () => {
      await using started = await startSession(fish);
      const events = started.session.run("sleep 100", "<block>")[Symbol.asyncIterator]();
      const end = events.next();
      started.session.interrupt();
      expect((await end).value).toMatchObject({ type: "end", status: "interrupted" });
      await events.next();
      expect((await started.run("echo on")).stdout).toBe("on\n");
    });

    test("does nothing when no block runs", async () => {
      await using started = await startSession(fish);
      started.session.interrupt();
      expect((await started.run("echo ok")).stdout).toBe("ok\n");
    });
  });

  describe("the end", () => {
    test("of a block comes with exit, and fish goes on", async () => {
      await using started = await startSession(fish);
      const ran = await started.run("set x 1; exit 3; echo no");
      expect(ran.stdout).toBe("");
      expect(ran.end).toEqual({ type: "end", status: "error", exitCode: 3 });
      expect((await started.run("echo $x")).stdout).toBe("1\n");
    });

    test.each([
      ["kill -9 $fish_pid", "fish ended: killed (SIGKILL)"],
      ["exec sh -c 'exit 6'", "fish exited with status 6"],
    ])("of the session is explained: %s", async (code, how) => {
      await using started = await startSession(fish);
      const ran = await started.run(`sleep 300 & echo $last_pid\n${code}`);
      expect(ran.end.status).toBe("exited");
      expect(ran.end.explanation).toContain(how);
      expect(started.session.alive).toBe(false);
      await until(() => !isRunning(Number(ran.stdout)));
      expect((await started.run("echo hi")).end.status).toBe("exited");
    });

    test("leaves no process and no file behind", async () => {
      const started = await startSession(fish);
      const ran = await started.run(
        "echo $fish_pid $_oi_folder; sleep 300 & echo $last_pid; nohup sleep 300 >/dev/null 2>&1 & echo $last_pid",
      );
      const [pid, privateFolder, ...jobs] = ran.stdout.trim().split(/\s+/) as [string, string, ...string[]];
      const pids = [pid, ...jobs].map(Number);
      expect(pids).toHaveLength(3);
      expect(pids.every(isRunning)).toBe(true);
      expect(existsSync(privateFolder)).toBe(true);
      await started[Symbol.asyncDispose]();
      await until(() => !pids.some(isRunning));
      expect(existsSync(privateFolder)).toBe(false);
    });

    test("comes with that of the host, however it ends", async () => {
      const host = spawn(process.execPath, [
        "--input-type=module-typescript",
        "-e",
        `import { localMachine } from "${new URL("../../src/machine/index.ts", import.meta.url)}";
         import { fish } from "${new URL("../../src/languages/shell/fish-language.ts", import.meta.url)}";
         const session = await fish.start({ machine: localMachine, cwd: "/", env: process.env });
         const code = "sleep 300 & echo $fish_pid $last_pid $_oi_folder; while true; sleep 0.1; end";
         for await (const event of session.run(code, "b")) if (event.type === "output") process.stdout.write(event.text);`,
      ]);
      let said = "";
      host.stdout.on("data", (chunk) => {
        said += chunk;
      });
      await until(() => said.includes("\n") || host.exitCode !== null);
      const [pid, job, privateFolder] = said.trim().split(" ") as [string, string, string];
      expect(isRunning(Number(pid)) && isRunning(Number(job)) && existsSync(privateFolder)).toBe(true);
      host.kill("SIGKILL");
      await until(() => !isRunning(Number(pid)) && !isRunning(Number(job)));
      expect(existsSync(privateFolder)).toBe(false);
    });
  });
});

describe("which shell", () => {
  const meant = (label: string, env: NodeJS.ProcessEnv): Language | undefined =>
    new Sessions(shellLanguages(env), { machine: localMachine, cwd: "/", env }).find(label);

  test("is fish where that is the person's own, but for blocks that name a POSIX one", async () => {
    const env = { ...process.env, SHELL: program };
    for (const label of ["shell", "fish", "console"]) expect(meant(label, env)).toBe(fishAsShell);
    expect(fishAsShell.note).toContain("fish");
    expect(["bash", "dash"]).toContain(meant("sh", env)?.name);
    await using started = await startSession(meant("shell", env)!, [], env);
    expect(started.session.language).toBe("shell");
    expect((await started.run("echo $version")).stdout).toMatch(/^\d/);
  });

  test("is fish where it is asked for by name, and it is not offered then", () => {
    const env = { ...process.env, SHELL: "/bin/sh" };
    expect(meant("fish", env)).toBe(fish);
    expect(fish.offered).toBe(false);
  });

  it("says that fish is missing where it is", async () => {
    const options = { machine: localMachine, cwd: "/", env: { PATH: "/nowhere" } };
    expect(await fish.available(options)).toMatch(/^fish is not installed here/);
    await expect(fish.start(options)).rejects.toThrow("fish is not installed here");
  });
});
