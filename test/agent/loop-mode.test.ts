// Loop mode: a model that stops without saying why is told to go on, and what it is told is nobody's message.

import { describe, expect, test } from "vitest";
import { brief, startInterpreter } from "../support/interpreter.ts";
import { reply, run, say } from "../support/scripted-model.ts";

type Sent = { role: string; content: string | null };
const sentTo = (request: { body: { messages: Sent[] } }): Sent[] => request.body.messages;

describe("with --loop", () => {
  test("a reply without code is answered with the loop message, until a breaker is said", async () => {
    await using it = await startInterpreter(
      ["I will list the files.", run("shell", "echo hi"), "That went well.", "All is there. Task finished."],
      { loop: true },
    );
    const { end } = await it.tell("tidy up");
    expect(end).toBe("done");
    expect(it.interpreter.messages.map(brief)).toEqual([
      "user message: tidy up",
      "assistant message: I will list the files.",
      "assistant code shell: echo hi",
      "computer console: hi",
      "assistant message: That went well.",
      "assistant message: All is there. Task finished.",
    ]);
    const last = it.model.requests.map((request) => sentTo(request).at(-1)!);
    expect(last[1]).toMatchObject({ role: "user", content: expect.stringContaining("Task finished.") });
    expect(last[3]).toEqual(last[1]);
  });

  test("what it was told before is not told again, and sides take turns", async () => {
    for (const llmSupportsFunctions of [true, false]) {
      const block = llmSupportsFunctions ? run("shell", "echo hi") : "```shell\necho hi\n```";
      await using it = await startInterpreter(["First.", "Second.", block, "Third.", "Task finished."], {
        loop: true,
        llmSupportsFunctions,
      });
      await it.tell("go");
      for (const request of it.model.requests) {
        const sent = sentTo(request);
        expect(sent.filter(({ content }) => content?.startsWith("(Nobody")).length).toBeLessThanOrEqual(1);
        const sides = sent.filter(({ role }) => role !== "system" && role !== "tool").map(({ role }) => role);
        for (const [index, side] of sides.entries())
          if (index > 0 && side === "user") expect(sides[index - 1]).not.toBe("user");
        expect(sides[0]).toBe("user");
      }
      const third = sentTo(it.model.requests[2]!);
      expect(third.at(-2)).toMatchObject({ role: "assistant", content: "First.\n\nSecond." });
    }
  });

  test.each([
    "The task is done.",
    "the task is done!",
    "**The task is impossible.**",
    "Fine. Let me know what you’d like to do next",
    "Which file? PLEASE PROVIDE MORE INFORMATION.",
    "Ready.\n\nTask finished",
    "Sorry: task impossible.",
    "Is it this one? I need an answer to go on.",
    "Here it is. Your turn!",
  ])("%j ends it", async (said) => {
    await using it = await startInterpreter([said], { loop: true });
    expect((await it.tell("go")).end).toBe("done");
    expect(it.model.requests).toHaveLength(1);
  });

  test.each([
    "I will go on until the task is done and dusted.",
    "Once the task is done I will say so.",
    "It is not clear whether the task is impossible or only hard.",
    "Now it is your turn to shine.",
  ])("%j does not", async (said) => {
    await using it = await startInterpreter([said, "Task finished."], { loop: true });
    await it.tell("go");
    expect(it.model.requests).toHaveLength(2);
  });

  test("the words can be one's own", async () => {
    await using it = await startInterpreter(["Task finished.", "Hm.", "✅ ship it"], {
      loop: true,
      loopMessage: "Weiter! {breakers}",
      loopBreakers: ["Fertig.", "✅"],
    });
    await it.tell("go");
    expect(it.model.requests).toHaveLength(3);
    expect(sentTo(it.model.requests[1]!).at(-1)!.content).toBe("Weiter! Fertig.\n✅");
    expect(sentTo(it.model.requests[0]!)[0]!.content).toMatch(/Fertig\.\n✅$/);
  });

  test("the system message tells about it, and is the same in every request", async () => {
    await using it = await startInterpreter(["Hm.", "Task finished."], { loop: true, customInstructions: "Be brief." });
    await it.tell("go");
    const systems = it.model.requests.map((request) => sentTo(request)[0]!.content);
    expect(systems[0]).toMatch(/Be brief\.\n\n[\s\S]*Task impossible\./);
    expect(systems[1]).toBe(systems[0]);
  });

  test("replies without any code do not go on for ever", async () => {
    await using it = await startInterpreter(() => "I am thinking about it.", { loop: true });
    const { end, notices } = await it.tell("go");
    expect(end).toBe("limit");
    expect(it.model.requests).toHaveLength(5);
    expect(notices).toMatchObject([{ type: "notice", code: "loop", content: expect.stringContaining("5 replies") }]);
  });

  test("code begins the count anew, and the limit of steps still holds", async () => {
    let count = 0;
    await using it = await startInterpreter(
      () => (count++ % 3 === 2 ? run("python", `print(${count})`) : "I am thinking about it."),
      { loop: true, maxSteps: 2 },
    );
    const { end, notices } = await it.tell("go");
    expect(end).toBe("limit");
    expect(notices.at(-1)).toMatchObject({ code: "step-limit" });
    expect(it.model.requests).toHaveLength(9);
  });

  test("an interrupt ends it", async () => {
    await using it = await startInterpreter(() => "I am thinking about it.", { loop: true });
    let replies = 0;
    const { end } = await it.tell("go", (chunk) => {
      if (chunk.role === "assistant" && chunk.end && ++replies === 2) it.interpreter.interrupt();
    });
    expect(end).toBe("interrupted");
    expect(it.model.requests.length).toBeLessThan(5);
  });

  test("what the person says meanwhile takes the place of the loop message", async () => {
    await using it = await startInterpreter([reply(say("Hm, let me see."), { chunk: 4 }), "Task finished."], {
      loop: true,
    });
    let told = false;
    await it.tell("go", () => {
      if (!told) it.interpreter.say("use the other file");
      told = true;
    });
    expect(sentTo(it.model.requests[1]!).at(-1)).toEqual({ role: "user", content: "use the other file" });
  });

  test("what the person wrote stays in their template, and the loop message does not go into it", async () => {
    await using it = await startInterpreter(["Hm.", "Task finished."], {
      loop: true,
      userMessageTemplate: "<{content}>",
    });
    await it.tell("go");
    const sent = sentTo(it.model.requests[1]!);
    expect(sent[1]!.content).toBe("<go>");
    expect(sent.at(-1)!.content).toMatch(/^\(Nobody/);
  });
});

test("without --loop a reply without code ends the turn", async () => {
  await using it = await startInterpreter(["I will list the files."]);
  expect((await it.tell("go")).end).toBe("done");
  expect(JSON.stringify(it.model.requests[0]!.body)).not.toContain("Task finished");
});

test("a server without tools is said to be asked in markdown, once", async () => {
  await using it = await startInterpreter([
    reply({ status: 400, body: { error: { message: "this model does not support tools" } } }),
    "```python\nprint(1)\n```",
    "One.",
  ]);
  const { notices, end } = await it.tell("go");
  expect(end).toBe("done");
  expect(notices.map(({ content }) => content)).toEqual([
    expect.stringMatching(/no tool calls.*in markdown instead\.$/),
  ]);
});
