// A real model that runs in this process: small instruct weights, fetched when the tests are set up. What it says is never
// looked at, only that it says something, and what comes of it.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTick } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { Interpreter, type InterpreterOptions } from "../../src/interpreter/index.ts";
import { type Chunk, createGrammar, type Message } from "../../src/messages/index.ts";
import { isInstalled } from "../../src/models/embedded/index.ts";
import { type Model, type ModelChoice, resolveModel } from "../../src/models/index.ts";
import { testPython } from "../support/session.ts";
import { ask, user } from "./ask.ts";

const home = join(import.meta.dirname, "../../.models");
const weights = join(home, "models", "smollm2-135m.gguf");
const missing = !existsSync(weights) || !isInstalled(join(home, "engine"));
if (missing) console.warn("Skipped: the small model is not here. `npm test` gets it, where it can be had.");

const env = { ...process.env, INTERPRETER_HOME: home };
const choice: ModelChoice = { model: "embedded/smollm2-135m", env, temperature: 0, maxTokens: 60 };

/** Three examples of what is wanted: without them a model this small writes no code. */
const examples: Message[] = [
  ["what is 2 plus 2", "print(2 + 2)", "4"],
  ["what is 7 times 6", "print(7 * 6)", "42"],
  ["say hello", 'print("hello")', "hello"],
].flatMap(([question, code, output], index): Message[] => [
  user(question!),
  { role: "assistant", type: "code", format: "python", content: code!, id: `example${index}` },
  { role: "computer", type: "console", format: "output", content: `${output}\n`, id: `example${index}`, status: "ok" },
  { role: "assistant", type: "message", content: `It is ${output}.` },
]);

