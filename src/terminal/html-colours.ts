// The colours of code as parts of a page: the same highlighter as in the terminal, with classes in place of escape sequences.

import { createHighlighter } from "./highlight.ts";
import { createStyle, type Look, type Style } from "./style.ts";

/** Around a coloured piece while it is text; no page has these characters. */
const [begin, end] = ["\x01", "\x02"];

const classes: Partial<Record<Look, string>> = { magenta: "k", green: "s", cyan: "n", blue: "f", dim: "c" };

const paints = Object.entries(classes).map(([look, name]) => [look, (text: string) => `${begin}${name}${text}${end}`]);
const style: Style = { ...createStyle(false), ...Object.fromEntries(paints), colour: true };

/** `escaped` makes text safe inside a page. */
export function htmlHighlighter(escaped: (text: string) => string): (language: string, code: string) => string {
  return (language, code) => {
    const highlight = createHighlighter(language, style);
    const plain = code.replace(/[\x01\x02]/g, "\ufffd");
    return plain
      .split("\n")
      .map((line) => spans(highlight(line), escaped))
      .join("\n");
  };
}

function spans(line: string, escaped: (text: string) => string): string {
  return line
    .split(/(\x01.[^\x02]*\x02)/)
    .map((piece) =>
      piece.startsWith(begin) ? `<span class="${piece[1]}">${escaped(piece.slice(2, -1))}</span>` : escaped(piece),
    )
    .join("");
}
