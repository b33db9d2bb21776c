// The text of `interpreter --help`, made from the tables of options and subcommands.

import { type Option, options } from "./options/index.ts";
import { type Subcommand, subcommands } from "./subcommands.ts";

export const tagline = "Open Interpreter: say what you want; a model writes code; it runs here, and you decide.";

/** The ways to start that are no subcommand. */
export const ways: readonly (readonly [string, string])[] = [
  ["interpreter", "chat in the terminal"],
  ['interpreter "words"', "one task, then exit (also: i words)"],
  ["interpreter FILE.ipynb", "go on with a Jupyter notebook as a conversation"],
  ['command | interpreter "…"', "the same, with what is piped in attached"],
];

export const exitCodeHelp: readonly (readonly [number, string])[] = [
  [0, "done"],
  [1, "failed"],
  [2, "wrong usage"],
  [3, "stopped because code needed approval and nobody was there"],
  [4, "stopped at a limit"],
  [5, "budget used up"],
  [6, "no answer that follows the output schema"],
  [130, "interrupted"],
];

/** `columns` is the width of the screen it is for. */
export function helpText(columns = 200): string {
  const line = (left: string, right: string) => helpLine(left, right, columns);
  const all: readonly Option[] = options;
  const own = all.filter(({ legacy }) => !legacy);
  const commands = (subcommands as readonly Subcommand[]).map(
    ({ name, argument, help }) => [`interpreter ${name}${argument ? ` ${argument}` : ""}`, help] as const,
  );
  return `${tagline}

${[...ways, ...commands].map(([left, right]) => line(left, right)).join("")}
Options (underscores and hyphens are the same):
${own.map((option) => line(flagsOf(option), option.help)).join("")}
Also taken, as the original has them (\`interpreter man\` says what they do here):
${wrapped(all.filter(({ legacy }) => legacy).map(longFlag), Math.min(110, columns - 2))}
Exit codes: ${wrappedCodes()}
`;
}

const longFlag = ({ flag, negatable }: Option): string => `--${negatable ? "[no-]" : ""}${flag}`;

function flagsOf(option: Option): string {
  return `${option.short ? `-${option.short}, ` : ""}${longFlag(option)}${option.value ? ` ${option.value}` : ""}`;
}

function helpLine(left: string, right: string, columns: number): string {
  const indent = " ".repeat(columns < 76 ? 6 : 39);
  const rows = wrapped(right.split(" "), Math.max(20, columns - indent.length - 1)).trimEnd();
  const text = rows.split("\n").map((row) => row.trim());
  const beside = left.length <= 36 && columns >= 76;
  const first = beside ? `  ${left.padEnd(36)} ${text.shift()}` : `  ${left}`;
  return `${[first, ...text.map((row) => indent + row)].join("\n")}\n`;
}

function wrapped(words: readonly string[], width = 110): string {
  const lines = [""];
  for (const word of words) {
    if (`${lines.at(-1)} ${word}`.length > width) lines.push("");
    lines.push(`${lines.pop()} ${word}`);
  }
  return lines.map((each) => ` ${each}\n`).join("");
}

function wrappedCodes(): string {
  const told = exitCodeHelp.map(([code, meaning]) => `${code} ${meaning}`);
  return `${told.slice(0, 4).join(", ")},\n${told.slice(4).join(", ")}.`;
}
