import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Key, KeyDecoder } from "../../src/terminal/editor/keys.ts";

/** The keys in some bytes, sent in pieces cut after these counts. */
function decode(bytes: Uint8Array, cuts: readonly number[] = []): Key[] {
  const decoder = new KeyDecoder();
  const keys: Key[] = [];
  let done = 0;
  for (const cut of [...cuts, bytes.length]) {
    const end = Math.min(bytes.length, done + Math.max(1, cut));
    keys.push(...decoder.push(bytes.subarray(done, end)));
    done = end;
  }
  keys.push(...decoder.push(bytes.subarray(done)), ...decoder.flush());
  return joined(keys);
}

/** Text that came in several pieces is one text. */
function joined(keys: readonly Key[]): Key[] {
  const all: Key[] = [];
  for (const key of keys) {
    const last = all.at(-1);
    if (key.type === "text" && last?.type === "text")
      all[all.length - 1] = { type: "text", text: last.text + key.text };
    else all.push(key);
  }
  return all;
}

const typed = (text: string): Key[] => decode(Buffer.from(text));
const names = (text: string): string[] =>
  typed(text).map((key) => (key.type === "press" ? key.name : `${key.type}:${key.text}`));

describe("keys", () => {
  test.each([
    ["\r", ["enter"]],
    ["\n", ["ctrl-j"]],
    ["\x1b", ["escape"]],
    ["\x1b\x1b", ["escape", "escape"]],
    ["\x7f", ["backspace"]],
    ["\x01\x05\x17\x1f", ["ctrl-a", "ctrl-e", "ctrl-w", "ctrl-_"]],
    ["\x1b[A\x1b[B\x1b[C\x1b[D", ["up", "down", "right", "left"]],
    ["\x1bOA\x1bOH\x1bOF", ["up", "home", "end"]],
    ["\x1b[1~\x1b[4~\x1b[3~\x1b[7~\x1b[8~", ["home", "end", "delete", "home", "end"]],
    ["\x1b[1;5D\x1b[1;3C\x1b[3;5~", ["ctrl-left", "alt-right", "ctrl-delete"]],
    ["\x1bb\x1bF\x1b\x7f\x1b\r", ["alt-b", "alt-f", "alt-backspace", "alt-enter"]],
    ["\x1b\x1b[D", ["alt-left"]],
    ["\x1b[Z", ["shift-tab"]],
    // kitty, and xterm's modifyOtherKeys
    ["\x1b[13;2u\x1b[13;5u\x1b[13;3u\x1b[13u", ["shift-enter", "ctrl-enter", "alt-enter", "enter"]],
    ["\x1b[27;2;13~\x1b[27;5;13~", ["shift-enter", "ctrl-enter"]],
    ["\x1b[99;5u\x1b[27u\x1b[127u\x1b[9;2u", ["ctrl-c", "escape", "backspace", "shift-tab"]],
    ["\x1b[97u\x1b[97;2u\x1b[228;1u", ["text:aAä"]],
    ["\x1b[1089::99;5u", ["ctrl-c"]],
    ["\x1b[97;1:3u", []],
    ["\x1b[57400u\x1b[57414u", ["text:1", "enter"]],
    // What the terminal answers or reports, and what nobody knows
    ["\x1b[?62;4c\x1b]11;rgb:0000/0000/0000\x1b\\\x1bP1$r0m\x1b\\\x1b[24~\x1bOP\x1b[[A\x1b[I", []],
    ["\x1b[12;5Rx\x9by", ["text:xy"]],
    ["a\x1b[200~b\x1b[A\rc\x03\x1b[201~d", ["text:a", "paste:b\x1b[A\nc\x03", "text:d"]],
    ["\x1b[200~one\r\ntwo\nthree\rfour\x1b[201~", ["paste:one\ntwo\nthree\nfour"]],
    ["grüße 你好 👩‍👩‍👧", ["text:grüße 你好 👩‍👩‍👧"]],
  ])("%j", (text, expected) => {
    expect(names(text)).toEqual(expected);
  });

  const piece = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constantFrom(
      "\x1b[A",
      "\x1bOA",
      "\x1b[1;5C",
      "\x1b[13;2u",
      "\x1b[27;5;13~",
      "\x1b[200~",
      "\x1b[201~",
      "\x1b",
      "\r",
      "\n",
      "\t",
      "\x7f",
      "\x1bb",
      "\x1b]0;title\x07",
      "\x1b[",
      "\x1b[[",
      "\x1b[3$",
    ),
    fc.string({ unit: "binary-ascii", maxLength: 4 }),
  );
  const stream = fc.array(piece, { maxLength: 12 }).map((pieces) => Buffer.from(pieces.join("")));
  const cuts = fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 60 });

  test("however the bytes are cut, the keys are the same", () => {
    fc.assert(
      fc.property(stream, cuts, (bytes, pieces) => {
        expect(decode(bytes, pieces)).toEqual(decode(bytes));
      }),
      { numRuns: 2_000 },
    );
  });

  test("whatever comes, no text holds a control character, and nothing is thrown", () => {
    fc.assert(
      fc.property(fc.oneof(stream, fc.uint8Array({ maxLength: 60 })), cuts, (bytes, pieces) => {
        for (const key of decode(bytes, pieces)) {
          if (key.type === "text") expect(key.text).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
          if (key.type === "press") expect(key.name).toMatch(/^(ctrl-|alt-|shift-)*[^\x00-\x1f\x7f-\x9f]+$/);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test("what is pasted is never a key", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), cuts, (pasted, pieces) => {
        fc.pre(!pasted.includes("\x1b[201~") && !pasted.includes("\r") && pasted.isWellFormed());
        const keys = decode(Buffer.from(`\x1b[200~${pasted}\x1b[201~`), pieces);
        expect(keys).toEqual([{ type: "paste", text: pasted }]);
      }),
    );
  });
});
