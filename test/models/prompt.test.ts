// What the model is sent: the conversation in each dialect, as it stands on the wire.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Message } from "../../src/messages/index.ts";
import { type ModelChoice, resolveModel } from "../../src/models/index.ts";
import { scriptedModel } from "../support/scripted-model.ts";
import { ask, modelAt, user } from "./ask.ts";

const assistant = (content: string): Message => ({ role: "assistant", type: "message", content });
const code = (content: string, more: Partial<Message> = {}): Message => ({
  role: "assistant",
  type: "code",
  format: "python",
  content,
  ...more,
});
const output = (content: string, more: Partial<Message> = {}): Message => ({
  role: "computer",
  type: "console",
  format: "output",
  content,
  ...more,
});
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** The messages as an OpenAI-compatible server gets them, without the system prompt. */
async function sent(messages: Message[], more: Partial<ModelChoice> = {}) {
  await using server = await scriptedModel(["ok"]);
  await ask(modelAt(server.openai, more), { messages });
  return server.requests[0]!.body.messages.slice(1);
}

describe("the tool dialect", () => {
  test("a step is a call and its result", async () => {
    const messages = await sent([
      user("hi"),
      assistant("Let me."),
      code("print(1)", { id: "abcdefghi" }),
      output("1\n", { id: "abcdefghi" }),
      assistant("One."),
    ]);
    expect(messages).toEqual([
      { role: "user", content: "hi" },
      {
        role: "assistant",
        content: "Let me.",
        tool_calls: [
          {
            id: "abcdefghi",
            type: "function",
            function: { name: "execute", arguments: '{"language":"python","code":"print(1)"}' },
          },
        ],
      },
      { role: "tool", tool_call_id: "abcdefghi", content: "1\n" },
      { role: "assistant", content: "One." },
    ]);
  });

  test("blocks of one reply keep their own results", async () => {
    const messages = await sent([
      user("hi"),
      code("a", { id: "aaaaaaaaa" }),
      code("b", { id: "bbbbbbbbb" }),
      output("B", { id: "bbbbbbbbb" }),
      output("A", { id: "aaaaaaaaa" }),
    ]);
    expect(messages[1].tool_calls.map(({ id }: { id: string }) => id)).toEqual(["aaaaaaaaa", "bbbbbbbbb"]);
    expect(messages.slice(2)).toEqual([
      { role: "tool", tool_call_id: "aaaaaaaaa", content: "A" },
      { role: "tool", tool_call_id: "bbbbbbbbb", content: "B" },
    ]);
  });

  test("a call without a result gets one, and a result without a call becomes text", async () => {
    const messages = await sent([user("hi"), code("a"), user("no"), output("loose end")]);
    expect(messages[2]).toMatchObject({ role: "tool", content: "This code was not run." });
    expect(messages[3]).toEqual({ role: "user", content: "no\n\n[shown on the computer]\nloose end" });
  });

  test("ids are made where they are missing, repeated or strange", async () => {
    const messages = await sent([
      user("hi"),
      code("a"),
      output("1"),
      code("b", { id: "x y" }),
      output("2", { id: "x y" }),
      code("c", { id: "same00001" }),
      output("3", { id: "same00001" }),
      code("d", { id: "same00001" }),
      output("4", { id: "same00001" }),
    ]);
    const ids = messages.flatMap(({ tool_calls = [] }: { tool_calls?: { id: string }[] }) =>
      tool_calls.map(({ id }) => id),
    );
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9]{9}$/);
    expect(
      messages
        .filter(({ role }: { role: string }) => role === "tool")
        .map(({ content }: { content: string }) => content),
    ).toEqual(["1", "2", "3", "4"]);
  });

  test("several outputs of one step are one result", async () => {
    const messages = await sent([user("hi"), code("a"), output("one\n"), output("two\n", { stream: "stderr" })]);
    expect(messages[2].content).toBe("one\ntwo\n");
  });

  test("silence is put into words", async () => {
    const messages = await sent([user("hi"), code("a"), output("  \n"), code("b"), output("", { status: "refused" })]);
    expect(messages[2].content).toBe("(no output)");
    expect(messages[4].content).toBe("The user did not let this code run.");
  });

  test("code that the user ran is told as the user's", async () => {
    const messages = await sent([
      { role: "user", type: "code", format: "shell", content: "ls" },
      output("a.txt\n"),
      user("What is it?"),
    ]);
    expect(messages).toHaveLength(1);
    expect(messages[0].content).toContain("```shell\nls\n```");
    expect(messages[0].content).toContain("a.txt");
    expect(messages[0].content).toContain("What is it?");
  });

  test("what is only for the user, and reasoning, stay here", async () => {
    const messages = await sent([
      user("hi"),
      { role: "assistant", type: "reasoning", content: "hmm" },
      code("a"),
      output("secret", { recipient: "user" }),
      output("public"),
    ]);
    expect(JSON.stringify(messages)).not.toMatch(/hmm|secret/);
    expect(messages[2].content).toBe("public");
  });

  test("what one side says in a row is one message", async () => {
    expect(await sent([user("a"), user("b"), assistant("c"), assistant("d")])).toEqual([
      { role: "user", content: "a\n\nb" },
      { role: "assistant", content: "c\n\nd" },
    ]);
  });

  test("the tool is small", async () => {
    await using server = await scriptedModel(["ok"]);
    await ask(modelAt(server.openai), {
      languages: ["python", "javascript", "typescript", "shell", "powershell", "r", "ruby", "html", "java"],
    });
    expect(JSON.stringify(server.requests[0]!.body.tools).length).toBeLessThan(450);
  });
});

