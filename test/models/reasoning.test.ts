// Thinking: how hard a model is asked to think, and how what it thought comes back to it with the calls it led to. The scripted
// servers refuse, as the real ones do, thinking of their own that is missing or changed.

import { describe, expect, test } from "vitest";
import type { Interpreter } from "../../src/interpreter/index.ts";
import type { Message } from "../../src/messages/index.ts";
import { resolveModel } from "../../src/models/index.ts";
import { startInterpreter } from "../support/interpreter.ts";
import {
  type ReplyOptions,
  reply,
  run,
  type ScriptedModel,
  say,
  scriptedModel,
  think,
  thinkSealed,
} from "../support/scripted-model.ts";
import { ask, user } from "./ask.ts";

// biome-ignore lint/suspicious/noExplicitAny: a body has the shape of its wire
type Body = any;

const wires = {
  "openai-responses/gpt-5.4": "responses",
  "anthropic/claude-sonnet-5": "anthropic",
  "anthropic/claude-sonnet-4-5": "anthropic",
  "google/gemini-3-pro": "google",
  "google/gemini-2.5-flash": "google",
  "openai/deepseek-reasoner": "openai",
  "openrouter/anthropic/claude-sonnet-5": "openrouter",
  "xai/grok-4": "xai",
  "bedrock/anthropic.claude-sonnet-4-5-v1:0": "bedrock",
  "mistral/magistral-medium": "mistral",
} as const;

/** The requests for a reply; what is asked of a server before that does not count. */
const asked = ({ requests }: ScriptedModel) => requests.filter(({ wire }) => wire !== undefined);

/** What a request says about thinking. */
async function saidOf(model: string, wire: string, reasoningEffort?: string): Promise<Body> {
  await using server = await scriptedModel(["ok"]);
  const apiBase = (server as unknown as Record<string, string>)[wire]!;
  await ask(resolveModel({ model, apiBase, apiKey: "k", env: {}, reasoningEffort }));
  return asked(server)[0]!.body;
}

describe("how hard to think", () => {
  test.each(Object.entries(wires))("%s is told nothing unless the person says so", async (model, wire) => {
    const body = await saidOf(model, wire);
    expect(JSON.stringify(body)).not.toMatch(/effort|thinking|"reasoning":|"summary"/i);
  });

  test("OpenAI: an effort, a summary to read, and the thinking itself sealed", async () => {
    const body = await saidOf("openai-responses/gpt-5.4", "responses", "high");
    expect(body.reasoning).toEqual({ effort: "high", summary: "detailed" });
    expect(body.include).toEqual(["reasoning.encrypted_content"]);
    expect(body.store).toBe(false);
    expect((await saidOf("openai-chat/gpt-5.4", "openai", "low")).reasoning_effort).toBe("low");
  });

  test("Anthropic: an effort where the model has them, a budget where it has not", async () => {
    const adaptive = await saidOf("anthropic/claude-sonnet-5", "anthropic", "high");
    expect(adaptive.thinking).toEqual({ type: "adaptive", display: "summarized" });
    expect(adaptive.output_config).toEqual({ effort: "high" });
    const budget = await saidOf("anthropic/claude-sonnet-4-5", "anthropic", "low");
    expect(budget.thinking).toEqual({ type: "enabled", budget_tokens: 6400 });
    expect((await saidOf("anthropic/claude-sonnet-4-5", "anthropic", "none")).thinking).toEqual({ type: "disabled" });
  });

  test("Google: a level or a budget, and thoughts to read", async () => {
    const level = await saidOf("google/gemini-3-pro", "google", "high");
    expect(level.generationConfig.thinkingConfig).toEqual({ thinkingLevel: "high", includeThoughts: true });
    const budget = await saidOf("google/gemini-2.5-flash", "google", "low");
    expect(budget.generationConfig.thinkingConfig).toMatchObject({ includeThoughts: true });
    expect(budget.generationConfig.thinkingConfig.thinkingBudget).toBeGreaterThan(1000);
    const none = await saidOf("google/gemini-2.5-flash", "google", "none");
    expect(none.generationConfig.thinkingConfig).toEqual({ thinkingBudget: 0 });
  });

  test("a server of unknown kind: the field that most know", async () => {
    expect((await saidOf("openai/qwen3", "openai", "medium")).reasoning_effort).toBe("medium");
  });

  test.each([
    ["openai-responses/gpt-5", "responses", "none", (body: Body) => body.reasoning.effort, "minimal"],
    ["openai-responses/o3", "responses", "xhigh", (body: Body) => body.reasoning.effort, "high"],
    ["anthropic/claude-opus-4-6", "anthropic", "xhigh", (body: Body) => body.output_config.effort, "high"],
    ["anthropic/claude-sonnet-5", "anthropic", "minimal", (body: Body) => body.output_config.effort, "low"],
    [
      "google/gemini-3-pro",
      "google",
      "none",
      (body: Body) => body.generationConfig.thinkingConfig.thinkingLevel,
      "low",
    ],
  ])("%s: the nearest effort it has", async (model, wire, wanted, read, expected) => {
    expect(read(await saidOf(model, wire, wanted))).toBe(expected);
  });

  test("a server that knows no effort is asked again without, and from then on", async () => {
    await using server = await scriptedModel(["ok", "ok"]);
    const model = resolveModel({ model: "strict", apiBase: server.openai, env: {}, reasoningEffort: "high" });
    const told = await ask(model);
    expect(told.text).toBe("ok");
    expect(told.retries[0]?.message).toMatch(/does not take this reasoning effort with strict: it is asked without/);
    await ask(model);
    expect(asked(server).map(({ body }) => body.reasoning_effort)).toEqual(["high", undefined, undefined]);
  });
});

