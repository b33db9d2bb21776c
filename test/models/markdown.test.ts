// Fenced blocks in running text: which run, which are only shown, and what stays text.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cut, essence, read, text } from "./read.ts";

type Block = [language: string, code: string];
interface Case {
  title: string;
  said: string;
  blocks: Block[];
  text?: string;
}

const fence = "```";

const cases: Case[] = [
  {
    title: "one block with text before and after",
    said: `Look:\n${fence}python\nprint(1)\n${fence}\nDone.`,
    blocks: [["python", "print(1)"]],
    text: "Look:\nDone.",
  },
  {
    title: "several blocks",
    said: `${fence}python\na\n${fence}\nand\n${fence}shell\nb\n${fence}\n`,
    blocks: [
      ["python", "a"],
      ["shell", "b"],
    ],
    text: "and\n",
  },
  { title: "tildes", said: "~~~python\nprint(1)\n~~~\n", blocks: [["python", "print(1)"]] },
  {
    title: "a longer fence around a shorter one",
    said: `${fence}\`python\nx = """\n${fence}\ny\n${fence}\n"""\n${fence}\`\n`,
    blocks: [["python", `x = """\n${fence}\ny\n${fence}\n"""`]],
  },
  {
    title: "a longer closing fence",
    said: `${fence}python\na\n${fence}\`\`\nafter`,
    blocks: [["python", "a"]],
    text: "after",
  },
  {
    title: "a block inside a list",
    said: `1. First:\n\n   ${fence}python\n   if a:\n       b\n   ${fence}\n2. Then`,
    blocks: [["python", "if a:\n    b"]],
    text: "1. First:\n\n2. Then",
  },
  {
    title: "a block right after a list marker",
    said: `- ${fence}shell\n  ls\n  ${fence}\n`,
    blocks: [["shell", "ls"]],
    text: "- ",
  },
  {
    title: "attributes after the label",
    said: `${fence}python {cmd=true}\na\n${fence}\n${fence}python title="x.py"\nb\n${fence}`,
    blocks: [
      ["python", "a"],
      ["python", "b"],
    ],
  },
  { title: "a label in braces", said: `${fence}{python}\na\n${fence}`, blocks: [["python", "a"]] },
  {
    title: "capitals and short names",
    said: `${fence}PY\na\n${fence}\n${fence}Js\nb\n${fence}\n${fence}bash\nc\n${fence}`,
    blocks: [
      ["python", "a"],
      ["javascript", "b"],
      ["shell", "c"],
    ],
  },
  {
    title: "languages we do not have",
    said: `${fence}c++\nint x;\n${fence}\n${fence}cobol\nSTOP RUN.\n${fence}`,
    blocks: [
      ["c++", "int x;"],
      ["cobol", "STOP RUN."],
    ],
  },
  {
    title: "a fence with a label inside a block",
    said: `${fence}python\ndoc = '''\n${fence}json\n{}\n${fence}\n'''\nprint(doc)\n${fence}\nend`,
    blocks: [["python", `doc = '''\n${fence}json\n{}\n${fence}\n'''\nprint(doc)`]],
    text: "end",
  },
  {
    title: "a closing fence on the last line of code",
    said: `${fence}python\nprint(1)${fence}`,
    blocks: [["python", "print(1)"]],
  },
  {
    title: "a closing fence on the last line of code, and a newline",
    said: `${fence}python\nprint(1)${fence}\n`,
    blocks: [["python", "print(1)"]],
  },
  {
    title: "backticks inside the code",
    said: `${fence}javascript\nconst s = \`a\`;\n\`\`;\n${fence}\n`,
    blocks: [["javascript", "const s = `a`;\n``;"]],
  },
  {
    title: "a forgotten closing fence",
    said: `Now:\n${fence}python\nprint(1)\n`,
    blocks: [["python", "print(1)"]],
    text: "Now:\n",
  },
  {
    title: "blank lines at the end of the code",
    said: `${fence}python\na\n\n\n${fence}\n`,
    blocks: [["python", "a\n\n"]],
  },
  { title: "an empty block", said: `${fence}python\n${fence}\n`, blocks: [["python", ""]] },
  { title: "a fence without a label", said: `${fence}\nprint(1)\n${fence}\n`, blocks: [["python", "print(1)"]] },
  {
    title: "a fence without a label and the language on its first line",
    said: `${fence}\nshell\nls\n${fence}\n`,
    blocks: [["shell", "ls"]],
  },
  {
    title: "a fence without a label, all commands",
    said: `${fence}\n$ cd /tmp\n\n$ ls\n${fence}\n`,
    blocks: [["shell", "cd /tmp\n\nls"]],
  },
  {
    title: "a fence without a label after one that ran",
    said: `${fence}python\nprint(1)\n${fence}\nprints\n${fence}\n1\n${fence}\n`,
    blocks: [["python", "print(1)"]],
    text: `prints\n${fence}\n1\n${fence}\n`,
  },
  {
    title: "a transcript",
    said: `${fence}\n$ ls\na.txt\n${fence}\n`,
    blocks: [],
    text: `${fence}\n$ ls\na.txt\n${fence}\n`,
  },
  { title: "a console block of commands", said: `${fence}console\n$ ls\n${fence}\n`, blocks: [["shell", "ls"]] },
  {
    title: "a console block with output",
    said: `${fence}console\n$ ls\na.txt\n${fence}\nend`,
    blocks: [],
    text: `${fence}console\n$ ls\na.txt\n${fence}\nend`,
  },
  {
    title: "things to read",
    said: `${fence}json\n{"a": 1}\n${fence}\n${fence}text\nhi\n${fence}\n${fence}output\n1\n${fence}`,
    blocks: [],
    text: `${fence}json\n{"a": 1}\n${fence}\n${fence}text\nhi\n${fence}\n${fence}output\n1\n${fence}`,
  },
  {
    title: "a block inside a markdown example",
    said: `${fence}markdown\n# T\n${fence}python\nx\n${fence}\n${fence}\nend`,
    blocks: [],
    text: `${fence}markdown\n# T\n${fence}python\nx\n${fence}\n${fence}\nend`,
  },
  {
    title: "inline code",
    said: "Use `x` or ``y`` or ```z``` here.",
    blocks: [],
    text: "Use `x` or ``y`` or ```z``` here.",
  },
  {
    title: "a fence after words on the same line",
    said: `Sure! ${fence}python\nprint(1)\n${fence}\n`,
    blocks: [["python", "print(1)"]],
    text: "Sure! ",
  },
  {
    title: "carriage returns",
    said: `${fence}python\r\na = 1\r\nb = 2\r\n${fence}\r\nend`,
    blocks: [["python", "a = 1\nb = 2"]],
    text: "end",
  },
  {
    title: "thinking that contains code",
    said: `<think>\n${fence}python\nbad()\n${fence}\n</think>\n\nFine.`,
    blocks: [],
    text: "Fine.",
  },
  { title: "tildes with a longer end", said: "~~~~shell\nls\n~~~~~\n", blocks: [["shell", "ls"]] },
  {
    title: "four backticks",
    said: `${fence}\`python\nprint(1)\n${fence}\`\nend`,
    blocks: [["python", "print(1)"]],
    text: "end",
  },
  {
    title: "a label with a dot in braces",
    said: `${fence}{.python .numberLines}\na\n${fence}`,
    blocks: [["python", "a"]],
  },
  { title: "a label with a colon", said: `${fence}Python:\na\n${fence}`, blocks: [["python", "a"]] },
  { title: "a label with a file", said: `${fence}python:src/a.py\na\n${fence}`, blocks: [["python", "a"]] },
  { title: "a label with a version", said: `${fence}python3.11\na\n${fence}`, blocks: [["python", "a"]] },
  { title: "a label that says it is one", said: `${fence}lang=python\na\n${fence}`, blocks: [["python", "a"]] },
  { title: "a space before the label", said: `${fence} python\na\n${fence}`, blocks: [["python", "a"]] },
  {
    title: "every name of a shell",
    said: ["sh", "zsh", "Bash", "shell", "SHELL"].map((name) => `${fence}${name}\nls\n${fence}`).join("\n"),
    blocks: Array.from({ length: 5 }, (): Block => ["shell", "ls"]),
  },
  {
    title: "names of JavaScript, and types",
    said: ["js", "node", "javascript", "ts", "typescript"].map((name) => `${fence}${name}\n1\n${fence}`).join("\n"),
    blocks: Array.from({ length: 5 }, (): Block => ["javascript", "1"]),
  },
  { title: "a block for a page", said: `${fence}jsx\n<App />\n${fence}`, blocks: [["react", "<App />"]] },
  {
    title: "no newline after the label",
    said: `${fence}python import os\nprint(os.name)\n${fence}`,
    blocks: [["python", "import os\nprint(os.name)"]],
  },
  {
    title: "no newline after the label of a command",
    said: `${fence}bash ls -la\n${fence}\nend`,
    blocks: [["shell", "ls -la"]],
    text: "end",
  },
  {
    title: "everything on one line",
    said: `So:\n${fence}python print(1) ${fence}\nend`,
    blocks: [["python", "print(1)"]],
    text: "So:\nend",
  },
  {
    title: "everything on one line, at the end",
    said: `${fence}shell ls -la${fence}`,
    blocks: [["shell", "ls -la"]],
  },
  {
    title: "words behind the closing fence",
    said: `${fence}python\nprint(1)\n${fence} This prints 1.\nend`,
    blocks: [["python", "print(1)"]],
    text: "This prints 1.\nend",
  },
  {
    title: "words behind the closing fence, at the end",
    said: `${fence}python\nprint(1)\n${fence} Done.`,
    blocks: [["python", "print(1)"]],
    text: "Done.",
  },
  {
    title: "a fence opened and closed twice",
    said: `${fence}\n${fence}python\nprint(1)\n${fence}\n${fence}\nend`,
    blocks: [["python", "print(1)"]],
    text: "end",
  },
  {
    title: "a fence opened twice and closed once",
    said: `${fence}python\n${fence}python\nprint(1)\n${fence}\nend`,
    blocks: [["python", "print(1)"]],
    text: "end",
  },
  {
    title: "a fence opened twice with the label, and closed twice",
    said: `${fence}python\n${fence}python\nprint(1)\n${fence}\n\n${fence}\nend`,
    blocks: [["python", "print(1)"]],
    text: "\nend",
  },
  {
    title: "commands in a fence without a label",
    said: `${fence}\npip install requests\n${fence}\n`,
    blocks: [["shell", "pip install requests"]],
  },
  {
    title: "commands in a fence without a label, after a remark",
    said: `${fence}\n# get it\ngit clone x\ncd x\n${fence}\n`,
    blocks: [["shell", "# get it\ngit clone x\ncd x"]],
  },
  {
    title: "Python in a fence without a label, after a remark",
    said: `${fence}\n# count\nn = 1\n${fence}\n`,
    blocks: [["python", "# count\nn = 1"]],
  },
  {
    title: "JavaScript in a fence without a label",
    said: `${fence}\nconst a = 1;\nconsole.log(a);\n${fence}\n`,
    blocks: [["javascript", "const a = 1;\nconsole.log(a);"]],
  },
  {
    title: "a name that is a command, given a value",
    said: `${fence}\nls = [1]\n${fence}\n`,
    blocks: [["python", "ls = [1]"]],
  },
  {
    title: "a script that says what reads it",
    said: `${fence}\n#!/bin/bash\nx=1\n${fence}\n`,
    blocks: [["shell", "#!/bin/bash\nx=1"]],
  },
  ...[
    '{\n  "a": 1\n}',
    "├── src\n└── test",
    "Traceback (most recent call last):\n  …",
    "| a | b |\n|---|---|",
    ">>> 1 + 1\n2",
    "42",
    "<p>Hi</p>",
    "ValueError: no",
  ].map((shown) => ({
    title: `something to read in a fence without a label: ${JSON.stringify(shown)}`,
    said: `${fence}\n${shown}\n${fence}\nend`,
    blocks: [],
    text: `${fence}\n${shown}\n${fence}\nend`,
  })),
  ...["csv", "diff", "yaml", "log", "plaintext", "html", "http", "toml", "output", "traceback", "mermaid"].map(
    (label) => ({
      title: `something to read, labelled ${label}`,
      said: `${fence}${label}\nprint(1)\n${fence}\nend`,
      blocks: [],
      text: `${fence}${label}\nprint(1)\n${fence}\nend`,
    }),
  ),
  {
    title: "Python's own prompts",
    said: `${fence}python\n>>> for i in range(2):\n...     print(i)\n...\n0\n1\n>>> i\n1\n${fence}`,
    blocks: [["python", "for i in range(2):\n    print(i)\n\ni"]],
  },
  {
    title: "a shell transcript that is labelled to run",
    said: `${fence}bash\n$ ls\na.txt\n$ cat a.txt \\\n  | wc\n$ cat <<EOF > b\nhello\nEOF\n${fence}`,
    blocks: [["shell", "ls\ncat a.txt \\\n  | wc\ncat <<EOF > b\nhello\nEOF"]],
  },
  {
    title: "a byte order mark and characters nobody sees",
    said: `\ufeff${fence}python\n\u200bif 1:\n\u00a0\u00a0\u00a0\u00a0print(1)\n\u200b${fence}\nend`,
    blocks: [["python", "if 1:\n    print(1)"]],
    text: "end",
  },
  {
    title: "a fence after a character nobody sees",
    said: `Look:\n\u200b${fence}python\nprint(1)\n${fence}`,
    blocks: [["python", "print(1)"]],
    text: "Look:\n\u200b",
  },
  {
    title: "a call inside a block",
    said: `${fence}python\nexecute(language="shell", code="ls")\n${fence}`,
    blocks: [["shell", "ls"]],
  },
  {
    title: "an object that looks like a call, inside a block",
    said: `${fence}python\nx = [\n{"name": "execute", "arguments": {"language": "shell", "code": "ls"}}\n]\n${fence}`,
    blocks: [["python", 'x = [\n{"name": "execute", "arguments": {"language": "shell", "code": "ls"}}\n]']],
  },
  {
    title: "tags inside a block",
    said: `${fence}python\np = """\n<tool_call>\n{"name": "execute", "arguments": {"language": "shell", "code": "ls"}}\n</tool_call>\n</think>\n"""\n${fence}`,
    blocks: [
      [
        "python",
        'p = """\n<tool_call>\n{"name": "execute", "arguments": {"language": "shell", "code": "ls"}}\n</tool_call>\n</think>\n"""',
      ],
    ],
  },
  {
    title: "a fence inside a tagged call",
    said: `<tool_call>\n<function=execute>\n<parameter=language>python</parameter>\n<parameter=code>\nd = '''\n${fence}shell\nls\n${fence}\n'''\n</parameter>\n</function>\n</tool_call>`,
    blocks: [["python", `d = '''\n${fence}shell\nls\n${fence}\n'''`]],
  },
  {
    title: "quotes that are not straight",
    said: `${fence}python\nprint(“hi”)\n${fence}`,
    blocks: [["python", "print(“hi”)"]],
  },
  {
    title: "no code at all",
    said: "Just words.\nAnd more ~ words.",
    blocks: [],
    text: "Just words.\nAnd more ~ words.",
  },
];

