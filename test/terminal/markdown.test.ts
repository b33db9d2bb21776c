// Markdown on a real terminal emulator: however the text arrives, the screen ends up the same.

import xterm from "@xterm/headless";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createMarkdown } from "../../src/terminal/markdown/index.ts";
import { createStyle } from "../../src/terminal/style.ts";
import { Tail } from "../../src/terminal/tail.ts";

/** What the screen shows, scrollback included, after the pieces were written one by one. */
async function show(pieces: readonly string[], columns = 60, rows = 20, colour = true): Promise<string[]> {
  const screen = new xterm.Terminal({
    cols: columns,
    rows,
    scrollback: 5_000,
    allowProposedApi: true,
    convertEol: true,
  });
  const writer = { write: (text: string) => screen.write(text), room: async () => {} };
  const tail = new Tail({ writer, columns: () => columns, rows: () => rows });
  const view = createMarkdown(tail, createStyle(colour), () => columns);
  for (const piece of pieces) view.write(piece);
  view.end();
  await new Promise<void>((resolve) => screen.write("", resolve));
  const buffer = screen.buffer.active;
  const lines = Array.from({ length: buffer.length }, (_, line) => buffer.getLine(line)!.translateToString(true));
  screen.dispose();
  return lines.join("\n").trimEnd().split("\n");
}

const page = `# The result

The **three** largest files are *big*: \`a.csv\`, snake_case_name and ~~old~~ [the docs](https://example.org/docs).
A paragraph that is rather long and must be broken between its words, not within them, wherever the screen ends.

- one item that is long enough to need more than a single row of a narrow screen
  - nested, with **bold
- [x] done
1. first

> quoted words

| name | rows | share |
|---|---:|---|
| sales | 1200 | 12 % |
| a very long name that does not fit into its column | 7 | 0.5 % |

\`\`\`python
def f(x):
    return "**not bold**"
\`\`\`
---
日本語のとても長い文章は、どこででも折り返すことができます。絵文字 👩‍👩‍👧 も。
The end.`;

test("each form has its look", async () => {
  expect(await show([page])).toEqual([
    "The result",
    "",
    "The three largest files are big: a.csv, snake_case_name and",
    "old the docs (https://example.org/docs).",
    "A paragraph that is rather long and must be broken between",
    "its words, not within them, wherever the screen ends.",
    "",
    "• one item that is long enough to need more than a single",
    "  row of a narrow screen",
    "  • nested, with **bold",
    "☑ done",
    "1. first",
    "",
    "│ quoted words",
    "",
    "name                                             rows  share",
    "───────────────────────────────────────────────  ────  ─────",
    "sales                                            1200   12 %",
    "a very long name that does not fit into its         7  0.5 %",
    "column",
    "",
    "python",
    "  def f(x):",
    '      return "**not bold**"',
    "────────────────────────────────────────",
    "日本語のとても長い文章は、どこででも折り返すことができます。",
    "絵文字 👩‍👩‍👧 も。",
    "The end.",
  ]);
});

test("however it is cut, and however small the screen, it ends up the same, and nothing stands there twice", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 5, maxLength: 60 }),
      fc.integer({ min: 20, max: 120 }),
      fc.integer({ min: 30, max: 60 }),
      async (sizes, columns, rows) => {
        const pieces: string[] = [];
        for (let at = 0, turn = 0; at < page.length; turn++) {
          const size = sizes[turn % sizes.length]!;
          pieces.push(page.slice(at, at + size));
          at += size;
        }
        expect(await show(pieces, columns, rows)).toEqual(await show([page], columns, rows));
      },
    ),
    { numRuns: 60 },
  );
});

test("no row is wider than the screen, at any width", async () => {
  for (const columns of [10, 20, 40, 80, 200, 400]) {
    const cut = await show([page], columns);
    const all = cut.join("").replaceAll(/\s/g, "");
    expect(all).toContain("Theend.");
  }
});

test("a paragraph longer than the screen is not painted twice into the scrollback", async () => {
  const words = Array.from({ length: 400 }, (_, index) => `w${index}`);
  const lines = await show(
    words.map((word) => `${word} `),
    40,
    8,
  );
  expect(lines.join(" ").split(/\s+/).filter(Boolean)).toEqual(words);
});

test("without colour the words are the same", async () => {
  expect(await show([page], 60, 20, false)).toEqual(await show([page]));
});
