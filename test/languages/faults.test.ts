// What goes wrong in real life, in every language that is installed: nothing hangs, nothing is lost that was printed, and
// nothing is left behind. Limits on memory are the sandbox's concern.

import { spawn } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { findProgram } from "../../src/languages/find-program.ts";
import type { Language } from "../../src/languages/index.ts";
import { java } from "../../src/languages/java/index.ts";
import { javascript } from "../../src/languages/javascript/index.ts";
import { julia } from "../../src/languages/julia/index.ts";
import { lua } from "../../src/languages/lua/index.ts";
import { perl } from "../../src/languages/perl/index.ts";
import { php } from "../../src/languages/php/index.ts";
import { python } from "../../src/languages/python/index.ts";
import { r } from "../../src/languages/r/index.ts";
import { ruby } from "../../src/languages/ruby/index.ts";
import { bash, dash, zsh } from "../../src/languages/shell/index.ts";
import { localMachine } from "../../src/machine/index.ts";
import { startSession, type TestSession } from "../support/session.ts";
import "../support/own-temporary.ts";

interface Faults {
  language: Language;
  program?: string;
  /** Prints `ready` and a newline. */
  ready: string;
  exit3: string;
  forever: string;
  floods: string;
  bareText: string;
  /** Writes the bytes a, 255, b, 0, c. Left out where the language cannot write a zero byte simply. */
  bytes?: string;
  longLine: string;
  manyLines: string;
  /** Calls itself without end, or so deep that it would fail where depth is limited. */
  recursion: string;
  recursionEnds: ("ok" | "error" | "exited")[];
  readsInput: string;
  /** Starts a process that sleeps and would outlive the session. */
  leavesChild: string;
  /** A shell that is left comes back with its state. */
  comesBack?: boolean;
}

const shellFaults = {
  ready: "echo ready",
  exit3: "exit 3",
  forever: "while :; do :; done",
  floods: "while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done",
  bareText: "printf bare",
  bytes: "printf 'a\\377b\\000c'",
  longLine: "head -c 10000000 /dev/zero | tr '\\0' x",
  manyLines: "seq 100000",
  readsInput: "read -r line || echo nothing",
  leavesChild: "sleep 987654 &",
  comesBack: true,
} satisfies Partial<Faults>;

