// How families of local models write a call when their server does not read it, and what must run; and what only
// speaks of such calls, and must not.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Ending } from "../../src/models/dialects/index.ts";
import { cut, essence, read, text } from "./read.ts";

type Block = [language: string, code: string];
interface Case {
  title: string;
  said: string;
  blocks: Block[];
  text?: string;
  reasoning?: string;
}

const dialects = ["tool", "markdown"] as const;
const cuts = fc.array(fc.nat(4000), { maxLength: 40 });

function check(dialect: (typeof dialects)[number], said: string, ending: Ending = "whole") {
  const whole = read(dialect, text(said), ending);
  expect(essence(read(dialect, text(...said.split("")), ending))).toEqual(essence(whole));
  fc.assert(
    fc.property(cuts, (places) => {
      expect(essence(read(dialect, text(...cut(said, places)), ending))).toEqual(essence(whole));
    }),
    { numRuns: 25 },
  );
  return whole;
}

const code = "import os\nprint(os.getcwd())";
const args = JSON.stringify({ language: "python", code });
const python: Block[] = [["python", code]];
const two: Block[] = [
  ["python", code],
  ["shell", "ls -la"],
];
const shellArgs = '{"language": "shell", "code": "ls -la"}';

const families: Case[] = [
  {
    title: "Hermes and Qwen: an object between tags",
    said: `<tool_call>\n{"name": "execute", "arguments": ${args}}\n</tool_call>`,
    blocks: python,
  },
  {
    title: "Hermes: two calls",
    said: `<tool_call>\n{"name": "execute", "arguments": ${args}}\n</tool_call>\n<tool_call>\n{"name": "execute", "arguments": ${shellArgs}}\n</tool_call>`,
    blocks: two,
    text: "\n",
  },
  {
    title: "Hermes: two objects between one pair of tags",
    said: `<tool_call>\n{"name": "execute", "arguments": ${args}}\n{"name": "execute", "arguments": ${shellArgs}}\n</tool_call>`,
    blocks: two,
  },
  {
    title: "Hermes: arguments as a string",
    said: `<tool_call>{"name": "execute", "arguments": ${JSON.stringify(args)}}</tool_call>`,
    blocks: python,
  },
  {
    title: "Hermes: arguments before the name",
    said: `<tool_call>{"arguments": ${args}, "name": "execute"}</tool_call>`,
    blocks: python,
  },
  {
    title: "Hermes: a closing tag that never comes",
    said: `Looking.\n<tool_call>\n{"name": "execute", "arguments": ${args}}`,
    blocks: python,
    text: "Looking.\n",
  },
  {
    title: "Hermes: the opening tag twice",
    said: `<tool_call>\n<tool_call>\n{"name": "execute", "arguments": ${args}}\n</tool_call>`,
    blocks: python,
  },
  {
    title: "Hermes: single quotes",
    said: `<tool_call>{'name': 'execute', 'arguments': {'language': 'python', 'code': 'print("a")\\nprint(2)'}}</tool_call>`,
    blocks: [["python", 'print("a")\nprint(2)']],
  },
  {
    title: "Hermes: commas too many",
    said: '<tool_call>{"name": "execute", "arguments": {"language": "python", "code": "print(1)",},}</tool_call>',
    blocks: [["python", "print(1)"]],
  },
  {
    title: "Hermes: raw newlines in the string",
    said: '<tool_call>{"name": "execute", "arguments": {"language": "python", "code": "a = 1\nprint(\\"a\\")"}}</tool_call>',
    blocks: [["python", 'a = 1\nprint("a")']],
  },
  {
    title: "Hermes: quotes that were not escaped",
    said: '<tool_call>{"name": "execute", "arguments": {"language": "python", "code": "print("hi")"}}</tool_call>',
    blocks: [["python", 'print("hi")']],
  },
  {
    title: "Hermes: a fence between the tags",
    said: `<tool_call>\n\`\`\`json\n{"name": "execute", "arguments": ${args}}\n\`\`\`\n</tool_call>`,
    blocks: python,
  },
  {
    title: "Hermes: Python's constants",
    said: '<tool_call>{"name": "execute", "arguments": {"language": "python", "code": "1", "wait": True, "id": None}}</tool_call>',
    blocks: [["python", "1"]],
  },
  {
    title: "Glaive: <functioncall>",
    said: `<functioncall> {"name": "execute", "arguments": ${args}} </functioncall>`,
    blocks: python,
  },
  {
    title: "Qwen Coder: elements",
    said: `<tool_call>\n<function=execute>\n<parameter=language>\npython\n</parameter>\n<parameter=code>\n${code}\n</parameter>\n</function>\n</tool_call>`,
    blocks: python,
  },
  {
    title: "Qwen Coder: elements without the tag before them",
    said: `I look.\n<function=execute>\n<parameter=language>\npython\n</parameter>\n<parameter=code>\n${code}\n</parameter>\n</function>\n</tool_call>`,
    blocks: python,
    text: "I look.\n",
  },
  {
    title: "Qwen Coder: an element that was not closed",
    said: `<tool_call>\n<function=execute>\n<parameter=language>python<parameter=code>\n${code}\n</function>\n</tool_call>`,
    blocks: [["python", `${code}`]],
  },
  {
    title: "Qwen's older agents: flowers",
    said: `✿FUNCTION✿: execute\n✿ARGS✿: ${args}\n✿RESULT✿`,
    blocks: python,
  },
  {
    title: "Functionary and Llama: a function element around an object",
    said: `<function=execute>${args}</function>`,
    blocks: python,
  },
  { title: "Functionary: a recipient", said: `>>>execute\n${args}`, blocks: python },
  { title: "Functionary: Python as the recipient", said: `>>>python\n${code}`, blocks: python },
  {
    title: "Llama: an object with parameters",
    said: `{"name": "execute", "parameters": ${args}}`,
    blocks: python,
  },
  {
    title: "Llama: an object that says it is a function",
    said: `{"type": "function", "name": "execute", "parameters": ${args}}`,
    blocks: python,
  },
  {
    title: "Llama: two objects and a semicolon",
    said: `{"name": "execute", "parameters": ${args}}; {"name": "execute", "parameters": ${shellArgs}}`,
    blocks: two,
  },
  {
    title: "Llama: an object after a sentence",
    said: `I will look.\n\n{"name": "execute", "parameters": ${args}}`,
    blocks: python,
    text: "I will look.\n\n",
  },
  {
    title: "Llama: an object, and a sentence after it",
    said: `{"name": "execute", "parameters": ${args}}\n\nThis shows the folder.`,
    blocks: python,
    text: "This shows the folder.",
  },
  { title: "Llama: the Python tag with code", said: `<|python_tag|>${code}<|eom_id|>`, blocks: python },
  {
    title: "Llama: the Python tag with an object",
    said: `<|python_tag|>{"name": "execute", "parameters": ${args}}<|eot_id|>`,
    blocks: python,
  },
  {
    title: "Llama: a list of Python calls",
    said: "[execute(language=\"python\", code=\"print(1)\"), execute(language='shell', code='ls -la')]",
    blocks: [
      ["python", "print(1)"],
      ["shell", "ls -la"],
    ],
  },
  {
    title: "Llama 4: Python calls between marks",
    said: '<|python_start|>[execute(language="python", code="print(1)")]<|python_end|>',
    blocks: [["python", "print(1)"]],
  },
  {
    title: "Mistral: a list",
    said: `[TOOL_CALLS] [{"name": "execute", "arguments": ${args}, "id": "abc123def"}]`,
    blocks: python,
  },
  {
    title: "Mistral: a list of two, after a sentence",
    said: `Fine.[TOOL_CALLS][{"name": "execute", "arguments": ${args}}, {"name": "execute", "arguments": ${shellArgs}}]</s>`,
    blocks: two,
    text: "Fine.",
  },
  { title: "Mistral: the newer way", said: `[TOOL_CALLS]execute[ARGS]${args}`, blocks: python },
  {
    title: "Mistral: the newer way, with ids, twice",
    said: `[TOOL_CALLS]execute[CALL_ID]a1b2c3d4e[ARGS]${args}[TOOL_CALLS]execute[CALL_ID]f1[ARGS]${shellArgs}`,
    blocks: two,
  },
  { title: "Mistral: without a mark between", said: `[TOOL_CALLS]execute${args}`, blocks: python },
  {
    title: "DeepSeek",
    said: `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>execute\n\`\`\`json\n${args}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    blocks: python,
  },
  {
    title: "DeepSeek: the newer way, twice",
    said: `Two.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>execute<｜tool▁sep｜>${args}<｜tool▁call▁end｜><｜tool▁call▁begin｜>execute<｜tool▁sep｜>${shellArgs}<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>`,
    blocks: two,
    text: "Two.",
  },
  {
    title: "DeepSeek: elements",
    said: `<｜DSML｜function_calls>\n<｜DSML｜invoke name="execute">\n<｜DSML｜parameter name="language" string="true">python</｜DSML｜parameter>\n<｜DSML｜parameter name="code" string="true">${code}</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>`,
    blocks: python,
  },
  {
    title: "Command R: an action in a fence",
    said: `Plan: I look.\nAction: \`\`\`json\n[\n  {\n    "tool_name": "execute",\n    "parameters": ${args}\n  }\n]\n\`\`\``,
    blocks: python,
    text: "Plan: I look.\n",
  },
  {
    title: "Command A: an action between marks, after thinking",
    said: `<|START_THINKING|>Look first.<|END_THINKING|><|START_ACTION|>[\n  {"tool_call_id": "0", "tool_name": "execute", "parameters": ${args}}\n]<|END_ACTION|>`,
    blocks: python,
    reasoning: "Look first.",
  },
  {
    title: "Command A: a response between marks",
    said: "<|START_THINKING|>Easy.<|END_THINKING|><|START_RESPONSE|>It is 2.<|END_RESPONSE|>",
    blocks: [],
    text: "It is 2.",
    reasoning: "Easy.",
  },
  {
    title: "Agents: action and input",
    said: `Thought: I look.\nAction: execute\nAction Input: ${args}\nObservation: /home/me`,
    blocks: python,
    text: "Thought: I look.\n\nObservation: /home/me",
  },
  {
    title: "Agents: action and input in one object",
    said: `{"action": "execute", "action_input": ${args}}`,
    blocks: python,
  },
  { title: "Granite", said: `<|tool_call|>[{"name": "execute", "arguments": ${args}}]`, blocks: python },
  {
    title: "Phi",
    said: `<|tool_call|>[{"name": "execute", "arguments": ${args}}]<|/tool_call|>`,
    blocks: python,
  },
  { title: "Firefunction", said: ` functools[{"name": "execute", "arguments": ${args}}]`, blocks: python },
  { title: "xLAM: a list", said: `[{"name": "execute", "arguments": ${args}}]`, blocks: python },
  { title: "Nemotron", said: `<TOOLCALL>[{"name": "execute", "arguments": ${args}}]</TOOLCALL>`, blocks: python },
  {
    title: "gpt-oss: thinking and a call",
    said: `<|channel|>analysis<|message|>Look first.<|end|><|start|>assistant<|channel|>commentary to=functions.execute <|constrain|>json<|message|>${args}<|call|>`,
    blocks: python,
    reasoning: "Look first.",
  },
  {
    title: "gpt-oss: the recipient before the channel",
    said: `<|start|>assistant to=functions.execute<|channel|>commentary json<|message|>${args}`,
    blocks: python,
  },
  {
    title: "gpt-oss: its own Python",
    said: `<|channel|>analysis to=python code<|message|>${code}<|call|>`,
    blocks: python,
  },
  {
    title: "gpt-oss: words before a call",
    said: `<|channel|>commentary<|message|>I look.<|end|><|start|>assistant<|channel|>commentary to=functions.execute<|message|>${args}<|call|>`,
    blocks: python,
    text: "I look.",
  },
  {
    title: "gpt-oss: an answer",
    said: "<|channel|>analysis<|message|>Easy.<|end|><|start|>assistant<|channel|>final<|message|>It is 2.<|return|>",
    blocks: [],
    text: "It is 2.",
    reasoning: "Easy.",
  },
  {
    title: "GLM",
    said: `<tool_call>execute\n<arg_key>language</arg_key>\n<arg_value>python</arg_value>\n<arg_key>code</arg_key>\n<arg_value>${code}</arg_value>\n</tool_call>`,
    blocks: python,
  },
  {
    title: "Kimi",
    said: `<|tool_calls_section_begin|><|tool_call_begin|>functions.execute:0<|tool_call_argument_begin|>${args}<|tool_call_end|><|tool_call_begin|>functions.execute:1<|tool_call_argument_begin|>${shellArgs}<|tool_call_end|><|tool_calls_section_end|>`,
    blocks: two,
  },
  {
    title: "MiniMax",
    said: `<minimax:tool_call>\n<invoke name="execute">\n<parameter name="language">python</parameter>\n<parameter name="code">${code}</parameter>\n</invoke>\n</minimax:tool_call>`,
    blocks: python,
  },
  {
    title: "MiniMax: the older way",
    said: `<tool_calls>\n{"name": "execute", "arguments": ${args}}\n</tool_calls>`,
    blocks: python,
  },
  {
    title: "an invocation alone",
    said: `<invoke name="execute"><parameter name="language">python</parameter><parameter name="code">${code}</parameter></invoke>`,
    blocks: python,
  },
  {
    title: "Seed",
    said: `<seed:think>Look.</seed:think><seed:tool_call>\n<function=execute>\n<parameter=language>python</parameter>\n<parameter=code>${code}</parameter>\n</function>\n</seed:tool_call>`,
    blocks: python,
    reasoning: "Look.",
  },
  {
    title: "Gemma: a fence for calls",
    said: '```tool_code\nprint(execute(language="python", code="""import os\nprint(os.getcwd())"""))\n```',
    blocks: python,
  },
  { title: "Gemma: a fence for calls with code in it", said: `\`\`\`tool_code\n${code}\n\`\`\``, blocks: python },
  {
    title: "Gemma: its own marks",
    said: "<start_function_call>call:execute{language:<escape>python<escape>,code:<escape>print(1)<escape>}<end_function_call>",
    blocks: [["python", "print(1)"]],
  },
  {
    title: "Gemini as text",
    said: 'print(default_api.execute(language="python", code="print(1)"))',
    blocks: [["python", "print(1)"]],
  },
  {
    title: "InternLM",
    said: `Fine.<|action_start|><|plugin|>\n{"name": "execute", "parameters": ${args}}<|action_end|>`,
    blocks: python,
    text: "Fine.",
  },
  {
    title: "InternLM: its own interpreter",
    said: `<|action_start|><|interpreter|>\n\`\`\`python\n${code}\n\`\`\`<|action_end|>`,
    blocks: python,
  },
  {
    title: "LFM",
    said: '<|tool_call_start|>[execute(language="python", code="print(1)")]<|tool_call_end|>',
    blocks: [["python", "print(1)"]],
  },
  {
    title: "Apertus",
    said: `<|tools_prefix|>[{"execute": ${args}}]<|tools_suffix|>`,
    blocks: python,
  },
  {
    title: "OpenAI's message",
    said: `{"tool_calls": [{"id": "1", "type": "function", "function": {"name": "execute", "arguments": ${JSON.stringify(args)}}}]}`,
    blocks: python,
  },
  {
    title: "OpenAI's parallel calls",
    said: `{"tool_uses": [{"recipient_name": "functions.execute", "parameters": ${args}}, {"recipient_name": "functions.execute", "parameters": ${shellArgs}}]}`,
    blocks: two,
  },
  { title: "the arguments alone", said: args, blocks: python },
  { title: "the arguments alone in a fence", said: `\`\`\`json\n${args}\n\`\`\``, blocks: python },
  { title: "the arguments alone in a fence without a label", said: `\`\`\`\n${args}\n\`\`\``, blocks: python },
  {
    title: "a call in a fence after a sentence",
    said: `Let me look.\n\n\`\`\`json\n{"name": "execute", "arguments": ${args}}\n\`\`\``,
    blocks: python,
    text: "Let me look.\n\n",
  },
  {
    title: "tags in a fence",
    said: `\`\`\`xml\n<tool_call>{"name": "execute", "arguments": ${args}}</tool_call>\n\`\`\``,
    blocks: python,
  },
  { title: "a function", said: `execute(${args})`, blocks: python },
  { title: "a function with a semicolon", said: `functions.execute(${args});`, blocks: python },
  {
    title: "a function with named arguments, in triple quotes",
    said: 'execute(language="python", code="""a = "x"\nprint(a)\n""")',
    blocks: [["python", 'a = "x"\nprint(a)\n']],
  },
  { title: "a function with arguments by place", said: 'execute("shell", "ls -la")', blocks: [["shell", "ls -la"]] },
  {
    title: "another name: python",
    said: '<tool_call>{"name": "python", "arguments": {"code": "print(1)"}}</tool_call>',
    blocks: [["python", "print(1)"]],
  },
  {
    title: "another name: bash with a command",
    said: '<tool_call>{"name": "bash", "arguments": {"command": "ls -la"}}</tool_call>',
    blocks: [["shell", "ls -la"]],
  },
  {
    title: "another name: run_code with a script",
    said: '{"name": "run_code", "arguments": {"script": "print(1)"}}',
    blocks: [["python", "print(1)"]],
  },
  {
    title: "another name: code_interpreter with input",
    said: '<tool_call>{"name": "code_interpreter", "arguments": {"input": "print(1)"}}</tool_call>',
    blocks: [["python", "print(1)"]],
  },
  {
    title: "another name, and raw code",
    said: "<tool_call>python\nprint(1)\n</tool_call>",
    blocks: [["python", "print(1)"]],
  },
  {
    title: "no language",
    said: '<tool_call>{"name": "execute", "arguments": {"code": "print(1)"}}</tool_call>',
    blocks: [["python", "print(1)"]],
  },
  {
    title: "thinking between other tags",
    said: `<thinking>\`\`\`python\nbad()\n\`\`\`</thinking>\n\n<tool_call>{"name": "execute", "arguments": ${args}}</tool_call>`,
    blocks: python,
    reasoning: "```python\nbad()\n```",
  },
  {
    title: "Magistral: thinking in brackets",
    said: `[THINK]I call {"language": "python", "code": "bad()"}.[/THINK]${args}`,
    blocks: python,
    reasoning: 'I call {"language": "python", "code": "bad()"}.',
  },
  {
    title: "thinking twice",
    said: `<think>One.</think>\n<think>Two.</think>\n${args}`,
    blocks: python,
    reasoning: "One.Two.",
  },
  {
    title: "the end of thinking without its beginning",
    said: `I should look.\n</think>\n\n<tool_call>{"name": "execute", "arguments": ${args}}</tool_call>`,
    blocks: python,
    text: "I should look.\n\n\n",
  },
];

