// The window never overflows: what the model reads is shortened, then summarised; the conversation keeps everything.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Message } from "../../src/messages/index.ts";
import { startInterpreter, type TestInterpreter } from "../support/interpreter.ts";
import { type RecordedRequest, type Reply, reply, run } from "../support/scripted-model.ts";

const isSummaryRequest = ({ text }: RecordedRequest) => text.includes("You write the memory of an assistant");
const long = (name: string, length: number) => `${name} ${"lorem ipsum ".repeat(length / 12)}`;

/** Every call has its result, and every result its call. */
function expectPairs({ body }: RecordedRequest): void {
  const messages = body.messages as { role: string; tool_calls?: { id: string }[]; tool_call_id?: string }[];
  for (const [index, message] of messages.entries()) {
    const calls = message.tool_calls?.map(({ id }) => id) ?? [];
    const results = messages.slice(index + 1, index + 1 + calls.length).map(({ tool_call_id }) => tool_call_id);
    expect(results).toEqual(calls);
  }
  const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls);
  expect(messages.filter(({ role }) => role === "tool")).toHaveLength(calls.length);
}

function refuse(limit: number): Reply {
  const message = `This model's maximum context length is ${limit} tokens. Please reduce the length of the messages.`;
  return reply({ status: 400, body: { error: { message, code: "context_length_exceeded" } } });
}

test("old outputs are shortened first, the newest stay whole, and no summary is asked for", async () => {
  let steps = 0;
  await using it = await startInterpreter(
    () => (++steps <= 8 ? run("python", `print("step ${steps} " + "x" * 2000)`) : "Done."),
    { contextWindow: 5_000 },
  );
  const { end, notices } = await it.tell("go");
  expect(end).toBe("done");
  const last = it.model.requests.at(-1)!;
  const outputs = last.body.messages.filter(({ role }: { role: string }) => role === "tool");
  expect(outputs).toHaveLength(8);
  expect(outputs[0].content).toContain("left out to save room");
  expect(outputs[0].content).toContain("step 1 ");
  expect(outputs.at(-1).content).toBe(`step 8 ${"x".repeat(2000)}\n`);
  expect(it.model.requests.some(isSummaryRequest)).toBe(false);
  expect(new Set(notices.map(({ code }) => code))).toEqual(new Set(["shortened"]));
  for (const request of it.model.requests) expectPairs(request);
  expect(it.interpreter.messages.filter(({ type }) => type === "console").every(isWhole)).toBe(true);
});

const isWhole = ({ content }: Message) => !content.includes("save room");

