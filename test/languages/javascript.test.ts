import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { javascript } from "../../src/languages/javascript/index.ts";
import { isRunning, startSession, type TestSession, until } from "../support/session.ts";

function put(session: TestSession, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(session.folder, path, ".."), { recursive: true });
    writeFileSync(join(session.folder, path), text);
  }
}

describe("state", () => {
  test("whatever a block declares stays, in JavaScript and in TypeScript", async () => {
    await using session = await startSession(javascript);
    await session.run("const a = 1; let b = 2; var c = 3\nfunction d() { return 4 }\nclass E { f = 5 }");
    await session.run("const g: number = 6; interface Unused { x: string }");
    const { displayed } = await session.run("[a, b, c, d(), new E().f, g]");
    expect(displayed).toEqual(["[ 1, 2, 3, 4, 5, 6 ]"]);
  });

  test("names can be declared again as anything", async () => {
    await using session = await startSession(javascript);
    for (const code of [
      "const x = 1",
      "let x = 1",
      "var x = 1",
      "class x {}",
      "function x() {}",
      "import x from 'fs'",
    ]) {
      for (const next of ["const x = 2; x", "let x = 2; x", "var x = 2; x", "await 0; var x = 2; x"]) {
        await session.run(code);
        expect(await session.run(next), `${code}, then ${next}`).toMatchObject({ displayed: ["2"] });
      }
    }
  });

  test("a function defined anew is used by those defined before it", async () => {
    await using session = await startSession(javascript);
    await session.run("await 0\nfunction inner() { return 'old' }\nfunction outer() { return inner() }");
    await session.run("await 0\nfunction inner() { return 'new' }");
    expect((await session.run("outer()")).displayed).toEqual(["'new'"]);
  });

  test("a declaration that failed can be repeated", async () => {
    await using session = await startSession(javascript);
    expect((await session.run("const x = (() => { throw new Error('no') })()")).end.status).toBe("error");
    expect((await session.run("const x = 3; x")).displayed).toEqual(["3"]);
  });

  test("a name of Node's own can be taken without taking it away from anybody else", async () => {
    await using session = await startSession(javascript);
    await session.run("const URL = 'data:text/plain,hello'\nfunction get() { return fetch(URL) }");
    const { displayed } = await session.run("const answer = await (await get()).text(); [answer, { URL }]");
    expect(displayed).toEqual(["[ 'hello', { URL: 'data:text/plain,hello' } ]"]);
    await session.run("const crypto = require('crypto')");
    expect((await session.run("crypto.createHash('md5').update('').digest('hex').length")).displayed).toEqual(["32"]);
  });

  test("what was started keeps going between blocks", async () => {
    await using session = await startSession(javascript);
    await session.run("let ticks = 0; const timer = setInterval(() => ticks++, 2)");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(Number((await session.run("clearInterval(timer); ticks")).displayed[0])).toBeGreaterThan(0);
  });

  test("a new session has nothing of the driver's among its global names", async () => {
    await using session = await startSession(javascript);
    const own = Object.keys(globalThis).filter((name) => !name.includes("vitest"));
    const names = (await session.run("Object.keys(globalThis).join()")).displayed[0]!.replaceAll("'", "").split(",");
    expect(names.filter((name) => !own.includes(name))).toEqual([]);
    const { displayed } = await session.run(
      "[process.argv.length, process.execArgv.length, __dirname === process.cwd()]",
    );
    expect(displayed).toEqual(["[ 2, 0, true ]"]);
  });
});

