// A budget pauses and asks; without a person it ends the turn. The month is added up across conversations.

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { latestConversation, openSpending } from "../../src/conversations/index.ts";
import type { Model, ModelEvent, Usage } from "../../src/models/index.ts";
import { startInterpreter, type TestInterpreter } from "../support/interpreter.ts";

/** A model of the library's user, whose every request costs the same. */
function costing(cost: number | undefined, steps = 3): Model {
  let asked = 0;
  return {
    id: "my/model",
    dialect: "tool",
    async *stream(): AsyncGenerator<ModelEvent> {
      const id = `block${asked}`;
      if (asked++ % (steps + 1) < steps) {
        yield { type: "code-start", id, language: "python" };
        yield { type: "code-delta", id, text: `print(${asked})` };
        yield { type: "code-end", id, complete: true };
      } else yield { type: "text-delta", text: "Done." };
      const usage: Usage = { inputTokens: 100, outputTokens: 10, cachedInputTokens: 50, reasoningTokens: 0 };
      yield { type: "usage", usage: cost === undefined ? usage : { ...usage, cost } };
      yield { type: "finish", reason: "stop" };
    },
  };
}

const outputs = (it: TestInterpreter) => it.interpreter.messages.filter(({ type }) => type === "console").length;

test("without a person the turn ends where the budget does, and what was done is kept", async () => {
  await using it = await startInterpreter([], { model: costing(0.02), maxBudget: 0.03 });
  const { end, notices } = await it.tell("go");
  expect(end).toBe("budget");
  expect(outputs(it)).toBe(2);
  expect(notices.at(-1)).toMatchObject({
    type: "error",
    code: "budget",
    content: "This conversation has cost $0.040, and the budget is $0.030.",
    hint: "Raise --max_budget to go on.",
  });
  expect(it.interpreter.usage).toMatchObject({ requests: 2, cost: 0.04, unpriced: 0, inputTokens: 200 });
});

test("a person is asked, and the turn goes on with what they allow", async () => {
  const asked: unknown[] = [];
  await using it = await startInterpreter([], {
    model: costing(0.02),
    maxBudget: 0.03,
    askBudget: async (over) => {
      asked.push(over);
      return 1;
    },
  });
  expect((await it.tell("go")).end).toBe("done");
  expect(asked).toEqual([{ of: "conversation", spent: 0.04, limit: 0.03 }]);
});

test("a person who says no ends the turn", async () => {
  await using it = await startInterpreter([], {
    model: costing(0.02),
    maxBudget: 0.03,
    askBudget: async () => undefined,
  });
  expect((await it.tell("go")).end).toBe("budget");
});

test("a price that is not known is said once, and nothing is stopped for it", async () => {
  await using it = await startInterpreter([], { model: costing(undefined), maxBudget: 0.01 });
  const { end, notices } = await it.tell("go");
  expect(end).toBe("done");
  expect(notices.map(({ code }) => code)).toEqual(["unknown-price"]);
  expect(it.interpreter.usage).toMatchObject({ requests: 4, cost: 0, unpriced: 4 });
});

test("each usage tells the totals so far", async () => {
  await using it = await startInterpreter([], { model: costing(0.5, 1) });
  const { chunks } = await it.tell("go");
  const totals = chunks.filter(({ type }) => type === "usage").map(({ content }) => content);
  expect(totals).toMatchObject([
    { cost: 0.5, model: "my/model", total: { requests: 1, cost: 0.5 } },
    { cost: 0.5, total: { requests: 2, cost: 1, cachedInputTokens: 100 } },
  ]);
});

test("the budget of a conversation holds when it is gone on with", async () => {
  await using it = await startInterpreter([], { model: costing(0.02, 0), conversation: true });
  await it.tell("go");
  const home = join(it.folder, ".home");
  const conversation = latestConversation(join(home, "conversations"), it.folder)!;
  expect(conversation.usage).toMatchObject([{ inputTokens: 100, cost: 0.02 }]);
  expect(conversation.messages.map(({ content }) => content)).toEqual(["go", "Done."]);
  await using next = await startInterpreter([], { model: costing(0.02), maxBudget: 0.02, conversation });
  const codes: (string | undefined)[] = [];
  for await (const { code } of next.interpreter.chat("go on", { stream: true })) codes.push(code);
  expect(codes).toEqual(["budget"]);
});

test("the month is added up across conversations, and can be capped", async () => {
  const home = mkdtempSync(join(tmpdir(), "interpreter-month-"));
  const options = () => ({ model: costing(0.4, 0), monthlyBudget: 1, env: { ...process.env, INTERPRETER_HOME: home } });
  try {
    for (const spent of [0.4, 0.8, 1.2]) {
      await using it = await startInterpreter([], options());
      expect((await it.tell("go")).end).toBe("done");
      expect(it.interpreter.spentThisMonth).toBeCloseTo(spent);
    }
    await using it = await startInterpreter([], options());
    const { end, notices } = await it.tell("go");
    expect(end).toBe("budget");
    expect(notices.at(-1)).toMatchObject({
      content: "This month's conversations have cost $1.20, and the budget is $1.00.",
      hint: "Raise --monthly_budget to go on.",
    });
  } finally {
    rmSync(home, { recursive: true });
  }
});

test("the ledger of a month is private, survives a damaged line, and a new month begins at nothing", () => {
  const folder = mkdtempSync(join(tmpdir(), "interpreter-ledger-"));
  let date = new Date(2026, 10, 30, 23);
  const usage: Usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0, cost: 0.5 };
  try {
    const one = openSpending(folder, () => date);
    const other = openSpending(folder, () => date);
    one.add("a", "m", usage);
    expect(other.month()).toBe(0.5);
    const file = join(folder, "2026-11.jsonl");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, '{"cost": 0.2\n{"cost":-7}\n\n{"cost":0.25}\n{"cos', { flag: "a" });
    expect(one.month()).toBe(0.75);
    writeFileSync(file, 't":1}\n', { flag: "a" });
    expect(one.month()).toBe(1.75);
    date = new Date(2026, 11, 1, 0);
    expect(one.month()).toBe(0);
    expect(readFileSync(file, "utf8")).toContain('"model":"m"');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a summary by hand is no way around the budget", async () => {
  await using it = await startInterpreter([], { model: costing(0.02, 0), maxBudget: 0.01 });
  await it.tell("go");
  const codes: (string | undefined)[] = [];
  for await (const { code } of it.interpreter.compact()) codes.push(code);
  expect(codes).toEqual(["budget"]);
  expect(it.interpreter.usage.requests).toBe(1);
});
