// JavaScript sessions that are saved and brought back in another process.

import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { planAgain } from "../../src/interpreter/state/plan.ts";
import type { Restored, SavedState } from "../../src/languages/index.ts";
import { javascript } from "../../src/languages/javascript/index.ts";
import { startSession, type TestSession } from "../support/session.ts";

const room = { value: 20_000_000, total: 50_000_000 };
const why = (state: SavedState, name: string) => state.names.find((each) => each.name === name)?.gone;

async function printed(session: TestSession, code: string): Promise<string> {
  const { stdout, error } = await session.run(code);
  return error ? `${error.name}: ${error.message}` : stdout.trim();
}

async function resumed(
  blocks: readonly string[],
  then: (session: TestSession, state: SavedState, restored: Restored) => Promise<void>,
  change = (_folder: string) => {},
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "state-test-"));
  try {
    let state: SavedState;
    {
      await using first = await startSession(javascript);
      for (const block of blocks) expect((await first.run(block)).error?.traceback).toBeUndefined();
      state = JSON.parse(JSON.stringify(await first.session.save!(folder, room)));
    }
    change(folder);
    await using second = await startSession(javascript);
    await then(second, state, await second.session.restore!({ folder, state, later: [] }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("values of every plain kind come back, and what they share they still share", async () => {
  const blocks = [
    "const n = 1, big = 12345678901234567890n, text = 'ü', list = [1, { a: [2] }], date = new Date(0), re = /x/gi",
    "let map = new Map([['k', new Set([1, 2])]]), bytes = Buffer.from('hi'), floats = new Float64Array([1.5]), nothing = undefined, nil = null",
    "const a = { list }; a.self = a; const bare = Object.create(null); bare.x = 1; const error = new TypeError('no')",
  ];
  await resumed(blocks, async (session, _, { back, gone }) => {
    expect(gone).toEqual([]);
    expect(back).toEqual(
      expect.arrayContaining(["n", "big", "text", "list", "date", "re", "map", "bytes", "floats", "a"]),
    );
    expect(
      await printed(
        session,
        "console.log(n, big, text, JSON.stringify(list), date.getTime(), String(re), map.get('k').has(2), bytes.toString(), floats[0], nil)",
      ),
    ).toBe('1 12345678901234567890n ü [1,{"a":[2]}] 0 /x/gi true hi 1.5 null');
    expect(
      await printed(
        session,
        "console.log(a.list === list, a.self === a, Object.getPrototypeOf(bare), error instanceof TypeError)",
      ),
    ).toBe("true true null true");
  });
});

test("functions, classes with their instances, and imports come back by their source", async () => {
  const blocks = [
    "import { join as glue } from 'node:path';\nimport fs from 'node:fs';\nconst os = require('node:os');",
    "let count = 1;\nfunction up(by = 1) { count += by; return count }\nconst twice = (x: number): number => x * 2;\nasync function later() { return await Promise.resolve(count) }",
    "class Point { static origin = [0, 0]; constructor(x, y) { this.x = x; this.y = y } get sum() { return this.x + this.y } }\nclass Named extends Point { name = 'p' }\nconst p = new Named(1, 2), holder = { p, up, clone: structuredClone }",
  ];
  await resumed(blocks, async (session, state, { gone }) => {
    expect(gone).toEqual([]);
    expect(state.names.filter((each) => each.gone)).toEqual([]);
    expect(
      await printed(
        session,
        "console.log(up(2), twice(4), await later(), glue('a', 'b'), typeof fs.readFileSync, typeof os.cpus)",
      ),
    ).toBe("3 8 3 a/b function function");
    expect(
      await printed(
        session,
        "console.log(p.sum, p instanceof Named, p instanceof Point, holder.p === p, holder.up === up, holder.clone(9))",
      ),
    ).toBe("3 true true true true 9");
  });
});

test("what cannot be kept is named: closures, promises, sockets, proxies, getters, private fields, symbols", async () => {
  const blocks = [
    "const make = (n) => () => n; const closure = make(3); const promise = Promise.resolve(1); const server = require('node:net').createServer()",
    "let asked = 0; const proxy = new Proxy({}, { get() { asked++ } }); const lazy = { get x() { asked++; return 1 } }; class Secret { #x = 1; x() { return this.#x } }\nconst hidden = new Secret(); const sign = Symbol('s'); const within = [closure]; function* gen() { yield 1 }; const it = gen(); const ok = 1; const apiKey = 'hush'",
  ];
  await resumed(blocks, async (session, state, { back }) => {
    const gone = state.names.filter((each) => each.gone).map(({ name }) => name);
    expect(gone.sort()).toEqual(
      ["apiKey", "closure", "hidden", "it", "lazy", "promise", "proxy", "server", "sign", "within"].sort(),
    );
    expect(state.names.find(({ name }) => name === "closure")?.made).toBe("const closure = make(3);");
    expect(why(state, "hidden")).toBe("its private fields cannot be saved");
    expect(why(state, "apiKey")).toBe("secrets are not saved");
    expect(JSON.stringify(state)).not.toContain("hush");
    expect(back).toEqual(expect.arrayContaining(["make", "Secret", "gen", "ok", "asked"]));
    expect(await printed(session, "console.log(asked, ok, make(4)(), new Secret().x())")).toBe("0 1 4 1");
  });
});

test("large values are left out, and a deep one is no harm", async () => {
  const blocks = [
    "const huge = 'x'.repeat(30_000_000), buffers = [0, 1, 2].map((n) => Buffer.alloc(9_000_000, n)), small = 1",
    "const [one, two, three] = buffers; let deep = []; for (let i = 0; i < 100_000; i++) deep = [deep]",
  ];
  await resumed(blocks, async (session, state) => {
    expect(why(state, "huge")).toBe("too big: more than 20 MB");
    expect(why(state, "buffers")).toBe("too big: more than 20 MB");
    expect(why(state, "deep")).toBe("it is nested too deeply to be saved");
    expect(state.names.filter(({ name }) => /^(one|two|three)$/.test(name)).filter((each) => each.gone)).toHaveLength(
      1,
    );
    expect(await printed(session, "console.log(small)")).toBe("1");
  });
});

test("the folder and the environment come back; a damaged file is said", async () => {
  const blocks = [
    "require('node:fs').mkdirSync('/tmp/state-test-js', { recursive: true }); process.chdir('/tmp/state-test-js'); process.env.COLOUR = 'red'; const long = 'x'.repeat(5000); const short = 1",
  ];
  await resumed(blocks, async (session, state, { gone }) => {
    expect(gone).toEqual([]);
    expect(Object.keys(state.files)).toHaveLength(1);
    expect(await printed(session, "console.log(process.cwd(), process.env.COLOUR, long.length)")).toBe(
      "/tmp/state-test-js red 5000",
    );
  });
  const cut = (folder: string) => {
    for (const file of readdirSync(folder)) {
      expect(statSync(join(folder, file)).mode & 0o077).toBe(0);
      truncateSync(join(folder, file), 100);
    }
  };
  const damaged = "the file with the values is damaged";
  await resumed(
    blocks,
    async (_session, _state, { gone }) => {
      expect(gone).toEqual([
        { name: "long", gone: damaged },
        { name: "short", gone: damaged },
      ]);
    },
    cut,
  );
  rmSync("/tmp/state-test-js", { recursive: true, force: true });
});

test("the blocks that make something again are found", async () => {
  await using session = await startSession(javascript);
  const blocks = [
    "import net from 'node:net'",
    "const port = 0",
    "const other = 1",
    "const server = net.createServer()",
    "server.listen(port)",
    "const list = []; list.push(server.address())",
    "let total: number = list.length",
  ];
  const facts = await session.session.blockFacts!(blocks);
  expect(planAgain({ facts, wanted: ["server"], there: ["net", "port"], later: 0 })).toEqual([3, 4]);
  expect(planAgain({ facts, wanted: ["total"], there: [], later: 0 })).toEqual([0, 1, 3, 4, 5, 6]);
});

test("a session that was brought back is saved and brought back again", async () => {
  await resumed(["const log = [1]; const f = () => log.length; class C {}; const c = new C()"], async (session) => {
    await session.run("log.push(2); function g() { return f() + 1 }");
    const folder = mkdtempSync(join(tmpdir(), "state-test-"));
    const state = await session.session.save!(folder, room);
    await using third = await startSession(javascript);
    const { gone } = await third.session.restore!({ folder, state, later: [] });
    expect(gone).toEqual([]);
    expect(await printed(third, "console.log(log, f(), g(), c instanceof C)")).toBe("[ 1, 2 ] 2 3 true");
    rmSync(folder, { recursive: true, force: true });
  });
});
