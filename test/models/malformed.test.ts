// Tool calls that are not what they should be, and what must run all the same.

import { expect, test } from "vitest";
import { call, reply, scriptedModel } from "../support/scripted-model.ts";
import { ask, modelAt } from "./ask.ts";

const cases: [title: string, name: string, args: string, ...blocks: [language: string, code: string][]][] = [
  ["keys in the other order", "execute", '{"code":"print(1)","language":"python"}', ["python", "print(1)"]],
  [
    "further keys",
    "execute",
    '{"id":7,"language":"python","why":{"a":["}"]},"code":"print(1)","x":null}',
    ["python", "print(1)"],
  ],
  [
    "a further text key after the code",
    "execute",
    '{"language":"python","code":"print(1)","why":"because"}',
    ["python", "print(1)"],
  ],
  [
    "white space everywhere",
    "execute",
    ' \n{ "language" : "python" ,\n "code" : "print(1)" } \n',
    ["python", "print(1)"],
  ],
  [
    "escaped code",
    "execute",
    '{"language":"python","code":"print(\\"a\\\\n\\")\\n\\tx = 1"}',
    ["python", 'print("a\\n")\n\tx = 1'],
  ],
  [
    "surrogates as escapes",
    "execute",
    '{"language":"python","code":"print(\'\\ud83d\\ude42\')"}',
    ["python", "print('🙂')"],
  ],
  [
    "an escape that JSON does not know",
    "execute",
    '{"language":"python","code":"re.sub(\'\\d+\', \'\', x)"}',
    ["python", "re.sub('\\d+', '', x)"],
  ],
  ["an end that never comes", "execute", '{"language":"python","code":"print(1)', ["python", "print(1)"]],
  ["a brace that never comes", "execute", '{"language":"python","code":"print(1)"', ["python", "print(1)"]],
  [
    "raw newlines in the string",
    "execute",
    '{"language":"python","code":"a = 1\nprint(a)"}',
    ["python", "a = 1\nprint(a)"],
  ],
  ["a brace too many", "execute", '{"language":"python","code":"print(1)"}}', ["python", "print(1)"]],
  [
    "a special token at the end",
    "execute",
    '{"language":"python","code":"print(1)"}<|im_end|>',
    ["python", "print(1)"],
  ],
  [
    "quotes that were not escaped",
    "execute",
    '{"language":"python","code":"print("hi", "you")"}',
    ["python", 'print("hi", "you")'],
  ],
  [
    "a dictionary that was not escaped",
    "execute",
    '{"language":"python","code":"d = {"a": "b"}; print(d)"}',
    ["python", 'd = {"a": "b"}; print(d)'],
  ],
  ["single quotes", "execute", "{'language': 'python', 'code': 'print(1)'}", ["python", "print(1)"]],
  [
    "a Python dictionary with double quotes in it",
    "execute",
    "{'language': 'python', 'code': 'print(\"a\")\\nprint(2)'}",
    ["python", 'print("a")\nprint(2)'],
  ],
  [
    "triple quotes",
    "execute",
    '{"language": "python", "code": """a = 1\nprint("x")\n"""}',
    ["python", 'a = 1\nprint("x")\n'],
  ],
  [
    "a template string",
    "execute",
    '{"language": "javascript", "code": `console.log(1)\nconsole.log(2)`}',
    ["javascript", "console.log(1)\nconsole.log(2)"],
  ],
  ["no quotes at all", "execute", "{language: python, code: print(1)}", ["python", "print(1)"]],
  ["keys without quotes", "execute", '{language: "shell", code: "echo hi"}', ["shell", "echo hi"]],
  [
    "JSON in a JSON string",
    "execute",
    JSON.stringify('{"language":"python","code":"print(1)"}'),
    ["python", "print(1)"],
  ],
  ["lines as a list", "execute", '{"language":"python","code":["a = 1","print(a)"]}', ["python", "a = 1\nprint(a)"]],
  ["raw code", "execute", "print(1)", ["python", "print(1)"]],
  ["raw code as a JSON string", "execute", '"print(1)"', ["python", "print(1)"]],
  [
    "a tool called python with raw code",
    "python",
    "import math\nprint(math.pi)",
    ["python", "import math\nprint(math.pi)"],
  ],
  ["a tool called python with code", "python", '{"code":"print(1)"}', ["python", "print(1)"]],
  ["a tool called bash with a command", "bash", '{"command":"ls -la"}', ["shell", "ls -la"]],
  ["a tool called javascript", "javascript", '{"code":"console.log(1)"}', ["javascript", "console.log(1)"]],
  ["a tool called run_python", "run_python", '{"code":"print(1)"}', ["python", "print(1)"]],
  ["a tool called functions", "functions", '{"language":"shell","code":"ls"}', ["shell", "ls"]],
  ["a tool called functions.execute", "functions.execute", '{"language":"shell","code":"ls"}', ["shell", "ls"]],
  ["a tool nobody knows, with raw code", "code_interpreter", "print(1)", ["python", "print(1)"]],
  ["a language with capitals", "execute", '{"language":"Python","code":"print(1)"}', ["python", "print(1)"]],
  ["a language by its short name", "execute", '{"language":"js","code":"1"}', ["javascript", "1"]],
  ["a language we do not have", "execute", '{"language":"cobol","code":"STOP RUN."}', ["cobol", "STOP RUN."]],
  ["no language", "execute", '{"code":"print(1)"}', ["python", "print(1)"]],
  ["a language without quotes after the code", "execute", '{"code":"ls","language": bash}', ["shell", "ls"]],
  [
    "two objects in one call",
    "execute",
    '{"language":"python","code":"print(1)"}{"language":"shell","code":"ls"}',
    ["python", "print(1)"],
    ["shell", "ls"],
  ],
  [
    "two objects on two lines",
    "execute",
    '{"code":"print(1)","language":"python"}\n{"code":"ls","language":"shell"}',
    ["python", "print(1)"],
    ["shell", "ls"],
  ],
  [
    "the call inside its own arguments",
    "execute",
    '{"name":"execute","arguments":{"language":"python","code":"print(1)"}}',
    ["python", "print(1)"],
  ],
  ["empty code", "execute", '{"language":"python","code":""}', ["python", ""]],
  ["no arguments", "execute", "{}", ["python", ""]],
  [
    "code inside a fence",
    "execute",
    JSON.stringify({ language: "python", code: "```python\nprint(1)\n```" }),
    ["python", "print(1)"],
  ],
  [
    "code after a stray backtick",
    "execute",
    JSON.stringify({ language: "python", code: "`\nprint(1)" }),
    ["python", "print(1)"],
  ],
  [
    "code that is the call again",
    "execute",
    JSON.stringify({ language: "python", code: '{"language": "shell", "code": "ls"}' }),
    ["shell", "ls"],
  ],
  [
    "code that is the call again without quotes",
    "execute",
    JSON.stringify({ language: "python", code: "{language: shell, code: ls -l}" }),
    ["shell", "ls -l"],
  ],
  [
    "code that is the call as a function",
    "execute",
    JSON.stringify({ language: "python", code: 'functions.execute({"language":"python","code":"print(22)"})' }),
    ["python", "print(22)"],
  ],
  [
    "a stammer at the end",
    "execute",
    JSON.stringify({ language: "python", code: "print(1)\nexecuteexecute" }),
    ["python", "print(1)\n"],
  ],
  [
    "commands with their prompt",
    "execute",
    JSON.stringify({ language: "shell", code: "$ cd /tmp\n$ ls" }),
    ["shell", "cd /tmp\nls"],
  ],
  [
    "a dictionary that is only a dictionary",
    "execute",
    JSON.stringify({ language: "python", code: '{"code": 1}' }),
    ["python", '{"code": 1}'],
  ],
  [
    "a program that ends with execute",
    "execute",
    JSON.stringify({ language: "python", code: "cursor.execute" }),
    ["python", "cursor.execute"],
  ],
];