describe("imports", () => {
  test("every form of import binds what it says", async () => {
    await using session = await startSession(javascript);
    put(session, {
      "data.json": '{ "n": 7 }',
      "m.mjs": "export default 1; export const two = 2; globalThis.ran = true",
    });
    const { displayed, error, stderr } = await session.run(
      `import "./m.mjs"
import one, { two as zwei } from "./m.mjs"
import * as all from "./m.mjs"
import json from "./data.json" with { type: "json" }
import fs, {
  readFileSync,
} from "node:fs"
const { two } = await import("./m.mjs");
[ran, one, zwei, all.two, json.n, fs.readFileSync === readFileSync, two].join()`,
    );
    expect(error).toBeUndefined();
    expect(stderr).toBe("");
    expect(displayed).toEqual(["'true,1,2,2,7,true,2'"]);
  });

  test("packages of both kinds are found from the working folder, wherever it is now", async () => {
    await using session = await startSession(javascript);
    put(session, {
      "app/package.json": '{ "type": "module" }',
      "app/node_modules/modern/package.json":
        '{ "name": "modern", "type": "module", "exports": { "import": "./index.js" } }',
      "app/node_modules/modern/index.js": "export const kind = 'esm'; export default () => kind",
      "app/node_modules/classic/package.json": '{ "name": "classic", "main": "main.js" }',
      "app/node_modules/classic/main.js": "module.exports = { kind: 'cjs', ['na' + 'me']: 'hidden' }",
      "app/typed.ts": "export const typed: string = 'ts'",
    });
    expect((await session.run("import 'modern'")).error?.message).toContain("Cannot find package 'modern'");
    await session.run("process.chdir('app')");
    const { displayed } = await session.run(
      `import modern, { kind } from "modern"
import { kind as classic, name } from "classic"
import { typed } from "./typed.ts"
[modern(), kind, classic, name, typed, require("classic").kind, require("./typed.ts").typed]`,
    );
    expect(displayed).toEqual(["[ 'esm', 'esm', 'cjs', 'hidden', 'ts', 'cjs', 'ts' ]"]);
  });

  test("what cannot be imported is said as Node says it", async () => {
    await using session = await startSession(javascript);
    put(session, { "m.mjs": "export const a = 1" });
    expect((await session.run("import { b } from './m.mjs'")).error).toMatchObject({
      name: "SyntaxError",
      message: "The requested module './m.mjs' does not provide an export named 'b'",
    });
    const missing = (await session.run("\nimport x from './missing.mjs'")).error!;
    expect(missing.message).toContain("missing.mjs");
    expect(missing.traceback).not.toContain("javascript-driver");
  });

  test("export, import.meta, module and require.main mean something", async () => {
    await using session = await startSession(javascript);
    await session.run("export const a = 1; export function b() { return 2 }\nexport { a as c }");
    const { displayed } = await session.run(
      "[a, b(), import.meta.dirname === process.cwd(), import.meta.url.startsWith('file:'), require.main === module, typeof exports]",
    );
    expect(displayed).toEqual(["[ 1, 2, true, true, true, 'object' ]"]);
    expect((await session.run("export default { x: 1 }")).displayed).toEqual(["{ x: 1 }"]);
  });
});

describe("TypeScript", () => {
  test("types go; enums, generics and parameter properties work", async () => {
    await using session = await startSession(javascript);
    const { displayed, error } = await session.run(
      `import type { Stats } from "node:fs"
import { type Dirent, existsSync } from "node:fs"
enum Colour { Red, Green = "g" }
abstract class Shape<T> { constructor(protected readonly size: T, public name?: string) {} get(): T { return this.size } }
class Square extends Shape<number> {}
function first<T extends object>(items: T[]): T | undefined { return items[0] as T }
const stats: Stats | null = null; let entry!: Dirent
const list = <const>[1, 2] satisfies readonly number[];
[Colour.Red, Colour.Green, new Square(3).get(), first<{ a: number }>([{ a: 1 }])!.a, typeof existsSync, list.length]`,
    );
    expect(error).toBeUndefined();
    expect(displayed).toEqual(["[ 0, 'g', 3, 1, 'function', 2 ]"]);
  });

  test("a call with type arguments is not a comparison", async () => {
    await using session = await startSession(javascript);
    const { displayed } = await session.run("function same(x) { return x }\nsame<string>('typed')");
    expect(displayed).toEqual(["'typed'"]);
  });
});

