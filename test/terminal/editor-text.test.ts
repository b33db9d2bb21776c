import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Folds, withoutMarks } from "../../src/terminal/editor/folds.ts";
import { layOut, spotAt } from "../../src/terminal/editor/layout.ts";
import { TextBuffer } from "../../src/terminal/editor/text-buffer.ts";
import { widthOf } from "../../src/terminal/text/width.ts";

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const letters = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment);

/** The simplest editor there is: two strings. Characters are found anew for each step. */
class Model {
  left = "";
  right = "";
  past: [string, string][] = [];

  get boundaries(): number[] {
    let at = 0;
    return [0, ...letters(this.left + this.right).map((each) => (at += each.length))];
  }

  cut(at: number): void {
    const text = this.left + this.right;
    [this.left, this.right] = [text.slice(0, at), text.slice(at)];
  }

  step(name: string, text: string): void {
    const at = this.left.length;
    const before = this.boundaries.findLast((each) => each < at) ?? 0;
    const next = this.boundaries.find((each) => each > at) ?? at;
    const start = this.left.lastIndexOf("\n") + 1;
    const end = this.right.indexOf("\n");
    const lineEnd = end === -1 ? this.right.length : end;
    if (name === "insert") this.left += text;
    if (name === "left") this.cut(before);
    if (name === "right") this.cut(next);
    if (name === "lineStart") this.cut(start);
    if (name === "lineEnd") this.cut(at + lineEnd);
    if (name === "deleteLeft") this.left = this.left.slice(0, before);
    if (name === "deleteRight") this.right = this.right.slice(next - at);
    if (name === "killToLineEnd") this.right = this.right.slice(lineEnd || 1);
    if (name === "killToLineStart") this.left = this.left.slice(0, start === at ? Math.max(0, start - 1) : start);
  }
}

const names = [
  "insert",
  "left",
  "right",
  "lineStart",
  "lineEnd",
  "deleteLeft",
  "deleteRight",
  "killToLineEnd",
  "killToLineStart",
] as const;
const written = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 6 }),
  fc.constantFrom("\n", " ", "a b", "é", "\u0301", "👩‍👩‍👧", "🇩🇪", "\u200d", "你好", "\t", "\u0600"),
);
const steps = fc.array(fc.tuple(fc.constantFrom(...names), written), { maxLength: 40 });

describe("the text", () => {
  test("moves and deletes by what a reader takes for characters", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const buffer = new TextBuffer();
        const model = new Model();
        for (const [name, text] of all) {
          if (name === "insert") buffer.insert(text);
          else buffer[name]();
          model.step(name, text);
          expect([buffer.text.slice(0, buffer.at), buffer.text.slice(buffer.at)]).toEqual([model.left, model.right]);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test("everything can be taken back", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const buffer = new TextBuffer();
        for (const [name, text] of all) name === "insert" ? buffer.insert(text) : buffer[name]();
        for (let times = 0; times <= all.length; times++) buffer.undo();
        expect(buffer.text).toBe("");
      }),
    );
  });

  test("words: over them, and deleting them in both ways", () => {
    const buffer = new TextBuffer();
    buffer.insert("say it-again, grüße  now");
    buffer.wordLeft();
    buffer.wordLeft();
    expect(buffer.text.slice(buffer.at)).toBe("grüße  now");
    buffer.killWordLeft();
    expect(buffer.text).toBe("say it-grüße  now");
    buffer.killChunkLeft();
    expect(buffer.text).toBe("say grüße  now");
    buffer.yank();
    expect(buffer.text).toBe("say it-again, grüße  now");
    buffer.killWordRight();
    expect(buffer.text).toBe("say it-again,   now");
    buffer.wordRight();
    expect(buffer.at).toBe(buffer.text.length);
  });

  test("what is deleted piece by piece is put in again whole", () => {
    const buffer = new TextBuffer();
    buffer.insert("one two three");
    buffer.killChunkLeft();
    buffer.killChunkLeft();
    expect(buffer.text).toBe("one ");
    buffer.yank();
    buffer.yank();
    expect(buffer.text).toBe("one two threetwo three");
  });

  test("Ctrl-T exchanges characters, whatever they are", () => {
    const buffer = new TextBuffer();
    buffer.insert("ab👩‍👩‍👧");
    buffer.transpose();
    expect(buffer.text).toBe("a👩‍👩‍👧b");
    buffer.lineStart();
    buffer.transpose();
    expect(buffer.text).toBe("a👩‍👩‍👧b");
  });

  test("typing is taken back a word at a time", () => {
    const buffer = new TextBuffer();
    for (const letter of "one two") buffer.insert(letter);
    buffer.undo();
    expect(buffer.text).toBe("one");
    buffer.undo();
    expect(buffer.text).toBe("");
  });
});

