// One line of markdown as the rows it takes: headings, lists, quotes, rules and plain text.

import type { Style } from "../style.ts";
import { wrap } from "../text/wrap.ts";
import { readInline } from "./inline.ts";

export function lineRows(line: string, columns: number, style: Style): string[] {
  const text = line.trimEnd();
  if (text === "") return [""];
  const heading = /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?$/.exec(text);
  if (heading) return wrap(readInline(heading[2]!, headingLooks(heading[1]!.length)), { columns, style });
  if (/^ {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/.test(text))
    return [style.dim("─".repeat(Math.min(columns, 40)))];
  const quote = /^\s*((?:>\s?)+)(.*)$/.exec(text);
  if (quote) {
    const bar = "│ ".repeat(quote[1]!.replaceAll(/[^>]/g, "").length);
    const inner = lineRows(quote[2]!, Math.max(10, columns - bar.length), style);
    return inner.map((row) => style.dim(bar) + row);
  }
  const item = /^(\s*)([-*+]|\d{1,9}[.)])\s+(?:\[([ xX])\]\s+)?(.*)$/.exec(text);
  if (item) {
    const [, indent = "", mark = "", box, words = ""] = item;
    const bullet = /\d/.test(mark) ? mark : box === undefined ? "•" : box === " " ? "☐" : "☑";
    const first = `${indent}${bullet} `;
    return wrap(readInline(words), { columns, first, rest: " ".repeat(indent.length + bullet.length + 1), style });
  }
  const indent = /^\s*/.exec(text)![0];
  return wrap(readInline(text.slice(indent.length)), { columns, first: indent, rest: indent, style });
}

const headingLooks = (level: number) => (level <= 2 ? (["bold", "underline"] as const) : (["bold"] as const));
