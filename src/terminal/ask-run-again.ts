// Asks whether the blocks run again that made what is gone from the sessions of a conversation.

import type { AskRunAgain } from "../interpreter/index.ts";
import type { LineReader } from "./line-reader.ts";
import { sanitize } from "./sanitize.ts";
import type { View } from "./view.ts";
import { saysNo, saysYes } from "./yes-no.ts";

const mostShown = 12;

/** `view` is asked for when it is needed: it comes after the interpreter that asks. */
export function runAgainAsker(lines: LineReader, view: () => View): AskRunAgain {
  return async ({ gone, blocks }, signal) => {
    const { style, print, settle } = view();
    settle();
    const names = gone.flatMap(({ names: some }) => some);
    const made =
      names.length > 0
        ? `made ${sanitize(names.slice(0, mostShown).join(", "))}`
        : "ran before, and what came of it is gone";
    const count = blocks.length === 1 ? "This block" : `These ${blocks.length} blocks`;
    print(`${count} ${made}${names.length > mostShown ? ", …" : ""}:\n`);
    for (const { language, code } of blocks.slice(0, mostShown))
      print(style.dim(`  ${language}  ${firstLine(code)}\n`));
    if (blocks.length > mostShown) print(style.dim(`  and ${blocks.length - mostShown} more\n`));
    for (let question = "Run again what made it? y n: "; ; question = "y runs the blocks again, n does not: ") {
      const answer = (await lines.line(question, { signal }))?.trim();
      if (answer === undefined || answer === "" || saysNo(answer)) return false;
      if (saysYes(answer)) return true;
    }
  };
}

function firstLine(code: string): string {
  const [line = "", ...rest] = sanitize(code.trim()).split("\n");
  return line.length > 90 || rest.length > 0 ? `${line.slice(0, 90)} …` : line;
}