test("a long conversation goes on from a summary that keeps the task, the model's words and the live variables", async () => {
  await using it = await startInterpreter(
    (request) => {
      if (isSummaryRequest(request)) return "SUMMARY: the totals are in totals.csv";
      return request.text.includes("make a variable") && !request.text.includes("answer = 42\\n")
        ? run("python", "answer = 42\nanswer")
        : long("Well,", 1_200);
    },
    { contextWindow: 4_000 },
  );
  await it.tell("The task: add up sales.csv. First make a variable");
  for (let turn = 0; turn < 8; turn++) await it.tell(long(`Question ${turn}:`, 1_200));
  const summaries = it.interpreter.messages.filter(({ format }) => format === "summary");
  expect(summaries.length).toBeGreaterThan(0);
  const [summary] = summaries;
  expect(summary).toMatchObject({ role: "user", type: "message", recipient: "assistant" });
  expect(summary!.content).toContain("The task: add up sales.csv");
  expect(summary!.content).toContain("SUMMARY: the totals are in totals.csv");
  expect(summary!.content).toMatch(/python: .*answer \(int/);
  const asked = it.model.requests.find(isSummaryRequest)!;
  expect(asked.body.tools).toBeUndefined();
  const last = it.model.requests.at(-1)!;
  expect(last.text).not.toContain("Question 0:".concat(" lorem ipsum lorem ipsum".repeat(40)));
  expect(last.text).toContain("Question 7:");
  expect(last.text.split("this is its summary")).toHaveLength(2);
  // Nothing is lost: the conversation still has every word.
  const said = it.interpreter.messages.filter(({ role, recipient }) => role === "user" && recipient !== "assistant");
  expect(said).toHaveLength(9);
  for (const request of it.model.requests) expectPairs(request);
});

test("a model that says how much it reads is believed, and asked again with less", async () => {
  let refusals = 0;
  await using it = await startInterpreter((request) => {
    if (isSummaryRequest(request)) return "SUMMARY";
    if (request.text.length / 3 > 3_000) {
      refusals++;
      return refuse(3_000);
    }
    return long("Yes,", 900);
  });
  for (let turn = 0; turn < 12; turn++) expect((await it.tell(long(`Part ${turn}`, 1_500))).end).toBe("done");
  // It learns from the first refusal, and needs no second.
  expect(refusals).toBe(1);
});

test("a model that refuses whatever it is sent is asked twice, and the failure is told", async () => {
  await using it = await startInterpreter((request) => (isSummaryRequest(request) ? "SUMMARY" : refuse(2_000)));
  const { end, notices } = await it.tell("hello");
  expect(end).toBe("failed");
  expect(it.model.requests.filter((request) => !isSummaryRequest(request))).toHaveLength(2);
  expect(notices.at(-1)).toMatchObject({ type: "error", code: "context-window" });
});

test("one message that is longer than the window loses its middle, and is answered", async () => {
  await using it = await startInterpreter((request) => (isSummaryRequest(request) ? "SUMMARY" : "Read."), {
    contextWindow: 3_000,
  });
  const pasted = `begin ${"z".repeat(100_000)} end`;
  expect((await it.tell(pasted)).end).toBe("done");
  const { text } = it.model.requests.at(-1)!;
  expect(text.length).toBeLessThan(9_000);
  expect(text).toMatch(/begin z+.*characters left out to save room.*z+ end/);
  expect(it.interpreter.messages[0]!.content).toBe(pasted);
});

test("when no summary can be had, the first lines of each step take its place", async () => {
  await using it = await startInterpreter(
    (request) =>
      isSummaryRequest(request) ? reply({ status: 400, body: { error: { message: "no" } } }) : long("Well,", 1_500),
    { contextWindow: 3_000 },
  );
  for (let turn = 0; turn < 8; turn++) await it.tell(long(`Question ${turn}:`, 1_000));
  const summary = it.interpreter.messages.find(({ format }) => format === "summary")!;
  expect(summary.content).toContain("What was done, step by step");
  expect(summary.content).toContain("USER: Question 1:");
});

test("compacting by hand replaces everything, and can be stopped", async () => {
  await using it = await startInterpreter((request) =>
    isSummaryRequest(request) ? reply("SUMMARY of it", { drip: 5 }) : "Fine.",
  );
  await it.tell("remember the number 7");
  for await (const chunk of it.interpreter.compact()) if (chunk.code === "compacting") it.interpreter.interrupt();
  expect(it.interpreter.messages).toHaveLength(2);
  for await (const _ of it.interpreter.compact());
  expect(it.interpreter.messages.at(-1)).toMatchObject({ format: "summary", covers: 2 });
  await it.tell("which number?");
  const { messages } = it.model.requests.at(-1)!.body;
  expect(messages.map(({ role }: { role: string }) => role)).toEqual(["system", "user"]);
  expect(messages[1].content).toContain("SUMMARY of it");
  expect(messages[1].content).toContain("which number?");
});

test("a conversation that was compacted and is gone on with reads the summary again", async () => {
  const script = (request: RecordedRequest) => (isSummaryRequest(request) ? "SUMMARY of it" : "Fine.");
  await using first = await startInterpreter(script);
  await first.tell("the first words");
  for await (const _ of first.interpreter.compact());
  await using second = await startInterpreter(script, { messages: first.interpreter.messages });
  await second.tell("and now?");
  expect(second.model.requests[0]!.text).toContain("SUMMARY of it");
  // The first words stand in the summary, and no longer by themselves.
  expect(second.model.requests[0]!.text.split("the first words")).toHaveLength(2);
});

/** A model that really has a window: it refuses every request longer than it. */
async function withWindow(window: number, tokensOfByte: number, outputs: readonly number[]): Promise<number> {
  let refused = 0;
  let step = 0;
  let it: TestInterpreter | undefined;
  const script = (request: RecordedRequest) => {
    const input = Math.ceil(request.text.length * tokensOfByte);
    if (input > window) {
      refused++;
      return refuse(window);
    }
    const usage = { input, output: 10 };
    if (isSummaryRequest(request)) return reply("SUMMARY", { usage });
    expectPairs(request);
    const size = outputs[step++];
    return size === undefined ? reply("Done.", { usage }) : reply(run("python", `print("y" * ${size})`), { usage });
  };
  try {
    it = await startInterpreter(script, { contextWindow: window, maxSteps: 1_000 });
    expect((await it.tell("go")).end).toBe("done");
    expect(step).toBe(outputs.length + 1);
    return refused;
  } finally {
    await it?.[Symbol.asyncDispose]();
  }
}

test("whatever blocks print, and however the model counts, no request is longer than the window", {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 3_000, max: 12_000 }),
      fc.double({ min: 0.2, max: 0.33, noNaN: true }),
      fc.array(fc.integer({ min: 0, max: 6_000 }), { minLength: 5, maxLength: 25 }),
      async (window, tokensOfByte, outputs) => {
        expect(await withWindow(window, tokensOfByte, outputs)).toBe(0);
      },
    ),
    { numRuns: 12 },
  );
});

test("what was sent stays the same, byte for byte, and costs hardly more than what it says", async () => {
  let steps = 0;
  const code = (step: number) => `total = ${step}\nprint("after step", total, "of ten; the folder has three files")`;
  await using it = await startInterpreter(() =>
    steps++ < 10
      ? reply(`Now step ${steps} of the work on the files.`, run("python", code(steps)))
      : "All ten are done.",
  );
  await it.tell("Do the ten steps of this task, one after the other.");
  const bodies = it.model.requests.map(({ body }) => body);
  expect(bodies).toHaveLength(11);
  for (const [index, body] of bodies.slice(1).entries()) {
    const before = bodies[index];
    expect(JSON.stringify({ ...body, messages: body.messages.slice(0, before.messages.length) })).toBe(
      JSON.stringify(before),
    );
  }
  // The same conversation by hand, with nothing but what the wire demands.
  const { messages, ...rest } = bodies.at(-1);
  const words = (list: { content?: string; tool_calls?: { function: { arguments: string } }[] }[]) =>
    list.flatMap(({ content, tool_calls = [] }) => [
      content ?? "",
      ...tool_calls.map((call) => call.function.arguments),
    ]);
  const bare = [
    "Do the ten steps of this task, one after the other.",
    ...Array.from({ length: 10 }, (_, index) => [
      `Now step ${index + 1} of the work on the files.`,
      JSON.stringify({ language: "python", code: code(index + 1) }),
      `after step ${index + 1} of ten; the folder has three files\n`,
    ]).flat(),
  ];
  const sent = words(messages.slice(1)).filter(Boolean).join("");
  expect(sent.length).toBeLessThanOrEqual(bare.join("").length * 1.01);
  expect(JSON.stringify(rest).length + messages[0].content.length).toBeLessThanOrEqual(4_000);
});
