// Answers that follow a schema: JSON and nothing else on stdout, or an exit code that says that there is none.

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { NoAnswer, TurnFailed } from "../../src/interpreter/index.ts";
import { type Chunk, createGrammar } from "../../src/messages/index.ts";
import { startInterpreter } from "../support/interpreter.ts";
import { Place } from "../support/program.ts";
import { reply, run, type ScriptedModel, say, scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

const schema = {
  type: "object",
  properties: { total: { type: "number" }, names: { type: "array", items: { type: "string" } } },
  required: ["total"],
  additionalProperties: false,
};

const asked = ({ requests }: ScriptedModel) => requests.filter(({ wire }) => wire !== undefined);

function place(content: string = JSON.stringify(schema)): Place {
  const made = new Place();
  writeFileSync(join(made.folder, "answer.json"), content);
  return made;
}

const flags = (model: ScriptedModel) => [
  "--model",
  "openai-chat/x",
  "--api_base",
  model.openai,
  "--output-schema",
  "answer.json",
];

describe("--output_schema", () => {
  test("runs code as usual, and prints only the answer", async () => {
    await using model = await scriptedModel([
      reply(say("Adding."), run("python", "print(20 + 22)")),
      '{"total": 42,\n "names": []}',
    ]);
    using here = place();
    const { code, stdout, stderr } = await here.run(["-y", ...flags(model), "add"]);
    expect(stdout).toBe('{"total":42,"names":[]}\n');
    expect(code).toBe(0);
    expect(stderr).toContain("print(20 + 22)");
    expect(stderr).toContain("│ 42");
    expect(asked(model)[0]!.body.messages[0].content).toContain(JSON.stringify(schema));
  });

  test("takes it out of a fence", async () => {
    await using model = await scriptedModel(['Here it is:\n\n```json\n{ "total": 1 }\n```\n']);
    using here = place();
    expect((await here.run([...flags(model), "go"])).stdout).toBe('{"total":1}\n');
  });

  test("tells the model what does not fit, and holds it to the schema where the server can", async () => {
    await using model = await scriptedModel(["The total is 1.", '{"total": "1"}', '{"total": 1}']);
    using here = place();
    const { code, stdout } = await here.run([...flags(model), "go"]);
    expect([code, stdout]).toEqual([0, '{"total":1}\n']);
    const [first, second, third] = asked(model).map(({ body }) => body);
    expect(first.response_format).toBeUndefined();
    expect(second.response_format).toMatchObject({ type: "json_schema", json_schema: { schema, strict: false } });
    expect(second.tools).toBeUndefined();
    expect(second.messages.at(-1).content).toContain("The last message is not JSON.");
    expect(third.messages.at(-1).content).toContain('/total must be a number, not "1"');
  });

  test("a server that cannot be held to it is asked in words", async () => {
    await using model = await scriptedModel([
      "No.",
      reply({ status: 400, body: { error: { message: "response_format.type must be text or json_object" } } }),
      '{"total": 1}',
    ]);
    using here = place();
    const { code, stdout } = await here.run([
      "--model",
      "x",
      "--api_base",
      model.openai,
      "--output-schema",
      "answer.json",
      "go",
    ]);
    expect([code, stdout]).toEqual([0, '{"total":1}\n']);
    expect(asked(model).map(({ body }) => "response_format" in body)).toEqual([false, true, false]);
  });

  test("6 when there is no such answer after two corrections, and which places do not fit", async () => {
    await using model = await scriptedModel(["a", "b", '{"total": "x", "names": [1], "more": 0}', "never"]);
    using here = place();
    const { code, stdout, stderr } = await here.run([...flags(model), "go"]);
    expect([code, stdout]).toEqual([6, ""]);
    expect(stderr).toContain('/total must be a number, not "x"');
    expect(stderr).toContain("/names/0 must be text, not 1");
    expect(stderr).toContain("/more must not be there");
    expect(asked(model)).toHaveLength(3);
  });

  test("3 when code needed approval, and 1 when the model failed", async () => {
    await using model = await scriptedModel([run("python", "1"), reply({ status: 401 })]);
    using here = place();
    expect((await here.run([...flags(model), "go"])).code).toBe(3);
    const { code, stdout } = await here.run([...flags(model), "go"]);
    expect([code, stdout]).toEqual([1, ""]);
  });

  test.each([
    ["no file", undefined, /The schema answer\.json cannot be read: there is no such file\./],
    ["no JSON", "{ total: number }", /is not JSON/],
    ["no schema", '{"type": "zahl"}', /cannot be followed at #\/type: it cannot be "zahl"/],
    ["a keyword nobody knows", '{"properties": {"a": {"nullabel": true}}}', /#\/properties\/a\/nullabel/],
  ])("2 before anything is sent: %s", async (_, content, message) => {
    await using model = await scriptedModel([]);
    using here = content === undefined ? new Place() : place(content);
    const { code, stdout, stderr } = await here.run([...flags(model), "go"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
    expect(model.requests).toEqual([]);
    expect(existsSync(join(here.folder, ".home", "conversations"))).toBe(false);
  });

  test("2 without a task", async () => {
    using here = place();
    expect((await here.run(["--output-schema", "answer.json"])).code).toBe(2);
  });

  test("with --json: the chunks, and the answer among them as a value", async () => {
    await using model = await scriptedModel([run("python", "print(1)"), "[1]", '{"total": 1}']);
    using here = place();
    const { code, stdout } = await here.run(["-y", "--json", ...flags(model), "go"]);
    expect(code).toBe(0);
    const chunks = stdout
      .trim()
      .split("\n")
      .map((line): Chunk => JSON.parse(line));
    const grammar = createGrammar();
    for (const chunk of chunks) expect(grammar.push(chunk)).toBeUndefined();
    expect(chunks.slice(-2)).toEqual([
      { role: "assistant", type: "answer", content: { value: { total: 1 } } },
      { role: "server", type: "status", content: "complete", code: "done" },
    ]);
  });

  test("in a terminal it is laid out, and approval is asked", async () => {
    await using model = await scriptedModel([run("python", "print(1)"), '{"total": 1}']);
    using here = place();
    await using screen = new Terminal(here, [...flags(model), "go"]);
    await screen.see(/print\(1\)/);
    await screen.see(/\by\b/);
    screen.enter("y");
    await screen.see('{\n  "total": 1\n}');
    expect(await screen.ended()).toBe(0);
  });
});

describe.each([
  ["openai-responses/gpt-5.4", "responses", (body: never) => (body as { text: { format: unknown } }).text.format],
  [
    "anthropic/claude-sonnet-5",
    "anthropic",
    (body: never) => (body as { output_config: { format: unknown } }).output_config.format,
  ],
  ["google/gemini-3-pro", "google", (body: never) => (body as { generationConfig: unknown }).generationConfig],
] as const)("the library, with %s", (model, wire, formatOf) => {
  test("gives the value, and holds the model to the schema when it must ask again", async () => {
    await using told = await startInterpreter(
      [run("python", "print(1)"), "One.", '{"total": 1}'],
      { model, apiKey: "k" },
      wire,
    );
    expect(await told.interpreter.answer("add", schema)).toEqual({ total: 1 });
    const last = asked(told.model).at(-1)!.body;
    expect(JSON.stringify(formatOf(last as never))).toMatch(/total/);
  });
});

test("the library rejects with what does not fit, and with what failed", async () => {
  await using told = await startInterpreter(["[]", "[]", '["x"]', reply({ status: 401 })]);
  const error = await told.interpreter.answer("add", schema).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(NoAnswer);
  expect(error).toMatchObject({ end: "no-answer", misfits: ["The answer must be an object, not a list"] });
  await expect(told.interpreter.answer("add", schema)).rejects.toBeInstanceOf(TurnFailed);
  await expect(told.interpreter.answer("add", { type: "zahl" })).rejects.toThrow("#/type");
});