test.each(cases)("%s", async (_title, name, args, ...blocks) => {
  for (const chunk of [1, 7, 10_000]) {
    await using server = await scriptedModel([reply(call(name, args), { chunk })]);
    const told = await ask(modelAt(server.openai));
    expect(told.blocks).toEqual(blocks.map(([language, code]) => ({ language, code, complete: true })));
    expect(told.text).toBe("");
  }
});

test.each(["text", "markdown", "plaintext"])("code in the language %s is said, not run", async (language) => {
  await using server = await scriptedModel([
    reply(call("execute", JSON.stringify({ language, code: "It is *done*." }))),
  ]);
  const told = await ask(modelAt(server.openai));
  expect(told.blocks).toEqual([]);
  expect(told.text).toBe("It is *done*.");
});

const written: [title: string, said: string, language: string, code: string, text?: string][] = [
  [
    "in tags",
    '<tool_call>\n{"name": "execute", "arguments": {"language": "python", "code": "print(1)"}}\n</tool_call>',
    "python",
    "print(1)",
  ],
  [
    "in tags after a sentence",
    'Let me look.\n<tool_call>{"name":"execute","arguments":{"language":"shell","code":"ls"}}</tool_call>',
    "shell",
    "ls",
    "Let me look.\n",
  ],
  [
    "in tags with parameters",
    "<tool_call>\n<function=execute>\n<parameter=language>\npython\n</parameter>\n<parameter=code>\na = 1\nprint(a)\n</parameter>\n</function>\n</tool_call>",
    "python",
    "a = 1\nprint(a)",
  ],
  ["as a bare object", '{"language": "python", "code": "print(1)"}', "python", "print(1)"],
  [
    "as a bare call object",
    '{"name": "execute", "parameters": {"language": "python", "code": "print(1)"}}',
    "python",
    "print(1)",
  ],
  ["as a function", 'execute({"language": "python", "code": "print(1)"})', "python", "print(1)"],
  [
    "as a function with a prefix",
    'functions.execute({"language": "python", "code": "print(1)"})',
    "python",
    "print(1)",
  ],
  ["as a function with named arguments", 'execute(language="python", code="print(1)")', "python", "print(1)"],
  ["in a json fence", '```json\n{"language": "python", "code": "print(1)"}\n```', "python", "print(1)"],
  [
    "after thinking",
    '<think>I should run it: ```python\nbad()\n```</think>\n{"language": "python", "code": "print(1)"}',
    "python",
    "print(1)",
  ],
];

test.each(written)(
  "a call written as text %s runs, in both dialects",
  async (_title, said, language, code, text = "") => {
    for (const dialect of ["tool", "markdown"] as const)
      for (const chunk of [1, 5, 10_000]) {
        await using server = await scriptedModel([reply(said, { chunk })]);
        const told = await ask(modelAt(server.openai, { dialect }));
        expect(told.blocks).toEqual([{ language, code, complete: true }]);
        expect(told.text).toBe(text);
      }
  },
);

test.each([
  '{"temperature": 21, "unit": "C"}',
  '{"code": 404, "message": "not found"}',
  'Use {"language": "python", "code": "1"} as the arguments.',
  "executed the plan (mostly)",
  "[1, 2, 3]",
])("text that only looks like a call stays text: %s", async (said) => {
  for (const dialect of ["tool", "markdown"] as const) {
    await using server = await scriptedModel([reply(said, { chunk: 3 })]);
    const told = await ask(modelAt(server.openai, { dialect }));
    expect(told.blocks).toEqual([]);
    expect(told.text).toBe(said);
  }
});