describe.skipIf(missing)("a model without a server", { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "embedded-test-"));
  const shared = missing ? (undefined as never) : resolveModel(choice);
  afterAll(async () => {
    await shared.close!();
    rmSync(folder, { recursive: true, force: true });
  });

  const interpreterWith = (options: InterpreterOptions) =>
    new Interpreter({
      systemMessage: "Answer with one Python block.",
      executionInstructions: "none",
      messages: examples,
      temperature: 0,
      maxTokens: 60,
      maxSteps: 2,
      autoRun: true,
      cwd: folder,
      python: testPython,
      env,
      ...options,
    });

  test("holds a conversation in which its code runs", async () => {
    await using interpreter = interpreterWith({ model: weights });
    const before = interpreter.messages.length;
    const grammar = createGrammar();
    const turn = interpreter.chat("what is 3 plus 4", { stream: true });
    let step = await turn.next();
    for (; !step.done; step = await turn.next()) expect(grammar.push(step.value)).toBeUndefined();
    expect(grammar.end()).toBeUndefined();
    expect(["done", "limit"]).toContain(step.value);
    const told = interpreter.messages.slice(before);
    const code = told.find(({ role, type }) => role === "assistant" && type === "code");
    expect(code).toMatchObject({ format: "python", content: expect.stringMatching(/\S/) });
    const output = told.find(({ type, id }) => type === "console" && id === code!.id);
    expect(output?.status).toMatch(/^(ok|error)$/);
  });

  test("reads only what is new when the conversation goes on, and counts it", async () => {
    const first = await ask(shared, { messages: [user("Say hello.")] });
    expect(first).toMatchObject({ finish: expect.stringMatching(/^(stop|length)$/) });
    const { inputTokens, outputTokens, cachedInputTokens, cost } = first.usage!;
    expect(inputTokens).toBeGreaterThan(20);
    expect(outputTokens).toBeGreaterThan(0);
    expect([cachedInputTokens, cost]).toEqual([0, 0]);
    const reply: Message = { role: "assistant", type: "message", content: first.text };
    const next = await ask(shared, { messages: [user("Say hello."), reply, user("Say it again.")] });
    expect(next.usage!.cachedInputTokens).toBeGreaterThanOrEqual(inputTokens);
    expect(next.usage!.inputTokens).toBeGreaterThan(next.usage!.cachedInputTokens);
    const other = await ask(shared, { system: "Another one.", messages: [user("Hm?")] });
    expect(other.usage!.cachedInputTokens).toBeLessThan(inputTokens);
  });

  test("answers also when all of it was read before", async () => {
    const question = { messages: [user("Name a colour.")] };
    const once = await ask(shared, question);
    const { usage, failure } = await ask(shared, question);
    expect(failure).toBeUndefined();
    expect(usage).toMatchObject({ cachedInputTokens: once.usage!.inputTokens - 1 });
    expect(usage!.outputTokens).toBeGreaterThan(0);
  });

  test("stops at once when nobody wants it any more, and can be asked again", async () => {
    const endless = resolveModel({ ...choice, maxTokens: undefined });
    const stop = new AbortController();
    const onEvent = () => stop.abort();
    const told = await ask(endless, { messages: [user("Tell a long story.")], signal: stop.signal, onEvent });
    expect(told).toMatchObject({ finish: "aborted" });
    expect(told.failure).toBeUndefined();
    const again = new AbortController();
    const next = ask(endless, { messages: [user("Say hello.")], signal: again.signal, onEvent: () => again.abort() });
    expect((await next).finish).toBe("aborted");
    await endless.close!();
  });

  test("stops while it still reads", async () => {
    const stop = new AbortController();
    const long = user("A sentence of some length, said again and again. ".repeat(300));
    const asking = ask(shared, { messages: [long], signal: stop.signal });
    await nextTick();
    stop.abort();
    expect((await asking).finish).toBe("aborted");
    expect((await ask(shared, { messages: [user("Say hello.")] })).failure).toBeUndefined();
  });

  test("leaves the program free to do other things meanwhile", async () => {
    let ticks = 0;
    let writing = true;
    const counting = (async () => {
      while (writing) {
        await nextTick();
        ticks++;
      }
    })();
    const { usage } = await ask(shared, { messages: [user("Count to twenty.")] });
    writing = false;
    await counting;
    expect(ticks).toBeGreaterThan(usage!.outputTokens);
  });

  test("answers one after the other when asked twice at once", async () => {
    const replies = await Promise.all([
      ask(shared, { messages: [user("Say one.")] }),
      ask(shared, { messages: [user("Say two.")] }),
    ]);
    for (const { failure, usage } of replies) {
      expect(failure).toBeUndefined();
      expect(usage!.outputTokens).toBeGreaterThan(0);
    }
  });

  test("reads as much as its file says, or as much as it is told to", async () => {
    expect(await shared.facts!()).toMatchObject({ contextWindow: 8_192 });
    const small = resolveModel({ ...choice, contextWindow: 512 });
    expect(await small.facts!()).toMatchObject({ contextWindow: 512 });
    const told = await ask(small, { messages: [user("much too long ".repeat(1_000))] });
    expect(told.failure).toMatchObject({ kind: "context-window", message: expect.stringContaining("reads 512") });
    await small.close!();
  });

  test("a reply ends where the conversation is full", async () => {
    const small = resolveModel({ ...choice, contextWindow: 512, maxTokens: undefined });
    const told = await ask(small, { system: "Go on.", messages: [user("one two three ".repeat(110))] });
    expect(told.usage!.inputTokens + told.usage!.outputTokens).toBeLessThanOrEqual(512);
    expect(told.finish).toMatch(/^(length|stop)$/);
    await small.close!();
  });

  test("has no tool calls, and says so by falling back to markdown", async () => {
    const model: Model = resolveModel({ ...choice, dialect: "tool" });
    const told = await ask(model, { messages: [user("Say hello.")] });
    expect(told.failure).toBeUndefined();
    expect(model.dialect).toBe("markdown");
    await model.close!();
  });

  test("half of its file is said to be damaged", async () => {
    const half = join(folder, "half.gguf");
    writeFileSync(half, (await readFile(weights)).subarray(0, 50_000_000));
    const told = await ask(resolveModel({ ...choice, model: half }));
    expect(told.failure).toMatchObject({
      message: expect.stringContaining("is damaged or incomplete"),
      kind: "bad-request",
    });
    expect(told.retries).toEqual([]);
  });

  test("an interrupt of the turn reaches it", async () => {
    await using interpreter = interpreterWith({ model: weights, messages: [], maxTokens: 4_000 });
    const chunks: Chunk[] = [];
    const turn = interpreter.chat("Tell a very long story about the sea.", { stream: true });
    for (;;) {
      const { value, done } = await turn.next();
      if (done) {
        expect(value).toBe("interrupted");
        break;
      }
      chunks.push(value);
      if (value.content) interpreter.interrupt();
    }
    expect(chunks.length).toBeGreaterThan(0);
  });
});
