// The marks within a line: bold, emphasis, code, links. A mark that is not closed is only a character.

import type { Look } from "../style.ts";
import type { Span } from "../text/wrap.ts";

interface Mark {
  pattern: RegExp;
  looks: readonly Look[];
}

const marks: readonly Mark[] = [
  { pattern: /(\*\*|__)(?=\S)(.*?\S)\1(?![\w*])/y, looks: ["bold"] },
  { pattern: /(\*)(?=[^\s*])(.*?[^\s*])\1(?![\w*])/y, looks: ["italic"] },
  { pattern: /(_)(?=[^\s_])(.*?[^\s_])\1(?!\w)/y, looks: ["italic"] },
  { pattern: /(~~)(?=\S)(.*?\S)\1/y, looks: ["strike"] },
];
const code = /(`+)(.*?[^`])\1(?!`)/y;
const link = /!?\[([^\]\n]*)\]\((<[^>\n]*>|[^\s)]*)(?:\s+"[^"\n]*")?\)/y;
const address = /<(https?:\/\/[^\s>]+)>/y;
const escaped = /\\([!-/:-@[-`{-~])/y;

/** Longer lines are no prose, and looking for the other end of each mark would take too long. */
const longest = 5_000;

export function readInline(text: string, looks: readonly Look[] = []): Span[] {
  if (text.length > longest) return [{ text, looks }];
  const spans: Span[] = [];
  let plain = "";
  let at = 0;

  const put = (piece: string, more: readonly Look[] = []) => {
    const all = [...looks, ...more];
    if (piece !== "") spans.push(all.length > 0 ? { text: piece, looks: all } : { text: piece });
  };
  const flush = () => {
    put(plain);
    plain = "";
  };
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };

  while (at < text.length) {
    const found = special.has(text[at]!) ? readMark() : undefined;
    if (found === undefined) plain += text[at++];
    else at += found;
  }
  flush();
  return spans;

  /** Puts what begins here and returns its length. */
  function readMark(): number | undefined {
    const literally = match(escaped);
    if (literally) {
      plain += literally[1];
      return literally[0].length;
    }
    const literal = match(code);
    if (literal) {
      flush();
      put(literal[2]!.replace(/^ (.*\S.*) $/, "$1"), ["cyan"]);
      return literal[0].length;
    }
    const linked = match(link) ?? match(address);
    if (linked) {
      flush();
      const [whole, label = "", target = label] = linked;
      const url = target.replace(/^<|>$/g, "");
      if (label !== "" && label !== url) spans.push(...readInline(label, looks));
      if (label === url || label === "") put(url, ["underline"]);
      else if (url !== "") put(` (${url})`, ["dim"]);
      return whole.length;
    }
    // A word such as snake_case has no emphasis in it.
    if (text[at] === "_" && /\w/.test(text[at - 1] ?? "")) return undefined;
    for (const mark of marks) {
      const marked = match(mark.pattern);
      if (!marked) continue;
      flush();
      spans.push(...readInline(marked[2]!, [...looks, ...mark.looks]));
      return marked[0].length;
    }
    return undefined;
  }
}

const special = new Set("*_`~[!<\\");