describe("a reply in markdown", () => {
  test.each(cases)("$title", ({ said, blocks, text: expected = "" }) => {
    const whole = read("markdown", text(said));
    expect(whole.blocks).toEqual(blocks.map(([language, code]) => ({ language, code, complete: true })));
    expect(whole.text).toBe(expected);
    const single = read("markdown", text(...said.split("")));
    expect(essence(single)).toEqual(essence(whole));
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { maxLength: 20 }), (places) => {
        expect(essence(read("markdown", text(...cut(said, places))))).toEqual(essence(whole));
      }),
      { numRuns: 25 },
    );
  });

  test("the language's name is never taken out of the code", () => {
    const code = 'library(r)\nprint("r for R: python-dotenv")';
    const { blocks } = read(
      "markdown",
      text(`${fence}r\n`, "library(r)\n", 'print("r for R: python-dotenv")\n', fence),
      "whole",
      ["r"],
    );
    expect(blocks).toEqual([{ language: "r", code, complete: true }]);
  });

  test("an open block is whole when the model stopped, and must not run when the reply was cut", () => {
    const said = `${fence}python\nprint(1)\nprint(2`;
    expect(read("markdown", text(said), "whole").blocks[0]?.complete).toBe(true);
    expect(read("markdown", text(said), "length").blocks[0]?.complete).toBe(false);
    expect(read("markdown", text(said), "cut").blocks[0]?.complete).toBe(false);
  });

  test("code appears while it is written", () => {
    const { events } = read("markdown", text(`${fence}python\n`, "print(1)\n", "print(2)\n", `${fence}\n`));
    expect(events.filter((event) => event.type === "code-delta").length).toBeGreaterThan(1);
  });

  test("a language the request allows runs even if it is usually only read", () => {
    const { blocks } = read("markdown", text(`${fence}html\n<p>\n${fence}`), "whole", ["python", "html"]);
    expect(blocks).toEqual([{ language: "html", code: "<p>", complete: true }]);
  });
});
