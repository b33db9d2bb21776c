// Exports for people: markdown, a page, a program. Whatever is in a conversation, it stays text there.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { escaped, exportConversation, writeExport } from "../../src/conversations/export/index.ts";
import type { Message } from "../../src/messages/index.ts";
import { htmlHighlighter } from "../../src/terminal/html-colours.ts";
import { testPython } from "../support/session.ts";

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

const block = (
  format: string,
  content: string,
  printed = "",
  status: Message["status"] = "ok",
  id = content,
): Message[] => [
  { role: "assistant", type: "code", format, content, id },
  { role: "computer", type: "console", format: "output", content: printed, id, status: status! },
];

const table = {
  "text/plain": "   a\n0  1",
  "application/vnd.interpreter.table+json": {
    columns: [
      { name: "", index: true },
      { name: "a <b>", numeric: true },
    ],
    rows: [["0", "<script>alert(1)</script>"]],
    total: 40,
  },
};

const held: Message[] = [
  { role: "user", type: "message", content: "What is *this*?\n\nSecond line" },
  { role: "assistant", type: "reasoning", content: "secret thoughts" },
  { role: "user", type: "message", content: "a note for the model", recipient: "assistant" },
  { role: "assistant", type: "message", format: "summary", content: "a summary", recipient: "assistant", covers: 2 },
  { role: "assistant", type: "message", content: "It is **bold**:\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |" },
  ...block("python", "print('```')", "```\n````\n"),
  ...block("shell", "false", "[Exit status 1.]\n", "error"),
  ...block("python", "danger()", "Not run: the user declined to run this block.\n", "refused"),
  { role: "assistant", type: "code", format: "python", content: "df", id: "t" },
  {
    role: "computer",
    type: "console",
    format: "output",
    content: "before\n   a\n0  1\nafter\n",
    bundle: table,
    status: "ok",
    id: "t",
  },
  { role: "computer", type: "image", format: "base64.png", content: pixel, id: "t" },
];

test("markdown: words, fences longer than any inside, remarks, and pictures as files beside it", async () => {
  const { text, beside } = await exportConversation("md", {
    messages: held,
    title: "A\ntitle",
    pictures: "notes.assets",
  });
  expect(text).toMatch(/^# A title\n\n> What is \*this\*\?\n> \n> Second line\n\nIt is \*\*bold\*\*:/);
  expect(text).toContain("`````text\n```\n````\n`````");
  expect(text).toContain("```shell\nfalse\n```\n\n*It failed.*\n\n```text\n[Exit status 1.]\n```");
  expect(text).toContain("*It was not run.*");
  expect(text).toContain("![](notes.assets/picture-1.png)");
  expect(text).not.toMatch(/secret thoughts|a note for the model|a summary/);
  expect(beside).toEqual([{ name: "notes.assets/picture-1.png", content: Buffer.from(pixel, "base64") }]);
});

test("markdown: pictures inside the text, and what the model thought, where they are asked for", async () => {
  const { text, beside } = await exportConversation("md", { messages: held, title: "A", reasoning: true });
  expect(text).toContain(`![](data:image/png;base64,${pixel})`);
  expect(text).toContain("secret thoughts");
  expect(beside).toEqual([]);
});

test("a fence ends where its text ends, whatever the text is", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: fc.constantFrom("`", "\n", "a", "~", " "), maxLength: 40 }), async (content) => {
      const messages = block("python", content, content);
      const { text } = await exportConversation("md", { messages, title: "t" });
      const fence = /^(`{3,})python$/m.exec(text)![1]!;
      const from = text.indexOf(`${fence}python\n`) + fence.length + 7;
      const close = text
        .slice(from)
        .split("\n")
        .findIndex((line) => line.startsWith(fence));
      const body = text.slice(from).split("\n").slice(0, close).join("\n");
      expect(body).toBe(content.replace(/\n$/, ""));
    }),
  );
});

test("a page: tables as tables, colours, pictures inside; nothing from outside and nothing that runs", async () => {
  const highlight = htmlHighlighter(escaped);
  const { text } = await exportConversation("html", { messages: held, title: "A <i>title</i>", highlight });
  expect(text).toContain("<title>A &lt;i&gt;title&lt;/i&gt;</title>");
  expect(text).toContain("<strong>bold</strong>");
  expect(text).toContain("<ul><li>one</li><li>two</li></ul>");
  expect(text).toContain('<span class="f">print</span>');
  expect(text).toContain("<th>0</th>");
  expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(text).toContain("1 of 40 rows");
  expect(text).toContain(`src="data:image/png;base64,${pixel}"`);
  expect(text).toContain("default-src 'none'");
  expect(text).not.toMatch(/secret thoughts|a note for the model|a summary/);
});

/** Tags that we write ourselves. */
const own =
  /^\/?(html|head|meta|title|style|body|main|h[1-6]|div|pre|code|p|strong|em|del|ul|ol|li|table|thead|tbody|tr|th|td|blockquote|hr|br|a|img|section|span|iframe|details|summary)$/;

test("hostile text in every place becomes no tag and no attribute of the page", async () => {
  const hostile = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "[x](javascript:alert(1))",
    "![x](https://tracker.example/a.png)",
    "![x](data:image/svg+xml;base64,PHN2Zz4=)",
    "`</code><script>`",
    "```html\n</code></pre><script>alert(1)</script>\n```",
    "| <b onclick=x> | b |\n|---|---|\n| </table> | '\" |",
    "\x01k<script>\x02",
    "</style><style>@import 'https://x.example'",
  ];
  const text = fc
    .array(fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: "binary", maxLength: 12 })), { maxLength: 4 })
    .map((parts) => parts.join("\n"));
  await fc.assert(
    fc.asyncProperty(text, text, text, async (one, two, three) => {
      const messages: Message[] = [
        { role: "user", type: "message", content: `x${one}` },
        { role: "assistant", type: "message", content: `x${two}` },
        { role: "user", type: "file", format: "path", content: `x${three}` },
        { role: "assistant", type: "code", format: one || "x", content: two, id: "a" },
        {
          role: "computer",
          type: "console",
          format: "output",
          content: `${three}p\n`,
          bundle: { "text/plain": "p", "text/html": `<table><tr><th>${two}</th></tr></table>` },
          id: "a",
        },
        { role: "computer", type: "code", format: "html", recipient: "user", content: three, id: "a" },
        { role: "computer", type: "image", format: "base64.png", content: one, id: "a" },
      ];
      const { text: page } = await exportConversation("html", {
        messages,
        title: three,
        highlight: htmlHighlighter(escaped),
      });
      for (const [, name, attributes] of page.matchAll(/<(\/?[A-Za-z!][^\s>]*)((?:\s[^<>]*)?)>/g)) {
        if (name === "!doctype") continue;
        expect(name).toMatch(own);
        const names = attributes!.replace(/"[^"]*"/g, '""').trim();
        expect(names).toMatch(
          /^((class|lang|charset|name|content|http-equiv|href|rel|alt|src|srcdoc|sandbox|title|start)="" ?)*$/,
        );
        expect(attributes).not.toMatch(/(src|href)="(?!data:image\/(png|jpeg|gif|webp);base64,|https?:|mailto:)/);
        expect(attributes).not.toMatch(/src="https?:/);
      }
    }),
    { numRuns: 300 },
  );
});

const browser = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

test.skipIf(!browser)("in a real browser nothing of a conversation runs", async () => {
  const folder = mkdtempSync(join(tmpdir(), "page-test-"));
  const script = "<script>document.documentElement.dataset.ran = 'yes'; parent.document.title = 'ran'</script>";
  const picture = "<img src=x onerror=\"document.documentElement.dataset.ran='yes'\">";
  const messages: Message[] = [
    { role: "user", type: "message", content: script },
    { role: "assistant", type: "message", content: `${script}\n\n${picture}\n\n[x](javascript:alert(1))` },
    ...block("python", script, picture),
    { role: "computer", type: "code", format: "html", recipient: "user", content: script + picture, id: script },
  ];
  const { text } = await exportConversation("html", { messages, title: script, highlight: htmlHighlighter(escaped) });
  const control = text.replace(/<meta http-equiv[^>]*>/, "").replace("<main>", `<main>${script}`);
  const run = (page: string): string => {
    writeFileSync(join(folder, "page.html"), page);
    const flags = ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${folder}`, "--dump-dom"];
    return execFileSync(browser!, [...flags, join(folder, "page.html")], { encoding: "utf8", stdio: "pipe" });
  };
  expect(run(control)).toContain('data-ran="yes"');
  const page = run(text);
  expect(page).not.toContain("data-ran");
  expect(page).toContain("<title>&lt;script&gt;");
  rmSync(folder, { recursive: true, force: true });
});