/** A conversation that was written to disk and read again. */
const stored = (interpreter: Interpreter): Message[] => JSON.parse(JSON.stringify(interpreter.messages));

const start = (
  model: string,
  wire: Parameters<typeof startInterpreter>[2],
  script: Parameters<typeof startInterpreter>[0],
  messages?: Message[],
) => startInterpreter(script, { model, apiKey: "k", reasoningEffort: "low", ...(messages && { messages }) }, wire);

/** Marks of where to cache up to move on with the conversation. */
const withoutMarks = (body: string): string =>
  body
    .replaceAll(/,"cache_control":\{"type":"ephemeral"\}|,\{"cachePoint":\{"type":"default"\}\}/g, "")
    .replaceAll(/"content":\[\{"type":"text","text":("[^"]*")\}\]/g, '"content":$1');

const kinds = (blocks: { type: string }[]): string[] => blocks.map(({ type }) => type);

describe.each(Object.entries(wires))("%s gets its thinking back", (model, wire) => {
  const thoughtful = (code: string, options: ReplyOptions = {}) =>
    reply(think(`I should run ${code}. Ünïcödé 🙂 "quoted".`), say("Let me see."), run("python", code), options);

  test("in each step of a turn, and when the conversation is gone on with", async () => {
    await using first = await start(model, wire, [
      thoughtful("print(1)"),
      thoughtful("print(2)", { chunk: 3 }),
      reply(think("Now I know."), "Three."),
    ]);
    expect((await first.tell("add")).end).toBe("done");
    expect(asked(first.model)).toHaveLength(3);

    const messages = stored(first.interpreter);
    first.interpreter.messages = messages;
    const { end, notices } = await first.tell("and now?");
    expect(notices).toEqual([]);
    expect(end).toBe("done");
  });

  test("when a step has no words, and the bytes already read stay the same", async () => {
    await using told = await start(model, wire, [
      reply(think("One."), run("python", "print(1)")),
      reply(think("Two."), run("python", "print(2)")),
      reply(run("python", "print(3)")),
      "Done.",
    ]);
    expect((await told.tell("go")).end).toBe("done");
    const lists = asked(told.model).map(({ body }) => body.messages ?? body.input ?? body.contents);
    const bytes = lists.map((list) => withoutMarks(JSON.stringify(list)).slice(0, -1));
    for (const [index, earlier] of bytes.slice(0, -1).entries())
      expect(bytes[index + 1]!.startsWith(earlier)).toBe(true);
  });

  test("when one reply has several blocks", async () => {
    await using told = await start(model, wire, [
      reply(think("Both."), run("python", "print(1)"), say("And"), run("python", "print(2)")),
      reply(think("Hm."), "Done."),
      "More.",
    ]);
    expect((await told.tell("go")).end).toBe("done");
    expect((await told.tell("more")).end).toBe("done");
    expect(told.interpreter.messages.filter(({ sameReply }) => sameReply).map(({ type }) => type)).toEqual([
      "message",
      "code",
    ]);
  });

  test("but nobody else does", async () => {
    await using told = await start(model, wire, [thoughtful("print(1)"), reply(think("Hm."), "One.")]);
    await told.tell("go");
    for (const [other, at] of Object.entries(wires)) {
      if (other === model) continue;
      await using server = await scriptedModel(["ok"]);
      const apiBase = (server as unknown as Record<string, string>)[at]!;
      const { text } = await ask(
        resolveModel({ model: other, apiBase, apiKey: "k", env: {}, reasoningEffort: "low" }),
        {
          messages: [...stored(told.interpreter), user("go on")],
        },
      );
      expect(text).toBe("ok");
      expect(asked(server)[0]!.text).not.toMatch(/seal-|I should run/);
    }
  });

  test("not when it was cut off", async () => {
    await using told = await start(model, wire, [
      reply(think("A long thought that breaks off."), "Hi", { chunk: 4, cutAfter: 3 }),
      "Again.",
    ]);
    expect((await told.tell("go")).end).toBe("done");
    expect(asked(told.model)[1]!.text).not.toContain("A long");
  });
});

describe("Anthropic", () => {
  const model = "anthropic/claude-sonnet-4-5";

  test("sealed thinking goes back with the rest, in its place", async () => {
    await using told = await start(model, "anthropic", [
      reply(think("Plain."), thinkSealed("secret"), think("Plain again."), run("python", "print(1)")),
      "One.",
    ]);
    expect((await told.tell("go")).end).toBe("done");
    expect(kinds(asked(told.model)[1]!.body.messages[1].content)).toEqual([
      "thinking",
      "redacted_thinking",
      "thinking",
      "tool_use",
    ]);
    expect(told.interpreter.messages.map(({ content }) => content).join()).not.toContain("secret");
  });

  test("a turn that began without thinking goes on without, and the next one thinks again", async () => {
    const begun: Message[] = [
      user("go"),
      { role: "assistant", type: "code", format: "python", content: "print(1)", id: "aaaaaaaaa" },
      { role: "computer", type: "console", format: "output", content: "1\n", id: "aaaaaaaaa" },
    ];
    await using server = await scriptedModel([reply("One."), reply(think("Hm."), "Two.")]);
    const choice = { model, apiBase: server.anthropic, apiKey: "k", env: {}, reasoningEffort: "low" };
    expect((await ask(resolveModel(choice), { messages: begun })).text).toBe("One.");
    const later = [...begun, { role: "assistant", type: "message", content: "One." } as Message, user("and?")];
    expect((await ask(resolveModel(choice), { messages: later })).text).toBe("Two.");
    expect(asked(server).map(({ body }) => body.thinking?.type)).toEqual([undefined, "enabled"]);
  });

  test("a changed thought would be refused", async () => {
    await using told = await start(model, "anthropic", [reply(think("True."), run("python", "1")), "One.", "Two."]);
    await told.tell("go");
    const messages = stored(told.interpreter).map((message) =>
      message.type === "reasoning" ? { ...message, content: "False." } : message,
    );
    told.interpreter.messages = messages;
    expect((await told.tell("and?")).notices[0]?.content).toContain("Invalid `signature`");
  });
});

test("Gemini gets back the signature of each call it made, and of its answer", async () => {
  await using told = await start("google/gemini-3-pro", "google", [
    reply(think("Hm."), run("python", "print(1)")),
    reply(think("So."), "One."),
    "Two.",
  ]);
  await told.tell("go");
  await told.tell("and?");
  const { contents } = asked(told.model)[2]!.body;
  expect(contents[1].parts.at(-1).thoughtSignature).toMatch(/^seal-/);
  expect(contents[3].parts.at(-1)).toEqual({ text: "One.", thoughtSignature: expect.stringMatching(/^seal-/) });
});

test("thinking without a seal goes back with calls only, and not to a server that does not know it", async () => {
  const chatting = { "openai/deepseek-v3": "openai", strict: "openai" } as const;
  for (const [model, wire] of Object.entries(chatting)) {
    await using told = await start(model, wire, [
      reply(think("Hm."), run("python", "print(1)")),
      reply(think("So."), "One."),
      "Two.",
    ]);
    expect((await told.tell("go")).end).toBe("done");
    expect((await told.tell("and?")).end).toBe("done");
    const last = asked(told.model).at(-1)!.body.messages;
    expect(last.map(({ reasoning_content: back }: Body) => back)).toEqual(
      model === "strict" ? Array(6).fill(undefined) : [undefined, undefined, "Hm.", undefined, undefined, undefined],
    );
  }
});