const all: Faults[] = [
  {
    language: python,
    ready: "print('ready', flush=True)",
    exit3: "import sys; sys.exit(3)",
    forever: "while True: pass",
    floods: "while True: print('y' * 64)",
    bareText: "print('bare', end='')",
    bytes: "import os; _ = os.write(1, b'a\\xffb\\x00c')",
    longLine: "print('x' * 10_000_000, end='')",
    manyLines: "for i in range(1, 100_001): print(i)",
    recursion: "def f(): return f()\nf()",
    recursionEnds: ["error"],
    readsInput: "input()",
    leavesChild: "import subprocess; _ = subprocess.Popen(['sleep', '987654'])",
  },
  {
    language: javascript,
    ready: "console.log('ready')",
    exit3: "process.exit(3)",
    forever: "while (true) {}",
    floods: "while (true) console.log('y'.repeat(64))",
    bareText: "process.stdout.write('bare'); undefined",
    bytes: "process.stdout.write(Buffer.from([97, 255, 98, 0, 99])); undefined",
    longLine: "process.stdout.write('x'.repeat(10_000_000)); undefined",
    manyLines: "for (let i = 1; i <= 100_000; i++) console.log(i)",
    recursion: "function f() { return 1 + f(); }\nf()",
    recursionEnds: ["error"],
    readsInput: "prompt('?')",
    leavesChild: "require('node:child_process').spawn('sleep', ['987654']); undefined",
  },
  {
    ...shellFaults,
    language: bash,
    program: "bash",
    recursion: "f() { f; }; FUNCNEST=500 f",
    recursionEnds: ["error"],
  },
  { ...shellFaults, language: zsh, program: "zsh", recursion: "f() { f; }; f", recursionEnds: ["error", "exited"] },
  {
    ...shellFaults,
    language: dash,
    program: "sh",
    recursion: "f() { [ $1 -eq 0 ] || f $(($1 - 1)); }; f 500",
    recursionEnds: ["ok", "error", "exited"],
  },
  {
    language: ruby,
    program: "ruby",
    ready: "puts 'ready'",
    exit3: "exit 3",
    forever: "loop { }",
    floods: "loop { puts 'y' * 64 }",
    bareText: "print 'bare'",
    bytes: '$stdout.write("a\\xFFb\\x00c".b); nil',
    longLine: "print 'x' * 10_000_000",
    manyLines: "(1..100_000).each { |i| puts i }; nil",
    recursion: "def f = 1 + f\nf",
    recursionEnds: ["error"],
    readsInput: "gets",
    leavesChild: "spawn('sleep 987654'); nil",
  },
  {
    language: r,
    program: "Rscript",
    ready: "cat('ready\\n')",
    exit3: "quit('no', status = 3)",
    forever: "repeat {}",
    floods: "repeat cat(strrep('y', 64), '\\n')",
    bareText: "cat('bare')",
    longLine: "cat(strrep('x', 1e7))",
    manyLines: "for (i in 1:100000) cat(i, '\\n', sep = '')",
    recursion: "f <- function() 1 + f()\nf()",
    recursionEnds: ["error"],
    readsInput: "readline()",
    leavesChild: "system('sleep 987654', wait = FALSE)",
  },
  {
    language: perl,
    program: "perl",
    ready: 'print "ready\\n";',
    exit3: "exit 3;",
    forever: "while (1) {}",
    floods: 'while (1) { print "y" x 64, "\\n" }',
    bareText: 'print "bare";',
    bytes: 'print "a\\xFFb\\x00c";',
    longLine: 'print "x" x 10_000_000;',
    manyLines: 'print "$_\\n" for 1..100_000;',
    // Perl's depth is limited by memory alone.
    recursion: "sub f { my $n = shift; return $n ? 1 + f($n - 1) : 0 }\nf(100_000);",
    recursionEnds: ["ok"],
    readsInput: "my $line = <STDIN>;",
    leavesChild: "exec 'sleep', '987654' unless fork;",
  },
  {
    language: php,
    program: "php",
    ready: 'echo "ready\\n";',
    exit3: "exit(3);",
    forever: "while (true) {}",
    floods: 'while (true) echo str_repeat("y", 64), "\\n";',
    bareText: 'echo "bare";',
    bytes: 'echo "a\\xFFb\\x00c";',
    longLine: 'echo str_repeat("x", 10000000);',
    manyLines: 'for ($i = 1; $i <= 100000; $i++) echo $i, "\\n";',
    // PHP's depth is limited by memory alone.
    recursion: "function f($n) { return $n ? 1 + f($n - 1) : 0; }\nf(100000);",
    recursionEnds: ["ok"],
    readsInput: "$line = fgets(STDIN);",
    leavesChild: "$child = proc_open(['sleep', '987654'], [], $pipes);",
  },
  {
    language: lua,
    program: "lua",
    ready: "print('ready')",
    exit3: "os.exit(3)",
    forever: "while true do end",
    floods: "while true do print(('y'):rep(64)) end",
    bareText: "io.write('bare')\nx = 1",
    bytes: "io.write('a\\255b\\0c')\nx = 1",
    longLine: "io.write(('x'):rep(10000000))\nx = 1",
    manyLines: "for i = 1, 100000 do print(i) end",
    recursion: "function f() return 1 + f() end\nf()",
    recursionEnds: ["error"],
    readsInput: "io.read()",
    leavesChild: "os.execute('sleep 987654 &')\nx = 1",
  },
  {
    language: java,
    program: "jshell",
    ready: 'System.out.println("ready");',
    exit3: "System.exit(3);",
    forever: "while (true) {}",
    floods: 'while (true) System.out.println("y".repeat(64));',
    bareText: 'System.out.print("bare");',
    bytes: "System.out.write(new byte[] {97, (byte) 255, 98, 0, 99}); System.out.flush();",
    longLine: 'System.out.print("x".repeat(10_000_000));',
    manyLines: "for (int i = 1; i <= 100_000; i++) System.out.println(i);",
    recursion: "int f() { return 1 + f(); }\nf()",
    recursionEnds: ["error"],
    readsInput: "System.in.read()",
    leavesChild: 'new ProcessBuilder("sleep", "987654").start();',
  },
  {
    language: julia,
    program: "julia",
    ready: 'println("ready")',
    exit3: "exit(3)",
    forever: "while true end",
    floods: 'while true println("y"^64) end',
    bareText: 'print("bare")',
    longLine: 'print("x"^10_000_000)',
    manyLines: "for i in 1:100_000 println(i) end",
    recursion: "f() = 1 + f()\nf()",
    recursionEnds: ["error"],
    readsInput: "readline()",
    leavesChild: "run(`sleep 987654`; wait = false);",
  },
];

