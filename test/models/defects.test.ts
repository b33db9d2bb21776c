// Defects of the program that ours follows, each as the behaviour that must never come back.

import { describe, expect, test } from "vitest";
import { call, reply, run, scriptedModel } from "../support/scripted-model.ts";
import { ask, modelAt } from "./ask.ts";

const said = async (text: string, chunk: number, languages = ["python", "r", "shell"]) => {
  await using server = await scriptedModel([reply(text, { chunk })]);
  return await ask(modelAt(server.openai, { dialect: "markdown" }), { languages });
};

describe("in the markdown dialect", () => {
  test("R code keeps every letter r", async () => {
    for (const chunk of [1, 3, 1000]) {
      const { blocks } = await said("```r\nprint(rnorm(3))\n```", chunk);
      expect(blocks).toEqual([{ language: "r", code: "print(rnorm(3))", complete: true }]);
    }
  });

  test("python-dotenv keeps its name", async () => {
    const { blocks } = await said("```shell\npip install python-dotenv\n```", 4);
    expect(blocks[0]?.code).toBe("pip install python-dotenv");
  });

  test("a fence and its language in one chunk do not become code", async () => {
    const { blocks } = await said("```python\nprint(1)\n```", 1000);
    expect(blocks[0]?.code).toBe("print(1)");
  });

  test("text before a fence in the same chunk and text after the block are kept", async () => {
    const told = await said("Before\n```python\n1\n```\nAfter", 1000);
    expect(told.text).toBe("Before\nAfter");
  });

  test("a chunk that ends in a backtick is kept", async () => {
    const told = await said("Use `x` here", 5);
    expect(told.text).toBe("Use `x` here");
  });

  test("a block without a label does not vanish", async () => {
    expect((await said("```\nprint(1)\n```", 6)).blocks).toHaveLength(1);
  });

  test("c++ stays c++", async () => {
    expect((await said("```c++\nint main() {}\n```", 5)).blocks).toEqual([
      { language: "c++", code: "int main() {}", complete: true },
    ]);
  });
});

describe("in the tool dialect", () => {
  test("parallel calls are all heard", async () => {
    await using server = await scriptedModel([reply(run("python", "1"), run("python", "2"), run("python", "3"))]);
    expect((await ask(modelAt(server.openai))).blocks.map(({ code }) => code)).toEqual(["1", "2", "3"]);
  });

  test("long arguments are read once, not again with every delta", async () => {
    const code = `data = """${"x".repeat(400_000)}"""`;
    await using server = await scriptedModel([reply(run("python", code), { chunk: 16 })]);
    const told = await ask(modelAt(server.openai));
    expect(told.blocks[0]?.code).toBe(code);
    const shown = told.events.reduce((sum, event) => sum + (event.type === "code-delta" ? event.text.length : 0), 0);
    expect(shown).toBe(code.length);
  });

  test("two models at once do not share their languages", async () => {
    await using server = await scriptedModel(["a", "b"]);
    await Promise.all([
      ask(modelAt(server.openai), { languages: ["python"] }),
      ask(modelAt(server.openai), { languages: ["shell"] }),
    ]);
    const sent = server.requests.map(({ body }) => body.tools[0].function.parameters.properties.language.enum);
    expect(sent.sort()).toEqual([["python"], ["shell"]]);
  });

  test("a call whose name is made up still runs", async () => {
    await using server = await scriptedModel([reply(call("python", "print(1)"))]);
    expect((await ask(modelAt(server.openai))).blocks).toEqual([
      { language: "python", code: "print(1)", complete: true },
    ]);
  });
});

describe("in both", () => {
  test("temperature 0 is sent", async () => {
    await using server = await scriptedModel(["a"]);
    await ask(modelAt(server.openai, { temperature: 0 }));
    expect(server.requests[0]!.body.temperature).toBe(0);
  });

  test("a retry after a partial stream does not say the beginning again", async () => {
    await using server = await scriptedModel([reply("The beginning of it", { cutAfter: 1 }), "The beginning of it"]);
    const told = await ask(modelAt(server.openai));
    expect(told.text).toBe("The beginnin");
  });
});
