// Conversation → notebook → conversation, and what real Jupyter says about the notebook in between.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { exportConversation } from "../../src/conversations/export/index.ts";
import { importNotebook } from "../../src/conversations/import/index.ts";
import type { Message, StepStatus } from "../../src/messages/index.ts";
import { testPython } from "../support/session.ts";

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "notebook-test-"));
  file(name: string, text: string): string {
    const path = join(this.path, name);
    writeFileSync(path, text);
    return path;
  }
  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

async function roundTrip(messages: Message[], change: (text: string) => string = (text) => text) {
  using folder = new Folder();
  const { text } = await exportConversation("ipynb", { messages, title: "A title" });
  return importNotebook(folder.file("a.ipynb", change(text)), { maxOutput: 1_000_000 });
}

/** Real nbformat reads them, checks them and writes them again. */
function throughJupyter(texts: readonly string[]): string[] {
  const code = [
    "import json, sys, nbformat",
    "notebooks = [nbformat.reads(text, as_version=4) for text in json.load(sys.stdin)]",
    "for notebook in notebooks: nbformat.validate(notebook)",
    "print(json.dumps([nbformat.writes(notebook) for notebook in notebooks]))",
  ].join("\n");
  const input = JSON.stringify(texts);
  return JSON.parse(execFileSync(testPython, ["-W", "error", "-c", code], { input, encoding: "utf8", maxBuffer: 1e9 }));
}

const words = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "",
    "\n",
    "> quoted\n\n> again",
    "a\r\nb\rc\u2028d",
    "```\nfence\n```",
    "é😀\t\x1b[31mred\x1b[0m\n",
    "x = 1\n\n",
  ),
);
const said = words.filter((text) => text.trim() !== "");
const id = fc.stringMatching(/^[A-Za-z0-9:_.-]{1,12}$/);
const status = fc.constantFrom<StepStatus>("ok", "error", "interrupted", "timeout", "refused", "exited", "not-run");

const spoken = fc.oneof<fc.Arbitrary<Message>[]>(
  said.map((content) => ({ role: "user", type: "message", content })),
  said.map((content) => ({ role: "assistant", type: "message", content, sameReply: true as const })),
  fc.constant({ role: "user", type: "image", format: "base64.png", content: pixel }),
  fc.constant({ role: "user", type: "image", format: "path", content: "/a picture `of` mine.png" }),
  said.map((content) => ({ role: "user", type: "file", format: "path", content })),
);

const printed = fc.oneof(
  words,
  words.map((text) => `${text}\nTraceback (most recent call last):\n  File "<block 1>", line 1\nValueError: ${text}\n`),
);
const bundle = fc.option(
  fc.record(
    {
      "text/plain": words,
      "text/html": words,
      "application/vnd.x+json": fc.constantFrom<unknown[]>({ a: [1, 2.5, null, "x"] }, ["not", "joined"], 3),
      "odd/type": fc.constantFrom<unknown>({ no: "text" }, "text"),
    },
    { requiredKeys: [] },
  ),
  { nil: undefined },
);

const result = (of: string | undefined): fc.Arbitrary<Message> => {
  const link = of === undefined ? {} : { id: of };
  return fc.oneof<fc.Arbitrary<Message>[]>(
    fc
      .record({ content: printed, bundle, status, duration: fc.nat(), memory: fc.nat(), after: words })
      .map(({ bundle, content, after, ...facts }) => {
        const plain = bundle?.["text/plain"];
        const whole = plain ? `${content}${plain}${plain.endsWith("\n") ? "" : "\n"}${after}` : content;
        const rich = bundle ? { bundle } : {};
        return { role: "computer", type: "console", format: "output", ...link, ...facts, ...rich, content: whole };
      }),
    fc.constant({ role: "computer", type: "image", format: "base64.png", content: pixel, ...link }),
    fc.constant({ role: "computer", type: "image", format: "base64.jpeg", content: pixel, ...link }),
    words.map((content) => ({ role: "computer", type: "code", format: "html", recipient: "user", content, ...link })),
  );
};

const block = fc
  .record({
    role: fc.constantFrom("user" as const, "assistant" as const),
    format: fc.constantFrom("python", "shell", "javascript", "sql", "html", "jupyter:ir", "r"),
    content: words,
    id: fc.option(id, { nil: undefined }),
  })
  .chain(({ id: name, ...code }) =>
    fc
      .array(result(name), { maxLength: 4 })
      .map((results): Message[] => [{ type: "code", ...code, ...(name !== undefined && { id: name }) }, ...results]),
  );

/** Every block has its own id, as in a conversation. */
const conversation = fc
  .array(
    fc.oneof(
      spoken.map((message) => [message]),
      block,
    ),
    { maxLength: 8 },
  )
  .map((parts) =>
    parts.flatMap((part, index) =>
      part.map((message) => (message.id === undefined ? message : { ...message, id: `${message.id}-${index}` })),
    ),
  );

test("conversation → notebook → conversation keeps every block and output byte for byte", async () => {
  await fc.assert(
    fc.asyncProperty(conversation, async (messages) => {
      const { messages: back, problems } = await roundTrip(messages);
      expect(back).toEqual(messages);
      expect(problems).toEqual([]);
    }),
    { numRuns: 400 },
  );
});