describe("values", () => {
  test("the last expression is shown, with or without a semicolon, and kept in _", async () => {
    await using session = await startSession(javascript);
    expect((await session.run("1; 'two';")).displayed).toEqual(["'two'"]);
    expect((await session.run("_")).displayed).toEqual(["'two'"]);
    expect((await session.run("{ a: 1, b: [2] }")).displayed).toEqual(["{ a: 1, b: [ 2 ] }"]);
    expect((await session.run("undefined")).displayed).toEqual([]);
    expect((await session.run("5; const x = 5")).displayed).toEqual([]);
    expect((await session.run("for (const x of [1]) x")).displayed).toEqual([]);
    expect((await session.run("const _ = 'mine'")).displayed).toEqual([]);
    expect((await session.run("1; _")).displayed).toEqual(["'mine'"]);
  });

  test("a promise at the end is waited for", async () => {
    await using session = await startSession(javascript);
    const { stdout, displayed } = await session.run(
      `main()
async function main() {
  await new Promise((resolve) => setTimeout(resolve, 20))
  console.log("done")
  return 7
}`,
    );
    expect(stdout).toBe("done\n");
    expect(displayed).toEqual(["7"]);
    expect((await session.run("const p = new Promise(() => {})")).end.status).toBe("ok");
  });

  test("objects that know how to show themselves do, and display() shows anything", async () => {
    await using session = await startSession(javascript);
    const { bundles, events } = await session.run(
      `const chart = { [Symbol.for("Jupyter.display")]: () => ({ "text/html": "<b>x</b>", "image/png": Buffer.from("png") }) }
console.log("before"); display(1); console.log("after")
chart`,
    );
    expect(bundles[0]).toEqual({ "text/plain": "1" });
    expect(bundles[1]).toMatchObject({ "text/html": "<b>x</b>", "image/png": "cG5n" });
    const order = events.flatMap((event) => (event.type === "output" || event.type === "display" ? [event.type] : []));
    expect(order).toEqual(["output", "display", "output", "display"]);
  });

  test("values without end are cut", async () => {
    await using session = await startSession(javascript);
    const { displayed } = await session.run("({ list: Array(1e6).fill(1), text: 'x'.repeat(1e6) })");
    expect(displayed[0]!.length).toBeLessThan(20_000);
  });

  test("sloppy code, strict code and a hashbang are all fine", async () => {
    await using session = await startSession(javascript);
    expect((await session.run("#!/usr/bin/env node\nvar o = 010; with ({ z: 1 }) o += z; o")).displayed).toEqual(["9"]);
    expect((await session.run('"use strict"\nconst s = 1; let t\nclass U {}\n[s, t, typeof U]')).displayed).toEqual([
      "[ 1, undefined, 'function' ]",
    ]);
    expect((await session.run('"use strict"; undeclared = 1')).error?.name).toBe("ReferenceError");
    expect((await session.run('"use strict"; const w = await 1\nfunction f() { return this }\nf()')).displayed).toEqual(
      [],
    );
  });

  test("top-level await reaches into everything", async () => {
    await using session = await startSession(javascript);
    const { displayed } = await session.run(
      `const { a, ...rest } = await { a: 1, b: 2 }, [c = 3] = []
var total = 0
for await (var n of [Promise.resolve(1), 2]) total += n
if (true) { var inside = await 5 }
class K { value = 6 }
[a, rest, c, total, n, inside, new K().value]`,
    );
    expect(displayed).toEqual(["[ 1, { b: 2 }, 3, 3, 2, 5, 6 ]"]);
    expect((await session.run("[a, rest.b, c, total, n, inside, K.name].join()")).displayed).toEqual([
      "'1,2,3,3,2,5,K'",
    ]);
  });
});

describe("lines", () => {
  test("each statement is announced, the first too, and imports and comments keep the count", async () => {
    await using session = await startSession(javascript);
    const { lines } = await session.run(
      `// a comment
display(0)
import {
  join,
} from "path"
display(1)

function unused() {
  return 1
}
display(2); display(3)
display(4)`,
    );
    // Lines without anything between them may be told as one.
    expect(lines.filter((line) => line !== 3)).toEqual([2, 6, 11, 12]);
  });
});

