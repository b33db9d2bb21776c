// Everything that reads what others wrote, given what nobody should have written: it never throws what it does not
// mean to, and never loses count.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readFault } from "../../src/models/fault.ts";
import { type Chunk, createChatReply } from "../../src/models/providers/chat/reply.ts";
import { readServerEvents } from "../../src/models/providers/chat/server-events.ts";
import {
  checkValue,
  InputProblem,
  loadSettings,
  type Option,
  options,
  readCommandLine,
} from "../../src/settings/index.ts";
import { read } from "./read.ts";

const id = fc.constantFrom("a", "b", "");
const delta = fc.constantFrom(
  '{"language":"python","code":"1"}',
  '{"code":"',
  "x",
  '"}',
  "",
  "<tool_call>",
  "```python\n",
);
const part: fc.Arbitrary<LanguageModelV4StreamPart> = fc.oneof(
  fc.record({ type: fc.constant("text-start" as const), id }),
  fc.record({ type: fc.constant("text-delta" as const), id, delta }),
  fc.record({ type: fc.constant("text-end" as const), id }),
  fc.record({ type: fc.constant("reasoning-start" as const), id }),
  fc.record({ type: fc.constant("reasoning-delta" as const), id, delta }),
  fc.record({ type: fc.constant("reasoning-end" as const), id }),
  fc.record({ type: fc.constant("tool-input-start" as const), id, toolName: fc.constantFrom("execute", "bash", "") }),
  fc.record({ type: fc.constant("tool-input-delta" as const), id, delta }),
  fc.record({ type: fc.constant("tool-input-end" as const), id }),
  fc.record({
    type: fc.constant("tool-call" as const),
    toolCallId: id,
    toolName: fc.constantFrom("execute", "python"),
    input: delta,
  }),
);

test("parts of a stream in any order, any of them missing or said twice, give blocks that begin and end", () => {
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 30 }),
      fc.constantFrom("tool", "markdown"),
      fc.constantFrom("whole", "length", "cut"),
      (parts, dialect, ending) => {
        const { events } = read(dialect as "tool", parts, ending as "whole");
        const count = (type: string) => events.filter((event) => event.type === type).length;
        expect(count("code-end")).toBe(count("code-start"));
      },
    ),
    { numRuns: 5000 },
  );
});

test("a call that is begun again under its own id does not leave the first one open", () => {
  const start = { type: "tool-input-start", id: "a", toolName: "execute" } as const;
  const { blocks } = read("tool", [
    start,
    { type: "tool-input-delta", id: "a", delta: '{"language":"python","code":"half' },
    start,
    { type: "tool-input-delta", id: "a", delta: '{"language":"python","code":"whole"}' },
    { type: "tool-call", toolCallId: "a", toolName: "execute", input: "" },
  ]);
  expect(blocks).toEqual([
    { language: "python", code: "half", complete: false },
    { language: "python", code: "whole", complete: true },
  ]);
});

async function* bytesOf(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

async function eventsOf(pieces: readonly Uint8Array[]): Promise<string[]> {
  const found: string[] = [];
  for await (const data of readServerEvents(bytesOf(pieces))) found.push(data);
  return found;
}

test("server-sent events are the same however their bytes are cut", async () => {
  const line = fc.constantFrom(
    "data: a",
    "data:b",
    "data: ",
    "data",
    ": comment",
    "",
    "event: x",
    "id: 1",
    "data: é🙂",
    "\r",
  );
  const stream = fc.oneof(
    fc.array(line, { maxLength: 20 }).map((lines) => Buffer.from(lines.join("\n"))),
    fc.array(line, { maxLength: 20 }).map((lines) => Buffer.from(lines.join("\r\n"))),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  );
  await fc.assert(
    fc.asyncProperty(stream, fc.array(fc.nat(300), { maxLength: 12 }), async (bytes, cuts) => {
      const places = [...new Set(cuts.map((at) => at % (bytes.length + 1)))].sort((a, b) => a - b);
      const pieces = [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
      expect(await eventsOf(pieces)).toEqual(await eventsOf([bytes]));
    }),
    { numRuns: 2000 },
  );
});

test("a chat completion made of anything gives parts, or says that it is none", () => {
  const odd = fc.oneof({ maxDepth: 4 }, fc.jsonValue(), fc.constantFrom(null, "constructor", "execute", 7, [], {}));
  const call = fc.record({ index: odd, id: odd, function: fc.oneof(odd, fc.record({ name: odd, arguments: odd })) });
  const body = fc.record(
    {
      content: odd,
      reasoning_content: odd,
      reasoning_details: odd,
      refusal: odd,
      tool_calls: fc.oneof(odd, fc.array(call)),
    },
    { requiredKeys: [] },
  );
  const choice = fc.record({ delta: fc.oneof(body, odd), finish_reason: odd }, { requiredKeys: [] });
  const chunk = fc.record({ choices: fc.oneof(odd, fc.array(choice)), usage: odd, error: odd }, { requiredKeys: [] });
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 6 }), (chunks) => {
      const reply = createChatReply();
      const parts: LanguageModelV4StreamPart[] = [];
      for (const each of chunks) {
        try {
          parts.push(...reply.read(each as Chunk));
        } catch (error) {
          // Another shape than a completion has; whoever reads the stream says so.
          expect(error).toBeInstanceOf(TypeError);
        }
      }
      parts.push(...reply.end(true));
      expect(parts.at(-1)?.type).toBe("finish");
      for (const each of parts) {
        if (each.type === "text-delta" || each.type === "tool-input-delta") expect(typeof each.delta).toBe("string");
        if (each.type === "tool-input-start") expect(typeof each.toolName).toBe("string");
        if (each.type === "finish") expect(typeof each.finishReason.unified).toBe("string");
      }
    }),
    { numRuns: 1000 },
  );
});

