import { expect, test } from "vitest";
import { type Chunk, checkMessage, checkMessages, createGrammar } from "../../src/messages/index.ts";

function problemOf(...chunks: Chunk[]): string | undefined {
  const grammar = createGrammar();
  for (const chunk of chunks) {
    const problem = grammar.push(chunk);
    if (problem) return problem;
  }
  return grammar.end();
}

const start: Chunk = { role: "assistant", type: "message", start: true };
const text: Chunk = { role: "assistant", type: "message", content: "a" };
const end: Chunk = { role: "assistant", type: "message", end: true };
const console: Chunk = { role: "computer", type: "console", start: true };

test.each<[string, Chunk[], RegExp]>([
  ["content without a start", [text], /without a start/],
  ["an end without a start", [end], /without a start/],
  ["a block that never ends", [start, text], /ended inside/],
  ["a block that starts inside another", [start, console], /before message has ended/],
  [
    "content of another block",
    [start, { role: "computer", type: "console", format: "output", content: "x" }],
    /inside an open message/,
  ],
  ["empty content", [start, { ...text, content: "" }], /never empty/],
  ["a flag with content", [{ ...start, content: "x" }], /no content/],
  ["a console flag with a format", [{ ...console, format: "output" }], /no format/],
  [
    "an active line that is text",
    [console, { role: "computer", type: "console", format: "active_line", content: "3" }],
    /integer or null/,
  ],
  ["a confirmation inside a block", [start, { role: "computer", type: "confirmation", content: {} }], /inside an open/],
  ["an unknown role", [{ role: "robot" as "user", type: "message", start: true }], /unknown role/],
  ["an unknown type", [{ role: "user", type: "smell" as "message", start: true }], /unknown type/],
])("the grammar refuses %s", (_, chunks, reason) => {
  expect(problemOf(...chunks)).toMatch(reason);
});

test("the grammar accepts blocks with passing chunks between them", () => {
  expect(problemOf(start, text, end, { role: "server", type: "usage", content: {} }, start, end)).toBeUndefined();
});

test.each<[unknown, RegExp]>([
  ["hello", /is an object/],
  [{ role: "robot", type: "message", content: "" }, /role must be/],
  [{ role: "user", type: "poem", content: "" }, /unknown type/],
  [{ role: "user", type: "message", content: 3 }, /must be text/],
  [{ role: "assistant", type: "code", content: "1" }, /language/],
  [{ role: "user", type: "image", format: "gif", content: "" }, /format of image/],
  [{ role: "user", type: "message", content: "", recipient: "nobody" }, /recipient/],
])("a value that is no message is refused with the reason: %j", (value, reason) => {
  expect(checkMessage(value)).toMatch(reason);
  expect(() => checkMessages([{ role: "user", type: "message", content: "ok" }, value])).toThrow(/Message 2/);
});