describe("errors", () => {
  test("the stack has the person's lines and columns, across blocks, and nothing of ours", async () => {
    await using session = await startSession(javascript);
    await session.run("\nfunction fail(what) {\n  throw new TypeError(what)\n}");
    const plain = (await session.run("1\n  fail('sync')")).error!;
    expect(plain).toMatchObject({ name: "TypeError", message: "sync" });
    expect(plain.traceback).toBe("TypeError: sync\n    at fail (<block 1>:3:9)\n    at <block 2>:2:3");
    const awaited = (await session.run("import fs from 'fs'; const x = await 1, y = await 2; fail(await 3)")).error!;
    expect(awaited.traceback).toContain("at <block 3>:1:54");
    const typed = (await session.run("const a: Array<number> = [1]; fail(a as any); let b: string")).error!;
    expect(typed.traceback).toContain("at <block 4>:1:31");
    const late = await session.run("setTimeout(() => fail('late'), 1)\nawait new Promise((r) => setTimeout(r, 20))");
    expect(late.stderr).toBe(
      "Uncaught TypeError: late\n    at fail (<block 1>:3:9)\n    at Timeout._onTimeout (<block 5>:1:18)\n",
    );
    expect((await session.run("_error.message")).displayed).toEqual(["'1'"]);
  });

  test("causes, codes and things that are not errors are shown", async () => {
    await using session = await startSession(javascript);
    const { error } = await session.run("throw new Error('outer', { cause: new RangeError('inner') })");
    expect(error?.traceback).toMatch(/Error: outer.*\[cause\]: RangeError: inner/s);
    expect((await session.run("require('fs').readFileSync('/nowhere')")).error?.traceback).toContain("code: 'ENOENT'");
    expect((await session.run("throw { a: 1 }")).error).toMatchObject({ name: "Uncaught", message: "{ a: 1 }" });
    expect((await session.run("throw null")).error).toMatchObject({ name: "Uncaught", message: "null" });
    const caught = await session.run("try { null.x } catch (error) { console.log(error.stack) }");
    expect(caught.stdout).toBe("TypeError: Cannot read properties of null (reading 'x')\n    at <block 5>:1:12\n");
  });

  test("a syntax error shows the place", async () => {
    await using session = await startSession(javascript);
    const { error, end, lines } = await session.run("const a = 1\nconst b = [1, 2\nconst c = 3");
    expect(error?.traceback).toMatch(/^<block 1>:3:\d+\nconst c = 3\n *\^\nSyntaxError: /);
    expect([end.status, lines]).toEqual(["error", []]);
    expect((await session.run("let a b")).error?.traceback).toMatch(/<block 2>:1:\d+\nlet a b\n {6,7}\^\n/);
    expect((await session.run("typeof a")).displayed).toEqual(["'undefined'"]);
  });

  test("what fails in the background is told on stderr, and the session goes on", async () => {
    await using session = await startSession(javascript);
    const { stderr, end } = await session.run(
      "setTimeout(() => { throw new Error('thrown') }); Promise.reject(new Error('rejected')); await new Promise((r) => setTimeout(r, 20))",
    );
    expect(stderr).toContain("Uncaught Error: thrown");
    expect(stderr).toContain("Uncaught Error: rejected");
    expect(end.status).toBe("ok");
  });
});