test("an error of any shape is read into the few facts we act on", () => {
  const headers = fc.dictionary(fc.constantFrom("retry-after", "retry-after-ms", "x"), fc.anything());
  const shaped = fc.record(
    {
      name: fc.anything(),
      message: fc.anything(),
      statusCode: fc.anything(),
      code: fc.anything(),
      cause: fc.anything(),
      errors: fc.anything(),
      responseHeaders: fc.oneof(headers, fc.anything()),
      responseBody: fc.oneof(fc.json(), fc.string(), fc.anything()),
      data: fc.anything(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(
      fc.oneof(
        shaped,
        fc.anything(),
        fc.string().map((text) => new Error(text)),
      ),
      (error) => {
        const fault = readFault(error);
        expect(typeof fault.message).toBe("string");
        expect(typeof fault.body).toBe("string");
        if (fault.network !== undefined) expect(typeof fault.network).toBe("string");
        if (fault.wait !== undefined) expect(fault.wait).toBeGreaterThanOrEqual(0);
      },
    ),
    { numRuns: 3000 },
  );
  expect(readFault({ code: "constructor" }).network).toBeUndefined();
});

/** Runs something that may refuse its input, but only in words for a person. */
async function orProblem(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    expect(error).toBeInstanceOf(InputProblem);
    expect((error as InputProblem).message).toMatch(/\S/);
  }
}

const all = options as readonly Option[];

test("a command line of anything is read or refused in words", async () => {
  const flag = fc.constantFrom(...all.flatMap(({ flag, short }) => [`--${flag}`, `--no-${flag}`, `-${short ?? "zz"}`]));
  const word = fc.oneof(
    flag,
    fc.tuple(flag, fc.string()).map(([name, value]) => `${name}=${value}`),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 6 }), (words) => orProblem(() => readCommandLine(words))),
    { numRuns: 3000 },
  );
});

test("a setting of any kind is taken or refused in words, and what is taken has its kind", () => {
  fc.assert(
    fc.property(fc.constantFrom(...all), fc.anything(), (option, value) => {
      let taken: unknown;
      try {
        taken = checkValue(option, value, "here");
      } catch (error) {
        expect(error).toBeInstanceOf(InputProblem);
        return;
      }
      const kinds = { text: "string", choice: "string", size: "number" } as const;
      const kind = option.kind in kinds ? kinds[option.kind as keyof typeof kinds] : option.kind;
      if (kind === "list") expect((taken as string[]).every((each) => typeof each === "string")).toBe(true);
      else expect(typeof taken).toBe(kind);
    }),
    { numRuns: 3000 },
  );
});

test("a settings file of anything is read or refused in words", async () => {
  const home = mkdtempSync(join(tmpdir(), "fuzz-settings-"));
  mkdirSync(join(home, "profiles"));
  const key = fc.constantFrom(...all.map(({ flag }) => flag), "languages", "x", "- y", "? z", "<<", "&a b", "*a");
  const value = fc.oneof(
    fc.json(),
    fc.string(),
    fc.constantFrom(
      "",
      "[",
      "{",
      "*a",
      "&a [1]",
      "!!binary x",
      "|\n  text",
      "- a\n  - b",
      "[a, {b: c}, [d]]",
      "\n  - one\n  - 2",
    ),
  );
  const yaml = fc.oneof(
    fc.array(fc.tuple(key, value), { maxLength: 5 }).map((pairs) => pairs.map((pair) => pair.join(": ")).join("\n")),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(yaml, async (text) => {
      writeFileSync(join(home, "settings.yaml"), text);
      await orProblem(() => loadSettings({ choices: {}, words: [] }, home, { INTERPRETER_HOME: home }));
    }),
    { numRuns: 1000 },
  );
  rmSync(home, { recursive: true });
});
