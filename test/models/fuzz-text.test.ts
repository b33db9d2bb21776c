// Text from a model that has lost its way: whatever it is and however it is cut, reading it never fails, never loses
// count of its blocks, and gives the same blocks and words each time.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { callTags } from "../../src/models/dialects/call-tags.ts";
import type { Ending } from "../../src/models/dialects/index.ts";
import { cut, essence, read, text, toolCall } from "./read.ts";

const marks = [
  ...callTags.flatMap(({ open, close }) => [open, ...close]),
  ..."<think> </think> <thinking> [THINK] [/THINK] <|channel|> <|message|> <|start|> <|end|> <|call|> <|return|>".split(
    " ",
  ),
  ..."<|im_end|> </s> <| < [ ✿ ` `` ``` ```` ~~~ ```python ```json ```tool_code ```text ```xml".split(" "),
  ..."{ } [ ] ( ) \" ' \\ : , ; = execute python shell name arguments parameters language code".split(" "),
  ...["\n", "\n\n", " ", "  ", "\t", "\r\n", "\u200b", "\ufeff", "\u00a0"],
  ...[
    "Action:",
    "Action Input:",
    "Observation:",
    ">>>",
    "functools[",
    "execute(",
    "print(execute(",
    "$ ls\n",
    ">>> 1\n",
  ],
  ...['{"language":"python","code":"1"}', '{"name":"execute","arguments":', '"code":"a\\nb"', "language=", 'code="1")'],
  ...["<parameter=code>", "</parameter>", "<arg_key>code</arg_key>", "<arg_value>", "commentary to=functions.execute"],
  ...[
    "[ARGS]",
    "[CALL_ID]",
    "<｜tool▁sep｜>",
    "<escape>",
    "```\n",
    "```python\n",
    "words ",
    "x = 1\n",
    "é🙂",
    "- ",
    "1. ",
  ],
];

const soup = fc.array(fc.constantFrom(...marks), { maxLength: 24 }).map((parts) => parts.join(""));
const anything = fc.oneof(
  { weight: 6, arbitrary: soup },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 200 }).filter((said) => said.isWellFormed()) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 200 }) },
);
const places = fc.array(fc.nat(2000), { maxLength: 40 });
const endings = fc.constantFrom<Ending>("whole", "length", "cut");

describe.each(["tool", "markdown"] as const)("text in the %s dialect", (dialect) => {
  test("is read the same however it is cut", () => {
    fc.assert(
      fc.property(anything, places, endings, (said, cuts, ending) => {
        const whole = essence(read(dialect, text(said), ending));
        expect(essence(read(dialect, text(...cut(said, cuts)), ending))).toEqual(whole);
        expect(essence(read(dialect, text(...said.split("")), ending))).toEqual(whole);
      }),
      { numRuns: 4000 },
    );
  });

  test("runs nothing that was cut off", () => {
    fc.assert(
      fc.property(soup, (said) => {
        const cutShort = read(dialect, text(said), "cut").blocks;
        const whole = read(dialect, text(said), "whole").blocks;
        expect(cutShort.filter(({ complete }) => complete).length).toBeLessThanOrEqual(whole.length);
        for (const block of whole) expect(block.complete).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });

  test("made of one mark over and over is read to its end, and none of it runs", () => {
    // Each is the kind of text on which a careless pattern would take years.
    const long = 20_000;
    const marks = ["<tool_call>", "{", "[", "```", "`", "<", "-", "\n", "execute", "<function=", "<|", "[TOOL"];
    for (const mark of marks) {
      const said = mark.repeat(Math.ceil(long / mark.length));
      for (const whole of [
        said,
        `${said}x`,
        `<tool_call>${said}</tool_call>`,
        `{"name":"execute","arguments":${said}`,
      ]) {
        const { blocks, text: kept } = read(dialect, text(whole));
        expect(blocks).toEqual([]);
        expect(kept.length).toBe(whole.length);
      }
      expect(read(dialect, text(`\`\`\`python\n${said}`)).blocks.length).toBe(dialect === "tool" ? 0 : 1);
    }
  });
});

test("arguments of a call are read the same however they are cut, under any name", () => {
  fc.assert(
    fc.property(
      anything,
      places,
      fc.constantFrom("execute", "python", "bash", "web_search", ""),
      (given, cuts, name) => {
        const whole = essence(read("tool", toolCall(name, given)));
        expect(essence(read("tool", toolCall(name, ...cut(given, cuts))))).toEqual(whole);
      },
    ),
    { numRuns: 4000 },
  );
});

test("text that was not marked in any way is kept to the letter", () => {
  const plain = fc.string({ unit: "grapheme", maxLength: 200 }).filter((said) => !/[<[{`~✿◁>]|^\s*[Aefpd]/m.test(said));
  fc.assert(
    fc.property(plain, places, (said, cuts) => {
      for (const dialect of ["tool", "markdown"] as const)
        expect(read(dialect, text(...cut(said, cuts))).text).toBe(said);
    }),
    { numRuns: 1000 },
  );
});
