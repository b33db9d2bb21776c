// Every provider's wire, spoken by a real server: what the model says arrives as the same events.

import { describe, expect, test } from "vitest";
import type { Message } from "../../src/messages/index.ts";
import { resolveModel } from "../../src/models/index.ts";
import {
  call,
  reply,
  run,
  type Script,
  type ScriptedModel,
  say,
  scriptedModel,
  think,
} from "../support/scripted-model.ts";
import { ask, user } from "./ask.ts";

interface Row {
  name: string;
  model: string;
  base: (server: ScriptedModel) => string;
  /** Code is shown as it is written; otherwise calls come whole. */
  streams: boolean;
  /** Its format has one call after another. */
  inOrder?: true;
  /** Never carries what the model thinks. */
  silent?: true;
  /** An error in the middle has no words. */
  wordless?: true;
}

/** One black pixel. */
const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==";

const wires: Row[] = [
  { name: "OpenAI-compatible chat", model: "openai/m", base: (server) => server.openai, streams: true },
  { name: "Ollama", model: "ollama/m", base: (server) => server.ollama, streams: true },
  { name: "OpenAI chat", model: "openai-chat/m", base: (server) => server.openai, streams: true, silent: true },
  { name: "OpenAI responses", model: "openai-responses/m", base: (server) => server.responses, streams: true },
  { name: "Anthropic", model: "anthropic/m", base: (server) => server.anthropic, streams: true },
  { name: "Google", model: "google/m", base: (server) => server.google, streams: false },
  { name: "Azure", model: "azure/m", base: (server) => server.azure, streams: true },
  { name: "Azure chat", model: "azure-chat/m", base: (server) => server.azure, streams: true },
  { name: "Amazon Bedrock", model: "bedrock/m", base: (server) => server.bedrock, streams: true },
  { name: "Google Vertex", model: "vertex/m", base: (server) => server.vertex, streams: false, wordless: true },
  { name: "Anthropic on Vertex", model: "vertex/claude-sonnet-4-5", base: (server) => server.vertex, streams: true },
  {
    name: "Mistral",
    model: "mistral/m",
    base: (server) => server.mistral,
    streams: false,
    inOrder: true,
    wordless: true,
  },
  { name: "Groq", model: "groq/m", base: (server) => server.groq, streams: true },
  { name: "DeepSeek", model: "deepseek/m", base: (server) => server.deepseek, streams: true },
  { name: "xAI", model: "xai/m", base: (server) => server.xai, streams: true },
  {
    name: "Cohere",
    model: "cohere/m",
    base: (server) => server.cohere,
    streams: true,
    inOrder: true,
    wordless: true,
  },
  { name: "OpenRouter", model: "openrouter/maker/m", base: (server) => server.openrouter, streams: true },
];

