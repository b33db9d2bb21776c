// Markdown as it is being written: each line is shown in its form as soon as there is anything of it, and is final when it ends.

import { createHighlighter } from "../highlight.ts";
import type { Style } from "../style.ts";
import type { Tail } from "../tail.ts";
import { wrap } from "../text/wrap.ts";
import { lineRows } from "./lines.ts";
import { isTableRow, tableRows } from "./table.ts";

export interface MarkdownView {
  write(text: string): void;
  /** The text is over, or something else must be printed. */
  end(): void;
}

interface Fence {
  mark: string;
  highlight: (line: string) => string;
}

export function createMarkdown(tail: Tail, style: Style, columns: () => number): MarkdownView {
  let line = "";
  let table: string[] = [];
  let fence: Fence | undefined;

  function rowsOf(text: string): string[] {
    return fence ? codeRows(text) : lineRows(text, columns(), style);
  }

  function codeRows(text: string): string[] {
    const rows = wrap([{ text: text.replaceAll("\t", "    ") }], {
      columns: columns(),
      first: "  ",
      rest: "  ",
      style,
    });
    return rows.length === 1 ? [`  ${fence!.highlight(text.replaceAll("\t", "    "))}`] : rows;
  }

  /** The table so far, as a table when it has become one. */
  const shownTable = (lines: readonly string[]): string[] =>
    tableRows(lines, columns(), style) ?? lines.flatMap((each) => lineRows(each, columns(), style));

  function closeTable(): void {
    if (table.length === 0) return;
    tail.show(shownTable(table));
    tail.commit();
    table = [];
  }

  function finish(text: string): void {
    const mark = /^\s*(```+|~~~+)\s*([\w+#.-]*)/.exec(text);
    if (mark && !fence) {
      closeTable();
      fence = { mark: mark[1]!, highlight: createHighlighter(mark[2]!.toLowerCase(), style) };
      tail.show(mark[2] ? [style.dim(mark[2])] : []);
      if (tail.open) tail.commit();
      return;
    }
    if (mark && fence && mark[1]!.startsWith(fence.mark) && mark[2] === "") {
      fence = undefined;
      tail.show([]);
      return;
    }
    if (!fence && isTableRow(text)) {
      table.push(text);
      tail.show(shownTable(table));
      return;
    }
    closeTable();
    tail.show(rowsOf(text));
    tail.commit();
  }

  return {
    write(text) {
      const pieces = text.split("\n");
      for (const [index, piece] of pieces.entries()) {
        line += piece;
        if (index === pieces.length - 1) break;
        finish(line);
        line = "";
      }
      if (line === "") return;
      if (!fence && isTableRow(line)) tail.show(shownTable([...table, line]));
      else {
        closeTable();
        // The highlighter moves on with each line it paints: an unfinished one stays plain.
        tail.show(
          fence ? wrap([{ text: line }], { columns: columns(), first: "  ", rest: "  ", style }) : rowsOf(line),
        );
      }
    },
    end() {
      if (line !== "") finish(line);
      line = "";
      closeTable();
      fence = undefined;
      if (tail.open) tail.commit();
    },
  };
}