test("a program: Python with the other languages as processes of their own, what failed as a comment", async () => {
  const folder = mkdtempSync(join(tmpdir(), "script-test-"));
  const messages: Message[] = [
    { role: "user", type: "message", content: "count\nthem" },
    ...block("shell", "printf 'a\\nb\\n' > list.txt"),
    ...block("python", "print(len(open('list.txt').readlines()))", "2\n"),
    ...block("python", "boom(", "SyntaxError", "error"),
    ...block("javascript", "console.log('it\\'s', '''.length)", "SyntaxError", "error"),
    ...block("javascript", "console.log(\"it's\", 'é'.length, '\\\\')", "it's 1 \\\n"),
    ...block("sql", "select 1"),
  ];
  const { text, extension } = await exportConversation("script", { messages, title: "Count" });
  expect(extension).toBe(".py");
  expect(text).toMatch(/^# Count\n/);
  expect(text).toContain("# count\n# them\n");
  expect(text).toContain("# failed:\n# boom(");
  expect(text).toContain("# sql, which this file cannot run:\n# select 1");
  writeFileSync(join(folder, "a.py"), text);
  const printed = execFileSync(testPython, ["a.py"], { cwd: folder, encoding: "utf8" });
  expect(printed).toBe("2\nit's 1 \\\n");
  rmSync(folder, { recursive: true });
});

test.each([
  ["shell", "echo hi", ".sh"],
  ["javascript", "console.log(1)", ".cjs"],
  ["javascript", "console.log(await 1)", ".mjs"],
  ["python", "print(1)", ".py"],
])("only %s: %s is a file that ends with %s", async (language, code, extension) => {
  const exported = await exportConversation("script", { messages: block(language, code), title: "t" });
  expect(exported.extension).toBe(extension);
});

test("no file of the person is ever overwritten, and a file is whole or not there", async () => {
  const folder = mkdtempSync(join(tmpdir(), "write-test-"));
  const path = join(folder, "a.md");
  writeExport(path, { text: "mine", beside: [{ name: "a.assets/p.png", content: Buffer.from("p") }] });
  expect(() => writeExport(path, { text: "other", beside: [] })).toThrow(/is there already/);
  expect(() =>
    writeExport(join(folder, "b.md"), { text: "other", beside: [{ name: "a.assets/p.png", content: "q" }] }),
  ).toThrow(/is there already/);
  expect(readFileSync(path, "utf8")).toBe("mine");
  rmSync(folder, { recursive: true });
});
