// What holds, row by row: the rules with where they stand, then what holds where none of them speaks.

import { openRules } from "../../settings/index.ts";
import { sanitize } from "../sanitize.ts";
import type { Style } from "../style.ts";
import { widthOf } from "../text/width.ts";
import { wrap } from "../text/wrap.ts";
import type { Standing } from "./standing.ts";

export interface RuleRow {
  verdict: "allow" | "ask" | "deny";
  kind: string;
  what: string;
  /** Where it stands; `default` where no rule says it. */
  origin: string;
  because?: string;
}

export async function ruleRows(standing: Standing): Promise<RuleRow[]> {
  const { originOf, verdicts } = await openRules();
  const strictness = (verdict: RuleRow["verdict"]): number => -verdicts.indexOf(verdict);
  const ruled = standing.rules
    .list()
    .map(({ verdict, kind, pattern, because, origin }) => ({
      verdict,
      kind,
      what: pattern,
      origin: originOf(origin),
      ...(because !== undefined && { because }),
    }))
    .sort((a, b) => strictness(a.verdict) - strictness(b.verdict));
  return [...ruled, ...defaultRows(standing)];
}

function defaultRows({ level, registries, walls }: Standing): RuleRow[] {
  const row = (verdict: RuleRow["verdict"], kind: string, what: string, origin = "default"): RuleRow => ({
    verdict,
    kind,
    what,
    origin,
  });
  const always = row("allow", "command", "every other; code itself waits for your yes, see --approve");
  if (!walls)
    return [
      row("allow", "read", "everything"),
      row("allow", "write", "everything"),
      row("allow", "host", "every host"),
      always,
    ];
  const strict = level === "strict";
  const hosts = strict
    ? [row("deny", "host", "every host: there is no network")]
    : [
        row("deny", "host", "addresses where clouds hand out keys"),
        row("ask", "host", "every other, with private networks and ports of this machine"),
        ...[...registries.known].map((host) => row("allow", "host", host, registries.origin(host))),
        row("allow", "host", "what your package tools use by themselves"),
      ];
  return [
    row("deny", "read", strict ? "everything that code does not need" : "keys, passwords, browsers, keyrings"),
    row("allow", "read", strict ? "the workspace, programs and their libraries" : "everything else"),
    row("deny", "write", "git hooks, start files, and what Open Interpreter keeps, whatever rules say"),
    row("deny", "write", "everything outside of the workspace"),
    row("allow", "write", strict ? "the workspace and temporary files" : "the workspace, temporary files and caches"),
    ...hosts,
    always,
  ];
}

/** Where what a rule is about begins. */
const indent = 17;

/** Nothing is cut: what is too long goes on below, and so does where it stands. */
export function* ruleTable(rows: readonly RuleRow[], columns: number, style: Style): Generator<string> {
  const paint = { allow: style.green, ask: style.yellow, deny: style.red };
  const room = Math.max(12, columns - 1 - indent);
  const longest = Math.min(40, Math.max(...rows.map(({ origin }) => widthOf(origin))));
  const wide = Math.max(...rows.map(({ what }) => widthOf(what)));
  const width = Math.min(wide, room - 2 - longest < 30 ? room : room - 2 - longest);
  const fold = (text: string, most: number): string[] =>
    wrap([{ text: sanitize(text) }], { columns: most, style, words: true });
  for (const { verdict, kind, what, origin, because } of rows) {
    const [first = "", ...more] = fold(what, width);
    const isBeside = width + 2 + widthOf(origin) <= room;
    const gap = " ".repeat(Math.max(0, width - widthOf(first)));
    const beside = isBeside ? `${gap}  ${style.dim(sanitize(origin))}` : "";
    yield `${paint[verdict](verdict.padEnd(5))}  ${kind.padEnd(8)}  ${first}${beside}\n`;
    const faint = [...(isBeside ? [] : fold(origin, room)), ...(because === undefined ? [] : fold(because, room))];
    for (const row of [...more, ...faint.map(style.dim)]) yield `${" ".repeat(indent)}${row}\n`;
  }
}
