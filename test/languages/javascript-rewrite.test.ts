import { describe, expect, test } from "vitest";
import { Rewriter, type Unit } from "../../src/languages/javascript/rewrite.ts";

async function rewrite(code: string): Promise<Unit> {
  return new Rewriter().rewrite(code);
}

/** What the block becomes, without the async function around it. */
async function rewritten(code: string): Promise<string> {
  const { code: made } = await rewrite(code);
  return made.replace(/^\(async \(\) => \{(.*)\n\}\)$/s, "$1");
}

describe("a block becomes", () => {
  test.each([
    ["const a = 1", "      a = 1"],
    ["let a, b = 2", "    a = void 0, b = 2"],
    ["var a = 1", "var a = 1"],
    ["const { a, b: [c] } = o", "     void ( { a, b: [c] } = o)"],
    ["const [a] = o;", "     void ( [a] = o);"],
    ["class A {}", "A = class A {};"],
    ["a\nb", "a\n__load.line(2);b"],
    ["a; b", "a; b"],
    ["{ a: 1 }", "({ a: 1 }\n)"],
    ["{ f() }", "{ f() }"],
    ["{ let a = 1; a }", "{ let a = 1; a }"],
    ["export const a = 1", "             a = 1"],
    ["export default { a }", "              ( { a })"],
    ["export { a }; var a", "; var a"],
    ["import('x')", "__load('x')"],
    ["import.meta.url", "__load.meta.url"],
    ["for (var i = 0; ; ) { const x = i }", "for (var i = 0; ; ) { const x = i }"],
    ["#!/bin/node\na", "///bin/node\na"],
    ["async () => { await a }", "async () => { await __load.wait( a) }"],
  ])("%s", async (code, expected) => {
    expect(await rewritten(code)).toBe(expected);
  });

  test.each([
    ["await a", "return (await __load.wait( a))"],
    ["await a;\nb;", "await __load.wait( a);\n__load.line(2);return (b);"],
    ["var a = await 1", "    a = await __load.wait( 1)"],
    ["await 0; for (var [i] of x) y()", "await __load.wait( 0); for (    [i] of x) y()"],
    ["await 0; if (x) var { a } = o", "await __load.wait( 0); if (x)    void ( { a } = o)"],
    ["for await (const x of y) z", "for await (const x of __load.each((y))) z"],
    ["import 'x'", 'await __load("x");'],
    ["import a from 'x'", 'void ([a] = await __load.names("x", ["default"], false));'],
    ["import a, * as b from 'x'", 'void ([a, b] = await __load.names("x", ["default","*"], false));'],
    ["import { a as b, 'c-d' as e } from 'x'", 'void ([b, e] = await __load.names("x", ["a","c-d"], false));'],
    [
      "import a from './a.json' with { type: 'json' }",
      'void ([a] = await __load.names("./a.json", ["default"], false, {"with":{"type":"json"}}));',
    ],
    ["export * from 'x'", 'await __load("x");'],
    ["import type { A } from 'x'; await a", " return (await __load.wait( a))"],
  ])("%s, in an async function", async (code, expected) => {
    const unit = await rewrite(code);
    expect(unit.wrapped).toBe(true);
    expect(await rewritten(code)).toBe(expected);
  });

  test("functions before the rest, where the rest is in a function of its own", async () => {
    const unit = await rewrite("await 1\nfunction f() { return await_ }\nexport async function g() { await 2 }\nf()");
    expect(unit.functions).toBe(
      "       \nfunction f() { return await_ }\n       async function g() { await __load.wait( 2) }\n   ",
    );
    expect(unit.code.split("\n")).toHaveLength(5);
    expect(unit.code).not.toContain("function f");
  });
});

describe("a name of Node's own", () => {
  test("is called otherwise once a block has declared it, and only then", async () => {
    const rewriter = new Rewriter();
    expect((await rewriter.rewrite("new URL(x)")).code).toBe("new URL(x)");
    const unit = await rewriter.rewrite("const URL = 1; f({ URL, a: URL }, b.URL, globalThis.URL)");
    expect(unit.code).toBe("      URL$ = 1; f({ URL: URL$, a: URL$ }, b.URL, globalThis.URL)");
    expect(unit.shadows).toEqual(["URL"]);
    expect((await rewriter.rewrite("({ URL = 2 } = o)")).code).toBe("({ URL: URL$ = 2 } = o)");
    expect((await rewriter.rewrite("class Event { make() { return new Event() } }")).code).toBe(
      "Event$ = class Event { make() { return new Event$() } };",
    );
  });
});

describe("what goes with it", () => {
  test.each([
    ["1", true, true],
    ["const a = 1", false, false],
    ["if (a) b()", false, true],
    ["a()\nfunction a() {}", true, true],
    ["class A {}", false, false],
    ["", false, true],
  ])("%j: shown %s, waited for %s", async (code, shows, waits) => {
    expect(await rewrite(code)).toMatchObject({ shows, waits });
  });

  test("every line stays where it was", async () => {
    const code =
      "import {\n  a,\n  b,\n} from 'x'\n\nenum E { A,\n B }\nlet c: {\n d: number\n} = x\n`\n${await a}\n`\nf()";
    const { code: made } = await rewrite(code);
    expect(made.split("\n").findIndex((line) => line.includes("f()"))).toBe(code.split("\n").indexOf("f()"));
  });

  test("a syntax error has its place", async () => {
    await expect(rewrite("a\n  b c")).rejects.toMatchObject({ name: "SyntaxError", line: 2 });
    await expect(rewrite("const a: number = ;")).rejects.toMatchObject({ line: 1, column: 19 });
  });
});