describe("what is folded", () => {
  const parts = fc.array(fc.tuple(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary", minLength: 1 })));

  test("is sent whole, and its place is known", () => {
    fc.assert(
      fc.property(parts, (all) => {
        const folds = new Folds();
        const text = all.map(([plain, pasted]) => plain + folds.fold(withoutMarks(pasted))).join("");
        const whole = all.map(([plain, pasted]) => plain + withoutMarks(pasted)).join("");
        expect(folds.unfold(text)).toBe(whole);
        const again = new Folds();
        expect(again.unfold(again.foldRanges(whole, folds.ranges(text)))).toBe(whole);
        expect(folds.ranges(text).map(([from, to]) => whole.slice(from, to))).toEqual(
          all.map(([, pasted]) => withoutMarks(pasted)),
        );
      }),
    );
  });

  test("moves and goes as one character", () => {
    const folds = new Folds();
    const buffer = new TextBuffer();
    buffer.insert(`a👍${folds.fold("x\n".repeat(120))}\u0301`);
    expect(folds.shown(buffer.text)).toBe("a👍[pasted 120 lines]\u0301");
    buffer.left();
    buffer.deleteLeft();
    expect(folds.unfold(buffer.text)).toBe("a👍\u0301");
  });

  test("stays folded when the text was edited around it elsewhere", () => {
    const folds = new Folds();
    const pasted = "x\n".repeat(9);
    const text = folds.foldAgain(`before ${pasted} after`, `b ${folds.fold(pasted)}`);
    expect(folds.shown(text)).toBe("before [pasted 9 lines] after");
    expect(folds.unfold(text)).toBe(`before ${pasted} after`);
  });
});

describe("the rows", () => {
  const text = fc.array(written, { maxLength: 30 }).map((pieces) => pieces.join(""));

  test("fit the screen, show everything once, and the cursor has a place for each character", () => {
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 9, max: 40 }),
        fc.constantFrom("> ", "python> ", ""),
        (all, columns, prompt) => {
          const { rows, spots } = layOut({ prompt, text: all, columns });
          // Only a single character can be wider than the screen.
          for (const row of rows.filter((each) => letters(each.trim()).length > 1))
            expect(widthOf(row)).toBeLessThan(columns);
          const bare = (shown: string) => shown.replace(/[\s\p{Cf}\ufffd]/gu, "");
          expect(bare(rows.join(""))).toBe(bare(prompt + all));
          const places = spots.map(({ at }) => at);
          expect(places).toEqual([...places].sort((one, other) => one - other));
          expect(places.at(-1)).toBe(all.length);
          for (let at = 0; at <= all.length; at++) {
            const { row, column } = spotAt(spots, at);
            expect(row).toBeLessThan(rows.length);
            expect(column).toBeLessThan(columns);
          }
        },
      ),
      { numRuns: 5_000 },
    );
  });

  test("break between words, and begin below the first character", () => {
    const { rows } = layOut({ prompt: "> ", text: "some words that wrap\nand a second line", columns: 16 });
    expect(rows).toEqual(["> some words ", "  that wrap", "  and a second ", "  line"]);
  });

  test("a long question breaks too, and keeps its colours", () => {
    const { rows } = layOut({
      prompt: "\x1b[1mRun this?\x1b[22m \x1b[2m[y]es [n]o:\x1b[22m ",
      text: "yes",
      columns: 14,
    });
    expect(rows.map((row) => row.replace(/\x1b\[\d*m/g, ""))).toEqual(["Run this? ", "[y]es [n]o: ", "yes"]);
    expect(rows[0]).toBe("\x1b[1mRun this?\x1b[0m ");
    expect(rows[1]).toBe("\x1b[2m[y]es [n]o:\x1b[0m ");
  });

  test("no control character is painted", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary-ascii" }), (all, prompt) => {
        const { rows } = layOut({ prompt, text: all, columns: 30 });
        for (const row of rows) expect(row.replace(/\x1b\[[0-9;]*m/g, "")).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
      }),
    );
    expect(layOut({ prompt: "> ", text: "a\x1b[2Jb\x07\x7f\u202e", columns: 30 }).rows).toEqual([
      "> a^[[2Jb^G^?\ufffd",
    ]);
  });
});
