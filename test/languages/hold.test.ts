// Shells, JavaScript and the sessions of a conversation that are taken back to what they held before a block.

import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Hold, type Language, type Session, Sessions, type SessionWatcher } from "../../src/languages/index.ts";
import { javascript } from "../../src/languages/javascript/index.ts";
import { perl } from "../../src/languages/perl/index.ts";
import { python } from "../../src/languages/python/index.ts";
import { bash, dash, zsh } from "../../src/languages/shell/index.ts";
import { localMachine } from "../../src/machine/index.ts";
import { startSession, type TestSession, testPython, until } from "../support/session.ts";
import "../support/own-temporary.ts";

async function held({ session }: TestSession): Promise<Hold> {
  const hold = await session.hold!();
  expect(hold).toBeDefined();
  return hold!;
}

const printed = async (session: TestSession, code: string) => (await session.run(code)).stdout.trim();

const shells = [
  { name: "bash", language: bash },
  { name: "zsh", language: zsh },
  { name: "sh", language: dash },
];

describe.each(shells)("$name", ({ name, language }) => {
  test("folder, variables, options, functions and the last status are as they were", async () => {
    await using session = await startSession(language);
    mkdirSync(join(session.folder, "it's here"));
    await session.run("cd \"it's here\"; export COLOUR='red and blue'; count=5; umask 027; alias hi='echo hello'");
    if (name !== "sh") await session.run("greet() { echo \"hello $1\"; }; list=(a 'b c'); SECRET_KEY=hush");
    await session.run(name === "zsh" ? "setopt nullglob; set -u" : "set -u");
    await session.run("(exit 3)");
    const hold = await held(session);
    const change = "cd ..; export COLOUR=green OTHER=1; count=6; unset count; umask 000; set +u; alias hi='echo no'";
    const more = name === "sh" ? "" : "; greet() { echo no; }; list=(z); SECRET_KEY=gone";
    await session.run(`${change}${more}${name === "zsh" ? "; unsetopt nullglob" : ""}`);
    expect(await hold.bringBack()).toEqual([]);
    expect(await printed(session, 'echo "$?"; pwd')).toBe(`3\n${join(session.folder, "it's here")}`);
    expect(
      await printed(
        session,
        'echo "$COLOUR/$count/${OTHER-none}"; env | grep COLOUR; case $- in *u*) echo strict; esac',
      ),
    ).toBe("red and blue/5/none\nCOLOUR=red and blue\nstrict");
    expect((await printed(session, "umask")).replace(/^0+/, "")).toBe("27");
    expect(await printed(session, "alias hi")).toMatch(/^(alias )?hi='echo hello'$/);
    if (name !== "sh")
      expect(await printed(session, 'greet you; echo "${#list[@]} $SECRET_KEY"')).toBe("hello you\n2 hush");
    if (name === "zsh") expect(await printed(session, "echo nothing/like/this*")).toBe("");
  });

  test("also after a block that ended the shell, twice in a row, and not when it was kept", async () => {
    await using session = await startSession(language);
    await session.run("x=1");
    for (const code of ["x=2; exit 7", "x=3; kill -9 $$", "x=4; set -e; false"]) {
      const hold = await held(session);
      await session.run(code);
      expect(await hold.bringBack()).toEqual([]);
      expect(session.session.alive).toBe(true);
      expect(await printed(session, "echo $x; case $- in *e*) echo strict; esac")).toBe("1");
    }
    const hold = await held(session);
    await session.run("x=5");
    await hold.drop();
    await expect(hold.bringBack()).rejects.toThrow("There is nothing that the session could go back to.");
    expect(await printed(session, "echo $x")).toBe("5");
  });

  test("a block that was interrupted, and one that was never run", async () => {
    await using session = await startSession(language);
    await session.run("x=1");
    expect(await (await held(session)).bringBack()).toEqual([]);
    const hold = await held(session);
    const waiting = session.run("x=2; echo begun; sleep 100", (event) => {
      if (event.type === "output") session.session.interrupt();
    });
    expect((await waiting).end.status).toBe("interrupted");
    await hold.bringBack();
    expect(await printed(session, "echo $x")).toBe("1");
  });

  test("jobs that ran before the block are not ended for it: the session stays as it is, and says why", async () => {
    await using session = await startSession(language);
    await session.run("x=1; sleep 100 & job=$!");
    const hold = await held(session);
    await session.run("x=2");
    await expect(hold.bringBack()).rejects.toThrow("Jobs that run in its background would end with the shell.");
    expect(await printed(session, "echo $x; kill -0 $job && echo running")).toBe("2\nrunning");
  });

  test("a block does not feel that it may be taken back", async () => {
    await using session = await startSession(language);
    await session.run("x=1; (exit 3)");
    await held(session);
    const { stdout, stderr } = await session.run('echo "$? $x"; jobs');
    expect({ stdout, stderr }).toEqual({ stdout: "3 1\n", stderr: "" });
    const left = await session.run("ls -A; ls -A $TMPDIR/ 2>/dev/null | grep held; true");
    expect(left.stdout).toBe("");
  });
});

