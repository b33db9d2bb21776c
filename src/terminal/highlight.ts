// Colours one line of code at a time, carrying along what a line leaves open (a long string, a comment).

import type { Style } from "./style.ts";

interface Grammar {
  keywords: ReadonlySet<string>;
  comment: RegExp;
  /** Delimiters of strings that may span lines, longest first. */
  long: readonly string[];
  /** Delimiters of strings that end with the line. */
  short: readonly string[];
  /** Begins and ends a comment that may span lines. */
  blockComment?: readonly [string, string];
}

const words = (text: string) => new Set(text.split(" "));

const grammars: Record<string, Grammar> = {
  python: {
    keywords: words(
      "False None True and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield",
    ),
    comment: /#.*/y,
    long: ['"""', "'''"],
    short: ['"', "'"],
  },
  javascript: {
    keywords: words(
      "async await break case catch class const continue debugger default delete do else enum export extends false finally for from function if implements import in instanceof interface let new null of return static super switch this throw true try type typeof undefined var void while yield",
    ),
    comment: /\/\/.*/y,
    long: ["`"],
    short: ['"', "'"],
    blockComment: ["/*", "*/"],
  },
  shell: {
    keywords: words(
      "case do done elif else esac export fi for function if in local return select then until while set unset cd echo source exit",
    ),
    comment: /(?<=^|\s)#.*/y,
    long: ['"', "'"],
    short: [],
  },
};

const aliases: Record<string, string> = {
  py: "python",
  js: "javascript",
  typescript: "javascript",
  ts: "javascript",
  bash: "shell",
  sh: "shell",
  zsh: "shell",
};

/** Returns a function that colours the next line. */
export function createHighlighter(language: string, style: Style): (line: string) => string {
  const grammar = grammars[aliases[language] ?? language];
  if (!grammar || !style.colour) return (line) => line;
  let open: string | undefined;
  return (line) => {
    const result = paintLine(line, grammar, open, style);
    open = result.open;
    return result.text;
  };
}

function paintLine(line: string, grammar: Grammar, open: string | undefined, style: Style) {
  let text = "";
  let at = 0;
  const until = (close: string, from: number, paint: (text: string) => string): boolean => {
    const end = findClose(line, close, from);
    text += paint(line.slice(at, end === -1 ? line.length : end));
    at = end === -1 ? line.length : end;
    return end !== -1;
  };
  if (open !== undefined) {
    const paint = open === grammar.blockComment?.[1] ? style.dim : style.green;
    if (!until(open, 0, paint)) return { text, open };
  }
  while (at < line.length) {
    const comment = match(grammar.comment, line, at);
    if (comment) return { text: text + style.dim(comment), open: undefined };
    const [begin, end] = grammar.blockComment ?? [];
    if (begin && end && line.startsWith(begin, at)) {
      if (!until(end, at + begin.length, style.dim)) return { text, open: end };
      continue;
    }
    const long = grammar.long.find((mark) => line.startsWith(mark, at));
    if (long) {
      if (!until(long, at + long.length, style.green)) return { text, open: long };
      continue;
    }
    const short = grammar.short.find((mark) => line.startsWith(mark, at));
    if (short) {
      until(short, at + 1, style.green);
      continue;
    }
    const token = match(/[\p{L}_$][\p{L}\p{N}_$]*|\d[\w.]*|[^\p{L}_$\d]/uy, line, at) ?? line[at]!;
    if (grammar.keywords.has(token)) text += style.magenta(token);
    else if (/^\d/.test(token)) text += style.cyan(token);
    else if (line[at + token.length] === "(") text += style.blue(token);
    else text += token;
    at += token.length;
  }
  return { text, open: undefined };
}

/** Where a string that ends with `close` ends, past the delimiter; -1 when this line does not end it. */
function findClose(line: string, close: string, from: number): number {
  for (let at = from; at < line.length; at++) {
    if (line[at] === "\\" && close !== "*/") at++;
    else if (line.startsWith(close, at)) return at + close.length;
  }
  return -1;
}

function match(pattern: RegExp, line: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(line)?.[0];
}