describe.each(dialects)("in the %s dialect a call runs as it is written by", (dialect) => {
  test.each(families)("$title", ({ said, blocks, text: expected = "", reasoning = "" }) => {
    const told = check(dialect, said);
    expect(told.blocks).toEqual(blocks.map(([language, written]) => ({ language, code: written, complete: true })));
    expect(told.text).toBe(expected);
    expect(told.reasoning).toBe(reasoning);
  });
});

const cutShort = [
  `<tool_call>\n{"name": "execute", "arguments": {"language": "python", "code": "import os\\nos.remo`,
  "<function=execute>\n<parameter=language>python</parameter>\n<parameter=code>\nimport os\nos.remo",
  '[TOOL_CALLS]execute[ARGS]{"language": "python", "code": "import os\\nos.remo',
  '{"name": "execute", "parameters": {"language": "python", "code": "import os\\nos.remo',
  '<|channel|>commentary to=functions.execute<|message|>{"language": "python", "code": "import os\\nos.remo',
  "<|python_tag|>import os\nos.remo",
];

describe.each(dialects)("in the %s dialect a call that the limit cut", (dialect) => {
  test.each(cutShort)("is shown and must not run: %j", (said) => {
    for (const ending of ["length", "cut"] as const)
      expect(check(dialect, said, ending).blocks).toEqual([
        { language: "python", code: "import os\nos.remo", complete: false },
      ]);
  });
});