const linux = process.platform === "linux";

/** Every live process in the group of a session, by what it runs. */
function processesOf(pid: number): string[] {
  return readdirSync("/proc").flatMap((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const [state, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return Number(group) === pid && state !== "Z"
        ? [readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0")[0]!]
        : [];
    } catch {
      return [];
    }
  });
}

/** Sockets and pipes we hold. */
function descriptors(): number {
  return readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return /^(socket|pipe):/.test(readlinkSync(`/proc/self/fd/${fd}`));
    } catch {
      return false;
    }
  }).length;
}

const ourFolders = () => readdirSync(tmpdir()).filter((name) => /^(oi-|Rtmp)/.test(name)).length;

async function eventually(holds: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 200 && !holds(); tries++) await pause(25);
  return holds();
}

describe.each(all.map((faults) => [faults.language.name, faults] as const))("%s", (_, faults) => {
  const installed = !faults.program || findProgram([faults.program], process.env) !== undefined;
  const it = test.skipIf(!installed);

  async function start(): Promise<TestSession> {
    return startSession(faults.language);
  }

  const pidOf = ({ session }: TestSession) => (session as { pid?: number }).pid!;

  /** The session works: a new block has its output and its end. */
  async function expectReady(session: TestSession) {
    const ran = await session.run(faults.ready);
    expect(ran.stdout).toContain("ready\n");
    expect(ran.end.status).toBe("ok");
  }

  it("a block that leaves ends the session, which is explained", async () => {
    await using session = await start();
    const { end } = await session.run(faults.exit3);
    expect(end).toMatchObject({ status: "exited", exitCode: 3 });
    expect(end.explanation).toContain("exited with status 3");
    if (faults.comesBack) await expectReady(session);
    else expect((await session.run(faults.ready)).end).toMatchObject({ status: "exited" });
  });

  it("kill -9 in the middle of a block ends it, with what it had printed", async () => {
    await using session = await start();
    const ran = await session.run(`${faults.ready}\n${faults.forever}`, (event) => {
      if (event.type === "output" && event.text.includes("ready")) process.kill(interpreterOf(session), "SIGKILL");
    });
    expect(ran.stdout).toContain("ready");
    expect(ran.end.status).toBe("exited");
    expect(ran.end.explanation).toContain("SIGKILL");
  });

  it("an endless loop is interrupted, and the session goes on", async () => {
    await using session = await start();
    const ran = await session.run(`${faults.ready}\n${faults.forever}`, (event) => {
      if (event.type === "output" && event.text.includes("ready")) setTimeout(() => session.session.interrupt(), 50);
    });
    expect(ran.end.status).toBe("interrupted");
    await expectReady(session);
  });

  it("endless output does not fill memory while nobody reads, and is interrupted", async () => {
    await using session = await start();
    let size = 0;
    let end: unknown;
    for await (const event of session.session.run(faults.floods, "<flood>")) {
      if (event.type === "output") size += event.text.length;
      if (event.type === "output" && size < 200_000) await pause(20);
      if (size > 2_000_000) session.session.interrupt();
      if (event.type === "end") end = event.status;
      // Ours to hold is one queue, the rest waits in the process.
      if (event.type === "output") expect(event.text.length).toBeLessThan(8_000_000);
    }
    expect(end).toBe("interrupted");
    await expectReady(session);
  });

  it("output without a newline, bytes that are no text, a line of 10 MB and 100 000 lines all arrive whole", async () => {
    await using session = await start();
    expect((await session.run(faults.bareText)).stdout).toBe("bare");
    if (faults.bytes) expect((await session.run(faults.bytes)).stdout).toBe("a\uFFFDb\0c");
    const long = await session.run(faults.longLine);
    expect([long.stdout.length, long.stdout.replaceAll("x", "")]).toEqual([10_000_000, ""]);
    const many = (await session.run(faults.manyLines)).stdout.split("\n");
    expect([many.length, many[0], many[99_999], many[100_000]]).toEqual([100_001, "1", "100000", ""]);
  });

  it("deep recursion has an end", async () => {
    await using session = await start();
    const { end } = await session.run(faults.recursion);
    expect(faults.recursionEnds).toContain(end.status);
    if (end.status !== "exited") await expectReady(session);
  });

  it("reading input where nobody is there does not wait", async () => {
    await using session = await start();
    const { end } = await session.run(faults.readsInput);
    expect(["ok", "error"]).toContain(end.status);
    await expectReady(session);
  });

  test.skipIf(!installed || !linux)(
    "closing while a block runs leaves no process, no descriptor and no file",
    async () => {
      const before = { descriptors: descriptors(), folders: ourFolders() };
      const session = await start();
      const pid = pidOf(session) ?? 0;
      await session.run(faults.leavesChild);
      const running = session.run(`${faults.ready}\n${faults.forever}`, (event) => {
        if (event.type === "output" && event.text.includes("ready")) void session.session.close();
      });
      expect((await running).end.status).toBe("exited");
      await session[Symbol.asyncDispose]();
      if (pid) expect(await eventually(() => processesOf(pid).length === 0), processesOf(pid).join()).toBe(true);
      expect(await eventually(() => descriptors() <= before.descriptors)).toBe(true);
      expect(await eventually(() => ourFolders() <= before.folders)).toBe(true);
    },
  );
});

