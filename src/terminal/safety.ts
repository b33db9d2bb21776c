// What safe mode found in a block, above the question whether it may run: the worst first, a line each.

import type { Finding } from "../agent/index.ts";
import { sanitize } from "./sanitize.ts";
import type { Look, Style } from "./style.ts";
import { foldWords } from "./text/fold-words.ts";

const most = 5;

const looks: Readonly<Record<Finding["severity"], readonly [sign: string, look: Look]>> = {
  danger: ["✗", "red"],
  warning: ["!", "yellow"],
  note: ["•", "dim"],
};

export interface FindingsOptions {
  style: Style;
  columns: number;
  /** However many there are. */
  all?: boolean;
}

/** Whether not all of them are shown at first. */
export const isLong = (findings: readonly Finding[]): boolean => findings.length > most;

/** Each line ends with a line break; no text at all where nothing was found. */
export function findingsText(findings: readonly Finding[], { style, columns, all }: FindingsOptions): string {
  const shown = all ? findings : findings.slice(0, most);
  const numbers = Math.max(0, ...shown.map(({ line }) => String(line).length));
  const rows = shown.map(({ severity, line, text }) => {
    const [sign, look] = looks[severity];
    const place = `${sign} line ${String(line).padStart(numbers)}  `;
    const words = `${place}${sanitize(text).replace(/\s+/g, " ")}`;
    return `${style[look](foldWords(words, Math.max(20, columns - 1), place.length))}\n`;
  });
  const left = findings.length - shown.length;
  return rows.join("") + (left > 0 ? style.dim(`and ${left} more: ? shows them\n`) : "");
}

/** The same in one line, for where nobody is asked: how many, and the worst of them. */
export function findingsLine(findings: readonly Finding[]): string {
  const [worst] = findings;
  if (!worst) return "";
  const more = findings.length > 1 ? ` (and ${findings.length - 1} more)` : "";
  return `Line ${worst.line}: ${sanitize(worst.text).replace(/\s+/g, " ")}${more}`;
}
