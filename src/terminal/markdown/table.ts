// A table: columns as wide as they need, narrower where the terminal is, numbers to the right.

import type { Style } from "../style.ts";
import { paintedWidth, widthOf } from "../text/width.ts";
import type { Span } from "../text/wrap.ts";
import { wrap } from "../text/wrap.ts";
import { readInline } from "./inline.ts";

export const isTableRow = (line: string): boolean => /^\s*\|.*\|?\s*$/.test(line);
const isRule = (line: string): boolean => /^\s*\|?(?:\s*:?-+:?\s*\|)+\s*(?::?-+:?)?\s*$/.test(line);

type Side = "left" | "right";

/** The rows of a table as it stands, or nothing when these lines are none (yet). */
export function tableRows(lines: readonly string[], columns: number, style: Style): string[] | undefined {
  if (lines.length < 2 || !isRule(lines[1]!)) return undefined;
  const cells = [lines[0]!, ...lines.slice(2)].map(cellsOf);
  const count = Math.max(...cells.map((row) => row.length));
  const spans = cells.map((row, index) =>
    Array.from({ length: count }, (_, column) => readInline(row[column] ?? "", index === 0 ? ["bold"] : [])),
  );
  const sides = sidesOf(lines[1]!, cells, count);
  const widths = squeeze(
    Array.from({ length: count }, (_, column) => Math.max(1, ...spans.map((row) => textWidth(row[column]!)))),
    columns - 2 * (count - 1),
  );
  const [head, ...body] = spans.map((row) => rowOf(row, widths, sides, style));
  const rule = style.dim(widths.map((width) => "─".repeat(width)).join("  "));
  return [...head!, rule, ...body.flat()];
}

function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\||(?<!\\)\|$/g, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll("\\|", "|").trim());
}

/** As the rule says; without a word from it, columns of numbers go to the right. */
function sidesOf(rule: string, cells: readonly string[][], count: number): Side[] {
  const marks = cellsOf(rule);
  return Array.from({ length: count }, (_, column) => {
    const mark = marks[column] ?? "";
    if (mark.endsWith(":") && !mark.startsWith(":")) return "right";
    if (mark.startsWith(":")) return "left";
    const values = cells.slice(1).map((row) => row[column] ?? "");
    return values.length > 0 && values.every((value) => /^[-+]?[$€£]?[\d.,]+\s?%?$|^$/.test(value)) ? "right" : "left";
  });
}

/** Takes from the widest until all fit. */
function squeeze(wanted: number[], room: number): number[] {
  const widths = [...wanted];
  while (widths.reduce((sum, width) => sum + width, 0) > room) {
    const widest = widths.indexOf(Math.max(...widths));
    if (widths[widest]! <= 4) break;
    widths[widest]!--;
  }
  return widths;
}

function rowOf(row: readonly Span[][], widths: readonly number[], sides: readonly Side[], style: Style): string[] {
  const cells = row.map((spans, column) => wrap(spans, { columns: widths[column]!, style }));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((lines, column) => {
        const text = lines[line] ?? "";
        const pad = " ".repeat(Math.max(0, widths[column]! - paintedWidth(text)));
        return sides[column] === "right" ? pad + text : text + pad;
      })
      .join("  ")
      .trimEnd(),
  );
}

const textWidth = (spans: readonly Span[]): number => spans.reduce((sum, { text }) => sum + widthOf(text), 0);
