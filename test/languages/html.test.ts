// Pages in the real browser of this machine.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findBrowser } from "../../src/languages/html/find-browser.ts";
import { html, react } from "../../src/languages/html/index.ts";
import { withBase } from "../../src/languages/html/page-session.ts";
import { localMachine } from "../../src/machine/index.ts";
import { decodePng } from "../../src/pictures/index.ts";
import { startSession } from "../support/session.ts";

const it = test.skipIf(!findBrowser(process.env));

function picture(bundle: Record<string, unknown>) {
  const { width, height, rgba } = decodePng(Buffer.from(String(bundle["image/png"]), "base64"))!;
  const pixel = (x: number, y: number) => [...rgba.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)];
  return { width, height, pixel };
}

describe("HTML", () => {
  it("is a picture of the page, with its source beside it", async () => {
    await using session = await startSession(html);
    const { bundles, end, stdout } = await session.run('<body style="background: rgb(10, 200, 30)"><h1>Hi</h1></body>');
    expect(end).toEqual({ type: "end", status: "ok" });
    const { width, height, pixel } = picture(bundles[0]!);
    expect([width, height]).toEqual([1280, 800]);
    expect(pixel(700, 700)).toEqual([10, 200, 30]);
    expect(bundles[0]!["text/html"]).toContain("<h1>Hi</h1>");
    // The page is there to be opened until the session ends.
    const file = /The page is (.*)\n/.exec(stdout)![1]!;
    expect(readFileSync(file, "utf8")).toContain("<h1>Hi</h1>");
    await session.session.close();
    expect(existsSync(file)).toBe(false);
  });

  it("what the page prints and what goes wrong in it is output", async () => {
    await using session = await startSession(html);
    const ran = await session.run(
      "<script>console.log('one', 2, {a: 1}); console.error('careful'); setTimeout(() => { null.x })</script>",
    );
    expect(ran.stdout).toMatch(/^one 2 Object\n/);
    expect(ran.stderr).toBe("careful\n");
    expect([ran.end.status, ran.error?.name]).toEqual(["error", "TypeError"]);
    expect(ran.bundles).toHaveLength(1);
  });

  it("has no network, not even to this machine, and says what was not loaded", async () => {
    await using session = await startSession(html);
    const { stderr } = await session.run(
      '<img src="https://example.invalid/a.png"><img src="http://127.0.0.1:9/b.png"><script>fetch("http://localhost:9/c").catch(() => {})</script>',
    );
    for (const url of ["https://example.invalid/a.png", "http://127.0.0.1:9/b.png", "http://localhost:9/c"])
      expect(stderr).toContain(`Not loaded: ${url} (pages have no network)`);
  });

  it("finds pictures of the working folder, and is as tall as what is on it, within reason", async () => {
    await using session = await startSession(html);
    writeFileSync(
      join(session.folder, "red.svg"),
      '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100" fill="rgb(255,0,0)"/></svg>',
    );
    const first = picture((await session.run('<body style="margin:0"><img src="red.svg"></body>')).bundles[0]!);
    expect(first.pixel(50, 50)).toEqual([255, 0, 0]);
    expect(picture((await session.run('<div style="height: 2000px"></div>')).bundles[0]!).height).toBeGreaterThan(2000);
    expect(picture((await session.run('<div style="height: 90000px"></div>')).bundles[0]!).height).toBe(3200);
  });

  it("a page that never ends is interrupted, and the next one is shown", async () => {
    await using session = await startSession(html);
    await session.run("<p>warm</p>");
    const running = session.run("<script>while (true) {}</script>");
    setTimeout(() => session.session.interrupt(), 300);
    expect((await running).end).toEqual({ type: "end", status: "interrupted" });
    expect((await session.run("<p>after</p>")).end.status).toBe("ok");
  });

  test("without a browser it is still shown to the person, and not offered to the model", async () => {
    const env = { PATH: "/nowhere" };
    expect(await html.available({ machine: localMachine, cwd: tmpdir(), env })).toMatch(
      /Chromium.*is not installed here/,
    );
    await using session = await startSession(html, [], env);
    const ran = await session.run("<h1>Hi</h1>");
    expect(ran.bundles[0]!["text/html"]).toContain("<h1>Hi</h1>");
    expect(ran.stderr).toMatch(/No picture was made\. Chromium.*To get it: .*The page is /);
    expect(ran.end.status).toBe("ok");
  });

  test.each([
    ["<h1>x</h1>", /^<!doctype html><meta charset="utf-8"><base href="file:\/\/\/w\/">\n<h1>x/],
    [
      "<!doctype html><html><head><title>t</title></head></html>",
      /<head><meta charset="utf-8"><base href="file:\/\/\/w\/"><title>/,
    ],
    ["<html lang=en><body>x", /^<html lang=en><meta charset="utf-8"><base/],
    ['<base href="/x">', /^<base href="\/x">$/],
  ])("the working folder is where %s finds its files", (page, expected) => {
    expect(withBase(page, "/w")).toMatch(expected);
  });
});

describe("React", () => {
  it("the default export is rendered, with state and effects, without a network", async () => {
    await using session = await startSession(react);
    const { bundles, error, end } = await session.run(`import React, { useEffect, useState } from "react";
type Props = { name: string };
function Box({ name }: Props) {
  const [color, setColor] = useState("red");
  useEffect(() => setColor("rgb(0, 0, 250)"), []);
  return <div style={{ background: color, height: 300 }}>Hello {name} {"</script>"}</div>;
}
export default function App() { return <Box name="Ann" />; }`);
    expect([end.status, error]).toEqual(["ok", undefined]);
    expect(picture(bundles[0]!).pixel(600, 200)).toEqual([0, 0, 250]);
  });

  it.each([
    ["a component called App", 'const App = () => <p style={{background: "lime", height: 200}}>x</p>;'],
    [
      "the last component",
      'function One() { return <i/>; }\nfunction Two() { return <p style={{background: "lime", height: 200}}>x</p>; }',
    ],
    [
      "what the code renders itself",
      'const { createRoot } = ReactDOM;\ncreateRoot(document.getElementById("root")).render(<p style={{background: "lime", height: 200}}>x</p>);',
    ],
    [
      "hooks without imports",
      'export default function A() { const [c] = useState("lime"); return <p style={{background: c, height: 200}}>x</p>; }',
    ],
  ])("shows %s", async (_, code) => {
    await using session = await startSession(react);
    const { bundles, error } = await session.run(code);
    expect(error).toBeUndefined();
    expect(picture(bundles[0]!).pixel(600, 100)).toEqual([0, 255, 0]);
  });

  it("mistakes are said: syntax, a missing package, nothing to show", async () => {
    await using session = await startSession(react);
    expect((await session.run("export default () => <p>")).error).toMatchObject({ name: "SyntaxError" });
    expect((await session.run('import x from "lodash";\nexport default () => <p>{x.a}</p>')).error?.message).toMatch(
      /lodash cannot be imported/,
    );
    expect((await session.run("1 + 1")).error?.message).toMatch(/nothing to show/);
    expect((await session.run("export default () => { throw new Error('oh no'); }")).error?.message).toMatch(/oh no/);
  });
});