describe("when we are gone ourselves, whatever ended us", () => {
  const folder = join(import.meta.dirname, "../../src/languages");
  const alone = all.filter(({ language: { name } }) => !/^(python|javascript|bash|zsh|dash)$/.test(name));

  for (const { language, ready, forever, program } of alone) {
    const here = linux && findProgram([program!], process.env) !== undefined;
    test.skipIf(!here)(`a busy ${language.name} session ends too`, async () => {
      const code = hostOf(folder, language.name, `${ready}\n${forever}`);
      const host = spawn(
        process.execPath,
        ["--no-warnings", "--experimental-strip-types", "--input-type=module", "--eval", code],
        { stdio: ["ignore", "pipe", "inherit"] },
      );
      const pid = await new Promise<number>((resolve) => {
        host.stdout.once("data", (text: Buffer) => resolve(Number.parseInt(text.toString(), 10)));
      });
      expect(processesOf(pid).length).toBeGreaterThan(0);
      host.kill("SIGKILL");
      expect(await eventually(() => processesOf(pid).length === 0), processesOf(pid).join()).toBe(true);
    });
  }
});

/** A program that runs a block and says which process it runs in as soon as it does. */
function hostOf(folder: string, name: string, code: string): string {
  return `
    const { ${name}: language } = await import(${JSON.stringify(join(folder, name, "index.ts"))});
    const { localMachine: machine } = await import(${JSON.stringify(join(folder, "../machine/index.ts"))});
    const session = await language.start({ machine, cwd: ${JSON.stringify(tmpdir())}, env: process.env });
    for await (const event of session.run(${JSON.stringify(code)}, "<block>"))
      if (event.type === "output") console.log(session.pid);`;
}

/** Where the process of a session is not told, it is the newest in a group of ours. */
function interpreterOf({ session }: TestSession): number {
  const { pid } = session as { pid?: number };
  if (pid) return pid;
  const groups = readdirSync("/proc").flatMap((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const [state, parent, group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return Number(parent) === process.pid && group === name && state !== "Z" ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
  return Math.max(...groups);
}

describe("a block that starts processes without end is ended with all of them, and that is said", () => {
  const bombs: readonly (readonly [Language, string])[] = [
    [bash, "while :; do sleep 1000 & done"],
    [zsh, "while :; do sleep 1000 &! done"], // zsh has a limit of its own on jobs it keeps
    [dash, "while :; do sleep 1000 & done"],
    [python, "import os, time\nwhile True:\n    if os.fork() == 0:\n        time.sleep(1000)"],
    [
      javascript,
      "const { spawn } = require('child_process');\nfor (;;) spawn('sleep', ['1000'], { stdio: 'ignore' });",
    ],
    [ruby, "loop { fork { sleep 1000 } }"],
    [perl, "while (1) { fork() or sleep 1000 }"],
    [r, "repeat system('sleep 1000', wait = FALSE)"],
    [lua, "while true do os.execute('sleep 1000 &') end"],
  ];

  test
    .skipIf(process.platform !== "linux")
    .for(bombs.map(([language, code]) => ({ name: language.name, language, code })))(
    "$name",
    async ({ language, code }, { skip }) => {
      const options = { machine: localMachine, cwd: tmpdir(), env: process.env };
      if ((await language.available(options)) !== true) skip();
      await using session = await startSession(language);
      const { end } = await session.run(code);
      expect(end).toMatchObject({ status: "exited", explanation: expect.stringContaining("more than 1000 processes") });
    },
  );
});