const mentions = [
  'Models write `<tool_call>{"name": "execute", "arguments": {"language": "python", "code": "1"}}</tool_call>` for this.',
  'For example:\n\n```xml\n<tool_call>{"name": "execute", "arguments": {"language": "python", "code": "1"}}</tool_call>\n```\n\nThat is all.',
  "The <tool_call> tag wraps a call, and </tool_call> ends it.",
  "Mistral begins its calls with [TOOL_CALLS], and Llama with <|python_tag|>, as `<|python_tag|>1` shows.".replace(
    "<|python_tag|>,",
    "another mark,",
  ),
  'You pass {"name": "execute", "parameters": {"language": "python", "code": "1"}} as the body.',
  '{"language": "python", "code": "1"} is what the tool takes.',
  '```json\n{"name": "execute", "arguments": {"language": "python", "code": "1"}}\n```\n\nThis is how it looks.',
  '```json\n{"name": "my-package", "version": "1.0.0", "code": "MIT"}\n```',
  '{"name": "Ada", "language": "English"}',
  '[{"name": "Ada"}, {"name": "Alan"}]',
  '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>',
  '<function=search>{"query": "run python"}</function>',
  "Action: take the bus.\nThen walk.",
  "Action: execute the plan.\nAction Input: none.",
  "Call execute(language, code) with both.",
  ">>> is Python's prompt.",
  "[execute] is the name of the button.",
  "A tag such as <invoke name=…> is an element.",
  "<thinking about it> I would say yes.",
  "The end is </think> in some models.",
  "functools is a module.",
  "Use <|im_end|> to end a turn, they say.",
];

describe.each(dialects)("in the %s dialect text that only speaks of calls stays text", (dialect) => {
  test.each(mentions)("%j", (said) => {
    const told = check(dialect, said);
    expect(told.blocks).toEqual([]);
    expect(told.text).toBe(said);
  });
});

test("what is said before a call comes before it", () => {
  const said = `<|channel|>commentary<|message|>A<|end|><|start|>assistant to=functions.execute<|message|>${args}<|call|>`;
  for (const dialect of dialects) expect(check(dialect, said).events.map(({ type }) => type)[0]).toBe("text-delta");
});

test("marks of the end go, wherever the server left them", () => {
  for (const dialect of dialects)
    for (const mark of [
      "<|im_end|>",
      "<|eot_id|>",
      "</s>",
      "<end_of_turn>\n",
      "<|im_end|>\n<|endoftext|>",
      "<｜end▁of▁sentence｜>",
    ])
      expect(check(dialect, `It is done.${mark}`).text).toBe("It is done.");
  expect(check("markdown", "```python\nprint(1)\n```<|im_end|>").blocks).toEqual([
    { language: "python", code: "print(1)", complete: true },
  ]);
});
