// What our loop adds to what a conversation says, and what it costs to look after a long one.

import { ContextWindow } from "../src/agent/context/window.ts";
import type { Message } from "../src/messages/index.ts";
import { reply, run, scriptedModel } from "../test/support/scripted-model.ts";
import { least, type Row, timed } from "./measure.ts";

/** As it is shipped. */
const built = "../dist/index.js";

export async function measureContext(): Promise<Row[]> {
  return [await tenSteps(), await longConversation()];
}

interface ChatMessage {
  content?: string;
  tool_calls?: { function: { arguments: string } }[];
}

/** Everything a model reads of a list of messages. */
const words = (messages: readonly ChatMessage[]): number =>
  messages
    .flatMap(({ content, tool_calls = [] }) => [content ?? "", ...tool_calls.map((call) => call.function.arguments)])
    .reduce((sum, text) => sum + Buffer.byteLength(text), 0);

async function tenSteps(): Promise<Row> {
  const { Interpreter } = (await import(built)) as typeof import("../src/index.ts");
  const task = "Do the ten steps of this task, one after the other.";
  const said = (step: number) => `Now step ${step} of the work on the files.`;
  const code = (step: number) => `total = ${step}\nprint("after step", total, "of ten; the folder has three files")`;
  const output = (step: number) => `after step ${step} of ten; the folder has three files\n`;
  let step = 0;
  await using model = await scriptedModel(() =>
    step++ < 10 ? reply(said(step), run("python", code(step))) : "All ten are done.",
  );
  await using interpreter = new Interpreter({ model: "openai-chat/scripted", apiBase: model.openai, autoRun: true });
  for await (const _ of interpreter.chat(task, { stream: true }));

  let ours = 0;
  let bare = 0;
  for (const [steps, { body }] of model.requests.entries()) {
    const fixed = Buffer.byteLength(JSON.stringify(body.tools)) + Buffer.byteLength(body.messages[0].content);
    ours += fixed + words(body.messages.slice(1));
    const by = [task];
    for (let each = 1; each <= steps; each++)
      by.push(said(each), JSON.stringify({ language: "python", code: code(each) }), output(each));
    bare += fixed + Buffer.byteLength(by.join(""));
  }
  return {
    what: "ten-step conversation, text sent in all requests",
    value: ours,
    unit: "bytes",
    floor: { what: "bare content", value: bare },
    budget: { times: 1.01 },
  };
}

async function longConversation(): Promise<Row> {
  const messages = Array.from({ length: 1_000 }, (_, turn): Message[] => [
    { role: "user", type: "message", content: `question ${turn} ${"words ".repeat(20)}` },
    { role: "assistant", type: "code", format: "python", content: "print(1)\n".repeat(20), id: String(turn) },
    { role: "computer", type: "console", format: "output", content: "output\n".repeat(50), id: String(turn) },
    { role: "assistant", type: "message", content: "answer ".repeat(60) },
  ]).flat();
  const context = new ContextWindow();
  context.size(context.view(messages));
  const value = await least(20, () => timed(() => context.size(context.view(messages))));
  return { what: "look after the context of 1 000 turns, each request", value, unit: "ms", budget: { value: 5 } };
}