describe("the markdown dialect", () => {
  test("a step is a fence and what came of it", async () => {
    const messages = await sent([user("hi"), assistant("Let me."), code("print(1)"), output("1")], {
      dialect: "markdown",
      codeOutputTemplate: "Out: {content}",
    });
    expect(messages).toEqual([
      { role: "user", content: "hi" },
      { role: "assistant", content: "Let me.\n\n```python\nprint(1)\n```" },
      { role: "user", content: "Out: 1" },
    ]);
  });

  test("the fence is longer than any inside", async () => {
    const messages = await sent([user("hi"), code("x = '````'"), output("1")], { dialect: "markdown" });
    expect(messages[1].content).toBe("`````python\nx = '````'\n`````");
  });

  test("silence has a template of its own, and dollars in output are not special", async () => {
    const messages = await sent([user("hi"), code("a"), output(""), code("b"), output("$& $1 {content}")], {
      dialect: "markdown",
      emptyCodeOutputTemplate: "Nothing.",
      codeOutputTemplate: "<{content}>",
    });
    expect(messages[2].content).toBe("Nothing.");
    expect(messages[4].content).toBe("<$& $1 {content}>");
  });

  test("no tool is offered, and the system prompt says how to ask", async () => {
    await using server = await scriptedModel(["ok"]);
    await ask(modelAt(server.openai, { dialect: "markdown" }), { system: "Be kind." });
    const { body } = server.requests[0]!;
    expect(body.tools).toBeUndefined();
    expect(body.messages[0].content).toMatch(/^Be kind\.\n\n[\s\S]*python, javascript, shell/);
  });
});

describe("templates", () => {
  const conversation = [user("first"), assistant("ok"), user("second"), code("print(1)"), output("1")];
  const users = (messages: { role: string; content: string }[]) =>
    messages.filter(({ role }) => role === "user").map(({ content }) => content);

  test.each(["tool", "markdown"] as const)(
    "the last message of the person is put into theirs, in the %s dialect",
    async (dialect) => {
      const more = { dialect, userMessageTemplate: "{content}\n\nWrite one {python} snippet. ({content})" };
      const messages = users(await sent(conversation, more));
      expect(messages.slice(0, 2)).toEqual(["first", "second\n\nWrite one {python} snippet. (second)"]);
      const always = users(await sent(conversation, { ...more, alwaysApplyUserMessageTemplate: true }));
      expect(always[0]).toBe("first\n\nWrite one {python} snippet. (first)");
    },
  );

  test("nothing in a message means anything to a template", async () => {
    const [first] = await sent([user("$& $1 {content} {0} %s \\n")], { userMessageTemplate: "<{content}>" });
    expect(first.content).toBe("<$& $1 {content} {0} %s \\n>");
  });

  test("it stays where it is while code runs, and leaves out what the person did not say", async () => {
    const note: Message = { role: "user", type: "message", content: "(a remark)", recipient: "assistant" };
    const ran: Message = { role: "user", type: "code", format: "shell", content: "ls" };
    const more = { userMessageTemplate: "<{content}>" };
    const messages = users(await sent([user("go"), code("1"), output("1"), note, assistant("ok"), ran], more));
    expect(messages[0]).toBe("<go>");
    expect(messages.slice(1).join()).not.toContain("<");
  });

  test("output can be the model's own", async () => {
    const messages = await sent([user("hi"), code("print(1)"), output("1\n"), code("2"), output("")], {
      dialect: "markdown",
      codeOutputSender: "assistant",
      codeOutputTemplate: "never: {content}",
    });
    expect(messages).toEqual([
      { role: "user", content: "hi" },
      {
        role: "assistant",
        content: [
          "```python\nprint(1)\n```",
          "```output\n1\n```",
          "```python\n2\n```",
          "```output\n(no output)\n```",
        ].join("\n\n"),
      },
    ]);
  });

  test("tool calls have results of their own, whatever the templates say", async () => {
    const messages = await sent([user("hi"), code("1"), output("1")], {
      codeOutputSender: "assistant",
      codeOutputTemplate: "never: {content}",
      executionInstructions: "never",
    });
    expect(messages.at(-1)).toMatchObject({ role: "tool", content: "1" });
    expect(JSON.stringify(messages)).not.toContain("never");
  });

  test.each([
    ["Use only {languages}.", "You are a test.\n\nUse only python, javascript, shell."],
    ["none", "You are a test."],
    ["", "You are a test."],
  ])("how code is asked for can be said in other words, or not at all: %j", async (executionInstructions, system) => {
    await using server = await scriptedModel(["ok"]);
    await ask(modelAt(server.openai, { dialect: "markdown", executionInstructions }));
    expect(server.requests[0]!.body.messages[0]).toEqual({ role: "system", content: system });
  });
});

