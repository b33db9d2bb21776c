// Shell sessions against the real shells of this machine: bash, zsh, and sh (dash here, bash elsewhere).

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Language, Session, SessionEnd, SessionEvent } from "../../src/languages/index.ts";
import { Sessions } from "../../src/languages/index.ts";
import { findShell } from "../../src/languages/shell/find-shell.ts";
import { bash, dash, shell, shellLanguages, zsh } from "../../src/languages/shell/index.ts";
import { localMachine } from "../../src/machine/index.ts";
import "../support/own-temporary.ts";

const languages = { bash, zsh, sh: dash };
const names = Object.keys(languages) as (keyof typeof languages)[];

interface Ran {
  stdout: string;
  stderr: string;
  lines: number[];
  prompts: { prompt: string; hidden: boolean }[];
  end: SessionEnd;
  events: SessionEvent[];
}

let folder: string;
const open: Session[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "shell-test-"));
});

afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(language: Language, env: NodeJS.ProcessEnv = process.env): Promise<Session> {
  const session = await language.start({ machine: localMachine, cwd: folder, env });
  open.push(session);
  return session;
}

let blocks = 0;

async function run(
  session: Session,
  code: string,
  on: { answer?: string | null; output?: (text: string) => void } = {},
): Promise<Ran> {
  const events: SessionEvent[] = [];
  for await (const event of session.run(code, `<block ${++blocks}>`)) {
    events.push(event);
    if (event.type === "input") event.answer(on.answer ?? null);
    if (event.type === "output") on.output?.(event.text);
  }
  const text = (stream: "stdout" | "stderr") =>
    events.map((event) => (event.type === "output" && event.stream === stream ? event.text : "")).join("");
  return {
    stdout: text("stdout"),
    stderr: text("stderr"),
    lines: events.flatMap((event) => (event.type === "line" ? [event.line] : [])),
    prompts: events.flatMap((event) =>
      event.type === "input" ? [{ prompt: event.prompt, hidden: event.hidden }] : [],
    ),
    end: events.at(-1) as SessionEnd,
    events,
  };
}

/** Runs a block and interrupts it as soon as it says so. */
function runUntilReady(session: Session, code: string): Promise<Ran> {
  return run(session, `echo ready\n${code}`, {
    output: (text) => {
      if (text.includes("ready")) setTimeout(() => session.interrupt(), 100);
    },
  });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

async function eventually(what: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 200; tries++) {
    if (what()) return true;
    await pause(25);
  }
  return false;
}