test("and still does after real Jupyter has read, checked and written the notebook", async () => {
  const conversations = fc.sample(conversation, { numRuns: 60, seed: 4 });
  const texts = await Promise.all(
    conversations.map(async (messages) => (await exportConversation("ipynb", { messages, title: "t" })).text),
  );
  using folder = new Folder();
  for (const [index, text] of throughJupyter(texts).entries()) {
    const { messages } = await importNotebook(folder.file("a.ipynb", text), { maxOutput: 1_000_000 });
    expect(messages).toEqual(conversations[index]);
  }
});

const ran = (format: string, code: string, printed: string, status: StepStatus = "ok"): Message[] => [
  { role: "assistant", type: "code", format, content: code, id: code.slice(0, 3) },
  { role: "computer", type: "console", format: "output", content: printed, id: code.slice(0, 3), status },
];

test("outputs are of the kinds that Jupyter has for them", async () => {
  const bundle = { "text/plain": "   a\n0  1", "text/html": "<table></table>" };
  const messages: Message[] = [
    ...ran(
      "python",
      "1/0",
      "before\nTraceback (most recent call last):\n  …\nZeroDivisionError: division by zero\n",
      "error",
    ),
    { role: "assistant", type: "code", format: "python", content: "df", id: "df" },
    {
      role: "computer",
      type: "console",
      format: "output",
      content: "hi\n   a\n0  1\n",
      bundle,
      id: "df",
      status: "ok",
    },
    { role: "computer", type: "image", format: "base64.png", content: pixel, id: "df" },
  ];
  const { cells, metadata } = JSON.parse((await exportConversation("ipynb", { messages, title: "t" })).text);
  expect(metadata.kernelspec.name).toBe("python3");
  expect(cells[1].outputs).toEqual([
    { output_type: "stream", name: "stdout", text: ["before\n"] },
    {
      output_type: "error",
      ename: "ZeroDivisionError",
      evalue: "division by zero",
      traceback: ["Traceback (most recent call last):", "  …", "ZeroDivisionError: division by zero", ""],
    },
  ]);
  expect(cells[2].outputs).toEqual([
    { output_type: "stream", name: "stdout", text: ["hi\n"] },
    { output_type: "execute_result", execution_count: 2, metadata: {}, data: bundle },
    { output_type: "display_data", metadata: {}, data: { "image/png": pixel } },
  ]);
});

test("real Jupyter runs a whole conversation: other languages by magics, failures go on, what was refused stays unrun", async () => {
  using folder = new Folder();
  const messages = [
    ...ran("python", "x = 1", ""),
    ...ran("shell", "echo from bash > made.txt; cat made.txt", "from bash\n"),
    ...ran("javascript", "console.log('from', 'node')", "from node\n"),
    ...ran("perl", 'print "from perl\\n"', "from perl\n"),
    ...ran("html", "<b>page</b>", ""),
    ...ran("sql", "select 1", ""),
    ...ran("python", "raise ValueError('known')", "ValueError: known\n", "error"),
    ...ran("shell", "exit 3", "[Exit status 3.]\n", "error"),
    ...ran("python", "open('refused', 'w')", "Not run: the user declined to run this block.\n", "refused"),
    ...ran("python", "print('x is', x)", "x is 1\n"),
  ];
  folder.file("a.ipynb", (await exportConversation("ipynb", { messages, title: "t" })).text);
  const run = ["-m", "nbconvert", "--to", "notebook", "--execute", "--output", "b", "a.ipynb"];
  execFileSync(testPython, run, {
    cwd: folder.path,
    stdio: "pipe",
    env: { PATH: process.env.PATH, HOME: folder.path },
  });
  const text = readFileSync(join(folder.path, "b.ipynb"), "utf8");
  for (const said of ["from bash", "from node", "from perl", "x is 1", "ValueError"]) expect(text).toContain(said);
  expect(existsSync(join(folder.path, "refused"))).toBe(false);

  // It was run again: outputs are the new ones, languages and code are those of the conversation.
  const { messages: back } = await importNotebook(join(folder.path, "b.ipynb"), { maxOutput: 5_000 });
  const codes = (all: Message[]) => all.filter(({ type, role }) => type === "code" && role !== "computer");
  expect(codes(back).map(({ format, content }) => [format, content])).toEqual(
    codes(messages).map(({ format, content }) => [format, content]),
  );
});

test("a cell that somebody has changed is taken as it is now", async () => {
  const messages: Message[] = [
    { role: "user", type: "message", content: "first" },
    ...ran("shell", "echo old", "old\n"),
    ...ran("python", "1", "1\n"),
  ];
  const { messages: back } = await roundTrip(messages, (text) =>
    text.replace("echo old", "echo new").replace("> first", "changed"),
  );
  expect(back.map(({ role, type, format, content }) => [role, type, format, content])).toEqual([
    ["user", "message", undefined, "changed"],
    ["assistant", "code", "shell", "echo new"],
    ["computer", "console", "output", "old\n"],
    ["assistant", "code", "python", "1"],
    ["computer", "console", "output", "1\n"],
  ]);
});
