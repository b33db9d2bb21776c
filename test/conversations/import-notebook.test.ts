// Notebooks of every kind as conversations: what each cell becomes, and what is said about those that cannot be read.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { importNotebook, openNotebook } from "../../src/conversations/import/index.ts";
import { checkMessages, type Message } from "../../src/messages/index.ts";
import { testPython } from "../support/session.ts";

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const folder = mkdtempSync(join(tmpdir(), "import-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function file(content: unknown): string {
  const path = join(folder, `${++files}.ipynb`);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const load = (content: unknown, maxOutput = 5_000) => importNotebook(file(content), { maxOutput });
const notebook = (cells: object[], more: object = {}) => ({
  cells,
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
  ...more,
});
const code = (source: string, outputs: object[] = [], more: object = {}) => ({
  cell_type: "code",
  source,
  outputs,
  execution_count: 1,
  metadata: {},
  ...more,
});
const brief = (messages: Message[]) =>
  messages.map(({ role, type, format, status, content }) =>
    [role, type, format, status, content].filter((each) => each !== undefined).join(" "),
  );

test("a notebook that nobody here wrote: words, code, what was printed, shown and raised", async () => {
  const { messages, title, language, problems } = await load(
    notebook([
      { cell_type: "markdown", metadata: {}, source: ["# Title\n", "words"] },
      code("print(1)\ndf", [
        { output_type: "stream", name: "stdout", text: ["1\n"] },
        { output_type: "stream", name: "stderr", text: "careful\n" },
        {
          output_type: "execute_result",
          execution_count: 1,
          metadata: {},
          data: { "text/plain": ["   a\n", "0  1"], "text/html": ["<table>", "</table>"] },
        },
      ]),
      code("plot()", [
        { output_type: "stream", name: "stdout", text: "drawing\n" },
        { output_type: "display_data", metadata: {}, data: { "image/png": `${pixel}\n`, "text/plain": "<Figure>" } },
      ]),
      code("1/0", [
        {
          output_type: "error",
          ename: "ZeroDivisionError",
          evalue: "division by zero",
          traceback: ["\u001b[0;31mTraceback\u001b[0m", "ZeroDivisionError: division by zero"],
        },
      ]),
      code("x = 1"),
      code("never", [], { execution_count: null }),
      code("   "),
      { cell_type: "raw", metadata: {}, source: "raw words" },
    ]),
  );
  checkMessages(messages);
  expect(problems).toEqual([]);
  expect(language).toBe("python");
  expect(title).toMatch(/\.ipynb$/);
  expect(brief(messages)).toEqual([
    "user message # Title\nwords",
    "user code python print(1)\ndf",
    "computer console output ok 1\ncareful\n   a\n0  1\n",
    "user code python plot()",
    "computer console output drawing\n",
    `computer image base64.png ${pixel}`,
    "computer console output ok ",
    "user code python 1/0",
    "computer console output error Traceback\nZeroDivisionError: division by zero\n",
    "user code python x = 1",
    "computer console output ok ",
    "user code python never",
    "computer console output not-run Not run: the notebook has no output of this cell.\n",
    "user message raw words",
  ]);
  expect(messages[2]!.bundle).toEqual({ "text/plain": "   a\n0  1", "text/html": "<table></table>" });
  const ids = messages.filter(({ type }) => type === "code").map(({ id }) => id);
  expect(new Set(ids).size).toBe(5);
});

test("a notebook that real Jupyter has run", async () => {
  const path = file(
    notebook([
      code("import sys; print('err', file=sys.stderr)\nprint('out')\n{'a': [1, 2]}"),
      code("raise ValueError('no')"),
    ]),
  );
  const run = ["-m", "nbconvert", "--to", "notebook", "--execute", "--allow-errors", "--inplace", path];
  execFileSync(testPython, run, { env: { PATH: process.env.PATH, HOME: folder }, stdio: "pipe" });
  const { messages } = await importNotebook(path, { maxOutput: 5_000 });
  const [, shown, , failed] = messages;
  expect(shown!.content.split("\n").sort()).toEqual(["", "err", "out", "{'a': [1, 2]}"]);
  expect(shown!.status).toBe("ok");
  expect(failed!.content).toMatch(/ValueError: no\n$/);
  expect(failed!.content).not.toContain("\x1b");
  expect(failed!.status).toBe("error");
});

describe("kernels", () => {
  test.each([
    ["a Python of any name", { kernelspec: { name: "conda-env-x-py", language: "python" } }, "python"],
    ["none named", {}, "python"],
    ["only what the language is", { language_info: { name: "python", version: "3.9" } }, "python"],
    ["R", { kernelspec: { name: "ir", display_name: "R", language: "R" } }, "jupyter:ir"],
    ["Julia", { kernelspec: { name: "julia-1.10", display_name: "Julia", language: "julia" } }, "jupyter:julia-1.10"],
    ["only a language", { language_info: { name: "Rust" } }, "jupyter:rust"],
  ])("%s", async (_, metadata, expected) => {
    const { messages } = await load(notebook([code("x")], { metadata }));
    expect(messages[0]!.format).toBe(expected);
  });
});

test("version 3: worksheets, headings, inputs and outputs under their old names", async () => {
  const { messages } = await load({
    nbformat: 3,
    nbformat_minor: 0,
    metadata: { name: "" },
    worksheets: [
      {
        cells: [
          { cell_type: "heading", level: 2, source: ["Old"] },
          {
            cell_type: "code",
            input: ["1 + 1"],
            language: "python",
            prompt_number: 4,
            outputs: [
              { output_type: "stream", stream: "stdout", text: ["hello\n"] },
              { output_type: "pyout", prompt_number: 4, text: ["2"] },
              { output_type: "display_data", png: pixel },
            ],
          },
          {
            cell_type: "code",
            input: "x",
            outputs: [{ output_type: "pyerr", ename: "NameError", evalue: "x", traceback: ["NameError: x"] }],
          },
        ],
      },
    ],
  });
  expect(brief(messages)).toEqual([
    "user message ## Old",
    "user code python 1 + 1",
    "computer console output hello\n2\n",
    `computer image base64.png ${pixel}`,
    "computer console output ok ",
    "user code python x",
    "computer console output error NameError: x\n",
  ]);
});

test("pictures in words, widgets, pages and kinds of output that nobody knows", async () => {
  const widget = "application/vnd.jupyter.widget-view+json";
  const { messages, problems } = await load(
    notebook([
      {
        cell_type: "markdown",
        metadata: {},
        source: "![](attachment:a.png)",
        attachments: { "a.png": { "image/png": pixel } },
      },
      code("slider", [
        {
          output_type: "display_data",
          metadata: {},
          data: { "text/plain": "IntSlider(value=0)", [widget]: { model_id: "x" } },
        },
      ]),
      code("page", [
        {
          output_type: "display_data",
          metadata: {},
          data: { "text/html": "<b>hi</b>", "text/plain": "<IPython.core.display.HTML object>" },
        },
      ]),
      code("odd", [{ output_type: "hologram", data: {} }]),
    ]),
  );
  expect(brief(messages)).toEqual([
    `user image base64.png ${pixel}`,
    "user message ![](attachment:a.png)",
    "user code python slider",
    "computer console output ok IntSlider(value=0)\n",
    "user code python page",
    "computer code html <b>hi</b>",
    "computer console output ok ",
    "user code python odd",
    "computer console output ok ",
  ]);
  expect(messages[3]!.bundle).toBeUndefined();
  expect(problems).toEqual(['An output of cell 4 is of a kind that is not known: "hologram".']);
});

test("100 MB of output: the message has its ends, a file beside the conversation has all of it", async () => {
  const line = `${"x".repeat(99)}\n`;
  const huge = { output_type: "stream", name: "stdout", text: `begin\n${line.repeat(1_000_000)}end\n` };
  const page = {
    output_type: "display_data",
    metadata: {},
    data: { "text/plain": "a table", "text/html": "y".repeat(3_000_000) },
  };
  const path = file(notebook([code("lots()", [huge]), code("page()", [page])]));
  const conversations = join(folder, "conversations");
  const { conversation, blocks, problems } = await openNotebook(path, { conversations, cwd: folder, maxOutput: 5_000 });
  const [, printed, , shown] = conversation.messages;
  expect(blocks).toBe(2);
  expect(printed!.content.length).toBeLessThan(6_000);
  expect(printed!.content).toMatch(/^begin\n[\s\S]*characters left out here[\s\S]*end\n$/);
  expect(readFileSync(printed!.outputFile!, "utf8").length).toBe(huge.text.length);
  expect(shown!.content).toBe("a table\n");
  expect(problems).toEqual(["What cell 2 shows as text/html has 3 MB and was left out."]);
});

test("an opened notebook is a conversation on disk, whose model is told that nothing was run", async () => {
  const conversations = join(folder, "opened");
  const path = file(notebook([code("x = 1")]));
  const { conversation } = await openNotebook(path, { conversations, cwd: folder, maxOutput: 5_000 });
  expect(existsSync(join(conversation.folder, "log.jsonl"))).toBe(true);
  expect(conversation.header.cwd).toBe(folder);
  const note = conversation.messages.at(-1)!;
  expect(note.recipient).toBe("assistant");
  expect(note.content).toMatch(/None of its code was run here/);
});

describe("what is no notebook is said, and nothing is left behind", () => {
  test.each([
    ["no JSON", "{ not json", /is not a notebook that can be read/],
    ["an empty file", "", /it is empty/],
    ["half of one", JSON.stringify(notebook([code("x")])).slice(0, -20), /is not a notebook that can be read/],
    ["other JSON", { a: 1 }, /it has no cells/],
    ["a list", [1, 2], /it has no cells/],
    ["null", "null", /it has no cells/],
  ])("%s", async (_, content, message) => {
    const conversations = join(folder, "none");
    const opening = openNotebook(file(content), { conversations, cwd: folder, maxOutput: 5_000 });
    await expect(opening).rejects.toThrow(message);
    await expect(opening).rejects.toMatchObject({ name: "InputProblem", hint: expect.stringMatching(/notebook/) });
    expect(existsSync(conversations)).toBe(false);
  });

  test("a file that is not there", async () => {
    await expect(importNotebook(join(folder, "missing.ipynb"), { maxOutput: 1 })).rejects.toThrow(/There is no file/);
  });

  test("broken cells are left out, the others are read; a newer version is tried", async () => {
    const { messages, problems } = await load(
      notebook([{ cell_type: "code" }, "no cell" as never, code("fine"), { cell_type: "markdown", source: 5 }], {
        nbformat: 6,
      }),
    );
    expect(messages[0]!.content).toBe("fine");
    expect(problems).toEqual([
      expect.stringMatching(/version 6 of the format/),
      "Cell 1 could not be read and was left out.",
      "Cell 2 could not be read and was left out.",
      "Cell 4 could not be read and was left out.",
    ]);
  });
});