describe.each(names)("%s", (name) => {
  const language = languages[name];
  const installed = findShell(name, process.env) !== undefined;
  const test = it.skipIf(!installed);
  const linesTest = it.skipIf(!installed || name === "sh");
  const bashTest = it.skipIf(!installed || name !== "bash");
  const listsFunctions = name !== "sh";

  test("says what it is", async () => {
    const session = await start(language);
    expect(session.description).toMatch(name === "sh" ? /^sh/ : /^(bash|zsh) \d+\.\d+/);
    expect(await language.available({ machine: localMachine, cwd: folder, env: process.env })).toBe(true);
  });

  test("keeps stdout and stderr apart, also those of programs it starts", async () => {
    const ran = await run(await start(language), "echo out; echo err >&2; sh -c 'echo child; echo child-err >&2'");
    expect(ran.stdout).toBe("out\nchild\n");
    expect(ran.stderr).toBe("err\nchild-err\n");
    expect(ran.end).toEqual({ type: "end", status: "ok", exitCode: 0 });
  });

  test("shows output while the block still runs", async () => {
    const session = await start(language);
    const ran = await run(session, `printf first; while [ ! -e "${folder}/go" ]; do sleep 0.02; done; echo second`, {
      output: (text) => {
        if (text.includes("first")) writeFileSync(join(folder, "go"), "");
      },
    });
    expect(ran.stdout).toBe("firstsecond\n");
  });

  test.each([
    ["a heredoc", 'cat <<END\none\n  two "$((1 + 1))"\nEND\n', 'one\n  two "2"\n'],
    ["a quoted heredoc", "cat <<'END'\n$x\n\\n\nEND", "$x\n\\n\n"],
    ["a string over lines", 'echo "a\nb\nc"', "a\nb\nc\n"],
    ["a case", "case x in\n  a) echo no ;;\n  x)\n    echo yes\n    ;;\nesac", "yes\n"],
    ["a loop without a newline at the end", "for i in 1 2 3; do\n  printf %s $i\ndone", "123"],
    ["a continued line", "echo a \\\n  b", "a b\n"],
    ["only a comment", "# nothing", ""],
    ["nothing", "", ""],
    ["blank lines", "\n\n  \n", ""],
    ["quotes of all kinds", `echo 'it'"'"'s "fine"' '$HOME' \\\\ '\`'`, undefined],
  ])("runs %s as it is written", async (_, code, expected) => {
    const ran = await run(await start(language), code);
    if (expected !== undefined) expect(ran.stdout).toBe(expected);
    expect(ran.stderr).toBe("");
    expect(ran.end).toEqual({ type: "end", status: "ok", exitCode: 0 });
  });

  test("writes a file through a heredoc byte for byte", async () => {
    const text = "#!/bin/sh\nif true; then\n  echo 'x'\nfi\n\n# end\n";
    await run(await start(language), `cat > made <<'EOF'\n${text}EOF\n`);
    expect(readFileSync(join(folder, "made"), "utf8")).toBe(text);
  });

  test("keeps folder, variables, functions, aliases and options between blocks", async () => {
    const session = await start(language);
    await run(
      session,
      "cd /; x='a b'; export y=2; f() { echo \"f $1\"; }; alias ll='echo alias'; set -o noglob; umask 027",
    );
    const ran = await run(session, 'echo "$PWD $x $y"; f 1; ll; echo *; umask; sh -c \'echo "<$x$y>"\'');
    expect(ran.stdout).toMatch(/^\/ a b 2\nf 1\nalias\n\*\n0*27\n<2>\n$/);
  });

  test("gives the exit status of the block, and hands it to the next one in $?", async () => {
    const session = await start(language);
    expect((await run(session, "sh -c 'exit 7'")).end).toEqual({ type: "end", status: "error", exitCode: 7 });
    expect((await run(session, "echo $?")).stdout).toBe("7\n");
    expect((await run(session, "false; true")).end.status).toBe("ok");
  });

  test("survives a syntax error and says what the shell says", async () => {
    const session = await start(language);
    await run(session, "x=1");
    const ran = await run(session, "if then fi (");
    expect(ran.end.status).toBe("error");
    expect(ran.end.exitCode).toBeGreaterThan(0);
    expect(ran.stderr).toMatch(/syntax error|parse error|Syntax error/);
    expect((await run(session, "echo $x")).stdout).toBe("1\n");
  });

  test.each(["break", "continue", "break 2", "return 3"])("is not confused by a stray %s", async (code) => {
    const session = await start(language);
    await run(session, "x=1");
    await run(session, code);
    expect((await run(session, "echo $x")).stdout).toBe("1\n");
  });

  test("is not confused by functions, aliases and options that change its own words", async () => {
    const session = await start(language);
    await run(session, "printf() { echo mine; }; alias trap='echo no' exec='echo no'; IFS=x; set -fCu");
    const ran = await run(session, "printf a");
    expect(ran.stdout).toBe("mine\n");
    expect(ran.end).toEqual({ type: "end", status: "ok", exitCode: 0 });
    await run(session, "set -a; later=1");
    expect((await run(session, "env")).stdout).not.toMatch(/^_oi_/m);
  });

  test("shows only the commands of the block when they are traced", async () => {
    const session = await start(language);
    await run(session, "set -x");
    const ran = await run(session, "echo a\necho b");
    expect(ran.stdout).toBe("a\nb\n");
    if (name !== "sh") expect(ran.stderr).not.toContain("_oi_");
    expect(ran.stderr).toContain("echo b");
  });

  test("loses no output when a block redirects or closes its own streams", async () => {
    const session = await start(language);
    const ran = await run(session, "exec 3>&1 >log 2>&-; echo hidden; echo shown >&3");
    expect(ran.stdout).toBe("shown\n");
    expect((await run(session, "echo again >&3")).stdout).toBe("again\n");
    expect(readFileSync(join(folder, "log"), "utf8")).toBe("hidden\n");
  });

  test("keeps its own things out of the environment of programs", async () => {
    const session = await start(language);
    const ran = await run(session, "env | grep -i _oi_; echo end");
    expect(ran.stdout).toBe("end\n");
    if (name === "bash" && process.platform === "linux") {
      expect((await run(session, "ls /proc/self/fd | tr '\\n' ' '")).stdout).not.toMatch(/\b6\d\b/);
    }
  });

  test("does not read the start-up files of the person", async () => {
    writeFileSync(join(folder, "rc"), "echo from-rc\n");
    for (const file of [".zshrc", ".zshenv", ".bashrc", ".profile"])
      writeFileSync(join(folder, file), "echo from-rc\n");
    const env = {
      ...process.env,
      BASH_ENV: join(folder, "rc"),
      ENV: join(folder, "rc"),
      HOME: folder,
      ZDOTDIR: folder,
    };
    const ran = await run(await start(language, env), 'echo "$BASH_ENV"');
    expect(ran.stdout).toBe(`${join(folder, "rc")}\n`);
  });

  test("carries bytes that are no text, very long lines, and many lines", async () => {
    const session = await start(language);
    expect((await run(session, "printf 'a\\377b\\000c'")).stdout).toBe("a�b\0c");
    const long = await run(session, "head -c 10000000 /dev/zero | tr '\\0' x");
    expect(long.stdout.length).toBe(10_000_000);
    const many = await run(session, "seq 100000");
    expect(many.stdout.split("\n").length).toBe(100_001);
    expect(many.stdout.endsWith("\n100000\n")).toBe(true);
  });

  linesTest("says which line runs, without changing $? and $_", async () => {
    const session = await start(language);
    const ran = await run(session, 'f() {\n  sleep 0.05\n}\nf\nsleep 0.05\n: one two\necho "$_"\nfalse\necho $?');
    expect(ran.lines).toEqual(expect.arrayContaining([4, 5, 9]));
    expect(ran.lines).not.toContain(2);
    expect(ran.stdout).toBe("two\n1\n");
  });

  linesTest("stops reporting lines in a long loop", async () => {
    const session = await start(language);
    const ran = await run(session, "i=0\nwhile [ $i -lt 3000 ]; do\n  i=$((i + 1))\n  :\ndone\necho $i");
    expect(ran.stdout).toBe("3000\n");
    expect(ran.lines).not.toContain(6);
  });

  linesTest("leaves a DEBUG trap of the block alone", async () => {
    const session = await start(language);
    const ran = await run(session, "trap 'echo debug' DEBUG\n:\n:\n");
    expect(ran.stdout.match(/debug/g)?.length).toBeGreaterThanOrEqual(2);
    expect((await run(session, "trap | grep 'echo debug'; echo end")).stdout).toBe("end\n");
  });

  describe("read", () => {
    test("asks the person and splits the answer", async () => {
      const session = await start(language);
      const ran = await run(session, 'echo before\nread -r a b\necho "<$a> <$b>"', { answer: "one  two\\n three" });
      expect(ran.prompts).toEqual([{ prompt: "", hidden: false }]);
      expect(ran.events.findIndex((event) => event.type === "input")).toBeGreaterThan(
        ran.events.findIndex((event) => event.type === "output"),
      );
      expect(ran.stdout).toContain("before\n<one>");
      const split = await run(session, 'IFS=: read x y; printf "%s\\n" "$y/$x"', { answer: "a:b c" });
      expect(split.stdout).toBe("b c/a\n");
      expect((await run(session, 'read x y; echo "$y$x"', { answer: "a:b c" })).stdout).toBe("ca:b\n");
    });

    test("says that nobody is there to answer", async () => {
      const ran = await run(await start(language), "read x; echo $?");
      expect(ran.stdout).toBe("1\n");
      expect(ran.stderr).toBe(
        "read: input was asked for, but nobody is here to answer. Put the value into the command instead.\n",
      );
    });

    test("reads files, pipes and heredocs as ever", async () => {
      writeFileSync(join(folder, "lines"), "a b\nc d\n");
      const session = await start(language);
      const ran = await run(
        session,
        'while read x y; do echo "$y$x"; done < lines\nprintf "p q\\n" | while read x y; do echo "$y$x"; done\nread x <<E\nhere\nE\necho $x',
      );
      expect(ran.stdout).toBe("ba\ndc\nqp\nhere\n");
      expect(ran.prompts).toEqual([]);
    });

    test("asks from a subshell too, and the order of the output stays right", async () => {
      const session = await start(language);
      const code = 'x=$(read v; echo "got $v"); echo $x; (read w; echo $w); read z; echo $z';
      expect((await run(session, code, { answer: "a" })).stdout).toBe("got a\na\na\n");
      expect((await run(session, "echo next; read a; echo after")).stdout).toBe("next\nafter\n");
      expect((await run(session, "echo last")).stdout).toBe("last\n");
    });

    test("can be interrupted", async () => {
      const session = await start(language);
      const events: SessionEvent[] = [];
      for await (const event of session.run("x=1; read v; echo after", "<block>")) {
        events.push(event);
        if (event.type === "input") session.interrupt();
      }
      expect(events.at(-1)).toMatchObject({ status: "interrupted" });
      expect((await run(session, "echo $x")).stdout).toBe("1\n");
    });
  });

  describe("interrupt", () => {
    const cases = [
      "sleep 100; echo after",
      "while :; do :; done; echo after",
      "f() { while :; do sleep 0.05; done; echo after; }; g() { f; echo after; }; g; echo after",
      "sleep 100 | cat; echo after",
      "v=$(sleep 100); echo after",
      "(sleep 100; echo after); echo after",
      'eval "sleep 100; echo after"; echo after',
      "if sleep 100; then echo after; else echo after; fi",
      "sleep 100 || echo after",
      "echo 'sleep 100; echo after' > nested; . ./nested; echo after",
      "set -e; sleep 100; echo after",
      "set -e; f() { sleep 100; }; f; echo after",
      "set -eu; while :; do :; done; echo after",
      "wait; echo after",
    ];
    test.each(cases)("stops the whole block and keeps the state: %s", async (code) => {
      const session = await start(language);
      await run(session, "x='a b'; kept() { echo kept; }; export E=1; alias ll='echo alias'; sleep 60 & echo $! > pid");
      const job = Number(readFileSync(join(folder, "pid"), "utf8"));
      const ran = await runUntilReady(session, `y=3; cd /\n${code}`);
      expect(ran.end).toEqual({ type: "end", status: "interrupted", exitCode: 130 });
      expect(ran.stdout).toBe("ready\n");
      expect(ran.stderr).toBe("");
      expect(session.alive).toBe(true);
      const next = await run(session, 'set +eu; echo "$PWD $x $y $E"; kept; ll');
      expect(next.stdout).toBe("/ a b 3 1\nkept\nalias\n");
      expect(next.end.status).toBe("ok");
      expect(isRunning(job)).toBe(true);
      expect((await run(session, "false; echo again")).stdout).toBe("again\n");
    });

    test("keeps options that were set, so that the next failure counts", async () => {
      const session = await start(language);
      await runUntilReady(session, "set -e; sleep 100");
      expect((await run(session, "false; echo after")).stdout).toBe("");
    });

    test("does nothing when no block runs", async () => {
      const session = await start(language);
      session.interrupt();
      expect((await run(session, "echo ok")).stdout).toBe("ok\n");
      session.interrupt();
      expect((await run(session, "echo ok")).stdout).toBe("ok\n");
    });

    test("ends a session that does not listen", async () => {
      const session = await start(language);
      const ran = await runUntilReady(session, "trap '' INT; sleep 100; sleep 100; sleep 100");
      expect(ran.end.status).toBe("exited");
      expect(ran.end.explanation).toContain("did not stop when interrupted");
    });
  });

  describe("a shell that exits", () => {
    test.each([
      ["exit 3", 3],
      ["f() { exit 4; }; f", 4],
      ["set -e; false; echo no", 1],
    ])("comes back with its state: %s", async (code, status) => {
      const session = await start(language, { ...process.env, GONE: "1", KEPT: "it's\nkept" });
      await run(session, "cd /; x='a \"b\"\n$c'; export E=1; unset GONE; alias ll='echo alias'; f2() { echo f2; }");
      const ran = await run(session, `y=2\necho out\n${code}`);
      expect(ran.stdout).toBe("out\n");
      expect(ran.end).toMatchObject({ status: "exited", exitCode: status });
      expect(ran.end.explanation).toContain(`the shell exited with status ${status}; a new one has its folder`);
      expect(session.alive).toBe(true);
      const next = await run(session, 'set +e; echo "$PWD $x $y"; env | grep -c "^E=1\\|^GONE="; echo "$KEPT"; ll');
      expect(next.stdout).toBe('/ a "b"\n$c 2\n1\nit\'s\nkept\nalias\n');
      expect(next.end.status).toBe("ok");
      const functions = await run(session, "f2");
      expect(functions.stdout).toBe(listsFunctions ? "f2\n" : "");
    });

    test("comes back from an unset variable under set -u", async () => {
      const session = await start(language);
      const ran = await run(session, "x=1; set -u; echo $nosuch; echo after");
      expect(ran.stdout).toBe("");
      expect(ran.stderr).toContain("nosuch");
      expect(["exited", "error"]).toContain(ran.end.status);
      expect((await run(session, "echo $x")).stdout).toBe("1\n");
    });

    test("keeps what was before the block that replaces the EXIT trap", async () => {
      const session = await start(language);
      await run(session, "x=1; cd /");
      const ran = await run(session, "trap 'echo bye' EXIT; exit 5");
      expect(ran.stdout).toBe("bye\n");
      expect(ran.end).toMatchObject({ status: "exited", exitCode: 5 });
      expect((await run(session, 'echo "$PWD $x"')).stdout).toBe("/ 1\n");
    });

    bashTest("runs an EXIT trap of an earlier block", async () => {
      const session = await start(language);
      await run(session, "x=1; trap 'echo \"bye $?\"' EXIT");
      expect((await run(session, "y=2; exit 5")).stdout).toBe("bye 5\n");
      expect((await run(session, "echo $x$y")).stdout).toBe("12\n");
    });

    test.each([
      ["kill -9 $$", "killed (SIGKILL)"],
      ["exec sh -c 'exit 6'", "exited with status 6"],
    ])("is gone, and says so, after %s", async (code, how) => {
      const session = await start(language);
      const ran = await run(session, code);
      expect(ran.end.status).toBe("exited");
      expect(ran.end.explanation).toContain(how);
      expect(ran.end.explanation).toContain("are lost");
      expect(session.alive).toBe(false);
      expect((await run(session, "echo hi")).end.status).toBe("exited");
    });
  });

  test("does not wait for background jobs, and shows what they print with the next block", async () => {
    const session = await start(language);
    const ran = await run(
      session,
      `(while [ ! -e "${folder}/go" ]; do sleep 0.02; done; echo late; : > done) & echo now`,
    );
    expect(ran.stdout).toBe("now\n");
    expect(ran.end.status).toBe("ok");
    writeFileSync(join(folder, "go"), "");
    expect(await eventually(() => existsSync(join(folder, "done")))).toBe(true);
    await pause(20);
    expect((await run(session, "echo next")).stdout).toBe("late\nnext\n");
  });

  test("shows its own helpers neither in jobs nor to wait", async () => {
    const session = await start(language);
    expect((await run(session, 'jobs; wait; echo "[$!]"')).stdout).toMatch(/^\[0?\]\n$/);
  });

  test("leaves no process and no file behind when it is closed", async () => {
    const before = readdirSync(tmpdir()).filter((file) => file.startsWith("oi-"));
    const session = await start(language);
    const ran = await run(session, "sleep 300 & echo $! $$; nohup sleep 300 >/dev/null 2>&1 & echo $!");
    const pids = ran.stdout.trim().split(/\s+/).map(Number);
    expect(pids).toHaveLength(3);
    expect(pids.every(isRunning)).toBe(true);
    await session.close();
    expect(await eventually(() => !pids.some(isRunning))).toBe(true);
    expect(groupOf(pids[1]!)).toEqual([]);
    expect(readdirSync(tmpdir()).filter((file) => file.startsWith("oi-") && !before.includes(file))).toEqual([]);
  });

  test("does not outlive a host that is killed", async () => {
    const host = spawn(process.execPath, [
      "--input-type=module-typescript",
      "-e",
      `import { localMachine } from "${new URL("../../src/machine/index.ts", import.meta.url)}";
       import * as shells from "${new URL("../../src/languages/shell/index.ts", import.meta.url)}";
       const session = await shells.${language.name}.start({ machine: localMachine, cwd: "/", env: process.env });
       for await (const event of session.run("echo $$ $_oi_dir; while :; do sleep 0.1; done", "b"))
         if (event.type === "output") process.stdout.write(event.text);`,
    ]);
    const said = await new Promise<string>((resolve, reject) => {
      let text = "";
      host.stdout.on("data", (chunk) => {
        text += chunk;
        if (text.includes("\n")) resolve(text);
      });
      let problem = "";
      host.stderr.on("data", (chunk) => {
        problem += chunk;
      });
      host.on("exit", () => reject(new Error(problem)));
    });
    const [pid, privateFolder] = said.trim().split(" ") as [string, string];
    expect(isRunning(Number(pid))).toBe(true);
    expect(existsSync(privateFolder)).toBe(true);
    host.kill("SIGKILL");
    expect(await eventually(() => !isRunning(Number(pid)) && groupOf(Number(pid)).length === 0)).toBe(true);
    expect(existsSync(privateFolder)).toBe(false);
  });
});

