// However a reply is cut into deltas, the same text and the same blocks come out.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cut, essence, read, text, toolCall } from "./read.ts";

const places = fc.array(fc.nat(4000), { maxLength: 60 });
const anyCode = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 80 }),
  fc.string({ unit: "binary", maxLength: 80 }),
  fc
    .array(fc.constantFrom('print("a")', "`", "\n", "}", '"', "\\", "execute", "{", "é🙂", " ", "'", ",", ':"'), {
      maxLength: 20,
    })
    .map((parts) => parts.join("")),
);

/** Lone halves of characters cannot be written in UTF-8, so no provider can send them. */
const wellFormed = anyCode.filter((code) => code.isWellFormed());

describe("arguments of a call", () => {
  test("any cutting gives the same language and code", () => {
    fc.assert(
      fc.property(wellFormed, fc.boolean(), fc.boolean(), places, (code, codeFirst, extra, cuts) => {
        const pairs = codeFirst ? { code, language: "python" } : { language: "python", code };
        const json = JSON.stringify(extra ? { note: 'a "b" }', ...pairs, more: [1, { x: "}" }] } : pairs);
        const whole = read("tool", toolCall("execute", json));
        const pieces = read("tool", toolCall("execute", ...cut(json, cuts)));
        expect(essence(pieces)).toEqual(essence(whole));
      }),
      { numRuns: 500 },
    );
  });

  test("code that needs no repair comes out exactly as it went in", () => {
    const ordinary = wellFormed.filter((code) => !/^\s*[`{$]|^\s*(functions\.)?execute\(|(execute){2,}$/.test(code));
    fc.assert(
      fc.property(ordinary, places, fc.boolean(), (code, cuts, ascii) => {
        const plain = JSON.stringify({ language: "python", code });
        const json = ascii
          ? plain.replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)
          : plain;
        const { blocks } = read("tool", toolCall("execute", ...cut(json, cuts)));
        expect(blocks).toEqual([{ language: "python", code, complete: true }]);
      }),
      { numRuns: 500 },
    );
  });

  test("any text at all, however cut, gives the same block and never throws", () => {
    const pieces = fc.array(
      fc.constantFrom(
        '{"',
        "language",
        '":"',
        "python",
        '","',
        "code",
        '"',
        "}",
        "{",
        ",",
        ":",
        "'",
        "\\",
        "\\u00",
        "\n",
        "print(1)",
        " ",
        "`",
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(pieces, places, (parts, cuts) => {
        const json = parts.join("");
        expect(essence(read("tool", toolCall("execute", ...cut(json, cuts))))).toEqual(
          essence(read("tool", toolCall("execute", json))),
        );
      }),
      { numRuns: 2000 },
    );
  });

  test("no delta ends in half a character", () => {
    const json = JSON.stringify({ language: "python", code: "🙂🙂🙂" });
    const { events, blocks } = read("tool", toolCall("execute", ...json.split("")));
    expect(blocks[0]?.code).toBe("🙂🙂🙂");
    for (const event of events) if (event.type === "code-delta") expect(event.text.isWellFormed()).toBe(true);
  });
});

describe("markdown", () => {
  const markdown = fc
    .array(
      fc.constantFrom(
        "```",
        "```python\n",
        "```json\n",
        "```\n",
        "~~~\n",
        "~~~shell\n",
        "````",
        "print(1)\n",
        "$ ls\n",
        "text ",
        "\n",
        "  ",
        "- ",
        "1. ",
        "`",
        "``",
        "python\n",
        "x = 1",
        "<tool_call>",
        "</tool_call>",
        '{"language":"python","code":"1"}',
        "<think>",
        "</think>",
        "execute(",
        "é🙂",
        "\r\n",
        "    ```\n",
      ),
      { maxLength: 25 },
    )
    .map((parts) => parts.join(""));

  test("any cutting gives the same text and blocks", () => {
    fc.assert(
      fc.property(markdown, places, fc.constantFrom("whole", "length", "cut"), (said, cuts, ending) => {
        const whole = read("markdown", text(said), ending as "whole");
        expect(essence(read("markdown", text(...cut(said, cuts)), ending as "whole"))).toEqual(essence(whole));
        expect(essence(read("markdown", text(...said.split("")), ending as "whole"))).toEqual(essence(whole));
      }),
      { numRuns: 3000 },
    );
  });

  test("text without a fence is kept to the letter", () => {
    const words = fc
      .string({ unit: "grapheme", maxLength: 200 })
      .filter((said) => !/[`~<{[]|^\s*(exec|func)/.test(said) && said.isWellFormed());
    fc.assert(
      fc.property(words, places, (said, cuts) => {
        expect(read("markdown", text(...cut(said, cuts))).text).toBe(said);
        expect(read("tool", text(...cut(said, cuts))).text).toBe(said);
      }),
    );
  });
});
