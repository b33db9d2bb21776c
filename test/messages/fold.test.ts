import fc from "fast-check";
import { expect, test } from "vitest";
import { type Chunk, checkMessage, createFolder, createGrammar, foldChunks } from "../../src/messages/index.ts";
import { join, legalStreams, recut } from "./streams.ts";

const flag = { role: "computer", type: "console" } as const;
const output = { ...flag, format: "output" } as const;

test("any legal stream folds to the same messages however it is cut into chunks", () => {
  fc.assert(
    fc.property(
      legalStreams,
      fc.array(fc.nat(50), { minLength: 1 }),
      fc.constantFrom(10, 1000, Number.POSITIVE_INFINITY),
      (stream, cuts, limit) => {
        const whole = foldChunks(stream, limit);
        expect(foldChunks(recut(stream, cuts), limit)).toEqual(whole);
        expect(foldChunks(join(stream), limit)).toEqual(whole);
      },
    ),
  );
});

test("cutting a legal stream leaves it legal", () => {
  fc.assert(
    fc.property(legalStreams, fc.array(fc.nat(50), { minLength: 1 }), (stream, cuts) => {
      const grammar = createGrammar();
      for (const chunk of recut(stream, cuts)) expect(grammar.push(chunk)).toBeUndefined();
      expect(grammar.end()).toBeUndefined();
    }),
  );
});

test("every folded message is a valid message", () => {
  fc.assert(fc.property(legalStreams, (stream) => foldChunks(stream).every((message) => !checkMessage(message))));
});

test("the canonical turn of the original folds to its four messages", () => {
  const stream: Chunk[] = [
    { role: "assistant", type: "message", start: true },
    { role: "assistant", type: "message", content: "I will " },
    { role: "assistant", type: "message", content: "add." },
    { role: "assistant", type: "message", end: true },
    { role: "assistant", type: "code", format: "python", start: true },
    { role: "assistant", type: "code", format: "python", content: "1 + 1" },
    { role: "assistant", type: "code", format: "python", end: true },
    {
      role: "computer",
      type: "confirmation",
      format: "execution",
      content: { type: "code", format: "python", content: "1 + 1" },
    },
    { ...flag, start: true },
    { ...flag, format: "active_line", content: 1 },
    { ...output, content: "2\n" },
    { ...flag, format: "active_line", content: null },
    { ...flag, end: true, status: "ok" },
    { role: "assistant", type: "message", start: true },
    { role: "assistant", type: "message", content: "2." },
    { role: "assistant", type: "message", end: true },
  ];
  expect(foldChunks(stream)).toEqual([
    { role: "assistant", type: "message", content: "I will add." },
    { role: "assistant", type: "code", format: "python", content: "1 + 1" },
    { role: "computer", type: "console", format: "output", content: "2\n", status: "ok" },
    { role: "assistant", type: "message", content: "2." },
  ]);
});

test("a step without output has one empty console message", () => {
  const step: Chunk[] = [
    { ...flag, start: true },
    { ...flag, format: "active_line", content: null },
    { ...flag, end: true, status: "ok" },
  ];
  expect(foldChunks(step)).toEqual([{ ...output, content: "", status: "ok" }]);
});

test("long output keeps its head and its tail, says how much is missing and where the whole is", () => {
  const pieces = Array.from({ length: 1000 }, (_, index): Chunk => ({ ...output, content: `line ${index}\n` }));
  const [message] = foldChunks(
    [{ ...flag, start: true }, ...pieces, { ...flag, end: true, outputFile: "/tmp/whole.txt" }],
    200,
  );
  expect(message!.content).toMatch(/^line 0\n/);
  expect(message!.content).toMatch(/line 999\n$/);
  expect(message!.content).toContain("/tmp/whole.txt");
  const total = pieces.reduce((sum, piece) => sum + String(piece.content).length, 0);
  expect(message!.content).toContain(`${total - 200} characters left out`);
});

test("a message that is still being written can be seen as far as it has come", () => {
  const folder = createFolder();
  folder.push({ role: "assistant", type: "message", start: true });
  folder.push({ role: "assistant", type: "message", content: "half a sen" });
  expect(folder.open).toEqual({ role: "assistant", type: "message", content: "half a sen" });
});

test("a stored message is its own object: adding to the stream later does not change it", () => {
  const folder = createFolder();
  const start: Chunk = { role: "assistant", type: "message", start: true };
  folder.push(start);
  folder.push({ role: "assistant", type: "message", content: "a" });
  const first = folder.push({ role: "assistant", type: "message", end: true })!;
  folder.push(start);
  folder.push({ role: "assistant", type: "message", content: "b" });
  expect(first.content).toBe("a");
  expect(start).toEqual({ role: "assistant", type: "message", start: true });
});
