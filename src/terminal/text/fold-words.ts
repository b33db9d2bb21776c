// Breaks our own sentences between words, so that the terminal never has to break them within.

import { paintedWidth } from "./width.ts";

/** Each line keeps its indentation; `hang` more columns stand before the rows that follow its first. */
export function foldWords(text: string, columns: number, hang = 0): string {
  return text
    .split("\n")
    .map((line) => foldLine(line, columns, hang))
    .join("\n");
}

function foldLine(line: string, columns: number, hang: number): string {
  if (paintedWidth(line) <= columns) return line;
  const indent = /^ */.exec(line)![0];
  // On a narrow screen what follows does not stand far to the right.
  const rest = indent + " ".repeat(Math.min(hang, Math.max(2, Math.floor(columns / 3))));
  const rows: string[] = [];
  let row = indent;
  let empty = true;
  for (const word of line.slice(indent.length).split(" ")) {
    const longer = empty ? row + word : `${row} ${word}`;
    if (!empty && paintedWidth(longer) > columns) {
      rows.push(row);
      row = rest + word;
    } else row = longer;
    empty = false;
  }
  return [...rows, row].join("\n");
}