describe("bash", () => {
  const test = it.skipIf(findShell("bash", process.env) === undefined);

  test("keeps arrays, attributes and shell options over an exit", async () => {
    const session = await start(bash);
    await run(
      session,
      "a=(1 '2 3'); declare -A h=([k]='v w'); declare -i n=4; readonly r=5; shopt -s extglob nullglob; exit",
    );
    const ran = await run(
      session,
      'echo "${a[1]} ${h[k]} $r $((n))"; n=2+3; echo $n; shopt -q extglob nullglob && echo both',
    );
    expect(ran.stdout).toBe("2 3 v w 5 4\n5\nboth\n");
  });

  test("gives all options of read to the real one", async () => {
    const session = await start(bash);
    const ask = async (code: string, answer: string) => run(session, code, { answer });
    expect(await ask('read -rp "Your \\"name\\"? " n; echo "$n"', "a\\b")).toMatchObject({
      stdout: "a\\b\n",
      prompts: [{ prompt: 'Your "name"? ', hidden: false }],
    });
    expect((await ask("read -s p; echo ${#p}", "secret")).prompts).toEqual([{ prompt: "", hidden: true }]);
    expect((await ask('read -a words; echo "${words[1]}"', "x y z")).stdout).toBe("y\n");
    expect((await ask("read -n 2 two; echo $two", "abcd")).stdout).toBe("ab\n");
    expect((await ask('read -d ";" part; echo "$part"', "a b;c")).stdout).toBe("a b\n");
    expect((await ask('IFS= read -r -d "" all; echo "$all"', "line 1\nline 2")).stdout).toContain("line 1\nline 2\n");
    expect((await ask("read -u 9 x 9<<<nine; echo $x", "no")).prompts).toEqual([]);
  });

  test("works under the name sh", async () => {
    symlinkSync(findShell("bash", process.env)!.path, join(folder, "sh"));
    const session = await start(dash, { ...process.env, PATH: `${folder}:${process.env.PATH}` });
    expect(session.description).toMatch(/^sh \(bash\) \d/);
    await run(session, "x=1; f() { echo f; }; exit 2");
    expect((await run(session, "f; echo $x; read v; echo $v", { answer: "a" })).stdout).toBe("f\n1\na\n");
    expect((await runUntilReady(session, "sleep 100; echo after")).end.status).toBe("interrupted");
    expect((await run(session, "echo $x")).stdout).toBe("1\n");
  });
});