describe.each(wires)("$name", ({ model: name, base, streams, inOrder, silent, wordless }) => {
  const serve = async (script: Script) => {
    const server = await scriptedModel(script);
    const model = resolveModel({ model: name, apiBase: base(server), apiKey: "key-of-the-test", env: {} });
    return { server, model };
  };

  test("text arrives in pieces and whole", async () => {
    const { server, model } = await serve(["Hello, this is a longer answer with ünïcödé and 🙂."]);
    await using _ = server;
    const told = await ask(model);
    expect(told.text).toBe("Hello, this is a longer answer with ünïcödé and 🙂.");
    expect(told.events.filter((event) => event.type === "text-delta").length).toBeGreaterThan(1);
    expect(told.finish).toBe("stop");
  });

  test("a call becomes a block, shown as it is written", async () => {
    const code = 'for i in range(3):\n    print("é🙂", i)\n';
    const { server, model } = await serve([reply("Let me see.", run("python", code))]);
    await using _ = server;
    const told = await ask(model);
    expect(told.text).toBe("Let me see.");
    expect(told.blocks).toEqual([{ language: "python", code, complete: true }]);
    if (streams) expect(told.events.filter((event) => event.type === "code-delta").length).toBeGreaterThan(2);
    expect(told.finish).toBe("stop");
  });

  test("several calls in one reply are as many blocks", async () => {
    const { server, model } = await serve([
      reply(run("python", "print('one')"), run("shell", "echo two"), run("javascript", "console.log(3)")),
    ]);
    await using _ = server;
    const { blocks } = await ask(model);
    expect(blocks.map(({ language, code }) => [language, code])).toEqual([
      ["python", "print('one')"],
      ["shell", "echo two"],
      ["javascript", "console.log(3)"],
    ]);
  });

  test.skipIf(inOrder)("calls that arrive at the same time come out one after another", async () => {
    const { server, model } = await serve([
      reply(run("python", "print('a' * 40)"), run("shell", "echo bbbbbbbbbbbbbbbbbbbbbbbbbbbb"), {
        interleave: true,
        chunk: 5,
      }),
    ]);
    await using _ = server;
    const { blocks } = await ask(model);
    expect(blocks.map(({ code }) => code)).toEqual(["print('a' * 40)", "echo bbbbbbbbbbbbbbbbbbbbbbbbbbbb"]);
  });

  test("usage is told before the end", async () => {
    const { server, model } = await serve([reply("Hi.", { usage: { input: 120, output: 30, cached: 100 } })]);
    await using _ = server;
    const told = await ask(model);
    expect(told.usage).toMatchObject({ inputTokens: 120, outputTokens: 30, cachedInputTokens: 100 });
    expect(told.events.at(-2)?.type).toBe("usage");
  });

  test("what came of several blocks goes back, each with its call", async () => {
    const { server, model } = await serve(["Done."]);
    await using _ = server;
    const step = (id: string, output: string): Message[] => [
      { role: "assistant", type: "code", format: "shell", content: `echo ${output}`, id },
      { role: "computer", type: "console", format: "output", content: `${output}\n`, id },
    ];
    const messages = [user("Go."), ...step("blockone1", "first-output"), ...step("blocktwo2", "second-output")];
    expect(await ask(model, { messages })).toMatchObject({ text: "Done.", finish: "stop" });
    const sent = server.requests.find(({ wire }) => wire !== undefined)!.text;
    expect(sent.match(/first-output/g)).toHaveLength(2);
    expect(sent.match(/second-output/g)).toHaveLength(2);
  });

  test("an image is sent along", async () => {
    await using server = await scriptedModel(["A dot."]);
    const choice = { model: name, apiBase: base(server), apiKey: "k", vision: true, env: {} };
    const image: Message = { role: "user", type: "image", format: "base64.png", content: dot };
    await ask(resolveModel(choice), { messages: [image, user("What is it?")] });
    const sent = server.requests.find(({ wire }) => wire !== undefined)!.text;
    expect(sent).toMatch(/iVBORw0KGgo/);
    expect(sent).toContain("What is it?");
  });

  test.skipIf(silent)("reasoning is kept apart from the answer", async () => {
    const { server, model } = await serve([reply(think("Hm, let me think."), "The answer.")]);
    await using _ = server;
    const told = await ask(model);
    expect(told.text).toBe("The answer.");
    expect(told.reasoning).toBe("Hm, let me think.");
  });

  test("the length limit leaves the unfinished block not to be run", async () => {
    const { server, model } = await serve([
      reply(call("execute", '{"language":"python","code":"import os\\nos.remove('), { finish: "length" }),
    ]);
    await using _ = server;
    const told = await ask(model);
    expect(told.finish).toBe("length");
    if (streams) expect(told.blocks).toEqual([{ language: "python", code: "import os\nos.remove(", complete: false }]);
  });

  test("a connection cut in the middle closes the block unfinished and says so", async () => {
    const { server, model } = await serve([
      reply("Some text first. ", run("python", "print('a long enough program to be cut')"), { cutAfter: 4 }),
    ]);
    await using _ = server;
    const told = await ask(model);
    expect(told.text).toBe("Some text first. ");
    expect(told.blocks.every((block) => !block.complete)).toBe(true);
    expect(told.failure?.kind).toBe("cut-off");
    expect(server.requests).toHaveLength(1);
  });

  test("a stream that ends without finishing is a fault, not an answer", async () => {
    const { server, model } = await serve([reply("Some text that never ends", { endAfter: 2 })]);
    await using _ = server;
    const told = await ask(model);
    expect(told.text).toBe("Some text that never end".slice(0, told.text.length));
    expect(told.failure?.kind).toBe("cut-off");
  });

  test("an error in the middle of the stream is told after what was shown", async () => {
    const { server, model } = await serve([reply("Before the error.", { errorEvent: "the engine stopped" })]);
    await using _ = server;
    const told = await ask(model);
    expect(told.text).toBe("Before the error.");
    expect(told.failure?.kind).toBe("cut-off");
    if (!wordless) expect(told.failure?.message).toContain("the engine stopped");
  });

  test("an error before anything was shown is tried again", async () => {
    const { server, model } = await serve([reply({ errorEvent: "overloaded" }), "Now it works."]);
    await using _ = server;
    const told = await ask(model);
    expect(told.text).toBe("Now it works.");
    expect(told.retries).toHaveLength(1);
  });

  test("garbage on the wire does not throw", async () => {
    const { server, model } = await serve([reply({ garbage: "<html>not json" }), "Fine."]);
    await using _ = server;
    const told = await ask(model);
    expect(told.text).toBe("Fine.");
    expect(told.retries).toHaveLength(1);
  });

  test("a wrong key is said plainly, without the key", async () => {
    const { server, model } = await serve([
      reply({
        status: 401,
        body: { error: { message: "Incorrect API key provided: key-of-the-test", type: "x", code: "y" } },
      }),
    ]);
    await using _ = server;
    const told = await ask(model);
    expect(told.failure).toMatchObject({ kind: "authentication", status: 401 });
    expect(JSON.stringify(told.events)).not.toContain("key-of-the-test");
    expect(server.requests).toHaveLength(1);
  });

  test("temperature 0 is sent as 0, and none is sent when none is set", async () => {
    await using server = await scriptedModel(["a", "b"]);
    const choice = { model: name, apiBase: base(server), apiKey: "k", env: {} };
    await ask(resolveModel({ ...choice, temperature: 0 }));
    await ask(resolveModel(choice));
    const temperatures = server.requests.map(
      ({ body }) => body.temperature ?? (body.generationConfig ?? body.inferenceConfig)?.temperature,
    );
    expect(temperatures).toEqual([0, undefined]);
  });

  test("byte by byte it is the same reply", async () => {
    const { server, model } = await serve([reply("Zwölf 🙂.", run("python", "print('é')"), { bytes: true })]);
    await using _ = server;
    const told = await ask(model);
    expect(told.text).toBe("Zwölf 🙂.");
    expect(told.blocks).toEqual([{ language: "python", code: "print('é')", complete: true }]);
  });

  test("aborting ends the stream and hangs up", async () => {
    const { server, model } = await serve([reply(say("One two three four five six"), { stallAfter: 1 })]);
    await using _ = server;
    const controller = new AbortController();
    const told = await ask(model, {
      signal: controller.signal,
      onEvent: (event) => event.type === "text-delta" && controller.abort(),
    });
    expect(told.finish).toBe("aborted");
    expect(await server.requests[0]!.disconnected).toBe(true);
  });
});