describe("output", () => {
  test("stdout and stderr come apart and in order, partial lines and children included", async () => {
    await using session = await startSession(javascript);
    const { stdout, stderr } = await session.run(
      `console.log("out"); console.error("err"); process.stdout.write("part")
require("child_process").execSync("echo child; echo oops >&2", { stdio: "inherit" })
require("fs").writeSync(1, "raw\\n")`,
    );
    expect(stdout).toBe("out\npartchild\nraw\n");
    expect(stderr).toBe("err\noops\n");
  });

  test("a great deal of output arrives whole", async () => {
    await using session = await startSession(javascript);
    const { stdout } = await session.run("for (let i = 0; i < 20_000; i++) console.log('é'.repeat(50) + i)");
    expect(stdout.split("\n")).toHaveLength(20_001);
    expect(stdout).not.toContain("\ufffd");
  });

  test("what is printed between blocks comes with the next one", async () => {
    await using session = await startSession(javascript);
    await session.run("setTimeout(() => { console.log('late'); globalThis.printed = true }, 5); 0");
    let stdout = "";
    while (!stdout.includes("late")) stdout += (await session.run("globalThis.printed")).stdout;
    expect(stdout).toBe("late\n");
  });

  test("children do not get the driver's descriptors", async () => {
    await using session = await startSession(javascript);
    const { displayed } = await session.run(
      "require('child_process').execSync('ls /dev/fd 2>/dev/null || true').toString().trim().split(/\\s+/).filter((fd) => fd > 2 && fd < 5).length <= 1",
    );
    const { stdout } = await session.run(
      "require('child_process').spawnSync('sh', ['-c', 'echo x >&4'], { stdio: 'inherit' }).status !== 0 && console.log('closed')",
    );
    expect(displayed).toEqual(["true"]);
    expect(stdout).toBe("closed\n");
  });

  test("junk on the driver's descriptor does no harm", async () => {
    await using session = await startSession(javascript);
    const { displayed, end } = await session.run(
      `const fs = require("fs")
for (const junk of ["garbage\\n", "null\\n", "[]\\n", '{"op":"end"}\\n', '{"op":"line","mark":999}\\n', "half a line"]) fs.writeSync(4, junk)
'fine'`,
    );
    expect(displayed).toEqual(["'fine'"]);
    expect(end.status).toBe("ok");
    expect((await session.run("1 + 1")).displayed).toEqual(["2"]);
  });
});

describe("asking", () => {
  test("prompt() waits for the person's answer", async () => {
    await using session = await startSession(javascript, ["Ada", "y"]);
    const { displayed, events } = await session.run(
      "console.log('hi'); const name = prompt('Name? '); [name, confirm('Sure?')]",
    );
    expect(displayed).toEqual(["[ 'Ada', true ]"]);
    expect(events.flatMap((event) => (event.type === "input" ? [event.prompt] : []))).toEqual([
      "Name? ",
      "Sure? [y/N] ",
    ]);
  });

  test("where nobody answers it says so; stdin is at its end", async () => {
    await using session = await startSession(javascript);
    expect((await session.run("prompt('Name? ')")).error?.message).toBe(
      "input was asked for, but nobody is here to answer. Put the value into the code instead.",
    );
    const { displayed } = await session.run(
      "let read = ''; for await (const chunk of process.stdin) read += chunk; read",
    );
    expect(displayed).toEqual(["''"]);
  });
});

describe("interrupting", () => {
  const busy = {
    "a busy loop": "console.log('busy'); for (;;);",
    "a busy loop in finally": "try { console.log('busy'); for (;;); } finally { for (;;); }",
    "an endless wait": "console.log('busy'); await new Promise(() => {})",
    "awaits without end": "console.log('busy'); for (;;) await null",
    "rejections without end": "console.log('busy'); for (;;) { try { await Promise.reject(1) } catch {} }",
    "a child process": "require('child_process').execSync('echo busy; sleep 60', { stdio: 'inherit' })",
    "a busy timer": "setTimeout(() => { console.log('busy'); for (;;); }); await new Promise(() => {})",
    "a blocked thread": "console.log('busy'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)",
    "printing without end": "for (;;) console.log('busy'.repeat(1000))",
    "displaying without end": "console.log('busy'); for (;;) display(1)",
  };

  test("stops whatever runs and keeps the state", async () => {
    await using session = await startSession(javascript);
    await session.run("let kept = 0");
    for (const [what, code] of Object.entries(busy)) {
      const { end, error, stderr } = await session.run(`kept++\n${code}`, (event) => {
        if (event.type === "output" && event.text.includes("busy")) session.session.interrupt();
      });
      expect(end.status, what).toBe("interrupted");
      expect(error, what).toMatchObject({ name: "Interrupted" });
      expect(stderr, what).toBe("");
      const after = await session.run("console.log(kept); await new Promise((r) => setTimeout(r, 1))");
      expect([after.stdout, after.end.status], what).toEqual([`${Object.keys(busy).indexOf(what) + 1}\n`, "ok"]);
    }
  });

  test("many times in a row, at any moment", async () => {
    await using session = await startSession(javascript);
    for (let i = 0; i < 60; i++) {
      const timer = setTimeout(() => session.session.interrupt(), i % 12);
      const { end } = await session.run(
        i % 2 ? "for (;;) JSON.parse('[1]')" : "for (let i = 0; i < 3e5; i++) Math.sqrt(i)",
      );
      clearTimeout(timer);
      expect(end.status).toMatch(i % 2 ? "interrupted" : /ok|interrupted/);
    }
    expect((await session.run("1 + 1")).displayed).toEqual(["2"]);
  });

  test("an interrupted block does not go on later", async () => {
    await using session = await startSession(javascript);
    await session.run(
      "let steps = 0; async function walk() { for (;;) { await new Promise((r) => setTimeout(r, 1)); steps++ } }",
    );
    await session.run("await walk()", (event) => event.type === "line" && session.session.interrupt());
    const before = (await session.run("steps")).displayed;
    await session.run("await new Promise((r) => setTimeout(r, 20))");
    expect((await session.run("steps")).displayed).toEqual(before);
  });

  test("works while a question is open", async () => {
    await using session = await startSession(javascript);
    const types: string[] = [];
    for await (const event of session.session.run("prompt('?')", "<block 1>")) {
      types.push(event.type === "end" ? event.status : event.type);
      if (event.type === "input") session.session.interrupt();
    }
    expect(types.at(-1)).toBe("interrupted");
    expect((await session.run("2")).displayed).toEqual(["2"]);
  });
});