describe("images", () => {
  const image: Message = { role: "user", type: "image", format: "base64.png", content: png };

  test("a model that sees gets them", async () => {
    const messages = await sent([user("look"), image], { vision: true });
    expect(messages[0].content).toEqual([
      { type: "text", text: "look" },
      { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } },
    ]);
  });

  test("a model that does not see is told", async () => {
    expect((await sent([user("look"), image], { vision: false }))[0].content).toContain("cannot see");
  });

  test("an image a step made follows its result", async () => {
    const messages = await sent(
      [user("plot"), code("plot()"), { role: "computer", type: "image", format: "base64.png", content: png }],
      { vision: true },
    );
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(["user", "assistant", "tool", "user"]);
    expect(messages[3].content[0].type).toBe("image_url");
  });

  test("an image given as a path is read, and a missing one is told", async () => {
    const folder = mkdtempSync(join(tmpdir(), "images-"));
    const path = join(folder, "a.png");
    writeFileSync(path, Buffer.from(png, "base64"));
    const [there] = await sent([{ role: "user", type: "image", format: "path", content: path }], { vision: true });
    expect(there.content).toEqual([
      { type: "text", text: `[attached image: ${path}]` },
      { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } },
    ]);
    const [gone] = await sent([{ role: "user", type: "image", format: "path", content: join(folder, "b.png") }], {
      vision: true,
    });
    expect(gone.content).toContain("could not be read");
    rmSync(folder, { recursive: true });
  });

  test("a file is told by its path", async () => {
    expect((await sent([{ role: "user", type: "file", format: "path", content: "/tmp/x.csv" }]))[0].content).toContain(
      "/tmp/x.csv",
    );
  });
});

describe.each(["openai", "openai-chat", "openai-responses", "anthropic", "google"])("%s", (provider) => {
  const conversation = [
    user("hi"),
    assistant("Let me."),
    code("a", { id: "aaaaaaaaa" }),
    code("b", { id: "bbbbbbbbb" }),
    output("A", { id: "aaaaaaaaa" }),
    output("B", { id: "bbbbbbbbb" }),
    assistant("Done."),
    user("more"),
  ];

  test("the same conversation is the same bytes, and a longer one begins with them", async () => {
    await using server = await scriptedModel(["one", "two", "three"]);
    const apiBase = provider === "google" ? server.google : server.openai;
    const model = resolveModel({ model: `${provider}/m`, apiBase, apiKey: "k", env: {} });
    await ask(model, { messages: conversation });
    await ask(model, { messages: conversation });
    await ask(model, { messages: [...conversation, assistant("x"), user("y")] });
    const [first, second, third] = server.requests.map(({ body, text }) => ({
      text,
      list: body.messages ?? body.input ?? body.contents,
    }));
    expect(second!.text).toBe(first!.text);
    const unmarked = (list: unknown[]): unknown[] =>
      JSON.parse(JSON.stringify(list).replaceAll(',"cache_control":{"type":"ephemeral"}', ""));
    expect(unmarked(third!.list).slice(0, first!.list.length)).toEqual(unmarked(first!.list));
  });
});

test("Anthropic is told what to cache", async () => {
  await using server = await scriptedModel(["ok"]);
  await ask(resolveModel({ model: "anthropic/m", apiBase: server.anthropic, apiKey: "k", env: {} }));
  const { body } = server.requests[0]!;
  expect(body.system[0].cache_control).toEqual({ type: "ephemeral" });
  expect(body.messages.at(-1).content.at(-1).cache_control).toEqual({ type: "ephemeral" });
});

test("OpenAI is told not to keep the conversation", async () => {
  await using server = await scriptedModel(["ok"]);
  await ask(resolveModel({ model: "openai-responses/m", apiBase: server.responses, apiKey: "k", env: {} }));
  expect(server.requests[0]!.body.store).toBe(false);
});