describe("zsh", () => {
  const test = it.skipIf(findShell("zsh", process.env) === undefined);

  test("keeps arrays, options and its path over an exit", async () => {
    const session = await start(zsh);
    await run(
      session,
      "a=(1 '2 3'); typeset -A h=(k 'v w'); setopt nullglob; path+=(/added); integer n=4; readonly r=5; exit",
    );
    const ran = await run(session, 'echo "$a[2] $h[k] $r $n $path[-1]"; echo *.none; sh -c "echo \\$PATH"');
    expect(ran.stdout).toMatch(/^2 3 v w 5 4 \/added\n\n.*:\/added\n$/);
  });

  test("shows the prompt that stands in the name", async () => {
    const ran = await run(await start(zsh), 'read "n?Your name? "; echo $n', { answer: "Ann" });
    expect(ran).toMatchObject({ stdout: "Ann\n", prompts: [{ prompt: "Your name? ", hidden: false }] });
  });
});

describe("which shell", () => {
  const both = findShell("bash", process.env) && findShell("zsh", process.env);

  const meant = (label: string, env: NodeJS.ProcessEnv) =>
    new Sessions(shellLanguages(env), { machine: localMachine, cwd: folder, env }).find(label);

  it("is the person's own, whatever general name it is called by", async () => {
    const env = { ...process.env, SHELL: findShell("bash", process.env)?.path };
    for (const label of ["shell", "sh", "Bash", "console", "terminal", "shell-session"]) {
      expect(meant(label, env)).toBe(shell);
    }
    expect(meant("python", env)).toBeUndefined();
    expect((await run(await start(shell, env), "echo $BASH_VERSION")).stdout).toMatch(/^\d/);
  });

  it.skipIf(!both)("is another one where that is asked for by name and installed", async () => {
    const env = { ...process.env, SHELL: findShell("bash", process.env)!.path };
    expect(meant("zsh", env)).toBe(zsh);
    expect(meant("zsh", { ...env, SHELL: findShell("zsh", process.env)!.path })).toBe(shell);
    expect(meant("bash", { ...env, SHELL: findShell("zsh", process.env)!.path })).toBe(bash);
  });

  it("is bash where the person's own is one we cannot drive", async () => {
    const session = await start(shell, { ...process.env, SHELL: "/usr/bin/tcsh" });
    expect(session.description).toMatch(/^(bash|sh)/);
  });
});

/** The processes of a group, without those that have ended. */
function groupOf(id: number): number[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      try {
        const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
        return Number(fields[2]) === id && fields[0] !== "Z";
      } catch {
        return false;
      }
    });
}