describe("ending", () => {
  test("a block can end the process, and how is told", async () => {
    for (const [code, explanation] of Object.entries({
      "process.exit(3)": /exited with status 3/,
      "process.abort()": /SIGABRT/,
      "process.kill(process.pid, 'SIGKILL')": /SIGKILL/,
    })) {
      await using session = await startSession(javascript);
      const { end, stdout } = await session.run(`console.log('bye'); ${code}`);
      expect(stdout).toBe("bye\n");
      expect(end.status).toBe("exited");
      expect(end.explanation).toMatch(explanation);
      expect(session.session.alive).toBe(false);
    }
  });

  test("running out of memory ends the session, not us", async () => {
    await using session = await startSession(javascript, [], {
      ...process.env,
      NODE_OPTIONS: "--max-old-space-size=40",
    });
    const { end, stderr } = await session.run("const all = []; for (;;) all.push(Array(1000).fill('x'))");
    expect(end.status).toBe("exited");
    expect(stderr).toContain("heap");
  });

  test("nothing is left running after close", async () => {
    const session = await startSession(javascript);
    const { displayed } = await session.run("const child = require('child_process').spawn('sleep', ['60']); child.pid");
    const pids = [Number(displayed[0]), (session.session as unknown as { pid: number }).pid];
    await session[Symbol.asyncDispose]();
    await until(() => pids.every((pid) => !isRunning(pid)));
  });

  test.each(["for (;;);", "await new Promise(() => {})"])(
    "a host that dies takes the session with it, also during %s",
    async (code) => {
      const root = join(import.meta.dirname, "../../src");
      const program = `
      import { javascript } from ${JSON.stringify(join(root, "languages/javascript/index.ts"))};
      import { localMachine } from ${JSON.stringify(join(root, "machine/index.ts"))};
      const session = await javascript.start({ machine: localMachine, cwd: process.cwd(), env: process.env });
      for await (const event of session.run("console.log(process.pid)\\n" + ${JSON.stringify(code)}, "<block 1>")) {
        if (event.type === "output") process.stdout.write(event.text);
      }`;
      const host: ChildProcess = spawn(process.execPath, ["--input-type=module", "-e", program], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      let printed = "";
      host.stdout!.on("data", (chunk) => {
        printed += chunk;
      });
      await until(() => printed.includes("\n"));
      const pid = Number(printed);
      expect(isRunning(pid)).toBe(true);
      host.kill("SIGKILL");
      await until(() => !isRunning(pid) || isZombie(pid));
    },
  );
});

/** Gone, but nobody has asked for its status yet: containers often have no one who does. */
function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
