// `interpreter rules`: what code may do here and why; `interpreter rules check …` explains one decision.

import { existsSync } from "node:fs";
import { type CommandLine, loadSettings, openRules, originText, places } from "../settings/index.ts";
import { check, checkLines } from "./rules/check.ts";
import { ruleRows, ruleTable } from "./rules/list.ts";
import { type Standing, standingOf } from "./rules/standing.ts";
import { type Screen, screenFor } from "./screen.ts";
import { foldWords } from "./text/fold-words.ts";

/** The words after `rules`. */
export async function runRules([verb, ...words]: readonly string[], line: CommandLine): Promise<number> {
  const { settings, origins } = await loadSettings(line, process.cwd(), process.env);
  const where = { cwd: process.cwd(), env: process.env };
  const rules = await (await openRules()).loadRules(places(), { ...where, choices: line.choices });
  if (verb === "path") return print(`${rules.path}\n`);
  const standing = await standingOf({ settings, rules, ...where });
  const screen = screenFor(settings);
  if (verb === undefined) return list(standing, originText(origins.sandbox ?? { from: "default" }), line, screen);
  const result = await check(words, standing, where.cwd, where.env);
  if (line.choices.json) return print(`${JSON.stringify(result.checked, null, 1)}\n`);
  const columns = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;
  for (const text of checkLines(result, rules.path, screen.style)) print(foldWords(text, columns - 1));
  return 0;
}

async function list(standing: Standing, origin: string, { choices }: CommandLine, { style }: Screen): Promise<number> {
  const { level, rules } = standing;
  const rows = await ruleRows(standing);
  if (choices.json) return print(`${JSON.stringify({ sandbox: level, rules: rows }, null, 1)}\n`);
  if (!process.stdout.isTTY && !choices.plain)
    return print(
      [
        ["sandbox", level, origin],
        ...rows.map(({ verdict, kind, what, origin: stands }) => [verdict, kind, what, stands]),
      ]
        .map((fields) => `${fields.join("\t")}\n`)
        .join(""),
    );
  print(`Sandbox: ${style.bold(level)} ${style.dim(origin)}\n\n`);
  for (const text of ruleTable(rows, process.stdout.columns || 100, style)) print(text);
  const file = existsSync(rules.path) ? `Yours are in ${rules.path}` : `Yours would be in ${rules.path}`;
  return print(`\n${style.dim(`The strictest rule that speaks of something holds. ${file}`)}\n`);
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}