test("sh has no way back over its functions, and says so", async () => {
  await using session = await startSession(dash);
  await session.run("greet() { echo hello; }; x=1");
  const hold = await held(session);
  await session.run("x=2");
  await expect(hold.bringBack()).rejects.toThrow("Functions of this shell cannot be had again.");
  expect(await printed(session, "greet; echo $x")).toBe("hello\n2");
});

describe("javascript", () => {
  test("values, functions, classes, imports, folder and environment are as they were, secrets too", async () => {
    await using session = await startSession(javascript);
    await session.run(
      "import { join } from 'node:path'; const items = [1, { a: 2 }]; let x = 1; const apiKey = 'hush'",
    );
    await session.run(
      "function twice(n) { return 2 * n } class P { constructor(x) { this.x = x } } const p = new P(3)",
    );
    await session.run("process.env.COLOUR = 'red'; process.env.MY_TOKEN = 'hush'");
    const hold = await held(session);
    mkdirSync(join(session.folder, "d"));
    await session.run(
      "x = 2; items.push(3); function twice(n) { return 0 } p.x = 4; var y = 5; process.chdir('d'); process.env.COLOUR = 'blue'",
    );
    const pid = session.session.pid;
    expect(await hold.bringBack()).toEqual([]);
    expect(session.session.pid).not.toBe(pid);
    const { displayed } = await session.run(
      "[x, items, twice(2), p.x, p instanceof P, typeof y, join('a', 'b'), apiKey, process.env.COLOUR, process.env.MY_TOKEN]",
    );
    expect(displayed[0]!.replace(/\s+/g, " ")).toBe(
      "[ 1, [ 1, { a: 2 } ], 4, 3, true, 'undefined', 'a/b', 'hush', 'red', 'hush' ]",
    );
    expect((await session.run("process.cwd()")).displayed).toEqual([`'${session.folder}'`]);
  });

  test("after a block that ended the process, and again; nothing is left on disk", async () => {
    const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith("oi-"));
    const before = new Set(folders());
    await using session = await startSession(javascript);
    await session.run("const text = 'x'.repeat(5000); let x = 1");
    for (const code of ["x = 2; process.exit(3)", "x = 3; process.abort()", "x = 4; throw new Error('no')"]) {
      const hold = await held(session);
      await session.run(code);
      expect(await hold.bringBack()).toEqual([]);
      expect((await session.run("[x, text.length]")).displayed).toEqual(["[ 1, 5000 ]"]);
    }
    await (await held(session)).drop();
    const left = folders().filter(
      (name) => !before.has(name) && readdirSync(join(tmpdir(), name)).some((each) => each.endsWith(".value")),
    );
    expect(left).toEqual([]);
  });

  test("where something would be lost on the way back, there is none", async () => {
    await using session = await startSession(javascript);
    await session.run("const { port1 } = new MessageChannel(); let x = 1");
    expect(await session.session.hold!()).toBeUndefined();
    await using other = await startSession(javascript);
    await other.run("var timer = undefined; setInterval(() => {}, 1000); 0");
    expect(await other.session.hold!()).toBeUndefined();
    await using third = await startSession(javascript);
    await third.run("const big = Buffer.alloc(30_000_000)");
    expect(await third.session.hold!()).toBeUndefined();
  });
});

