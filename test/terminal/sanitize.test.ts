// No escape sequence of a program or a model reaches the terminal, however it is cut into pieces.

import fc from "fast-check";
import { expect, test } from "vitest";
import { createHolder, sanitize } from "../../src/terminal/sanitize.ts";

const hostile = [
  "a\x1b[2Jb",
  "\x1b]0;owned\x07title",
  "\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\",
  "\x1bP1$r\x1b\\dcs",
  "\x1b[38;5;196mred\x1b[0m",
  "\x1b7saved\x1b8",
  "c1 \x9b2J",
  "bell\x07 null\x00",
  "\x1b\x1b[31mtwice",
];

test("the same remains, whatever the pieces", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...hostile), { minLength: 1, maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 }),
      (parts, sizes) => {
        const text = `${parts.join("-")} end`;
        const hold = createHolder();
        let shown = "";
        for (let at = 0, turn = 0; at < text.length; turn++) {
          const size = sizes[turn % sizes.length]!;
          shown += sanitize(hold(text.slice(at, at + size)));
          at += size;
        }
        expect(shown).toBe(sanitize(text));
        expect(shown).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
        expect(shown.endsWith(" end")).toBe(true);
      },
    ),
  );
});

test("a sequence that never ends is not kept for ever", () => {
  const hold = createHolder();
  let shown = "";
  for (let turn = 0; turn < 100; turn++) shown += sanitize(hold(turn === 0 ? "\x1b]0;" : "x".repeat(100)));
  expect(shown.length).toBeGreaterThan(0);
});

test("signs that turn the direction of text are made visible", () => {
  expect(sanitize("if admin\u202e }\u2066begin")).toBe("if admin\ufffd }\ufffdbegin");
});
