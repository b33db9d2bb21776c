// Conversation → notebook → conversation, and what real Jupyter says about the notebook in between.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

/** Real nbformat reads it, checks it and writes it again. */
function throughJupyter(text: string): string {
  const code =
    "import sys, nbformat\nnotebook = nbformat.reads(sys.stdin.read(), as_version=4)\nnbformat.validate(notebook)\nsys.stdout.write(nbformat.writes(notebook))";
  return execFileSync(testPython, ["-c", code], {
    input: text,
    encoding: "utf8",
    env: { ...process.env, PYTHONUTF8: "1" },
    maxBuffer: 1e9,
  });
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
  await fc.assert(
    fc.asyncProperty(conversation, async (messages) => {
      const { messages: back } = await roundTrip(messages, throughJupyter);
      expect(back).toEqual(messages);
    }),
    { numRuns: 12 },
  );
});