describe("the sessions of a conversation", () => {
  class Conversation implements AsyncDisposable {
    readonly folder = mkdtempSync(join(tmpdir(), "hold-test-"));
    readonly told: string[] = [];
    readonly watcher: SessionWatcher = {
      started: async () => undefined,
      ran: ({ name }: Language, { alive }: Session) => void this.told.push(`${name} ran, ${alive ? "alive" : "dead"}`),
      restarted: ({ name }: Language) => void this.told.push(`${name} restarted`),
    };
    readonly sessions = new Sessions(
      [python, javascript, bash, perl],
      { machine: localMachine, cwd: this.folder, env: process.env, python: testPython },
      undefined,
      this.watcher,
    );
    async run(language: Language, code: string): Promise<string> {
      let text = "";
      for await (const event of this.sessions.run(language, code)) {
        if (event.type === "output") text += event.text;
        if (event.type === "end" && event.explanation) text += `[${event.explanation}]`;
      }
      return text.trim();
    }
    async [Symbol.asyncDispose]() {
      await this.sessions.close();
      rmSync(this.folder, { recursive: true, force: true });
    }
  }

  test("a session that is not started yet begins anew, without a word about it", async () => {
    await using it = new Conversation();
    const hold = await it.sessions.hold(perl);
    expect(await it.run(perl, "our $x = 5; print $x")).toBe("5");
    expect(await hold!.bringBack()).toEqual([]);
    expect(it.told).toEqual(["perl ran, alive", "perl restarted"]);
    expect(await it.run(perl, 'print defined($main::x) ? "there" : "gone"')).toBe("gone");
    // A block has run in this one, and there is no way back from the next.
    expect(await it.sessions.hold(perl)).toBeUndefined();
    expect(await it.run(perl, "print 1")).toBe("1");
  });

  test("a crash that is taken back is not spoken of, and what is saved is what came back", async () => {
    await using it = new Conversation();
    await it.run(javascript, "let x = 1");
    const hold = await it.sessions.hold(javascript);
    expect(await it.run(javascript, "x = 2; process.exit(3)")).toBe("[exited with status 3]");
    expect(await hold!.bringBack()).toEqual([]);
    expect(it.told.at(-1)).toBe("javascript ran, alive");
    expect(await it.run(javascript, "console.log(x)")).toBe("1");
  });

  test("python goes on after a crash, and a session that cannot be started is none to hold", async () => {
    await using it = new Conversation();
    await it.run(python, "x = 1");
    await it.sessions.hold(python);
    expect(await it.run(python, "import os; os._exit(3)")).toBe(
      "[exited with status 3; it goes on with what it held before this block]",
    );
    expect(await it.run(python, "print(x)")).toBe("1");
    const missing = new Sessions([python], {
      machine: localMachine,
      cwd: it.folder,
      env: process.env,
      python: "/nowhere/python",
    });
    expect(await missing.hold(python)).toBeUndefined();
  });

  test("two are held side by side", async () => {
    await using it = new Conversation();
    await it.run(python, "x = 1");
    await it.run(bash, "x=1");
    const [first, second] = [await it.sessions.hold(python), await it.sessions.hold(bash)];
    await it.run(python, "x = 2");
    await it.run(bash, "x=2");
    await first!.bringBack();
    expect(await it.run(bash, "echo $x")).toBe("2");
    await second!.bringBack();
    expect(await it.run(python, "print(x)")).toBe("1");
    expect(await it.run(bash, "echo $x")).toBe("1");
    await until(() => it.told.length >= 6);
  });
});
